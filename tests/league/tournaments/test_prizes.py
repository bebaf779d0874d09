"""Prizes add up to the pool, both for paid places and for deals between the last players."""

import itertools
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.common.errors import RefusedError
from league.tournaments.field import MOST_FOR_ICM, by_chips, by_icm, icm, payouts, usual_parts

stacks = st.lists(st.integers(1, 10**6), min_size=2, max_size=7)
prizes = st.lists(st.integers(0, 10**5), min_size=7, max_size=7).map(
    lambda each: sorted(each, reverse=True)
)


@given(st.integers(0, 10**9), st.integers(1, 60), st.integers(1, 500))
def test_prizes_add_up_to_the_pool_and_never_increase_with_place(
    pool: int, entrants: int, step: int
) -> None:
    prizes = payouts(pool, usual_parts(entrants), round_to=step)
    assert sum(prizes) == pool
    assert prizes == sorted(prizes, reverse=True)
    assert all(prize % step == 0 for prize in prizes[1:])


@given(st.integers(1, 200))
def test_usual_shares_add_up_to_100_percent_with_at_most_one_place_per_player(
    count: int,
) -> None:
    parts = usual_parts(count)
    assert sum(parts) == 100
    assert list(parts) == sorted(parts, reverse=True)
    assert len(parts) <= count


@pytest.mark.parametrize(
    ("entrants", "parts"),
    [(6, (70, 30)), (8, (50, 30, 20)), (10, (50, 30, 20)), (20, (45, 25, 15, 10, 5))],
)
def test_usual_shares_match_a_published_table_for_home_games(
    entrants: int, parts: tuple[int, ...]
) -> None:
    """http://www.homepokergames.com/home-poker-tournament-payout-structure.php"""
    assert usual_parts(entrants) == parts


def test_icm_matches_a_published_example() -> None:
    """The ICM example on Wikipedia: https://en.wikipedia.org/wiki/Independent_Chip_Model

    Stacks have 50, 30 and 20 % of the chips, with prizes of 70 and 30. The page gives about 45, 32
    and 22.
    """
    shares = icm([50, 30, 20], [70, 30, 0])
    second_after_others = Fraction(3, 10) * Fraction(5, 7) + Fraction(2, 10) * Fraction(5, 8)
    assert shares[0] == 35 + 30 * second_after_others
    assert [int(each) for each in shares] == [45, 32, 22]


def test_icm_matches_an_example_calculated_by_hand() -> None:
    """An example from a forum, worked out by hand.

    https://www.flopturnriver.com/pokerforum/beginners-circle/all-question-133454.html: with 5,000,
    3,000 and 2,000 chips and prizes of 50, 30 and 20 %, the large stack gets 38.4 %.
    """
    assert round(float(icm([5_000, 3_000, 2_000], [50, 30, 20])[0]), 1) == 38.4


@given(stacks, prizes)
def test_icm_pays_out_all_prizes_and_values_more_chips_higher(
    chip_counts: list[int], prizes: list[int]
) -> None:
    of_these = prizes[: len(chip_counts)]
    shares = icm(chip_counts, of_these)
    assert sum(shares) == sum(of_these)
    ordered = sorted(zip(chip_counts, shares, strict=True))
    assert [worth for _, worth in ordered] == sorted(shares)
    for (one, worth), (two, other) in itertools.pairwise(ordered):
        assert one != two or worth == other


@given(stacks, prizes)
def test_agreed_splits_use_whole_chips_and_pay_out_everything_left(
    chip_counts: list[int], prizes: list[int]
) -> None:
    of_these = prizes[: len(chip_counts)]
    for way in (by_chips, by_icm):
        shares = way(chip_counts, of_these)
        assert sum(shares) == sum(of_these)
        assert all(of_these[-1] <= each <= of_these[0] + 1 or way is by_chips for each in shares)
        assert min(shares) >= of_these[-1]


def test_icm_for_too_many_players_is_refused() -> None:
    assert sum(by_icm([100] * MOST_FOR_ICM, [90] + [0] * (MOST_FOR_ICM - 1))) == 90
    with pytest.raises(RefusedError):
        icm([100] * (MOST_FOR_ICM + 1), [90])
