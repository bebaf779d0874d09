"""Games decided by single cards (docs/rulings.md 9 and 12, Munk's single-card scoring)."""

import pytest

from rules.cards import TEXTS
from tests.helpers.rules.tables import deal, refused, seat, wins

STUD, DOG, JEWELS = "united-states-stud", "three-dog-night", "rudys-jewels"


@pytest.mark.parametrize(
    ("game", "better", "worse"),
    [
        # the four jokers are equal in rank, so the third card decides
        (STUD, "*1 *3 As", "*2 *4 Ks"),
        (STUD, "*4 2d 3d", "As Ah Ac"),  # any joker ranks above the ace of spades
        (STUD, "*1 *2 *3", "*4 As Ah"),
        (STUD, "*1 *2 2d", "*3 As Ah"),
        (STUD, "*1 Ks 2d", "*2 Kh Qs"),  # spades rank above hearts
        (STUD, "As 2c 2d", "Ah Kh Kd"),
        (STUD, "Ks Qh 2c", "Kh Qs Js"),
        (STUD, "*2 Ks Qd", "*1 Kh Qs"),
        (DOG, "As", "Ah"),
        (DOG, "Ah", "Ac"),
        (DOG, "Ac", "Ad"),
        (DOG, "Ad", "Ks"),
        (DOG, "2s", "2h"),
        (DOG, "3d", "2s"),
        (JEWELS, "Jh Js", "As Ah"),
        (JEWELS, "Js 2c", "As Ah"),
        (JEWELS, "Jh As", "Js Ah"),
        (JEWELS, "As 2c", "Ah Ac"),
        (JEWELS, "As 2c", "Jc Jd"),  # the other two jacks do not count as jewels
    ],
)
def test_single_cards_are_compared_from_the_highest_down(
    game: str, better: str, worse: str
) -> None:
    wins(deal(game, seat("ann", better), seat("bob", worse)), "ann 20, bob 0")
    wins(deal(game, seat("ann", worse), seat("bob", better)), "ann 0, bob 20")


def test_single_cards_compare_by_rank_then_spades_hearts_clubs_diamonds() -> None:
    """Munk: cards of the same rank are ordered spades, hearts, clubs, diamonds."""
    order = [rank + suit for rank in "23456789TJQKA" for suit in "dchs"]
    assert order == list(TEXTS[:52])
    for worse, better in zip(order[::7], order[1::7], strict=False):
        wins(deal(DOG, seat("ann", better), seat("bob", worse)), "ann 20, bob 0")


def test_hands_with_one_jewel_each_compare_the_other_card_by_suit() -> None:
    """docs/rulings.md 12: the two one-eyed jacks tie."""
    wins(deal(JEWELS, seat("ann", "Jh 2s"), seat("bob", "Js 2h")), "ann 20, bob 0")


def test_rudys_jewels_can_be_dealt_with_three_cards() -> None:
    """docs/rulings.md 12: the `cards` option allows two or three cards."""
    three = deal(JEWELS, seat("ann", "Jh 2s 3s"), seat("bob", "Js 2h Kd"))
    refused(three, "players/0/down card-count", "players/1/down card-count")
    wins(three | {"options": {"cards": 3}}, "ann 0, bob 20")


def test_deck_of_56_has_exactly_four_jokers() -> None:
    """docs/rulings.md 12: there is no fifth joker."""
    record = deal(STUD, seat("ann", "*1 *2 *5"), seat("bob", "*3 *4 Ks"))
    refused(record, "players/0/down/2 bad-card")
    refused(deal(DOG, seat("ann", "*1"), seat("bob", "Ks")), "players/0/down/0 card-not-in-deck")
