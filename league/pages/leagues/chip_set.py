"""A league's chip set: what to hand out for a buy-in, and the form that changes the set."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from league.access import Action, find_league, may
from league.chips import COLOURS, MOST_PIECES, MOST_PLAYERS, MOST_REBUYS, ChipColour, hand_out
from league.common.errors import RefusedError
from league.models import League
from league.nights.nights import last_seating
from league.nights.opening import USUAL_BUY_IN
from league.options import change
from league.pages.parts.chip_pieces import pieces_of
from league.pages.parts.forms import apply_form
from league.pages.parts.numbers import Chips, WholeNumber
from league.pages.parts.visitor import signed_in

USUAL_PLAYERS = 6


class HandOutForm(forms.Form):
    buy_in = Chips(label=gettext_lazy("Buy-in"), min_value=1)
    players = WholeNumber(label=gettext_lazy("Players"), min_value=1, max_value=MOST_PLAYERS)
    rebuys = WholeNumber(
        label=gettext_lazy("Rebuys"), min_value=0, max_value=MOST_REBUYS, required=False
    )


@dataclass(frozen=True, slots=True)
class ColourRow:
    """A row of the form: a colour with its two fields."""

    colour: str
    name: str | Promise
    value: forms.BoundField
    count: forms.BoundField

    @property
    def errors(self) -> Iterator[str]:
        for field in (self.value, self.count):
            yield from (str(error) for error in field.errors)


class ChipSetForm(forms.Form):
    """A row for each colour. A colour without numbers is not in the set."""

    def __init__(self, league: League, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        known = {chips["colour"]: chips for chips in league.chip_set}
        for colour, name in COLOURS.items():
            chips = known.get(colour)
            self._add(f"value-{colour}", _("Value of %(colour)s"), name, chips and chips["value"])
            self._add(f"count-{colour}", _("Pieces of %(colour)s"), name, chips and chips["count"])

    def _add(self, field: str, label: str, colour: Promise, initial: int | None) -> None:
        most = {"max_value": MOST_PIECES} if field.startswith("count") else {}
        kind = WholeNumber if most else Chips
        words = label % {"colour": colour}
        self.fields[field] = kind(min_value=1, required=False, label=words, initial=initial, **most)
        self.fields[field].widget.attrs["aria-label"] = words

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        for colour in COLOURS:
            names = (f"value-{colour}", f"count-{colour}")
            if set(names) & self.errors.keys():
                continue
            missing = [name for name in names if cleaned.get(name) is None]
            if len(missing) == 1:
                self.add_error(missing[0], _("Enter the value and the number of pieces."))
        return cleaned

    @property
    def rows(self) -> list[ColourRow]:
        return [
            ColourRow(colour, name, self[f"value-{colour}"], self[f"count-{colour}"])
            for colour, name in COLOURS.items()
        ]

    def chip_set(self) -> list[ChipColour]:
        """Return the chip set from the fields. The form must be valid."""
        typed = self.cleaned_data
        return [
            {"colour": colour, "value": typed[f"value-{colour}"], "count": typed[f"count-{colour}"]}
            for colour in COLOURS
            if typed[f"value-{colour}"] is not None
        ]


@require_safe
def chip_set(request: HttpRequest, league_id: UUID) -> HttpResponse:
    league = find_league(request.user, Action.VIEW, league_id)
    seats, buy_in = last_seating(league)
    players = min(len(seats) or USUAL_PLAYERS, MOST_PLAYERS)
    usual = {"buy_in": buy_in or USUAL_BUY_IN, "players": players, "rebuys": players // 2}
    form = HandOutForm(request.GET if "buy_in" in request.GET else usual)
    context = {
        "league": league,
        "may_manage": may(request.user, Action.MANAGE, league),
        "pieces": pieces_of(league.chip_set),
        "number": sum(chips["count"] for chips in league.chip_set),
        "worth": sum(chips["count"] * chips["value"] for chips in league.chip_set),
        "form": form,
    }
    if league.chip_set and form.is_valid():
        context |= _answer(league, form.cleaned_data)
    return render(request, "chips/chip_set.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, league_id: UUID) -> HttpResponse:
    league = find_league(request.user, Action.MANAGE, league_id)
    form = ChipSetForm(league, request.POST or None)

    def save() -> None:
        rows, errors = form.chip_set(), []
        try:
            change(league, {"chip_set": rows}, by=signed_in(request))
        except RefusedError as refused:
            for error in refused.errors:
                _set, number, name = error["where"].split("/")
                errors.append(error | {"where": f"{name}-{rows[int(number)]['colour']}"})
            raise RefusedError(errors) from None

    if form.is_bound and form.is_valid() and apply_form(form, save):
        messages.success(request, _("Chip set saved."))
        return redirect("chip-set", league.pk)
    context = {"league": league, "form": form}
    return render(request, "chips/edit.html", context, status=400 if form.errors else 200)


def _answer(league: League, wanted: dict[str, Any]) -> dict[str, Any]:
    """Return what to hand out, and sentences about whether the chip set is enough."""
    buy_in, players, rebuys = wanted["buy_in"], wanted["players"], wanted["rebuys"] or 0
    plan = hand_out(league.chip_set, buy_in, players, rebuys)
    if plan is None:
        return {"sentences": [_("This buy-in is too large for the chip set.")]}
    is_enough = plan.players == players and plan.rebuys_paid == rebuys
    if not plan.portion:
        near = _(" or ").join(f"{chips:,}" for chips in plan.nearest)
        text = _("These chips can't pay %(buy_in)s exactly. Choose a buy-in of %(near)s.")
        sentences = [text % {"buy_in": f"{buy_in:,}", "near": near}]
    elif is_enough:
        for_rebuys, for_all = _("Enough for all players and rebuys."), _("Enough for all players.")
        sentences = [for_rebuys if rebuys else for_all]
    else:
        text = _("Enough for all players and %(paid)s of %(wanted)s rebuys.")
        numbers = {"paid": plan.rebuys_paid, "wanted": rebuys}
        if plan.players < players:
            text = _("Enough for %(paid)s of %(wanted)s players.")
            numbers = {"paid": plan.players, "wanted": players}
        lack = _("The other pieces don't add up to a whole buy-in. Add smaller chips.")
        if plan.missing:
            lack = _("Chips worth %(chips)s are missing.") % {"chips": f"{plan.missing:,}"}
        sentences = [text % numbers, lack]
    return {
        "portion": pieces_of(league.chip_set, plan.portion) if plan.portion else [],
        "rebuy": pieces_of(league.chip_set, plan.rebuys[0][0]) if plan.rebuys else [],
        "is_enough": is_enough,
        "sentences": sentences,
    }
