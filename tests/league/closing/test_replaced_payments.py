"""Payments that were not sent are replaced if a night is closed again or a season is settled."""

from collections import Counter
from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import given, settings
from hypothesis import strategies as st

from league.charges.charging import NewCharge, Share, charge, undo
from league.closing import notifications
from league.closing.close import Decisions, close_night, current_closing, reopen_night
from league.closing.payment_plans import is_settled_with_season, settle_season, unplanned, unsent
from league.closing.payments import (
    LIVE,
    chips_left,
    confirm,
    dispute,
    promise,
    receive,
    unpaid,
    withdraw,
)
from league.closing.receipts import payments_of
from league.common.errors import RefusedError
from league.integrity.audit import audit
from league.models import (
    Charge,
    Closing,
    Hand,
    Night,
    Payment,
    PaymentPlan,
    PlannedPayment,
    Role,
    Season,
)
from league.nights import accounts
from league.nights.buy_ins import buy_in
from league.nights.opening import open_night
from league.recording.corrections import void_hand
from ledger.balances import balances
from tests.helpers.api.clients import member
from tests.helpers.laws.examples import examples
from tests.helpers.league.leagues import NAMES, a_night, holdem, player
from tests.helpers.league.nights import a_table, again, chosen, dealt, planned

pytestmark = pytest.mark.django_db


def wins(winner: str, loser: str, chips: int) -> Callable[[Night], Hand]:
    """Return an act that records a hand in which the winner wins these chips from the loser."""
    players = [
        {"name": winner, "paid": chips, "down": ["Ac", "Ad"]},
        {"name": loser, "paid": chips, "down": ["Kc", "Kd"]},
    ]
    return lambda night: dealt(night, holdem(players=players))


def close(night: Night) -> Closing:
    return close_night(again(night), uuid4(), by=None, decisions=Decisions(by_hands=True))


def of(closing: Closing) -> PlannedPayment:
    return closing.plan.payments.get()


def left() -> list[tuple[str, str, int]]:
    """Return the payments with unsent chips: payer, payee and the unsent chips."""
    rows = unsent().select_related("payer", "payee").order_by("payer__name", "payee__name")
    return [(each.payer.name, each.payee.name, chips_left(each)) for each in rows]


def test_payments_of_an_undone_charge_are_replaced_if_no_line_is_left() -> None:
    """Without seats, only the charge gave the closing lines."""
    night = open_night(a_night().league)
    shares = {player(night, "bob"): Share(gets=9), player(night, "cat"): Share(owes=9)}
    pizza = NewCharge(kind=Charge.Kind.COST, title="pizza", shares=shares)
    charged = charge(night, pizza, charge_id=uuid4(), by=None)
    close(night)
    assert left() == [("cat", "bob", 9)]
    undo(charged, by=None)
    assert again(night).closings.count() == 2
    assert left() == []


def test_part_that_was_sent_stays_and_the_rest_is_planned_again() -> None:
    night = a_night()
    wins("bob", "ann", 63)(night)
    first = of(close(night))
    sent = promise(first, uuid4(), 20, by=None)
    reopen_night(again(night), by=None)
    wins("cat", "ann", 7)(again(night))
    second = close(night)
    assert planned(second) == ["ann pays bob 43", "ann pays cat 7"]
    first = PlannedPayment.objects.get(pk=first.pk)
    assert (first.chips, first.due, first.open_chips()) == (63, 20, 20)
    assert unplanned(night.season, night) == {}
    with pytest.raises(RefusedError, match="only 0 chips"):
        promise(first, uuid4(), 1, by=None)
    confirm(sent, by=None)
    assert [each.pk for each in unpaid().filter(pk=first.pk)] == []
    assert audit(night.league) == []


def closed_again(*winners: str) -> Night:
    """Return a night that was closed, then again after ann lost to each of the winners."""
    night = a_night()
    wins("bob", "ann", 63)(night)
    promise(of(close(night)), uuid4(), 20, by=None)
    reopen_night(again(night), by=None)
    for winner in winners:
        wins(winner, "ann", 7)(again(night))
    close(night)
    return again(night)


def receipt_queries(night: Night) -> int:
    viewer = member(night.league, Role.VIEWER)
    with CaptureQueriesContext(connection) as queries:
        assert viewer.get(f"/api/v1/nights/{night.pk}/receipt").status_code == 200
    return len(queries)


def test_reasons_of_all_payments_are_loaded_at_once() -> None:
    one, three = closed_again("bob"), closed_again("bob", "cat", "dan")
    payments = notifications.payments_of(current_closing(three).plan)
    with CaptureQueriesContext(connection) as queries:
        reasons = [notifications.sentence(each) for each in payments]
    assert len(reasons) == 3
    assert len(queries) == 0
    assert receipt_queries(three) == receipt_queries(one)


