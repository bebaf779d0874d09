"""All hands' strengths, compared with counts from the literature.

The counts of five-card hands by category are in textbooks such as Epstein, The Theory of Gambling
and Statistical Logic, and in Wikipedia, "Poker probability" and "Lowball (poker)".
"""

from collections import Counter

import numpy as np
import pytest
from numpy.typing import NDArray

from rules.ranking import SCALES, read_strength
from rules.showdown.tables import KEYS, multisets
from tests.helpers.rules.measuring import all_hands, all_strengths, strength, weakest_first

HANDS = 2_598_960

HIGH = {
    "straight-flush": 40,
    "quads": 624,
    "full-house": 3_744,
    "flush": 5_108,
    "straight": 10_200,
    "trips": 54_912,
    "two-pair": 123_552,
    "pair": 1_098_240,
    "high-card": 1_302_540,
}
# Without A-2-3-4-5 (worst) or A-K-Q-J-10 (ace-to-six), there are nine possible straights instead of
# ten.
ONE_STRAIGHT_LESS = HIGH | {
    "straight-flush": 36,
    "flush": 5_112,
    "straight": 9_180,
    "high-card": 1_303_560,
}
NO_STRAIGHTS_NOR_FLUSHES = {
    "quads": 624,
    "full-house": 3_744,
    "trips": 54_912,
    "two-pair": 123_552,
    "pair": 1_098_240,
    "high-card": 1_317_888,
}


COUNTS = {
    "high": (HIGH, 7_462),
    "best": (NO_STRAIGHTS_NOR_FLUSHES, 6_175),
    "worst": (ONE_STRAIGHT_LESS, 7_462),
    "ace-to-six": (ONE_STRAIGHT_LESS, 7_462),
}
# Five of eight (seven, six) ranks, with four suits each: C(8,5) * 4^5.
LOWS = {"8-or-better": (57_344, 56), "7-or-better": (21_504, 21), "6-or-better": (6_144, 6)}


@pytest.mark.slow
def test_counts_of_all_hands_match_the_literature() -> None:
    """Counts five-card hands by category and by distinct strength, and the lows that qualify.

    Sources: docs/rulings.md 7, Munk's ranking of hands.
    """
    strengths = dict(
        zip([*COUNTS, *LOWS], all_strengths([*COUNTS, *LOWS], all_hands()), strict=True)
    )
    for scale, (counts, distinct) in COUNTS.items():
        values, times = np.unique(strengths[scale], return_counts=True)
        assert times.sum() == HANDS
        assert (_by_category(scale, values, times), len(values)) == (counts, distinct), scale
    for low, expected in LOWS.items():
        qualified = strengths[low][strengths[low] >= 0]
        assert (len(qualified), len(np.unique(qualified))) == expected, low


