"""Payments between players. The payer promises a payment, and the payee confirms or disputes it.

A payment covers all or part of a planned payment, which never changes. A later plan can replace
the chips that were not sent (`payment_plans`). When the payment is confirmed, its chips move
between the tabs. When a confirmed payment is withdrawn, they move back, and a promise that the
payer had made before is made again. Every step is stored.
"""

from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta
from uuid import UUID, uuid5

from django.db import transaction
from django.db.models import F, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone

from league.access import Action, Visitor, may, may_pay_for, person
from league.change_version import bump_league, bump_night
from league.common import row_limits
from league.common.errors import IdReusedError, Problem, RefusedError, problem, refuse
from league.common.money import in_money
from league.common.text import wrong_text
from league.journal import entries
from league.models import (
    LONGEST_REASON,
    League,
    Payment,
    PaymentReplacement,
    PaymentStep,
    PlannedPayment,
    User,
)
from league.nights import accounts
from league.nights.accounts import PostingKey, actor_of
from league.nights.cash_box import wrong_amount
from league.notices import messages
from league.people.leagues import wrong_chips
from league.webhooks import events
from ledger.models import NewTransfer, Posting
from ledger.posting import lock_book, post, reverse

State = Payment.State
LIVE = (State.PROMISED, State.CONFIRMED)
# Chips in these states stay in their plan when the other chips are planned again.
REPORTED = (*LIVE, State.DISPUTED)
_BEFORE_RECEIPT = (State.PROMISED, State.DISPUTED)
UNDO_FOR = timedelta(minutes=10)  # how long payees can undo that they received a payment


_replacements = PaymentReplacement.objects.filter(planned=OuterRef("pk")).order_by()
_REPLACED = Coalesce(
    Subquery(_replacements.values("planned").annotate(sum=Sum("chips")).values("sum")), 0
)


def unpaid(*, states: tuple[str, ...] = (State.CONFIRMED,)) -> QuerySet[PlannedPayment]:
    """Return the planned payments that payments in `states` and later plans don't cover in full.

    By default, these are the payments that payees have not confirmed. With `LIVE`, payers have not
    sent them either. `chips_left` returns the chips that are not covered.
    """
    got = Coalesce(Sum("paid__chips", filter=Q(paid__state__in=states)), 0)
    return PlannedPayment.objects.annotate(left=F("chips") - _REPLACED - got).filter(left__gt=0)


def chips_left(planned: PlannedPayment) -> int:
    """Return the chips of a row of `unpaid` that are not covered."""
    return int(vars(planned)["left"])


def not_replaced() -> QuerySet[PlannedPayment]:
    """Return the planned payments that later plans have not replaced in full."""
    return PlannedPayment.objects.filter(chips__gt=_REPLACED)


def sent_chips(league: League) -> tuple[Counter[UUID], Counter[UUID]]:
    """Return the unconfirmed chips that each player sent, and those sent to each player."""
    sent_by, sent_to = Counter[UUID](), Counter[UUID]()
    rows = Payment.objects.filter(state=State.PROMISED, planned__plan__season__league=league)
    for payer, payee, chips in rows.values_list("planned__payer", "planned__payee", "chips"):
        sent_by[payer] += chips
        sent_to[payee] += chips
    return sent_by, sent_to


@transaction.atomic
def promise(
    planned: PlannedPayment,
    payment_id: UUID,
    chips: int,
    *,
    by: User | None,
    note: str = "",
    at: datetime | None = None,
) -> Payment:
    """Record that the payer has sent these chips, once for each id.

    Raises RefusedError if more chips are promised than are open, or IdReusedError.
    """
    planned = _lock(planned)
    if existing := Payment.objects.filter(pk=payment_id).first():
        if (existing.planned_id, existing.chips) != (planned.pk, chips):
            raise IdReusedError
        return existing
    too_many = row_limits.PAYMENTS.exceeded(planned.paid)
    wrong = list(wrong_chips("chips", chips))
    left = planned.open_chips(*LIVE)
    if not wrong and chips > left:
        wrong.append(_too_much(planned, left))
    refuse([*wrong, *_wrong_note(note), *too_many])
    payment = Payment.objects.create(
        id=payment_id, planned=planned, chips=chips, made_at=at or timezone.now()
    )
    _step(payment, State.PROMISED, by=by, note=note, at=at)
    messages.notify_payee(payment, by=by)
    return payment


