"""Sentences name the card that decides, and the reason for odd chips is true.

The expected card is found independently. It is the highest, by the suit order in docs/rulings.md 9,
among all three-card hands of equal ranks.
"""

from collections.abc import Iterator
from itertools import combinations
from random import Random
from typing import Any

import pytest

from rules import settle
from rules.cards import CARDS
from tests.helpers.rules.tables import deal, seat

NAMES = ("ann", "bob", "cat", "dan")
GAME = {
    "name": "Threes",
    "deck": "52 without 2-8",
    "deal": ["2 down", "board a b c", "bet"],
    "board": ["a b c"],
    "hand": ["any 3"],
    "shares": ["high"],
}
HANDS = 250
Cards = tuple[int, ...]


def dealt(seed: int, **words: Any) -> Iterator[tuple[dict[str, Any], dict[str, list[str]]]]:
    """Yield answers to random deals from a small deck, and the cards that each player may play."""
    chance = Random(seed)
    for _ in range(HANDS):
        cards = chance.sample([f"{rank}{suit}" for rank in "9TJQKA" for suit in "dchs"], 11)
        hands = {name: cards[2 * n : 2 * n + 2] for n, name in enumerate(NAMES)}
        options = {"odd_chip": "high card"} if "ties" not in words else {}
        players = [seat(name, " ".join(own), paid=5) for name, own in hands.items()]
        record = deal(
            {**GAME, **words}, *players, board=" ".join(cards[8:]), options=options, carried=3
        )
        yield settle(record), {name: [*own, *cards[8:]] for name, own in hands.items()}


def highest(played: list[str], held: list[str]) -> Cards:
    """Return the player's highest hand with these ranks, compared card by card."""
    ranks = sorted(card[0] for card in played)
    equal = (some for some in combinations(held, 3) if sorted(c[0] for c in some) == ranks)
    return max(tuple(sorted((CARDS[card] for card in some), reverse=True)) for some in equal)


def difference(ours: Cards, theirs: Cards) -> dict[str, int]:
    by, over = next((one, other) for one, other in zip(ours, theirs, strict=True) if one != other)
    return {"by": by, "over": over}


def as_numbers(decided: dict[str, str]) -> dict[str, int]:
    return {side: CARDS[card] for side, card in decided.items()}


def test_card_named_in_a_tie_by_suit_is_the_first_that_differs() -> None:
    broken = 0
    for answer, held in dealt(1, ties="suit"):
        for reason in answer["reasons"]:
            if "broken" not in reason:
                continue
            tied = {
                n: highest(reason["hand"]["cards"], held[n]) for n in reason["broken"]["players"]
            }
            [winner] = reason["winners"]
            rival = max(cards for name, cards in tied.items() if name != winner)
            assert tied[winner] > rival
            decided = as_numbers(reason["broken"]["decided_by"])
            assert decided == difference(tied[winner], rival), answer["story"]
            broken += 1
    assert broken > 20


def test_odd_chips_are_awarded_by_the_named_card_or_by_seat() -> None:
    by: list[str] = []
    for answer, held in dealt(2):
        for reason in answer["reasons"]:
            if "odd" not in reason:
                continue
            odd = reason["odd"]
            tied = {
                name: highest(reason["hand"]["cards"], held[name]) for name in reason["winners"]
            }
            unlucky = max(cards for name, cards in tied.items() if name not in odd["players"])
            rest = odd.get("then", {"players": odd["players"] if odd["by"] == "seat" else []})
            assert all(tied[name] == unlucky for name in rest["players"]), answer["story"]
            higher = [name for name in odd["players"] if name not in rest["players"]]
            if higher:
                lowest = min(tied[name] for name in higher)
                assert as_numbers(odd["decided_by"]) == difference(lowest, unlucky)
            by.append(odd["by"])
    assert {*by} == {"seat", "high-card"}


@pytest.mark.parametrize("scale", ["high", "best", "worst"])
def test_rank_named_as_deciding_is_the_first_that_differs(scale: str) -> None:
    decided = 0
    for answer, _ in dealt(3, shares=[scale]):
        for reason in answer["reasons"]:
            if "decided_by" not in reason:
                continue
            ours, theirs = reason["hand"], reason["ahead_of"]["hand"]
            assert ours["category"] == theirs["category"]
            pairs = zip(ours["ranks"], theirs["ranks"], strict=True)
            by, over = next((one, other) for one, other in pairs if one != other)
            assert reason["decided_by"] == {"by": by, "over": over}
            low = "A23456789TJQK" if scale == "best" else "23456789TJQKA"
            assert (low.index(by) > low.index(over)) == (scale == "high")
            decided += 1
    assert decided > 20
