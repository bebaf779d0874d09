"""Plan the fewest payments of closed nights, and record each: reported and then confirmed.

The payee's confirmation moves chips between the two tabs.
"""

from collections import Counter
from collections.abc import Iterator
from uuid import UUID, uuid5
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import F, Q, QuerySet, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone

from league import journal
from league.change_version import bump_league, bump_night
from league.closing import closing_hash
from league.common import bounds
from league.common.errors import IdReusedError, Problem, RefusedError, problem, refuse
from league.common.money import Coined
from league.common.text import wrong_text
from league.models import (
    LONGEST_REASON,
    Closing,
    ClosingLine,
    League,
    Night,
    Payment,
    PaymentPlan,
    PaymentStep,
    PlannedPayment,
    Player,
    Season,
    SettlementPeriod,
    User,
)
from league.nights import accounts
from league.nights.nights import actor_of
from league.notices import messages
from league.people.leagues import wrong_chips
from league.webhooks import outbox
from ledger.fewest_payments import DebtPayment, fewest_payments, payments_through
from ledger.models import Posting
from ledger.posting import Move, lock_book, post, reverse

Balances = dict[UUID, int]


def plan_closing(closing: Closing) -> PaymentPlan | None:
    """Plan what the closing leaves open, unless the league keeps a running tab.

    A correction is planned immediately if the season is already settled or the chip value has
    changed. The caller has locked the league.
    """
    night, league = closing.night, closing.league
    runs = league.settles == SettlementPeriod.SEASON and not _settled(night.season)
    if runs and _coin(night) == _coin(league):
        return None
    plan = PaymentPlan(id=uuid5(closing.pk, "plan"), closing=closing, made_by=closing.made_by)
    plan.waits_below = league.waits_below
    return _filled(plan, night.season, league, of=night)


@transaction.atomic
def settle_season(
    season: Season, plan_id: UUID, *, by: User | None, end: bool = False
) -> PaymentPlan:
    """Plan everything that the season's closed nights leave open, once for each id.

    `end` ends the season. Raises RefusedError while a night is open, or IdReusedError if the id
    belongs to another plan.
    """
    league = League.objects.select_for_update(no_key=True).get(pk=season.league_id)
    if payment_plan := PaymentPlan.objects.filter(pk=plan_id).first():
        if (payment_plan.season_id, payment_plan.closing_id) != (season.pk, None):
            raise IdReusedError
        return payment_plan
    waiting = season.nights.filter(state=Night.State.OPEN)
    refuse(problem("season", "night-open", f"{night} is not closed") for night in waiting)
    refuse(bounds.SEASON_PLANS.exceeded(season.plans.filter(closing=None)))
    if end and not _settled(season):
        today = timezone.localdate(timezone=ZoneInfo(league.time_zone))
        season.ends_on = max(today, season.starts_on)
        season.save(update_fields=["ends_on"])
    bump_league(league.pk)
    plan = _filled(PaymentPlan(id=plan_id, made_by=by), season, league, of=league)
    closing_hash.seal_plan(plan)
    return plan


def unplanned(season: Season, of: Coined) -> Balances:
    """Return the open chips of the season's closed nights that no plan has settled.

    Only nights with the same chip value and currency as `of` count. For a reopened night the last
    closing counts, because its plan stays in effect.
    """
    open_chips: Counter[UUID] = Counter()
    worth = {"chip_value": of.chip_value, "currency": of.currency}
    nights = Night.objects.filter(season=season, **worth)
    lines = ClosingLine.objects.filter(closing__night__in=nights).order_by("closing__number")
    last = {
        (night, player): (closing, chips)
        for night, player, closing, chips in lines.values_list(
            "closing__night", "player", "closing__number", "settles"
        )
    }
    numbers: Counter[UUID] = Counter()
    for (night, _), (number, _) in last.items():
        numbers[night] = max(numbers[night], number)
    for (night, player), (number, chips) in last.items():
        if number == numbers[night]:
            open_chips[player] += chips
    for planned in PlannedPayment.objects.filter(
        plan__season=season, plan__chip_value=of.chip_value, plan__currency=of.currency
    ):
        open_chips[planned.payer_id] += planned.chips
        open_chips[planned.payee_id] -= planned.chips
    return {player: chips for player, chips in open_chips.items() if chips}


