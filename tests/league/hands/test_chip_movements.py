"""Chip movements computed from a record and its answer, without a database."""

from hypothesis import given
from hypothesis import strategies as st

from league.hands.chip_movements import chip_totals, debts
from rules import settle
from tests.helpers.league.leagues import holdem


@given(st.lists(st.integers(-1_000, 1_000), max_size=12))
def test_debts_settle_the_balances_of_all_players(chips: list[int]) -> None:
    owed = {str(place): each for place, each in enumerate([*chips, -sum(chips)])}
    left = dict(owed)
    for payer, payee, amount in debts(owed):
        assert amount > 0
        left[payer] += amount
        left[payee] -= amount
    assert not any(left.values())


def test_carried_chips_can_be_given_as_a_number_or_as_pots() -> None:
    for carried in (20, [{"amount": 15, "for": ["ann", "bob"]}, {"amount": 5, "for": ["bob"]}]):
        record = holdem(carried=carried)
        chips = chip_totals(record, settle(record))
        assert (chips.carried, chips.carry) == (20, 0)
        assert sum(chips.back.values()) == 40
