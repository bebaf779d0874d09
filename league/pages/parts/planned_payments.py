"""What pages show of planned payments: amounts, steps, ways to pay, and what a visitor may do."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID, uuid4

from django.core.paginator import Page, Paginator
from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet, Subquery
from django.http import HttpRequest
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from league.access import Action, Visitor, may
from league.closing.notifications import load_earlier, short_reason
from league.closing.payments import LIVE, just_received_by, not_replaced
from league.common.money import in_money, money_of
from league.common.text import tidy
from league.models import (
    Closing,
    ClosingLine,
    Night,
    Payment,
    PaymentPlan,
    PaymentReplacement,
    PaymentStep,
    PlannedPayment,
)
from league.pages.parts.images import qr_svg
from league.pages.parts.numbers import MoneyField
from league.pages.parts.tags import sentence
from league.pages.parts.visitor import table_name
from league.payment_methods.kinds import PaymentDetails
from league.payment_methods.methods import (
    PaymentOption,
    may_see_methods,
    methods_of_payees,
    payment_options,
)


@dataclass(frozen=True, slots=True)
class ShownMethod:
    """A way to pay, with its QR code as a picture."""

    way: PaymentOption
    picture: SafeString | None = field(repr=False)


def methods_by_payment(
    visitor: Visitor, rows: Iterable[PlannedPayment]
) -> dict[int, list[ShownMethod]]:
    """Return the ways to pay the open payments, keyed by planned payment. Runs one query.

    Payments are omitted if the visitor may not see how to pay them.
    """
    unpaid = [planned for planned in rows if planned.open_chips(*LIVE)]
    methods = methods_of_payees(visitor, unpaid)
    return {
        planned.pk: [
            ShownMethod(way, qr_svg(way.code) if way.code else None)
            for way in payment_options(methods[planned.payee.user_id], payment_details(planned))
        ]
        for planned in unpaid
        if planned.payee.user_id in methods and may_see_methods(visitor, planned)
    }


def payment_details(planned: PlannedPayment) -> PaymentDetails:
    """Return the remaining amount and the payee, with the night or season as the note."""
    plan = planned.plan
    return PaymentDetails(
        minor=planned.open_chips(*LIVE) * plan.chip_value,
        currency=plan.currency,
        payee=planned.payee.name,
        note=note_of(planned),
    )


def note_of(planned: PlannedPayment) -> str:
    """Return the name of the night or of the season that the plan settles."""
    closing = planned.plan.closing
    return tidy(str(closing.night if closing else planned.plan.season))


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A payment towards a planned payment, with the actions that the visitor may take."""

    payment: Payment
    worth: str
    steps: list[PaymentStep]
    may_confirm: bool
    may_dispute: bool
    may_take_back: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """A planned payment, without the chips that a later plan replaced.

    `unsaid` is the number of chips that are neither paid nor promised. `amount` is their value as
    it is typed. `own` is "pays" or "gets" for the visitor's own payments, and "" for others.
    """

    planned: PlannedPayment
    why: str
    worth: str
    open_chips: int
    unsaid: int
    unsaid_worth: str
    amount: Any
    own: str
    parts: list[Part]
    ways: list[ShownMethod]
    note: str
    may_promise: bool
    may_receive: bool
    key: UUID

    @property
    def receives(self) -> bool:
        """Whether the main action is to confirm the money, rather than to report that it was sent.

        A host who records the payment of two other players usually saw the money change hands.
        """
        return self.may_receive and self.own != "pays"

    @property
    def is_disputed(self) -> bool:
        """Whether all unpaid chips were reported as not received, so that they can be confirmed."""
        disputed = (p.payment.chips for p in self.parts if p.payment.state == "disputed")
        return self.unsaid == sum(disputed)

    @property
    def is_one_part(self) -> bool:
        """Whether one payment covers the whole amount, so that the amount need not be repeated."""
        live = [part.payment for part in self.parts if part.payment.state != "withdrawn"]
        return len(live) == 1 and live[0].chips == self.planned.due

    @property
    def is_partly_sent(self) -> bool:
        return 0 < self.unsaid < self.planned.due

    @property
    def is_reopened(self) -> bool:
        """Whether the night is open again, so that the payment can still be replaced.

        A reopened night can replace all payments of its season's plans.
        """
        closing = self.planned.plan.closing
        if closing is None:
            return bool(vars(self.planned)["has_reopened_night"])
        return closing.night.state == Night.State.OPEN

    @property
    def has_codes(self) -> bool:
        return any(each.picture for each in self.ways)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownPlan:
    """A payment plan. `reason` explains why the plan was made, unless it is the first plan."""

    title: str
    reason: str
    dues: list[Due]

    @property
    def own(self) -> list[Due]:
        """The visitor's own payments, open ones first, and debts before claims."""
        return sorted(
            (each for each in self.dues if each.own),
            key=lambda each: (not each.open_chips, each.own != "pays"),
        )

    @property
    def others(self) -> list[Due]:
        return [each for each in self.dues if not each.own]

    @property
    def is_reopened(self) -> bool:
        """Whether a night is open again that can replace unsent payments of this plan."""
        return any(each.is_reopened and each.unsaid for each in self.dues)

    @property
    def shows_ways(self) -> bool:
        return any(each.ways for each in self.dues)