@transaction.atomic
def confirm(payment: Payment, *, by: User | None, at: datetime | None = None) -> Payment:
    """Confirm that the payment was received, and move its chips between the tabs, once.

    Raises RefusedError if the payment was withdrawn, exceeds the rest of the planned payment or
    exceeds the chips in the cash box that pays it.
    """
    planned, payment = _lock(payment.planned), _reload(payment)
    if payment.state == State.CONFIRMED:
        return payment
    wrong = []
    if payment.state == State.WITHDRAWN:
        wrong.append(problem("payment", "withdrawn", "this payment was undone"))
    elif payment.chips > (left := planned.open_chips()):
        wrong.append(_too_much(planned, left))
    refuse([*wrong, *wrong_amount(planned.payer, payment.chips, planned=True)])
    move = NewTransfer(
        accounts.tab(planned.payee_id), accounts.tab(planned.payer_id), payment.chips
    )
    key, actor = PostingKey.PAYMENT.of(payment.pk), actor_of(by)
    book = planned.plan.season.league.book
    payment.posting = post(book, key, [move], memo="payment", actor=actor)
    _step(payment, State.CONFIRMED, by=by, at=at)
    events.publish_payment(payment)
    messages.notify_payer(payment, by=by)
    return payment


@transaction.atomic
def receive(planned: PlannedPayment, payment_id: UUID, chips: int, *, by: User | None) -> Payment:
    """Record a received payment that the payer had not promised.

    Raises the same errors as `promise` and `confirm`.
    """
    now = timezone.now()  # steps of the same time are one act
    return confirm(promise(planned, payment_id, chips, by=by, at=now), by=by, at=now)


@transaction.atomic
def dispute(payment: Payment, *, by: User | None, note: str = "") -> Payment:
    """Record that the payee did not receive the payment.

    Raises RefusedError if it is confirmed or withdrawn.
    """
    refuse(_wrong_note(note))
    _lock(payment.planned)
    payment = _reload(payment)
    if payment.state == State.DISPUTED:
        return payment
    if payment.state != State.PROMISED:
        raise RefusedError([_already(payment)])
    _step(payment, State.DISPUTED, by=by, note=note)
    return payment


def may_withdraw_payment(visitor: Visitor, payment: Payment) -> bool:
    """Check whether the visitor may withdraw the payment.

    Hosts may withdraw any payment, payers their own promises, and payees what they just marked as
    received.
    """
    planned, league = payment.planned, payment.planned.plan.season.league
    if may(visitor, Action.MANAGE, league):
        return True
    if payment.state == State.PROMISED:
        return may_pay_for(visitor, planned.payer, league)
    return just_received_by(visitor, payment) and may_pay_for(visitor, planned.payee, league)


def just_received_by(visitor: Visitor, payment: Payment) -> bool:
    """Check whether the visitor marked the payment as received less than `UNDO_FOR` ago."""
    if payment.state != State.CONFIRMED or (user := person(visitor)) is None:
        return False
    last = max(payment.steps.all(), key=lambda step: step.number)
    return last.made_by_id == user.pk and last.made_at > timezone.now() - UNDO_FOR