def _by_category(scale: str, values: NDArray[np.int64], times: NDArray[np.intp]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for value, number in zip(values.tolist(), times.tolist(), strict=True):
        counts[read_strength(SCALES[scale], value)[0]] += number
    return counts


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_every_set_of_cards_has_a_unique_key_sum(size: int) -> None:
    """A hand's strength is looked up by the sum of its cards' keys (docs/architecture.md)."""
    sets = multisets(size)
    assert len(np.unique(sets.sums)) == len(sets.sums)
    assert sets.sums.max() <= size * KEYS.max()


LADDERS = {
    "high": """
        2c 3d 4h 5s 7c | As Kd Qh Jc 9c | 2c 2d 3h 4s 5c | As Ad Kh Qs Jc | 3c 3d 2h 2s 4c |
        As Ad Kh Ks Qc | 2c 2d 2h 3s 4c | As Ad Ah Ks Qc | 5c 4d 3h 2s Ac | 6c 5d 4h 3s 2c |
        As Kd Qh Js Tc | 7c 5c 4c 3c 2c | As Ks Qs Js 9s | 2c 2d 2h 3s 3c | As Ad Ah Ks Kc |
        2c 2d 2h 2s 3c | As Ad Ah Ac Kc | 5d 4d 3d 2d Ad | 6d 5d 4d 3d 2d | As Ks Qs Js Ts""",
    "best": """
        Ks Kd Kh Kc Qc | As Ad Ah Ac 2c | As Ad Ah 2s 2c | As Ad Ah 3s 2c | 3s 3d 2h 2s Ac |
        3s 2d 2h As Ac | As Ad 4h 3s 2c | Ks Qd Jh Ts 9c | 9s 7d 3h 2s Ac | 8s 7d 6h 5s 4c |
        8s 4d 3h 2s Ac | 7s 6d 5h 4s 3c | 7s 6d 4h 2s Ac | 7s 5d 4h 3s 2c | 6s 5s 4s 3s 2s |
        5s 4s 3s 2s As""",
    "worst": """
        As Ks Qs Js Ts | 6s 5s 4s 3s 2s | 7s 6d 5h 4s 3c | 2s 2d 3h 4s 5c | As Kd Qh Js 9c |
        Ac 6d 5h 3s 2c | As 5d 4h 3s 2c | Ks 5d 4h 3s 2c | 8s 5d 4h 3s 2c | 7s 6d 5h 4s 2c |
        7s 6d 5h 3s 2c | 7s 5d 4h 3s 2c""",
    "ace-to-six": """
        Ks Qs Js Ts 9s | 5s 4s 3s 2s As | 7s 5s 4s 3s 2s | 6s 5d 4h 3s 2c | 5s 4d 3h 2s Ac |
        As Ad 4h 3s 2c | Ks Qd Jh Ts 8c | As Kd Qh Js Tc | 7s 5d 4h 3s 2c | 6s 5d 3h 2s Ac |
        6s 4d 3h 2s Ac""",
}


@pytest.mark.parametrize("scale", LADDERS)
def test_strengths_increase_from_the_worst_to_the_best_hand(scale: str) -> None:
    """docs/rulings.md 7: the position of aces, and the value of straights and flushes."""
    ladder = [" ".join(hand.split()) for hand in LADDERS[scale].split("|")]
    values = [strength(scale, hand) for hand in ladder]
    assert values == sorted(set(values)), list(zip(values, ladder, strict=True))


@pytest.mark.parametrize(
    ("low", "hand", "qualifies"),
    [
        ("8-or-better", "8s 7d 6h 5s 4c", True),
        ("8-or-better", "9s 4d 3h 2s Ac", False),
        ("8-or-better", "8s 8d 3h 2s Ac", False),
        ("8-or-better", "8s 7s 6s 5s 4s", True),
        ("7-or-better", "7s 6d 5h 4s 3c", True),
        ("7-or-better", "8s 4d 3h 2s Ac", False),
        ("high trips-or-better", "2c 2d 2h 3s 4c", True),
        ("high trips-or-better", "As Ad Kh Ks Qc", False),
        ("high pair-or-better", "2s 2d 5h 4s 3c", True),
        ("high pair-or-better", "As Kd Qh Js 9c", False),
        ("high 99-or-better", "9s 9d 2h 3s 4c", True),
        ("high 99-or-better", "8s 8d Ah Ks Qc", False),
        ("high 99-or-better", "2s 2d 3h 3s 4c", True),
        ("high 777-or-better", "7s 7d 7h 2s 3c", True),
        ("high 777-or-better", "6s 6d 6h As Kc", False),
        ("high flush-or-better", "7s 5s 4s 3s 2s", True),
        ("high flush-or-better", "As Kd Qh Js Tc", False),
        ("high 10-or-better", "Ts 8d 5h 3s 2c", True),
        ("high 10-or-better", "9s 8d 5h 3s 2c", False),
        ("worst 9-or-better", "9s 8d 7h 6s 4c", True),
        ("worst 9-or-better", "9s 8d 7h 6s 5c", False),
        ("worst 9-or-better", "Ts 5d 4h 3s 2c", False),
        ("ace-to-six 8-or-better", "8s 7d 6h 5s 3c", True),
        ("ace-to-six 8-or-better", "5s 4d 3h 2s Ac", False),
    ],
)
def test_only_hands_that_reach_the_qualifier_can_qualify(
    low: str, hand: str, qualifies: bool
) -> None:
    """docs/games.md: a qualifier is a category, cards of one rank, or a low's highest rank."""
    assert (strength(low, hand) >= 0) is qualifies


SHORT = """
    2c | 3c 2d | Kc Qd | Ac | Ac 2d | Ac Kd 3h | Ac Kd 3h 2s | Ac Kd Qh Js | Ac Kd Qh Js 2c |
    2c 2d | 2c 2d Ah | 2c 2d Ah 3s | 2c 2d Ah Ks | Ac Ad | Ac Ad 2h | 3c 3d 2h 2s |
    3c 3d 2h 2s 4c | 2c 2d 2h | 2c 2d 2h 3s | 2c 2d 2h 3s 4c | Ac Ad Ah Ks | 5c 4d 3h 2s Ac |
    2c 2d 2h 2s | 2c 2d 2h 2s 3c | Ac Ad Ah As"""


def test_hands_with_fewer_than_five_cards_can_be_compared() -> None:
    """docs/rulings.md 10: fewer than five cards make no straight or flush.

    A missing kicker loses to any kicker.
    """
    ladder = [" ".join(hand.split()) for hand in SHORT.split("|")]
    values = [strength("high", hand) for hand in ladder]
    assert values == sorted(set(values)), list(zip(values, ladder, strict=True))


@pytest.mark.parametrize("hand", ["5s 4s 3s 2s", "As Ks Qs Js", "6c 5c 4c", "3h 2h", "Ad"])
def test_hands_of_four_cards_or_fewer_make_no_straight_or_flush(hand: str) -> None:
    """docs/rulings.md 10."""
    off_suit = hand.replace(hand[1], "d" if hand[1] != "d" else "c", 1)
    assert strength("high", hand) == strength("high", off_suit)
    assert read_strength(SCALES["high"], strength("high", hand))[0] == "high-card"


def test_custom_order_can_rank_the_flush_above_the_full_house() -> None:
    """docs/games.md: `order` lists categories from the strongest, if the order is unusual."""
    hands = ["9c 8c 7c 6c 2c", "As Ad Ah Ks Kc", "6c 6d 6h 6s 7c", "Tc 9d 8h 7s 6c"]
    turned = weakest_first("high", hands, order=["flush full-house"])
    assert turned == ["Tc 9d 8h 7s 6c", "As Ad Ah Ks Kc", "9c 8c 7c 6c 2c", "6c 6d 6h 6s 7c"]
    usual = weakest_first("high", hands)
    assert usual == ["Tc 9d 8h 7s 6c", "9c 8c 7c 6c 2c", "As Ad Ah Ks Kc", "6c 6d 6h 6s 7c"]


def test_four_flush_ranks_by_its_position_in_the_order() -> None:
    """docs/games.md: an unusual category ranks just below the one listed before it."""
    hands = ["As Kd Qh Js 9c", "As Ad Kh Qs Jc", "9c 8c 7c 2c 3d", "3c 3d 2h 2s 4c"]
    below_two_pair = weakest_first("high", hands, order=["two-pair four-flush pair"])
    assert below_two_pair == [hands[0], hands[1], hands[2], hands[3]]
    below_pair = weakest_first("high", hands, order=["pair four-flush"])
    assert below_pair == [hands[0], hands[2], hands[1], hands[3]]


def test_four_flushes_compare_by_their_cards_and_five_suited_cards_are_a_flush() -> None:
    """docs/games.md: a flush is a separate category above a four-flush in `order`."""
    order = ["two-pair four-flush pair"]
    hands = ["7c 6c 5c 2c 3d", "9c 8c 7c 2c 3d", "9c 8c 7c 3c 2c"]
    assert weakest_first("high", reversed(hands), order=order) == hands
    assert strength("high", hands[2], order=order) > strength("high", "As Ad Ah Ks Qc", order=order)