def waiting(night: Night) -> list[tuple[Player, int]]:
    """Return the players' chips that a closed night's plan left to the next; below zero for debts.

    Empty if the league has no waiting payments, or settles at the end of the season.
    """
    if not PaymentPlan.objects.filter(closing__night=night, waits_below__gt=0).exists():
        return []
    left = unplanned(night.season, night)
    names = Player.objects.filter(pk__in=list(left)).order_by("name")
    return [(player, left[player.pk]) for player in names]


def _settled(season: Season) -> bool:
    return season.ends_on is not None and season.plans.filter(closing=None).exists()


def _coin(of: Coined) -> tuple[int, str]:
    return of.chip_value, of.currency


def _filled(plan: PaymentPlan, season: Season, league: League, *, of: Coined) -> PaymentPlan:
    """Store the plan of the season's open chips of this value."""
    plan.season, plan.chip_value, plan.currency = season, of.chip_value, of.currency
    plan.save(force_insert=True)
    planned = _payments(league.banker, unplanned(season, of))
    payments = [each for each in planned if each.amount >= plan.waits_below]
    PlannedPayment.objects.bulk_create(
        PlannedPayment(
            plan=plan,
            position=position,
            payer_id=UUID(each.payer),
            payee_id=UUID(each.payee),
            chips=each.amount,
            lost=each.lost,
            won=each.won,
        )
        for position, each in enumerate(payments)
    )
    return plan


def _payments(banker: Player | None, balances: Balances) -> list[DebtPayment]:
    named = {str(player): chips for player, chips in balances.items()}
    if banker is None:
        return fewest_payments(named)
    return payments_through(str(banker.pk), named)


State = Payment.State
LIVE = (State.PROMISED, State.CONFIRMED)


def unpaid() -> QuerySet[PlannedPayment]:
    """Return the planned payments that payees have not confirmed in full."""
    confirmed = Q(paid__state=State.CONFIRMED)
    rows = PlannedPayment.objects.annotate(got=Coalesce(Sum("paid__chips", filter=confirmed), 0))
    return rows.filter(got__lt=F("chips"))


def confirmed_chips(rows: QuerySet[PlannedPayment]) -> Counter[int]:
    """Return the confirmed chips by planned payment, in one query."""
    paid = Payment.objects.filter(planned__in=rows, state=State.CONFIRMED).values("planned")
    return Counter(dict(paid.annotate(got=Sum("chips")).values_list("planned", "got")))


def open_chips(planned: PlannedPayment, *, states: tuple[str, ...] = (State.CONFIRMED,)) -> int:
    """Return the chips of the planned payment that no payment in these states covers."""
    paid = planned.paid.filter(state__in=states).aggregate(chips=Sum("chips"))["chips"]
    return planned.chips - (paid or 0)


@transaction.atomic
def promise(
    planned: PlannedPayment, payment_id: UUID, chips: int, *, by: User | None, note: str = ""
) -> Payment:
    """Record that the payer has sent these chips, once for each id.

    Raises RefusedError if more is promised than is open, or IdReusedError.
    """
    planned = _lock(planned)
    if existing := Payment.objects.filter(pk=payment_id).first():
        if (existing.planned_id, existing.chips) != (planned.pk, chips):
            raise IdReusedError
        return existing
    too_many = bounds.PAYMENTS.exceeded(planned.paid)
    refuse([*_wrong_chips(planned, chips), *_wrong_note(note), *too_many])
    payment = Payment.objects.create(id=payment_id, planned=planned, chips=chips)
    _step(payment, State.PROMISED, by=by, note=note)
    messages.tell_payee(payment, by=by)
    return payment