@dataclass(frozen=True, slots=True, kw_only=True)
class Replaced:
    """A payment, or a part of it, that `plan` has replaced."""

    planned: PlannedPayment
    worth: str
    plan: PaymentPlan


ROWS = 300  # payments per page; enough unless a night was closed many times


def rows_of(of: Q) -> QuerySet[PlannedPayment]:
    """Return these planned payments, newest plan first, without those replaced in full."""
    reopened = Night.objects.filter(
        Exists(Closing.objects.filter(night=OuterRef("pk"))),
        season=OuterRef("plan__season"),
        state=Night.State.OPEN,
    )
    lines = ClosingLine.objects.filter(closing__night=OuterRef("plan__closing__night"))
    last = lines.order_by("-closing__number").values("settles")
    rows = (
        not_replaced()
        .filter(of)
        .annotate(
            has_reopened_night=Exists(reopened),
            payer_settles=Subquery(last.filter(player=OuterRef("payer"))[:1]),
            payee_settles=Subquery(last.filter(player=OuterRef("payee"))[:1]),
        )
        .select_related(
            "payer__user", "payee__user", "plan__closing__night", "plan__season__league"
        )
    )
    league = OuterRef("payment__planned__plan__season__league")
    steps = PaymentStep.objects.visible().annotate(made_by_name=table_name(league, "made_by"))
    steps = steps.order_by("number")
    payments = rows.prefetch_related(
        "paid", "replacements", "plan__closing__lines", "plan__replacements"
    ).prefetch_related(Prefetch("paid__steps", steps))
    return payments.order_by("-plan__made_at", "-plan", "position")


def page_of_plans(
    request: HttpRequest, rows: QuerySet[PlannedPayment]
) -> tuple[list[ShownPlan], Page[Any]]:
    """Return the plans, oldest first, and the current page.

    The first page has the newest payments. Plans that were replaced in part come last.
    """
    page = Paginator(rows, ROWS).get_page(request.GET.get("dues"))
    of_plans = PaymentReplacement.objects.filter(planned__plan__in={each.plan for each in page})
    left = set(of_plans.values_list("planned__plan", flat=True))
    shown = sorted(
        page,
        key=lambda each: (
            each.plan_id in left,
            each.plan.made_at,
            each.plan_id.int,
            each.position,
        ),
    )
    plans: dict[UUID, ShownPlan] = {}
    hosts: dict[UUID, bool] = {}
    ways = methods_by_payment(request.user, shown)
    load_earlier(planned.plan for planned in shown)
    for planned in shown:
        plan, closing = planned.plan, planned.plan.closing
        if plan.pk not in plans:
            hosts[plan.pk] = may(request.user, Action.MANAGE, plan.season.league)
            is_first = not page.has_next() and not plans
            title = _("Changes since then")
            if plan.pk in left:
                title = _("Earlier payments")
            elif is_first or plan.replacements.all():
                title = _("Who pays whom")
            plans[plan.pk] = ShownPlan(
                title=title,
                reason=_reason(closing, plan) if closing and plan.pk not in left else "",
                dues=[],
            )
        plans[plan.pk].dues.append(shown_due(request.user, planned, ways, hosts=hosts[plan.pk]))
    return list(plans.values()), page


