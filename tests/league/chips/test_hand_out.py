"""What to hand out for a buy-in: laws for any chip set, and examples of common sets."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.chips import (
    COLOURS,
    MOST_STEPS,
    ChipColour,
    ChipSet,
    HandOut,
    Portion,
    by_value,
    hand_out,
)


def a_set(*rows: tuple[int, int]) -> list[ChipColour]:
    """Return a set with these values and numbers of pieces."""
    return by_value(
        [
            {"colour": colour, "value": value, "count": count}
            for colour, (value, count) in zip(COLOURS, rows, strict=False)
        ]
    )


CASH = a_set((1, 100), (5, 100), (25, 50), (100, 50))  # 300 pieces, a common set
SETS = st.dictionaries(
    st.sampled_from([1, 2, 3, 5, 10, 20, 25, 100]), st.integers(1, 30), min_size=1
)
CHAINS = st.dictionaries(st.sampled_from([1, 5, 10, 50]), st.integers(1, 4), min_size=1)


def worth(chip_set: ChipSet, portion: Portion) -> int:
    rows = zip(chip_set, portion, strict=True)
    return sum(chips["value"] * pieces for chips, pieces in rows)


def paid(plan: HandOut) -> list[Portion]:
    """Return the portion of each player and rebuy."""
    rebuys = [portion for portion, times in plan.rebuys for _ in range(times)]
    return [plan.portion] * plan.players + rebuys


@given(SETS, st.integers(1, 300), st.integers(1, 9), st.integers(0, 9))
def test_portions_pay_the_buy_in_from_the_pieces_of_the_set(
    rows: dict[int, int], buy_in: int, players: int, rebuys: int
) -> None:
    chip_set = a_set(*rows.items())
    plan = hand_out(chip_set, buy_in, players, rebuys)
    assert plan is not None
    assert plan.players <= players
    assert plan.rebuys_paid <= rebuys
    portions = paid(plan)
    assert all(worth(chip_set, portion) == buy_in for portion in portions)
    assert all(pieces >= 0 for portion in portions for pieces in portion)
    for place, chips in enumerate(chip_set):
        assert sum(portion[place] for portion in portions) <= chips["count"]
    total = sum(chips["value"] * chips["count"] for chips in chip_set)
    if len(portions) == players + rebuys:
        assert not plan.missing
    elif portions:
        assert plan.missing == max(0, (players + rebuys) * buy_in - total)


@given(CHAINS, st.integers(1, 80))
def test_nearest_payable_buy_ins_are_returned(rows: dict[int, int], buy_in: int) -> None:
    chip_set = a_set(*rows.items())
    choices = (range(chips["count"] + 1) for chips in chip_set)
    sums = {worth(chip_set, pieces) for pieces in product(*choices)}
    below = [each for each in sums if 0 < each < buy_in]
    above = [each for each in sums if each > buy_in]
    plan = hand_out(chip_set, buy_in, 1)
    assert plan is not None
    assert bool(plan.portion) == (buy_in in sums)
    nearest = [*sorted(below)[-1:], *sorted(above)[:1]]
    assert list(plan.nearest) == ([] if buy_in in sums else nearest)


@given(CHAINS, st.integers(1, 60), st.integers(1, 6))
def test_portion_serves_the_most_players(rows: dict[int, int], buy_in: int, players: int) -> None:
    """Compare with every portion that pays the buy-in. All players get the same portion."""
    chip_set = a_set(*rows.items())
    most = max(
        (
            min((c["count"] // n for c, n in zip(chip_set, pieces, strict=True) if n), default=0)
            for pieces in product(*(range(c["count"] + 1) for c in chip_set))
            if worth(chip_set, pieces) == buy_in
        ),
        default=0,
    )
    plan = hand_out(chip_set, buy_in, players)
    assert plan is not None
    assert plan.players == min(players, most)


@pytest.mark.parametrize(
    ("chip_set", "buy_in", "players", "portion"),
    [
        (CASH, 200, 8, (10, 8, 6, 0)),
        (CASH, 100, 8, (10, 8, 2, 0)),
        (a_set((25, 100), (100, 100), (500, 60), (1000, 60)), 10_000, 9, (8, 8, 6, 6)),
        (a_set((5, 20)), 20, 5, (4,)),
    ],
)
def test_players_get_small_chips_for_bets(
    chip_set: ChipSet, buy_in: int, players: int, portion: Portion
) -> None:
    plan = hand_out(chip_set, buy_in, players)
    assert plan is not None
    assert (plan.portion, plan.players, plan.missing) == (portion, players, 0)


def test_rebuys_are_paid_with_few_large_pieces() -> None:
    plan = hand_out(CASH, 200, 8, 10)
    assert plan is not None
    assert plan.rebuys == (((0, 0, 0, 2), 10),)


def test_players_get_fewer_small_chips_if_rebuys_need_them() -> None:
    """With ten small chips for each of the two players, none would be left for the rebuys."""
    plan = hand_out(a_set((1, 20), (10, 6)), 20, 2, 2)
    assert plan is not None
    assert plan.portion == (10, 1)
    assert (plan.players, plan.rebuys_paid) == (2, 2)
    plan = hand_out(a_set((1, 20), (5, 12)), 20, 2, 2)
    assert plan is not None
    assert (plan.players, plan.rebuys_paid) == (2, 2)


def test_value_of_missing_chips_is_returned() -> None:
    found = hand_out(a_set((5, 40)), 100, 3)
    assert found == HandOut(portion=(20,), players=2, missing=100)


def test_work_for_the_nearest_buy_ins_does_not_grow_with_the_values() -> None:
    """docs/threats.md 69: a chip worth 10**12 would need a number of 10**12 bits."""
    found = hand_out(a_set((1, 1), (10**12, 1)), 5, 3)
    assert found == HandOut(nearest=[1])


def test_unpayable_buy_in_has_nearest_buy_ins() -> None:
    found = hand_out(a_set((5, 100), (25, 100)), 203, 4)
    assert found == HandOut(nearest=[200, 205])


def test_buy_in_with_too_many_steps_has_no_hand_out() -> None:
    assert hand_out([], 100, 4) is None
    assert hand_out(a_set((1, 2000)), MOST_STEPS + 1, 4) is None
    full = a_set(*((value, 2000) for value in (1, 3, 7, 11, 50, 101, 499, 1009, 4999, 20011)))
    assert hand_out(full, MOST_STEPS, 100, 200) is not None