def test_closing_again_without_changes_keeps_the_payments() -> None:
    night = a_night()
    wins("bob", "ann", 63)(night)
    first = of(close(night))
    reopen_night(again(night), by=None)
    second = close(night)
    assert planned(second) == []
    assert [each.pk for each in unsent()] == [first.pk]


def test_disputed_part_stays_in_its_plan() -> None:
    night = a_night()
    wins("bob", "ann", 63)(night)
    first = of(close(night))
    disputed = dispute(promise(first, uuid4(), 20, by=None), by=None)
    reopen_night(again(night), by=None)
    wins("bob", "ann", 7)(again(night))
    assert planned(close(night)) == ["ann pays bob 50"]
    confirm(disputed, by=None)
    assert left() == [("ann", "bob", 50)]


def test_withdrawn_part_can_be_sent_again() -> None:
    night = a_night()
    wins("bob", "ann", 63)(night)
    first = of(close(night))
    sent = promise(first, uuid4(), 20, by=None)
    reopen_night(again(night), by=None)
    wins("cat", "bob", 10)(again(night))
    assert planned(close(night)) == ["ann pays bob 33", "ann pays cat 10"]
    withdraw(sent, by=None)
    assert left() == [("ann", "bob", 20), ("ann", "bob", 33), ("ann", "cat", 10)]
    settle_season(night.season, uuid4(), by=None)
    assert left() == [("ann", "bob", 53), ("ann", "cat", 10)]


def test_receipt_lists_each_debt_once() -> None:
    night = a_night()
    wins("bob", "ann", 63)(night)
    receive(of(close(night)), uuid4(), 20, by=None)
    reopen_night(again(night), by=None)
    wins("cat", "ann", 7)(again(night))
    close(night)
    rows = [(str(row), row.due, row.open_chips()) for row in payments_of(night)]
    assert rows == [
        ("ann pays bob 63", 20, 0),
        ("ann pays bob 43", 43, 43),
        ("ann pays cat 7", 7, 7),
    ]


def test_correction_of_one_night_keeps_the_payments_of_another() -> None:
    first = a_night()
    hand = wins("bob", "ann", 10)(first)
    close(first)
    second = a_second_night(first, "ann", "bob")
    wins("ann", "bob", 30)(second)
    kept = of(close(second))
    void_hand(hand, by=None)
    assert [each.pk for each in unsent()] == [kept.pk]


def test_settling_the_season_joins_the_payments_of_its_nights() -> None:
    first = a_night()
    wins("bob", "ann", 10)(first)
    close(first)
    second = a_second_night(first, *NAMES)
    wins("cat", "bob", 10)(second)
    close(second)
    assert left() == [("ann", "bob", 10), ("bob", "cat", 10)]
    key = uuid4()
    plan = settle_season(first.season, key, by=None)
    assert [str(each) for each in plan.payments.all()] == ["ann pays cat 10"]
    assert left() == [("ann", "cat", 10)]
    assert settle_season(first.season, key, by=None) == plan
    empty = settle_season(first.season, uuid4(), by=None)
    assert (empty.payments.count(), empty.replacements.count()) == (0, 0)
    assert left() == [("ann", "cat", 10)]
    assert audit(first.league) == []


def a_second_night(first: Night, *names: str) -> Night:
    night = open_night(first.league, players=[player(first, name) for name in names])
    for seat in night.seats.all():
        buy_in(night, seat.player, 100, buy_in_id=uuid4(), by=None)
    return night


def settled_as() -> list[str]:
    """Return the name under which each payment with unsent chips is settled."""
    plans = unsent().order_by("pk").select_related("plan__closing__night", "plan__season")
    return [str(closing.night if (closing := each.plan.closing) else "season") for each in plans]


@pytest.mark.parametrize("settles", ["night", "season"])
def test_correction_of_a_settled_night_changes_the_payments_of_the_season(settles: str) -> None:
    first = a_table(settles=settles)
    hand = wins("bob", "ann", 10)(first)
    close(first)
    second = a_second_night(first, "bob", "cat", "dan")
    wins("cat", "bob", 10)(second)
    wins("cat", "dan", 20)(second)
    close(second)
    settle_season(first.season, uuid4(), by=None, end=True)
    assert left() == [("ann", "cat", 10), ("dan", "cat", 20)]
    void_hand(hand, by=None)
    assert left() == [("bob", "cat", 10), ("dan", "cat", 20)]
    assert settled_as() == ["season", "season"]
    assert is_settled_with_season(first)
    assert audit(first.league) == []


def test_correction_of_a_settled_night_is_the_nights_after_the_season_was_paid() -> None:
    night = a_night()
    hand = wins("bob", "ann", 10)(night)
    wins("bob", "cat", 20)(night)
    close(night)
    for each in settle_season(night.season, uuid4(), by=None).payments.all():
        promise(each, uuid4(), each.chips, by=None)
    for each in unpaid():
        promise(each, uuid4(), each.open_chips(*LIVE), by=None)
    void_hand(hand, by=None)
    assert planned(current_closing(again(night))) == ["bob pays ann 10"]


