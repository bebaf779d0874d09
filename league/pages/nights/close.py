"""Close a night: open decisions, results and payments."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID, uuid4

from django import forms
from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from league.access import Action, find_night, may
from league.charges.cash_count import CashCount, close_counted
from league.charges.side_bets import SideBet, charges_of, of_night, outdated_charges, valid_charges
from league.closing import chip_requests, receipts
from league.closing.chip_count import NightCount, tally
from league.closing.close import Decisions, reopen_night
from league.closing.count_explanations import Explanation, likely_explanations
from league.closing.notifications import payment_line, payments_of
from league.closing.payment_plans import plan_of, waiting
from league.common.errors import NightClosedError, RefusedError
from league.common.money import in_money
from league.hands.objections import open_objections
from league.models import (
    Charge,
    ChipRequest,
    ClosingLine,
    ConflictingRecord,
    Night,
    Objection,
    PlannedPayment,
    SettlementPeriod,
)
from league.nights.cash_box import box_chips, chips_in, find_cash_box
from league.nights.nights import hands
from league.pages.nights.night_page import MOST_WAITING
from league.pages.parts.charge_parts import charge_parts
from league.pages.parts.forms import apply_form, show_errors
from league.pages.parts.numbers import MoneyField, chips_of
from league.pages.parts.planned_payments import state_of, worth_of
from league.pages.parts.visitor import signed_in
from league.planned_nights.mistaken_nights import cancel_night
from league.recording.conflicts import waiting_conflicts


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of closing now: lines and payments with their values, or the open decisions.

    `earlier` are the payments of the night's previous closings that stay as they are, with their
    states, and `replaces` is true if `payments` replace the other ones.
    `waiting` are debts that are carried over, and `on_tab` is true if the season settles the night.
    `box` is the value of the cash left in the cash box, or "" if it was not used. `undecided` are
    texts, each with the URL of the page that resolves it, or "". `cash_differs` is true if the cash
    that was counted differs from what the box should hold.
    """

    lines: list[tuple[ClosingLine, str, Sequence[tuple[int, str]]]] = field(default_factory=list)
    box: str = ""
    payments: list[tuple[str, str, str]] = field(default_factory=list)
    replaces: bool = False
    earlier: list[tuple[str, str, str]] = field(default_factory=list)
    waiting: list[tuple[str, str]] = field(default_factory=list)
    on_tab: bool = False
    has_hands: bool = False
    undecided: list[tuple[str, str]] = field(default_factory=list)
    cash_differs: bool = False


