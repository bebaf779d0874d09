"""The chip count: a keypad for each stack, and a difference that updates during typing."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from league.access import (
    Action,
    Visitor,
    find_night,
    may,
    may_exceed_limits,
    require,
    require_to_undo,
)
from league.closing.cash_outs import undo_exchange
from league.closing.chip_count import NightCount, PlayerCount, count_all, tally
from league.closing.count_explanations import likely_explanations
from league.common.errors import NightClosedError, RefusedError
from league.common.text import by_name
from league.deals.open_deal import rows_in_deal
from league.models import BuyIn, CashOut, ChipRequest, Night, Player, Seat
from league.pages.nights.chip_requests import exchange_chips, speaks_for, stays_at
from league.pages.parts.answer_view import words
from league.pages.parts.chip_pieces import keypad
from league.pages.parts.forms import CashOutForm, apply_form, show_errors
from league.pages.parts.numbers import Chips, number
from league.pages.parts.visitor import signed_in


@dataclass(frozen=True, slots=True)
class Row:
    """A player's row in the count, with an input field if the visitor may count these chips."""

    line: PlayerCount
    field: forms.BoundField | None


class CountForm(forms.Form):
    """A field for each player whose chips the visitor may count."""

    key = forms.UUIDField(widget=forms.HiddenInput({"data-key": True}))

    def __init__(
        self, night: Night, players: list[Player], data: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(data, initial={"key": uuid4()})
        lines = {line.player: line for line in tally(night).lines}
        self.players = {
            f"chips-{player.pk}": player
            for player in players
            if lines[player.pk].expected or not lines[player.pk].gone
        }
        for name, player in self.players.items():
            line = lines[player.pk]
            # A stale count is shown for checking.
            initial = line.counted if line.stale is None else line.stale
            self.fields[name] = Chips(
                label=player.name,
                min_value=0,
                required=False,
                initial=None if line.gone else initial,
            )
            self.fields[name].widget.attrs |= {
                "aria-label": _("Chips of %(name)s") % {"name": player.name},
                "data-chips": True,
                "data-label": player.name,
                "data-expected": line.expected,
            }

    def typed(self) -> dict[UUID, int | None]:
        """Return the typed values that are valid numbers."""
        self.is_valid()
        cleaned = self.cleaned_data
        return {
            player.pk: cleaned[name] for name, player in self.players.items() if name in cleaned
        }

    def counts(self) -> dict[Player, int | None]:
        """Return the counts. The form must be valid."""
        return {player: self.cleaned_data[name] for name, player in self.players.items()}

    def rows(self, count: NightCount) -> list[Row]:
        fields = {player.pk: self[name] for name, player in self.players.items()}
        return [Row(line, fields.get(line.player)) for line in count.lines if line.position]


@require_http_methods(["GET", "HEAD", "POST"])
def count(request: HttpRequest, night_id: UUID) -> HttpResponse:
    night = find_night(request.user, Action.VIEW, night_id)
    form = CountForm(night, _countable(request.user, night), request.POST or None)

    def save() -> None:
        key = form.cleaned_data["key"]
        count_all(night, form.counts(), counts_id=key, by=signed_in(request))

    if form.is_bound and form.is_valid() and apply_form(form, save):
        if any(chips is not None for chips in form.counts().values()):
            messages.success(request, _saved_text(tally(night)))
        elif set(form.changed_data) & set(form.players):
            messages.success(request, _("Count removed."))
        else:
            text = _("You entered no chips. No count was saved.")
            messages.error(request, text, extra_tags="bad")
        return redirect("count" if request.POST.get("stay") else "night", night.pk)
    counts = _typed_counts(night, form.typed() if form.is_bound else None)
    context = {
        "night": night,
        "league": night.league,
        "form": form,
        "rows": form.rows(counts["tally"]),
        "keypad": keypad(night.league),
        "words": words(),
        **counts,
    }
    return render(request, "nights/chip_count.html", context, status=400 if form.errors else 200)


@require_POST
def check_count(request: HttpRequest, night_id: UUID) -> HttpResponse:
    """Return the difference for the chips typed so far. Nothing is stored."""
    night = find_night(request.user, Action.VIEW, night_id)
    form = CountForm(night, _countable(request.user, night), request.POST)
    return render(request, "nights/chip_count_difference.html", _typed_counts(night, form.typed()))


@require_http_methods(["GET", "HEAD", "POST"])
def leave(request: HttpRequest, night_id: UUID) -> HttpResponse:
    night = find_night(request.user, Action.VIEW, night_id)
    # If the request is repeated, the player has already left, but the response must be the same.
    gone: dict[str, None] = {} if request.method == "POST" else {"left_at": None}
    leaving = by_name(_countable(request.user, night, **gone))
    form = CashOutForm(night, leaving, request.POST or None, initial={"key": uuid4()})
    if may(request.user, Action.MANAGE, night.league):
        form.let_host_say()
    notice = form.is_bound and night.league.leave_notice
    if notice and may_exceed_limits(request.user, night.league):
        form.let_confirm()
    kind, text = ChipRequest.Kind.CASH_OUT, _("%(name)s cashed out.")
    if form.is_bound and form.is_valid() and exchange_chips(request, night, form, kind, text):
        return redirect("night", night.pk)
    context: dict[str, Any] = {"night": night, "league": night.league, "form": form}
    context["dealt"] = [row for row in rows_in_deal(night) if row.player in leaving]
    if night.league.chip_set:
        form.open_keypad()
        context |= {"keypad": keypad(night.league), "words": words()}
    return render(request, "nights/cash_out.html", context, status=400 if form.errors else 200)


@require_POST
def undo(request: HttpRequest, night_id: UUID, done_id: UUID) -> HttpResponse:
    """Undo a buy-in or a cash-out."""
    night = find_night(request.user, Action.VIEW, night_id)
    mine = {"night": night, "pk": done_id}
    bought = BuyIn.objects.filter(**mine).first()
    done = bought or CashOut.objects.filter(**mine).first()
    if done is None:
        require(request.user, Action.KEEP_SCORE, night.league)
        raise Http404
    require_to_undo(request.user, done, night.league)
    try:
        undo_exchange(done, by=signed_in(request))
    except (RefusedError, NightClosedError) as error:
        show_errors(request, error)
    else:
        text = (
            _("Buy-in undone: %(name)s, %(chips)s")
            if bought
            else _("Cash-out undone: %(name)s, %(chips)s")
        )
        messages.success(request, text % {"name": done.player, "chips": f"{done.chips:,}"})
    return redirect(stays_at(request), night.pk)


def _saved_text(count: NightCount) -> str:
    """Return the message after the count, with the difference once all players are counted."""
    text, chips = _("Count saved."), abs(count.missing)
    if count.uncounted or not chips:
        return text
    if count.missing > 0:
        off = ngettext("%(n)s chip is missing.", "%(n)s chips are missing.", chips)
    else:
        off = ngettext("%(n)s chip too many.", "%(n)s chips too many.", chips)
    return f"{text} {off % {'n': number(chips)}}"


def _typed_counts(night: Night, typed: Mapping[UUID, int | None] | None) -> dict[str, Any]:
    count = tally(night, typed)
    return {
        "tally": count,
        "suspicions": likely_explanations(night, count),
        "excess": -count.missing,
        "counted": sum(line.counted or 0 for line in count.lines),
        "whole": sum(line.expected for line in count.lines),
    }


def _countable(user: Visitor, night: Night, **seated: None) -> list[Player]:
    rows = Seat.objects.filter(night=night, **seated).select_related("player")
    return speaks_for(user, night, [row.player for row in rows.order_by("position")])
