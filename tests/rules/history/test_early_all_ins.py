"""Preflop all-ins over every board, compared with published odds and a manual count.

The percentages are from Wikipedia, "Poker probability", head-to-head starting hands, and from
common equity calculators. Averaged over all suits, aces beat kings 81.71 % of the time and tie 0.46
%, an equity of 81.95 %.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations, permutations
from typing import Any

import pytest

from rules.api import all_in
from tests.helpers.rules.hands import NAMES, record

STAKES = {"blinds": [1, 2], "min": 2}
BOARD = ("d db QsJd4c", "d db 5h", "d db Jh")


def before_the_flop(
    *held: str, variant: str = "no-limit-holdem", board: Sequence[str] = BOARD
) -> dict[str, Any]:
    """Return the record of two players who are all in for 100 before the flop."""
    deal = [f"d dh p{number} {cards}" for number, cards in enumerate(held, start=1)]
    bets = ["p2 cbr 100", "p1 cc"]
    return record(variant, [100, 100], [*deal, *bets, *board], stakes=STAKES)


def expected(hand: Mapping[str, Any]) -> dict[str, int]:
    result = all_in(hand)
    assert result is not None
    assert result.expected is not None
    return dict(result.expected)


def percent(*held: str) -> float:
    chips = expected(before_the_flop(*held))
    assert abs(sum(chips.values()) - 200_000) <= 1
    return chips["ann"] / 2_000


@pytest.mark.parametrize(
    ("aces", "others", "wins", "splits"),
    [("AsAc", "KsQc", 87.65, 0.49), ("AsAc", "7d6d", 76.81, 0.32)],
)
def test_aces_against_two_opponents_match_published_odds(
    aces: str, others: str, wins: float, splits: float
) -> None:
    assert percent(aces, others) == pytest.approx(wins + splits / 2, abs=0.0076)


def test_mean_of_aces_against_kings_across_all_suits_matches_published_odds() -> None:
    """Of 36 deals, 6 share both suits, 24 share one and 6 share none. The odds differ slightly."""
    both, one, none = (percent("AsAh", kings) for kings in ("KsKh", "KsKd", "KdKc"))
    assert (6 * both + 24 * one + 6 * none) / 36 == pytest.approx(81.946, abs=0.001)
    assert both > one > none


def test_seats_and_names_do_not_change_the_expected_result() -> None:
    ann_first, bob_first = before_the_flop("AsKs", "2c2d"), before_the_flop("2c2d", "AsKs")
    shares = expected(ann_first)
    assert expected(bob_first) == {"ann": shares["bob"], "bob": shares["ann"]}
    renamed = [{"name": "zoe"}, {"name": "yan"}]
    assert expected(ann_first | {"players": renamed}) == {
        "zoe": shares["ann"],
        "yan": shares["bob"],
    }


# --- a manual count -------------------------------------------------------------------------------

RANKS = "TJQKA"
DECK = [rank + suit for rank in RANKS for suit in "shdc"]


def best(cards: Sequence[str]) -> tuple[int, tuple[int, ...]]:
    """Return the strength of the best five of seven cards, with only the five highest ranks.

    With these ranks, five different ranks always make a straight, and five cards of a suit are a
    royal flush.
    """
    return max(worth(five) for five in combinations(cards, 5))


def worth(five: Sequence[str]) -> tuple[int, tuple[int, ...]]:
    counts = Counter(RANKS.index(card[0]) for card in five)
    ordered = sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)
    shape = tuple(counts[rank] for rank in ordered)
    kinds = [(2, 1, 1, 1), (2, 2, 1), (3, 1, 1), (1, 1, 1, 1, 1), (3, 2), (4, 1)]
    flush = len({card[1] for card in five}) == 1
    return len(kinds) if flush else kinds.index(shape), tuple(ordered)


@pytest.mark.parametrize("order", [*permutations(range(3))][::2])
def test_expectation_with_three_stacks_matches_a_count_of_all_boards(order: Sequence[int]) -> None:
    """Royal hold'em has 20 cards, which leaves 2,002 boards here.

    The player with 20 chips plays for 60. The other two, with 50 and 90, play for 60 more, and 40
    are uncalled and returned.
    """
    held, stacks = ("AsKs", "QdQc", "JhTh"), (90, 50, 20)
    mine, chips = [held[one] for one in order], [stacks[one] for one in order]
    bets, highest = [], 0
    for seat in (2, 0, 1):
        raises = chips[seat] > highest
        bets.append(f"p{seat + 1} cbr {chips[seat]}" if raises else f"p{seat + 1} cc")
        highest = max(highest, chips[seat])
    deal = [f"d dh p{number} {cards}" for number, cards in enumerate(mine, start=1)]
    board = ["d db AdAcKd", "d db Kc", "d db Jd"]
    shares = expected(record("royal-holdem", chips, [*deal, *bets, *board], stakes=STAKES))

    known = {card for cards in held for card in (cards[:2], cards[2:])}
    boards = [*combinations([card for card in DECK if card not in known], 5)]
    assert len(boards) == 2_002
    sums = Counter[int]()  # in sixths of a chip
    for cards in boards:
        worths = [best([one[:2], one[2:], *cards]) for one in held]
        for pot, seats in ((60, (0, 1, 2)), (60, (0, 1))):
            top = max(worths[seat] for seat in seats)
            winners = [seat for seat in seats if worths[seat] == top]
            for seat in winners:
                sums[seat] += 6 * pot // len(winners)
    right = {NAMES[place]: 1000 * sums[one] / 6 / 2_002 for place, one in enumerate(order)}
    assert {name: shares[name] for name in right} == pytest.approx(right, abs=0.51)