class CloseForm(forms.Form):
    """The host's decisions. `by_hands` uses the expected chips for players who are not counted.

    `cash` is the money counted in the cash box, `cash_expected` the chips that it should hold.
    `cash_bears` are the players who share a difference.
    """

    key = forms.UUIDField(widget=forms.HiddenInput({"data-key": True}))
    missing = forms.IntegerField(widget=forms.HiddenInput)
    by_hands = forms.BooleanField(
        required=False, label=gettext_lazy("Skip the count and use the expected stacks")
    )
    bears = forms.TypedMultipleChoiceField(
        required=False, coerce=UUID, widget=forms.CheckboxSelectMultiple
    )
    cash_expected = forms.IntegerField(required=False, widget=forms.HiddenInput)
    cash_bears = forms.TypedMultipleChoiceField(
        required=False, coerce=UUID, widget=forms.CheckboxSelectMultiple
    )

    def __init__(
        self,
        night: Night,
        chip_count: NightCount,
        data: Mapping[str, Any] | None = None,
        *,
        by_host: bool,
    ) -> None:
        self.night = night
        initial: dict[str, Any] = {"key": uuid4(), "missing": chip_count.missing}
        if by_host and chip_count.explained_by:
            initial["bears"] = [str(chip_count.explained_by)]
        super().__init__(data, initial=initial)
        sat = [(line.player, line.name) for line in chip_count.lines if line.position]
        for name in ("bears", "cash_bears"):
            self.fields[name].choices = sat if by_host else []  # type: ignore[attr-defined]
        label = _("Cash counted in %(currency)s") % {"currency": night.currency}
        self.fields["cash"] = MoneyField(currency=night.currency, label=label, required=False)

    def clean_cash(self) -> int | None:
        """Return the counted cash in chips, or None if it was not counted."""
        cash = self.cleaned_data["cash"]
        return None if cash is None else chips_of(cash, self.night)

    def proposed(self) -> Decisions:
        """Return the decisions that are selected initially."""
        shared_by = [UUID(player) for player in self.initial.get("bears", ())]
        return Decisions(shared_by=shared_by, missing=self.initial["missing"])

    def decisions(self) -> Decisions:
        """Return the decisions. The form must be valid."""
        data = self.cleaned_data
        return Decisions(
            by_hands=data["by_hands"], shared_by=data["bears"], missing=data["missing"]
        )

    def cash_count(self) -> CashCount | None:
        """Return the count of the cash box, or None. The form must be valid."""
        data = self.cleaned_data
        if data["cash"] is None:
            return None
        return CashCount(
            counted=data["cash"], expected=data["cash_expected"], shared_by=data["cash_bears"]
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ClosingPage:
    """All data for the page that closes a night. `worth` is the value of the missing chips.

    `cash` is what the cash box should hold in chips, with its value, or None if the league has no
    box. `bets` are side bets that are not charged, and `outdated` are charges for side bets that
    the corrected hands no longer win.
    """

    form: CloseForm
    cash: tuple[int, str] | None
    tally: NightCount
    worth: str
    suspicions: list[Explanation]
    may_manage: bool
    outcome: Outcome
    conflicts: list[ConflictingRecord]
    objections: list[Objection]
    requests: list[ChipRequest]
    bets: list[SideBet]
    outdated: list[Charge]

    @property
    def excess(self) -> int:
        return -self.tally.missing

    @property
    def has_decisions(self) -> bool:
        return bool(
            self.conflicts
            or self.objections
            or self.requests
            or self.tally.uncounted
            or self.excess
            or self.cash
        )


@require_http_methods(["GET", "HEAD", "POST"])
def close(request: HttpRequest, night_id: UUID) -> HttpResponse:
    night = find_night(request.user, Action.KEEP_SCORE, night_id)
    if night.state == Night.State.CLOSED:
        return redirect("night", night.pk)
    chip_count = tally(night)
    by_host = may(request.user, Action.MANAGE, night.league)
    form = CloseForm(night, chip_count, request.POST or None, by_host=by_host)
    decisions, cash = Decisions() if form.is_bound else form.proposed(), None
    if form.is_bound and form.is_valid():
        key, by = form.cleaned_data["key"], signed_in(request)
        decisions, cash = form.decisions(), form.cash_count()
        # The chips may have changed since the page was loaded. If so, show the page again with
        # errors and the new numbers.
        if apply_form(
            form, lambda: close_counted(night, key, by=by, cash=cash, decisions=decisions)
        ):
            return redirect("night", night.pk)
    outcome, box = _outcome(night, decisions, cash), find_cash_box(night.league)
    dealt, charges = list(hands(night)), charges_of(night)
    page = ClosingPage(
        form=form,
        cash=(chips := chips_in(box), in_money(chips, night)) if box else None,
        tally=chip_count,
        worth=in_money(abs(chip_count.missing), night),
        suspicions=likely_explanations(night, chip_count),
        may_manage=by_host,
        outcome=outcome,
        conflicts=list(waiting_conflicts(night)[:MOST_WAITING]),
        objections=list(open_objections(night)),
        requests=list(chip_requests.waiting(night)[:MOST_WAITING]),
        bets=of_night(night, dealt, charges),
        outdated=outdated_charges(night, charges, dealt),
    )
    context = {"night": night, "league": night.league, "page": page}
    return render(request, "nights/close.html", context, status=400 if form.errors else 200)


@require_POST
def check_close(request: HttpRequest, night_id: UUID) -> HttpResponse:
    """Return the outcome of the current decisions without closing the night."""
    night = find_night(request.user, Action.KEEP_SCORE, night_id)
    by_host = may(request.user, Action.MANAGE, night.league)
    form = CloseForm(night, tally(night), request.POST, by_host=by_host)
    if form.is_valid():
        outcome = _outcome(night, form.decisions(), form.cash_count())
    else:
        outcome = _outcome(night, Decisions())
    context = {"outcome": outcome, "form": form, "may_manage": by_host}
    return render(request, "nights/close_outcome.html", context)


@require_POST
def reopen(request: HttpRequest, night_id: UUID) -> HttpResponse:
    night = find_night(request.user, Action.MANAGE, night_id)
    reopen_night(night, by=signed_in(request))
    messages.success(request, _("%(night)s is open again.") % {"night": night})
    return redirect("night", night.pk)


@require_POST
def cancel(request: HttpRequest, night_id: UUID) -> HttpResponse:
    """Cancel a night that was started by mistake."""
    night = find_night(request.user, Action.MANAGE, night_id)
    try:
        cancel_night(night, uuid4(), by=signed_in(request))
    except (RefusedError, NightClosedError) as error:
        show_errors(request, error)
    else:
        messages.success(request, _("%(night)s is cancelled. It doesn't count.") % {"night": night})
    return redirect("night", night.pk)


def _payment(planned: PlannedPayment, chips: int, *, state: str = "") -> tuple[str, str, str]:
    """Return these chips of the payment as a line, their value and the payment's state."""
    return payment_line(planned, chips), worth_of(planned, chips), state


def _outcome(night: Night, decisions: Decisions, cash: CashCount | None = None) -> Outcome:
    """Close the night, read the result and roll back.

    Returns errors if the night can't be closed.
    """
    differs = cash is not None and cash.counted != box_chips(night.league)
    try:
        with transaction.atomic():
            closing = close_counted(night, uuid4(), by=None, cash=cash, decisions=decisions)
            box = receipts.left_in_box(closing)
            plan = plan_of(closing)
            payments = payments_of(plan) if plan else ()
            charges = charge_parts(valid_charges(charges_of(night)))
            outcome = Outcome(
                lines=[
                    (line, in_money(line.net, night), charges.get(line.player_id, ()))
                    for line in receipts.player_lines(closing)
                ],
                box="" if box is None else in_money(box, night),
                payments=[_payment(row, row.chips) for row in payments],
                replaces=plan is not None and plan.replacements.exists(),
                earlier=[
                    _payment(each, each.due, state=state_of(each))
                    for each in receipts.payments_of(night)
                    if each.plan != plan
                ],
                waiting=[(str(who), in_money(chips, night)) for who, chips in waiting(night)],
                on_tab=plan is None
                and night.league.settles == SettlementPeriod.SEASON
                and night.season.ends_on is None,
                has_hands=night.hands.filter(voided=False).exists(),
                cash_differs=differs,
            )
            transaction.set_rollback(True)
    except RefusedError as refused:
        pages = {"still-playing": "tournaments", "not-counted": "count"}
        solved_at = {code: reverse(page, args=[night.pk]) for code, page in pages.items()}
        # the page lists the players who are not counted next to this
        texts: dict[str, str] = {"not-counted": _("count the chips, or skip the count")}
        undecided = [
            (texts.get(error["code"]) or error["text"], solved_at.get(error["code"], ""))
            for error in refused.errors
        ]
        return Outcome(undecided=undecided, cash_differs=differs)
    night.refresh_from_db(fields=["state", "ended_at"])
    return outcome
