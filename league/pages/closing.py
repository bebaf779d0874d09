"""Close a night: what is still to be decided, what everybody won, who pays whom."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from league.access import Action, find_night
from league.closing import Decisions, close_night, reopen_night
from league.counts import Tally, tally
from league.explaining import likeliest
from league.models import Closing, Night
from league.money import in_money
from league.pages.forms import add_refusal
from league.pages.visitors import signed_in
from league.refusals import Refused
from league.telling import payments_of, sentence


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a closing would do: who wins and loses what, and who pays whom."""

    lines: list[tuple[str, int, str]]
    payments: list[tuple[str, str]]


class CloseForm(forms.Form):
    """What only the host can say."""

    key = forms.UUIDField(widget=forms.HiddenInput({"data-key": True}))
    missing = forms.IntegerField(widget=forms.HiddenInput)
    by_hands = forms.BooleanField(
        required=False, label=gettext_lazy("Take the chips of the others as the hands say")
    )
    bears = forms.TypedMultipleChoiceField(
        required=False, coerce=UUID, widget=forms.CheckboxSelectMultiple
    )

    def __init__(self, found: Tally, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data, initial={"key": uuid4(), "missing": found.missing})
        sat = [(str(line.player), line.name) for line in found.lines if line.position]
        self.fields["bears"].choices = sat  # type: ignore[attr-defined]

    def decisions(self) -> Decisions:
        """Return what was decided, of a valid form."""
        told = self.cleaned_data
        return Decisions(by_hands=told["by_hands"], bears=told["bears"], missing=told["missing"])


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def close(request: HttpRequest, night_id: UUID) -> HttpResponse:
    night = find_night(request.user, Action.RECORD, night_id)
    if night.state == Night.State.CLOSED:
        return redirect("payments", night.pk)
    found = tally(night)
    form = CloseForm(found, request.POST or None)
    if form.is_bound and form.is_valid() and _closed(request, night, form):
        messages.success(request, _("%(night)s is closed.") % {"night": night})
        return redirect("payments", night.pk)
    return _page(request, night, found, form)


@login_required
@require_POST
def check_close(request: HttpRequest, night_id: UUID) -> HttpResponse:
    """Answer with what closing would do, as it is decided so far; nothing is kept."""
    night = find_night(request.user, Action.RECORD, night_id)
    form = CloseForm(tally(night), request.POST)
    decisions = form.decisions() if form.is_valid() else Decisions()
    return render(request, "night/outcome.html", {"outcome": _outcome(night, decisions)})


@login_required
@require_POST
def reopen(request: HttpRequest, night_id: UUID) -> HttpResponse:
    night = find_night(request.user, Action.MANAGE, night_id)
    reopen_night(night, by=signed_in(request))
    messages.success(request, _("%(night)s goes on.") % {"night": night})
    return redirect("night", night.pk)


def _page(request: HttpRequest, night: Night, found: Tally, form: CloseForm) -> HttpResponse:
    decisions = form.decisions() if form.is_bound and not form.errors else Decisions()
    context = {
        "night": night,
        "league": night.league,
        "form": form,
        "tally": found,
        "excess": -found.missing,
        "suspicions": likeliest(night, found),
        "outcome": _outcome(night, decisions),
    }
    return render(request, "night/close.html", context, status=400 if form.errors else 200)


def _closed(request: HttpRequest, night: Night, form: CloseForm) -> bool:
    key, by = form.cleaned_data["key"], signed_in(request)
    try:
        close_night(night, key, by=by, decisions=form.decisions())
    except Refused as refused:
        # What was missing may have changed: the host sees how it is now.
        add_refusal(form, refused)
    return not form.errors


def _outcome(night: Night, decisions: Decisions) -> Outcome | None:
    """Close, look, and take everything back; None while something is not decided."""
    try:
        with transaction.atomic():
            outcome = _told(close_night(night, uuid4(), by=None, decisions=decisions), night)
            transaction.set_rollback(True)
    except Refused:
        return None
    night.refresh_from_db(fields=["state", "ended_at"])
    return outcome


def _told(closing: Closing, night: Night) -> Outcome:
    def worth(chips: int) -> str:
        return in_money(chips, night)

    lines = closing.lines.select_related("player").order_by("position", "player__name")
    plan = getattr(closing, "plan", None)
    planned = payments_of(plan) if plan else ()
    return Outcome(
        lines=[(line.player.name, line.net, worth(line.net)) for line in lines],
        payments=[(sentence(each), worth(each.chips)) for each in planned],
    )
