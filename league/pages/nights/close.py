"""Close a night: what is still to be decided, what everybody won, who pays whom."""

from collections.abc import Mapping
from dataclasses import dataclass, field
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

from league.access import Action, find_night, may
from league.closing.chip_count import Tally, likeliest, tally
from league.closing.close import Decisions, close_night, reopen_night
from league.closing.notifications import payments_of, sentence
from league.common.errors import RefusedError
from league.common.money import in_money
from league.models import Closing, ClosingLine, Night
from league.pages.parts.forms import carry_out
from league.pages.parts.visitor import signed_in


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a closing would do: who wins and loses what, and who pays whom; or why it can't yet."""

    lines: list[tuple[ClosingLine, str]] = field(default_factory=list)
    payments: list[tuple[str, str]] = field(default_factory=list)
    undecided: list[str] = field(default_factory=list)


class CloseForm(forms.Form):
    """What only the host can say."""

    key = forms.UUIDField(widget=forms.HiddenInput({"data-key": True}))
    missing = forms.IntegerField(widget=forms.HiddenInput)
    by_hands = forms.BooleanField(
        required=False, label=gettext_lazy("Use the expected chips for them")
    )
    bears = forms.TypedMultipleChoiceField(
        required=False, coerce=UUID, widget=forms.CheckboxSelectMultiple
    )

    def __init__(
        self, found: Tally, data: Mapping[str, Any] | None = None, *, by_host: bool
    ) -> None:
        initial: dict[str, Any] = {"key": uuid4(), "missing": found.missing}
        if by_host and found.explained_by:
            initial["bears"] = [str(found.explained_by)]
        super().__init__(data, initial=initial)
        sat = [(str(line.player), line.name) for line in found.lines if line.position]
        self.fields["bears"].choices = sat if by_host else []  # type: ignore[attr-defined]

    def proposed(self) -> Decisions:
        """Return what is ticked before anybody decides."""
        bears = [UUID(player) for player in self.initial.get("bears", ())]
        return Decisions(bears=bears, missing=self.initial["missing"])

    def decisions(self) -> Decisions:
        """Return what was decided, of a valid form."""
        told = self.cleaned_data
        return Decisions(by_hands=told["by_hands"], bears=told["bears"], missing=told["missing"])


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def close(request: HttpRequest, night_id: UUID) -> HttpResponse:
    night = find_night(request.user, Action.KEEP_SCORE, night_id)
    if night.state == Night.State.CLOSED:
        return redirect("payments", night.pk)
    found = tally(night)
    by_host = may(request.user, Action.MANAGE, night.league)
    form = CloseForm(found, request.POST or None, by_host=by_host)
    if form.is_bound and form.is_valid() and _closed(request, night, form):
        messages.success(request, _("%(night)s is closed.") % {"night": night})
        return redirect("payments", night.pk)
    return _page(request, night, found, form)


@login_required
@require_POST
def check_close(request: HttpRequest, night_id: UUID) -> HttpResponse:
    """Answer with what closing would do, as it is decided so far; nothing is kept."""
    night = find_night(request.user, Action.KEEP_SCORE, night_id)
    by_host = may(request.user, Action.MANAGE, night.league)
    form = CloseForm(tally(night), request.POST, by_host=by_host)
    decisions = form.decisions() if form.is_valid() else Decisions()
    return render(request, "nights/close_outcome.html", {"outcome": _outcome(night, decisions)})


@login_required
@require_POST
def reopen(request: HttpRequest, night_id: UUID) -> HttpResponse:
    night = find_night(request.user, Action.MANAGE, night_id)
    reopen_night(night, by=signed_in(request))
    messages.success(request, _("%(night)s is open again.") % {"night": night})
    return redirect("night", night.pk)


def _page(request: HttpRequest, night: Night, found: Tally, form: CloseForm) -> HttpResponse:
    if form.is_bound:
        decisions = Decisions() if form.errors else form.decisions()
    else:
        decisions = form.proposed()
    context = {
        "night": night,
        "league": night.league,
        "form": form,
        "may_manage": may(request.user, Action.MANAGE, night.league),
        "tally": found,
        "excess": -found.missing,
        "worth": in_money(abs(found.missing), night),
        "suspicions": likeliest(night, found),
        "outcome": _outcome(night, decisions),
    }
    return render(request, "nights/close.html", context, status=400 if form.errors else 200)


def _closed(request: HttpRequest, night: Night, form: CloseForm) -> bool:
    """Close, or say why not: what was missing may have changed, so the host sees how it is now."""
    key, by = form.cleaned_data["key"], signed_in(request)
    return carry_out(form, lambda: close_night(night, key, by=by, decisions=form.decisions()))


def _outcome(night: Night, decisions: Decisions) -> Outcome:
    """Close, look, and take everything back; while something is not decided, say what."""
    try:
        with transaction.atomic():
            outcome = _told(close_night(night, uuid4(), by=None, decisions=decisions), night)
            transaction.set_rollback(True)
    except RefusedError as refused:
        return Outcome(undecided=[each["text"] for each in refused.errors])
    night.refresh_from_db(fields=["state", "ended_at"])
    return outcome


def _told(closing: Closing, night: Night) -> Outcome:
    def worth(chips: int) -> str:
        return in_money(chips, night)

    lines = closing.lines.select_related("player").order_by("position", "player__name")
    plan = getattr(closing, "plan", None)
    planned = payments_of(plan) if plan else ()
    return Outcome(
        lines=[(line, worth(line.net)) for line in lines],
        payments=[(sentence(each), worth(each.chips)) for each in planned],
    )