def _reason(closing: Closing, plan: PaymentPlan) -> str:
    """Return why the closing's plan was made, unless it is the night's first plan."""
    if closing.number == 1:
        return closing.reason
    reason = closing.reason or _("The night was closed again.")
    more = _("These payments replace the earlier ones that were not sent.")
    return " ".join([sentence(reason), more]) if plan.replacements.all() else reason


def replaced_of(rows: QuerySet[PlannedPayment]) -> list[Replaced]:
    """Return what later plans replaced of these payments, newest first."""
    replaced = PaymentReplacement.objects.filter(planned__in=rows).select_related(
        "planned__payer", "planned__payee", "planned__plan", "plan__closing__night", "plan__season"
    )
    return [
        Replaced(planned=each.planned, worth=worth_of(each.planned, each.chips), plan=each.plan)
        for each in replaced.order_by("-plan__made_at", "planned")[:ROWS]
    ]


def shown_due(
    user: Visitor, planned: PlannedPayment, ways: dict[int, list[ShownMethod]], *, hosts: bool
) -> Due:
    payments = sorted(planned.paid.all(), key=lambda payment: payment.made_at)
    states = Payment.State
    unsaid = planned.open_chips(*LIVE)
    is_payer, is_payee = _is(user, planned.payer.user_id), _is(user, planned.payee.user_id)
    pays, gets = hosts or is_payer, hosts or is_payee
    parts = []
    for payment in payments:
        is_promised = payment.state == states.PROMISED
        parts.append(
            Part(
                payment=payment,
                worth=worth_of(planned, payment.chips),
                steps=list(payment.steps.all()),
                may_confirm=gets and (is_promised or payment.state == states.DISPUTED),
                may_dispute=gets and is_promised,
                may_take_back=(pays and is_promised)
                or (hosts and payment.state in {states.CONFIRMED, states.DISPUTED})
                or (is_payee and just_received_by(user, payment)),
            )
        )
    return Due(
        planned=planned,
        why=_why(planned),
        worth=worth_of(planned, planned.due),
        open_chips=planned.open_chips(),
        unsaid=unsaid,
        unsaid_worth=worth_of(planned, unsaid),
        amount=MoneyField().prepare_value(money_of(unsaid, planned.plan)),
        own="pays" if is_payer else "gets" if is_payee else "",
        parts=parts,
        ways=ways.get(planned.pk, []),
        note=note_of(planned),
        may_promise=pays and unsaid > 0,
        may_receive=gets and unsaid > 0,
        key=uuid4(),
    )


def _why(planned: PlannedPayment) -> str:
    """Return the results that the payment comes from, and whether they have changed since then."""
    why, now = short_reason(planned), vars(planned)
    lines = planned.plan.closing.lines.all() if planned.plan.closing else ()
    then = {line.player_id: line.settles for line in lines}
    last = {planned.payer_id: now["payer_settles"], planned.payee_id: now["payee_settles"]}
    changed = any(then[player] != chips for player, chips in last.items() if player in then)
    return _("Before the change: %(why)s") % {"why": why} if why and changed else why


def state_of(planned: PlannedPayment) -> str:
    """Return the state of the payment, or the amounts in each state if it is paid in parts."""
    unpaid, sent = planned.open_chips(*LIVE), planned.sent_chips
    states = (
        (unpaid, _("unpaid"), _("%(worth)s unpaid")),
        (sent, _("sent, not confirmed yet"), _("%(worth)s sent")),
        (planned.due - unpaid - sent, _("received"), _("%(worth)s received")),
    )
    parts = [each for each in states if each[0]]
    if len(parts) == 1:
        return parts[0][1]
    return ", ".join(text % {"worth": worth_of(planned, chips)} for chips, _state, text in parts)


def worth_of(planned: PlannedPayment, chips: int) -> str:
    """Return the value of the chips at the plan's chip value."""
    return in_money(chips, planned.plan)


def _is(user: Visitor, user_id: int | None) -> bool:
    return user_id is not None and user_id == user.pk