def test_correction_of_a_later_night_keeps_the_payments_of_the_season() -> None:
    first = a_table(settles="season")
    wins("cat", "ann", 10)(first)
    close(first)
    settle_season(first.season, uuid4(), by=None)
    second = a_second_night(chosen(first, settles="night"), "ann", "dan")
    hand = wins("dan", "ann", 5)(second)
    wins("dan", "ann", 7)(second)
    close(second)
    void_hand(hand, by=None)
    assert left() == [("ann", "cat", 10), ("ann", "dan", 7)]
    assert settled_as() == ["season", str(second)]


# Any sequence of actions

pairs = st.sampled_from([(one, other) for one in NAMES for other in NAMES if one != other])
steps = st.sampled_from([promise, receive, confirm, dispute, withdraw])
reports = st.tuples(steps, st.integers(0, 9), st.integers(1, 40))
rounds = st.tuples(
    st.integers(0, 2),  # the night
    st.lists(st.tuples(pairs, st.integers(1, 40)), max_size=3),
    st.booleans(),  # a hand is voided
    st.booleans(),  # the season is settled
    st.lists(reports, max_size=4),
)
Round = tuple[int, list[tuple[tuple[str, str], int]], bool, bool, list[tuple[Any, int, int]]]


def report(league: UUID, step: Callable[..., Payment], place: int, chips: int) -> None:
    """Report a payment, or answer a reported one. Refused reports change nothing."""
    rows = PlannedPayment.objects.filter(plan__season__league=league).order_by("pk")
    paid = Payment.objects.filter(planned__in=rows).order_by("made_at", "pk")
    found = list(rows if step in {promise, receive} else paid)
    if not found:
        return
    chosen = found[place % len(found)]
    try:
        if step in {promise, receive}:
            step(chosen, uuid4(), chips, by=None)
        else:
            step(chosen, by=None)
    except RefusedError:
        return


@settings(max_examples=examples(25))
@given(st.lists(rounds, min_size=1, max_size=5))
def test_unpaid_payments_are_the_debts_of_their_night_or_season(evenings: list[Round]) -> None:
    nights = [a_night()]
    close(nights[0])
    league, season = nights[0].league, nights[0].season
    for number, hands, voids, settles, reported in evenings:
        before = set(PaymentPlan.objects.filter(season=season).values_list("pk", flat=True))
        if number < len(nights):
            night = nights[number]
            reopen_night(again(night), by=None)
        else:
            night = a_second_night(nights[0], *NAMES[len(nights) :])
            nights.append(night)
        for pair, chips in hands:
            if set(pair) <= {seat.player.name for seat in night.seats.select_related("player")}:
                wins(*pair, chips)(again(night))
        close(night)
        if voids and (hand := Hand.objects.filter(night=night, voided=False).first()):
            void_hand(hand, by=None)
        if settles:
            settle_season(season, uuid4(), by=None)
        require_debts_as_unpaid(season)
        for each in nights:
            require_own_payments(each)
        for plan in PaymentPlan.objects.filter(season=season).exclude(pk__in=before):
            require_no_circle(plan)
        for step, place, chips in reported:
            report(league.pk, step, place, chips)
    assert audit(league) == []


def require_debts_as_unpaid(season: Season) -> None:
    owed: Counter[str] = Counter()
    for each in unpaid().filter(plan__season=season):
        owed[accounts.tab(each.payee_id).key] += chips_left(each)
        owed[accounts.tab(each.payer_id).key] -= chips_left(each)
    held = balances(season.league.book, kind="tab", nonzero=True)
    assert {key: chips for key, chips in owed.items() if chips} == held


def require_own_payments(night: Night) -> None:
    """Require that, until the season is settled, the night's payments add up to its results."""
    planned_chips: Counter[UUID] = Counter()
    for each in PlannedPayment.objects.filter(plan__closing__night=night):
        planned_chips[each.payee_id] += each.due
        planned_chips[each.payer_id] -= each.due
    assert planned_chips.keys() <= set(night.seats.values_list("player", flat=True))
    closed_at = night.closings.get(number=1).made_at
    if not night.season.plans.filter(closing=None, made_at__gte=closed_at).exists():
        lines = current_closing(night).lines.values_list("player", "settles")
        results = {player: chips for player, chips in lines if chips}
        assert {player: chips for player, chips in planned_chips.items() if chips} == results


def require_no_circle(plan: PaymentPlan) -> None:
    """Require that no player both pays and is paid by unsent payments of the plan's night."""
    of = {"plan__closing__night": plan.closing and plan.closing.night_id}
    rows = unsent().filter(plan__season=plan.season, **of)
    assert not {each.payer_id for each in rows} & {each.payee_id for each in rows}
