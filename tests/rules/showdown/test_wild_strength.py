"""Values of wild cards, compared with trying every card that they may represent.

See docs/rulings.md 1.
"""

from collections.abc import Callable
from itertools import combinations, product

import numpy as np
import pytest
from numpy.typing import NDArray

from rules.ranking import SCALES as MEANINGS
from rules.ranking import read_strength
from tests.helpers.rules.crowded_hands import crowded
from tests.helpers.rules.measuring import JOKERS, SCALES, random_hands, strength, strengths

WITH_JOKERS = {"deck": "52 + 4 jokers", "wild": ["joker"]}
WITH_BUG = {"deck": "52 + 4 jokers", "bug": ["joker"]}
COMPLETED = {"straight", "flush", "straight-flush"}
Allowed = Callable[[str, NDArray[np.int64], NDArray[np.int64]], NDArray[np.bool_]]


def anything(scale: str, stands: NDArray[np.int64], values: NDArray[np.int64]) -> NDArray[np.bool_]:
    return np.ones(len(values), dtype=bool)


def as_a_bug(scale: str, stands: NDArray[np.int64], values: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which cards a bug may represent: an ace, or one completing a straight or flush.

    For low, it may represent any card.
    """
    if scale != "high":
        return anything(scale, stands, values)
    completed = [read_strength(MEANINGS[scale], int(v))[0] in COMPLETED for v in values]
    return (stands // 4 == 12).all(axis=1) | np.array(completed)


def best_of_all(scale: str, natural: list[int], wild: int, allowed: Allowed = anything) -> int:
    """Return the best strength across all cards that the wild cards may represent.

    They may not represent a card that is already in the hand.
    """
    free = [card for card in range(52) if card not in natural]
    stands = np.array(list(combinations(free, wild)))
    rows = np.concatenate([np.tile(natural, (len(stands), 1)), stands], axis=1).astype(int)
    values = strengths(scale, rows)
    return int(values[allowed(scale, stands, values)].max())


def five_of_a_kind(natural: list[int], wild: int) -> bool:
    return len(natural) + wild == 5 and len({card // 4 for card in natural}) == 1


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize(("size", "wild", "hands"), [(5, 1, 120), (5, 2, 40), (5, 3, 3)])
def test_wild_card_is_the_best_card_that_the_hand_lacks(
    scale: str, size: int, wild: int, hands: int
) -> None:
    """docs/rulings.md 1: any card that is not among the other four.

    A separate test covers five of a kind.
    """
    sample = [
        *random_hands(hands, size - wild, seed=wild).tolist(),
        *crowded(size - wild, seed=wild)[:hands].tolist(),
    ]
    natural = [hand for hand in sample if not five_of_a_kind(hand, wild)]
    measured = strengths(scale, [[*hand, *JOKERS[:wild]] for hand in natural], **WITH_JOKERS)
    assert measured.tolist() == [best_of_all(scale, hand, wild) for hand in natural]


@pytest.mark.parametrize(("size", "wild"), [(1, 1), (2, 1), (3, 1), (4, 1), (2, 2), (3, 2), (4, 2)])
def test_wild_card_in_a_short_hand_is_the_best_card_that_the_hand_lacks(
    size: int, wild: int
) -> None:
    """docs/rulings.md 10: hands of one to four turned cards are compared too."""
    natural = random_hands(25, size - wild, seed=size).tolist()
    measured = strengths("high", [[*hand, *JOKERS[:wild]] for hand in natural], **WITH_JOKERS)
    assert measured.tolist() == [best_of_all("high", hand, wild) for hand in natural]


@pytest.mark.parametrize("wild", [1, 2, 3, 4])
def test_five_of_a_kind_is_the_highest_hand_and_can_repeat_a_card(wild: int) -> None:
    """docs/rulings.md 1: a wild card may repeat a card only to make five of a kind."""
    royal = strength("high", "As Ks Qs Js Ts")
    suits, jokers = "cdhs", [f"*{number}" for number in range(1, wild + 1)]
    fives = [
        strength(
            "high", " ".join([*(rank + suit for suit in suits[: 5 - wild]), *jokers]), **WITH_JOKERS
        )
        for rank in "23456789TJQKA"
    ]
    if wild == 4:  # four wild cards make five of a kind together with any card
        assert len(set(fives)) == 13
    assert fives == sorted(set(fives))
    assert fives[0] > royal


def test_wild_card_does_not_repeat_the_ace_in_a_flush() -> None:
    """docs/rulings.md 1: if the hand has the suit's ace, a wild card is the next best card."""
    assert strength("high", "As Ks 9s 4s *1", **WITH_JOKERS) == strength("high", "As Ks Qs 9s 4s")
    assert strength("high", "As 9s 4s *1 *2", **WITH_JOKERS) == strength("high", "As Ks Qs 9s 4s")
    assert strength("high", "Ks 9s 4s 2s *1", **WITH_JOKERS) == strength("high", "As Ks 9s 4s 2s")


@pytest.mark.parametrize(
    ("scale", "as_good_as"),
    [
        ("best", "5s 4d 3h 2s Ac"),
        ("worst", "7s 5d 4h 3s 2c"),
        ("ace-to-six", "6s 4d 3h 2s Ac"),
    ],
)
def test_five_wild_cards_make_the_best_low(scale: str, as_good_as: str) -> None:
    """docs/rulings.md 1 and 7: high and low use wild cards in different ways."""
    wild = strength(scale, "3c 3d 3h 3s 9c", wild=["3", "9"])
    assert wild == strength(scale, as_good_as)


def test_five_wild_cards_are_five_aces() -> None:
    """docs/rulings.md 1: five aces are the highest hand."""
    assert strength("high", "3c 3d 3h 3s 9c", wild=["3", "9"]) == strength(
        "high", "Ac Ad Ah As *1", **WITH_JOKERS
    )


def test_wild_card_can_represent_itself() -> None:
    """docs/rulings.md 1: a wild nine may be the nine of a straight flush."""
    assert strength("high", "Ts 9s 8s 7s 6s", wild=["9"]) == strength("high", "Ts 9s 8s 7s 6s")


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize(("wild", "hands"), [(1, 80), (2, 15)])
def test_bug_counts_as_an_ace_or_completes_a_straight_or_flush(
    scale: str, wild: int, hands: int
) -> None:
    """docs/games.md, `bug`: an ace, or a card that completes a straight or flush.

    For low, it may be any card.
    """
    sample = [
        *random_hands(hands, 5 - wild, seed=wild).tolist(),
        *crowded(5 - wild, seed=wild)[: 2 * hands].tolist(),
    ]
    natural = [hand for hand in sample if sum(card // 4 == 12 for card in hand) + wild <= 4]
    measured = strengths(scale, [[*hand, *JOKERS[:wild]] for hand in natural], **WITH_BUG)
    assert measured.tolist() == [best_of_all(scale, hand, wild, as_a_bug) for hand in natural]


def test_four_aces_and_the_bug_count_as_five_aces() -> None:
    """docs/games.md, `bug`: the bug counts as an ace, so four aces become five of a kind."""
    five = strength("high", "Ac Ad Ah As *1", **WITH_BUG)
    assert five > strength("high", "As Ks Qs Js Ts")


@pytest.mark.parametrize("pair", list(product(["3c", "9d"], ["Kc", "As"])))
def test_wild_card_pairs_with_any_other_card(pair: tuple[str, str]) -> None:
    """docs/rulings.md 10: two turned cards, with threes and nines wild."""
    wild, natural = pair
    other = natural[0] + ("d" if natural[1] != "d" else "h")
    measured = strength("high", f"{wild} {natural}", wild=["3", "9"])
    assert measured == strength("high", f"{other} {natural}")