@transaction.atomic
def confirm(payment: Payment, *, by: User | None) -> Payment:
    """Confirm that the payment was received. The chips move between the tabs, once.

    Raises RefusedError if the payment was withdrawn, or more is confirmed than was planned.
    """
    planned, payment = _lock(payment.planned), _again(payment)
    if payment.state == State.CONFIRMED:
        return payment
    refuse(_unconfirmable(planned, payment))
    move = Move(accounts.tab(planned.payee_id), accounts.tab(planned.payer_id), payment.chips)
    key, actor = f"payment:{payment.pk}", actor_of(by)
    book = planned.plan.season.league.book
    payment.posting = post(book, key, [move], memo="payment", actor=actor)
    _step(payment, State.CONFIRMED, by=by)
    outbox.publish_payment(payment)
    messages.tell_payer(payment, by=by)
    return payment


@transaction.atomic
def receive(planned: PlannedPayment, payment_id: UUID, chips: int, *, by: User | None) -> Payment:
    """Record a received payment that was not promised. Raises as `promise` and `confirm`."""
    return confirm(promise(planned, payment_id, chips, by=by), by=by)


@transaction.atomic
def dispute(payment: Payment, *, by: User | None, note: str = "") -> Payment:
    """Dispute the payment: it was not received.

    Raises RefusedError if it is confirmed or withdrawn.
    """
    refuse(_wrong_note(note))
    _lock(payment.planned)
    payment = _again(payment)
    if payment.state == State.DISPUTED:
        return payment
    if payment.state != State.PROMISED:
        raise RefusedError([problem("payment", payment.state, f"the payment is {payment.state}")])
    _step(payment, State.DISPUTED, by=by, note=note)
    return payment


@transaction.atomic
def take_back(payment: Payment, *, by: User | None, note: str = "") -> Payment:
    """Withdraw the payment as a mistake. If its chips have moved, they move back.

    Raises RefusedError.
    """
    refuse(_wrong_note(note))
    _lock(payment.planned)
    payment = _again(payment)
    if payment.state == State.WITHDRAWN:
        return payment
    if payment.posting is not None:
        reverse(payment.posting, f"unpaid:{payment.pk}", memo="payment", actor=actor_of(by))
    _step(payment, State.WITHDRAWN, by=by, note=note)
    return payment


def _lock(planned: PlannedPayment) -> PlannedPayment:
    """Lock the planned payment against concurrent writers.

    The lock order is night, book, journal, the same as for recording hands, to avoid deadlocks.
    """
    rows = PlannedPayment.objects.select_for_update(of=("self",), no_key=True)
    row = rows.select_related("plan__season__league__book", "plan__closing").get(pk=planned.pk)
    if row.plan.closing:
        bump_night(row.plan.closing.night_id)
    else:
        bump_league(row.plan.season.league_id)
    lock_book(row.plan.season.league.book_id)
    return row


def _again(payment: Payment) -> Payment:
    rows = Payment.objects.select_related("posting", "planned__plan__season")
    return rows.get(pk=payment.pk)


def _step(payment: Payment, state: State, *, by: User | None, note: str = "") -> None:
    """Change the payment's state, and record the step and its user."""
    payment.state = state
    payment.save(update_fields=["state", "posting"])
    number = payment.steps.count() + 1
    step = PaymentStep.objects.create(
        payment=payment, number=number, state=state, made_by=by, note=note
    )
    posted = Q(pk=payment.posting_id) | Q(reverses=payment.posting_id)
    journal.append(
        payment.planned.plan.season.league_id,
        journal.Kind.PAID,
        Payment.objects.filter(pk=payment.pk),
        PaymentStep.objects.filter(pk=step.pk),
        Posting.objects.filter(posted) if payment.posting_id else Posting.objects.none(),
    )


def _wrong_chips(planned: PlannedPayment, chips: object) -> Iterator[Problem]:
    wrong = list(wrong_chips("chips", chips))
    yield from wrong
    left = open_chips(planned, states=LIVE)
    if not wrong and int(str(chips)) > left:
        yield problem("chips", "too-much", f"only {left} of it are open")


def _unconfirmable(planned: PlannedPayment, payment: Payment) -> Iterator[Problem]:
    if payment.state == State.WITHDRAWN:
        yield problem("payment", "withdrawn", "the payment was taken back")
    elif payment.chips > (left := open_chips(planned)):
        yield problem("chips", "too-much", f"only {left} of it are open")


def _wrong_note(note: object) -> Iterator[Problem]:
    return wrong_text("note", note, longest=LONGEST_REASON, needed=False)