@transaction.atomic
def withdraw(payment: Payment, *, by: User | None, note: str = "") -> Payment:
    """Withdraw a mistaken payment. If its chips have moved, they move back.

    If the payment was promised before it was received, a new payment repeats the promise.

    Raises RefusedError, also if the state has changed since `payment` was read: who may withdraw a
    payment depends on its state.
    """
    refuse(_wrong_note(note))
    _lock(payment.planned)
    seen, payment = payment.state, _reload(payment)
    if payment.state == State.WITHDRAWN:
        return payment
    if payment.state != seen:
        raise RefusedError([_already(payment)])
    if payment.posting is not None:
        refuse(wrong_amount(payment.planned.payee, payment.chips, where="", planned=True))
        reverse(
            payment.posting,
            PostingKey.PAYMENT_BACK.of(payment.pk),
            memo="payment",
            actor=actor_of(by),
        )
    _step(payment, State.WITHDRAWN, by=by, note=note)
    if payment.posting is not None:
        _promise_again(payment)
    return payment


def repeated_id(payment_id: UUID) -> UUID:
    """Return the id of the payment that repeats the promise of a withdrawn payment."""
    return uuid5(payment_id, "promised again")


def _promise_again(payment: Payment) -> None:
    """Repeat the steps before the receipt, with their users and times.

    A payment that its payee marked as received without a promise has no such steps.
    """
    full = list(row_limits.PAYMENTS.exceeded(payment.planned.paid))
    if full or not payment.steps.visible().filter(number=1).exists():
        return
    again = Payment.objects.create(
        id=repeated_id(payment.pk), planned=payment.planned, chips=payment.chips
    )
    for step in payment.steps.filter(state__in=_BEFORE_RECEIPT).order_by("number"):
        _step(again, State(step.state), by=step.made_by, note=step.note, at=step.made_at)


def _lock(planned: PlannedPayment) -> PlannedPayment:
    """Lock the planned payment against concurrent writers.

    The lock order is night, book, journal, the same as for recording hands, to avoid deadlocks.
    """
    rows = PlannedPayment.objects.select_for_update(of=("self",), no_key=True)
    also = ("plan__season__league__book", "plan__closing", "payer__league")
    row = rows.select_related(*also).get(pk=planned.pk)
    if row.plan.closing:
        bump_night(row.plan.closing.night_id)
    else:
        bump_league(row.plan.season.league_id)
    lock_book(row.plan.season.league.book_id)
    return row


def _reload(payment: Payment) -> Payment:
    rows = Payment.objects.select_related(
        "posting", "planned__plan__season", "planned__payee__league"
    )
    row = rows.get(pk=payment.pk)
    row.is_new = payment.is_new
    return row


def _step(
    payment: Payment,
    state: State,
    *,
    by: User | None,
    note: str = "",
    at: datetime | None = None,
) -> None:
    """Change the payment's state and record the step with its user and time, by default now."""
    payment.state = state
    payment.save(update_fields=["state", "posting"])
    number = payment.steps.count() + 1
    step = PaymentStep.objects.create(
        payment=payment,
        number=number,
        state=state,
        made_by=by,
        note=note,
        made_at=at or timezone.now(),
    )
    posted = Q(pk=payment.posting_id) | Q(reverses=payment.posting_id)
    entries.append(
        payment.planned.plan.season.league_id,
        entries.Kind.PAID,
        Payment.objects.filter(pk=payment.pk),
        PaymentStep.objects.filter(pk=step.pk),
        Posting.objects.filter(posted) if payment.posting_id else Posting.objects.none(),
    )


STATES = {
    State.PROMISED: "sent",
    State.CONFIRMED: "received",
    State.DISPUTED: "not received",
    State.WITHDRAWN: "undone",
}


def _already(payment: Payment) -> Problem:
    text = f"this payment is already marked as {STATES[State(payment.state)]}"
    return problem("payment", payment.state, text)


def _too_much(planned: PlannedPayment, left: int) -> Problem:
    text = f"only {left:,} chips ({in_money(left, planned.plan)}) of this payment are unpaid"
    return problem("chips", "too-much", text)


def _wrong_note(note: object) -> Iterator[Problem]:
    return wrong_text("note", note, longest=LONGEST_REASON, needed=False)
