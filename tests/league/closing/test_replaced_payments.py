"""Payments that were not sent are replaced if a night is closed again or a season is settled."""

from collections import Counter
from collections.abc import Callable
from uuid import UUID, uuid4

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.closing.close import Decisions, close_night, current_closing, reopen_night
from league.closing.payment_plans import settle_season, unplanned, unsent
from league.closing.payments import (
    chips_left,
    confirm,
    dispute,
    open_chips,
    promise,
    receive,
    unpaid,
    withdraw,
)
from league.closing.receipts import payments_of
from league.common.errors import RefusedError
from league.integrity.audit import audit
from league.models import Closing, Hand, Night, Payment, PlannedPayment
from league.nights import accounts
from league.nights.buy_ins import buy_in
from league.nights.opening import open_night
from league.recording.corrections import void_hand
from ledger.balances import balances
from tests.helpers.laws.examples import examples
from tests.helpers.league.leagues import NAMES, a_night, holdem, player
from tests.helpers.league.nights import a_table, again, dealt, planned

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
    assert (first.chips, first.due, open_chips(first)) == (63, 20, 20)
    assert unplanned(night.season, night) == {}
    with pytest.raises(RefusedError, match="only 0 chips of this payment are open"):
        promise(first, uuid4(), 1, by=None)
    confirm(sent, by=None)
    assert [each.pk for each in unpaid().filter(pk=first.pk)] == []
    assert audit(night.league) == []


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
    rows = [(str(row.planned), row.due, row.open_chips) for row in payments_of(night)]
    assert rows == [
        ("ann pays bob 63", 20, 0),
        ("ann pays bob 43", 43, 43),
        ("ann pays cat 7", 7, 7),
    ]


def test_correction_of_one_night_keeps_the_payments_of_another() -> None:
    first = a_night()
    hand = wins("bob", "ann", 10)(first)
    close(first)
    second = open_night(first.league, players=[player(first, name) for name in ("ann", "bob")])
    for each in second.seats.all():
        buy_in(second, each.player, 100, buy_in_id=uuid4(), by=None)
    wins("ann", "bob", 30)(second)
    kept = of(close(second))
    void_hand(hand, by=None)
    assert [each.pk for each in unsent()] == [kept.pk]


def test_settling_the_season_joins_the_payments_of_its_nights() -> None:
    first = a_night()
    wins("bob", "ann", 10)(first)
    close(first)
    second = open_night(first.league, players=[player(first, name) for name in NAMES])
    for each in second.seats.all():
        buy_in(second, each.player, 100, buy_in_id=uuid4(), by=None)
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


def test_correction_after_settling_the_season_replaces_its_unsent_payments() -> None:
    night = a_table(settles="season")
    hand = wins("bob", "ann", 10)(night)
    wins("cat", "ann", 20)(night)
    close(night)
    settle_season(night.season, uuid4(), by=None, end=True)
    assert left() == [("ann", "bob", 10), ("ann", "cat", 20)]
    void_hand(hand, by=None)
    assert planned(current_closing(again(night))) == ["ann pays cat 20"]
    assert left() == [("ann", "cat", 20)]


# Any sequence of actions

pairs = st.sampled_from([(one, other) for one in NAMES for other in NAMES if one != other])
steps = st.sampled_from([promise, receive, confirm, dispute, withdraw])
reports = st.tuples(steps, st.integers(0, 9), st.integers(1, 40))
rounds = st.tuples(
    st.lists(st.tuples(pairs, st.integers(1, 40)), max_size=3),
    st.booleans(),  # a hand is voided
    st.booleans(),  # the season is settled
    st.lists(reports, max_size=4),
)


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
@given(st.lists(rounds, min_size=1, max_size=4))
def test_unpaid_payments_add_up_to_the_debts_and_form_no_circle(
    evening: list[tuple[list[tuple[tuple[str, str], int]], bool, bool, list[tuple]]],  # type: ignore[type-arg]
) -> None:
    night = a_night()
    for hands, voids, settles, reported in evening:
        reopen_night(again(night), by=None)
        for (winner, loser), chips in hands:
            wins(winner, loser, chips)(again(night))
        close(night)
        if voids and (hand := Hand.objects.filter(night=night, voided=False).first()):
            void_hand(hand, by=None)
        if settles:
            settle_season(night.season, uuid4(), by=None)
        owed: Counter[str] = Counter()
        for each in unpaid().filter(plan__season=night.season):
            owed[accounts.tab(each.payee_id).key] += chips_left(each)
            owed[accounts.tab(each.payer_id).key] -= chips_left(each)
        held = balances(night.league.book, kind="tab", nonzero=True)
        assert {key: chips for key, chips in owed.items() if chips} == held
        rows = unsent().filter(plan__season=night.season)
        assert not {each.payer_id for each in rows} & {each.payee_id for each in rows}
        for step, place, chips in reported:
            report(night.league.pk, step, place, chips)
    assert audit(night.league) == []
