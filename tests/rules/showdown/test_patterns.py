"""The engine shows the best of all hands that the rules allow.

The test enumerates each game's hands independently of the engine.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from random import Random
from typing import Any

import pytest

from rules import settle
from rules.cards import TEXTS, parse_card
from tests.helpers.rules.measuring import strengths

Cards = Sequence[str]
Hands = Iterator[tuple[str, ...]]
Board = Sequence[Cards]
Rule = Callable[[Cards, Board], Hands]

NIGHTMARE_LINES = ("a b c", "d e", "f", "a d f", "b e", "c")
STUMP_PAIRS = ("a e", "b e", "b f", "c f", "c g", "d g")


def any_five(down: Cards, board: Board) -> Hands:
    return combinations([*down, *board[0]], 5)


def exactly(mine: int, theirs: int) -> Rule:
    """Enumerate hands of `mine` hole cards and `theirs` cards from one row of the board."""

    def hands(down: Cards, board: Board) -> Hands:
        for row in board:
            for held in combinations(down, mine):
                for common in combinations(row, theirs):
                    yield *held, *common

    return hands


def either(*rules: Rule) -> Rule:
    def hands(down: Cards, board: Board) -> Hands:
        for rule in rules:
            yield from rule(down, board)

    return hands


def each_row(rule: Rule, floaters: bool = False) -> Rule:
    """Enumerate the hands with either row. Floaters belong to both rows."""

    def hands(down: Cards, board: Board) -> Hands:
        for row in board[:2]:
            yield from rule(down, [[*row, *(board[2] if floaters else ())]])

    return hands


def pat(down: Cards, board: Board) -> Hands:
    yield tuple(down)


def lines(*named: str, own: int | None = None) -> Rule:
    """Enumerate complete lines, filled up to five with hole cards, or with `own` hole cards."""

    def hands(down: Cards, board: Board) -> Hands:
        slots = dict(zip("abcdefghi", [card for row in board for card in row], strict=False))
        for line in named:
            common = [slots[slot] for slot in line.split()]
            for held in combinations(down, own or 5 - len(common)):
                yield *held, *common

    return hands


def cluster(down: Cards, board: Board) -> Hands:
    yield tuple(down)
    for row in board[:2]:
        for held in combinations(down, 2):
            for two in combinations(row, 2):
                for last in board[2]:
                    yield *held, *two, last


def all_in_hand(down: Cards, board: Board) -> Hands:
    for common in combinations(board[0], 5 - len(down)):
        yield *down, *common


OMAHA, REVERSE = exactly(2, 3), exactly(3, 2)
FIVE, SEVEN_LOW, EIGHT_LOW = (5,), "7-or-better", "8-or-better"
GAMES: dict[str, tuple[Rule, int, tuple[int, ...], str | None]] = {
    # the rule, the number of hole cards, the sizes of the board's rows, and the low
    "texas-holdem": (any_five, 2, FIVE, None),
    "texas-holdem two-row": (each_row(any_five), 2, (5, 5), None),
    "texas-holdem floater": (each_row(any_five, floaters=True), 2, (4, 4, 1), None),
    "texas-holdem miami": (each_row(any_five, floaters=True), 2, (3, 3, 2), None),
    "texas-holdem two-row miami": (each_row(any_five, floaters=True), 2, (3, 3, 2), None),
    "omaha-8": (OMAHA, 4, FIVE, EIGHT_LOW),
    "omaha-8 two-row": (each_row(OMAHA), 4, (5, 5), EIGHT_LOW),
    "omaha-8 floater": (each_row(OMAHA, floaters=True), 4, (4, 4, 1), EIGHT_LOW),
    "omaha-8 miami": (each_row(OMAHA, floaters=True), 4, (3, 3, 2), EIGHT_LOW),
    "omaha-8 either-or": (either(OMAHA, REVERSE), 4, FIVE, EIGHT_LOW),
    "omaha-8 either-or miami": (
        each_row(either(OMAHA, REVERSE), floaters=True), 4, (3, 3, 2), EIGHT_LOW,
    ),
    "omaha-8 floater either-or": (
        each_row(either(OMAHA, REVERSE), floaters=True), 4, (4, 4, 1), EIGHT_LOW,
    ),
    "big-omaha-8": (OMAHA, 5, FIVE, EIGHT_LOW),
    "big-omaha-8 pat-hand": (either(OMAHA, pat), 5, FIVE, EIGHT_LOW),
    "big-omaha-8 two-row either-or pat-hand": (
        either(each_row(either(OMAHA, REVERSE)), pat), 5, (5, 5), EIGHT_LOW,
    ),
    "nightmare": (lines(*NIGHTMARE_LINES), 5, (3, 2, 1), "best"),
    "nightmare pat-hand": (either(lines(*NIGHTMARE_LINES), pat), 5, (3, 2, 1), "best"),
    "qualifiers": (any_five, 5, (2,), SEVEN_LOW),
    "high-noon": (all_in_hand, 4, (3,), None),
    "cluster": (cluster, 5, (3, 3, 3), EIGHT_LOW),
    "stump": (lines(*STUMP_PAIRS, own=3), 5, (4, 3), EIGHT_LOW),
    "around-the-corner": (lines("a b", "c d", "a c", "b d"), 5, (2, 2), "best"),
    "reverse-omaha": (REVERSE, 5, FIVE, EIGHT_LOW),
    "oakie": (any_five, 3, FIVE, EIGHT_LOW),
    "banjo-oakie": (any_five, 4, (4,), EIGHT_LOW),
    "last-one-down": (any_five, 3, (4,), EIGHT_LOW),
    "4-and-3": (any_five, 4, (3,), EIGHT_LOW),
}  # fmt: skip


@pytest.mark.parametrize("words", GAMES)
def test_shown_hand_is_the_best_hand_that_the_rules_allow(words: str) -> None:
    """Joslyn games and High Noon (docs/rulings.md 14 and 15). Cards speak: all hands are shown."""
    slug, *modifiers = words.split()
    rule, size, rows, low = GAMES[words]
    scales = {"high": "high trips-or-better" if slug == "qualifiers" else "high"}
    scales |= {"low": low} if low else {}
    for seed in range(12):
        deck = list(TEXTS[:52])
        Random(seed).shuffle(deck)
        players = [deck[size * seat : size * (seat + 1)] for seat in range(3)]
        rest = iter(deck[3 * size :])
        board = [[next(rest) for _ in range(length)] for length in rows]
        shown = _shown(slug, modifiers, players, board)
        for down, ways in zip(players, shown, strict=True):
            for way, scale in scales.items():
                assert _value(ways.get(way), scale) == _best(scale, rule(down, board))


def _shown(slug: str, modifiers: list[str], players: list[Cards], board: Board) -> list[Any]:
    record = {
        "variant": slug,
        "modifiers": modifiers,
        "button": 0,
        "players": [
            {"name": str(seat), "paid": 1, "down": list(down), "declared": "both"}
            for seat, down in enumerate(players)
        ],
        "board": [list(row) for row in board],
    }
    return list(settle(record)["hands"].values())


def _best(scale: str, hands: Hands) -> int:
    rows = [[parse_card(card) for card in hand] for hand in hands]
    return int(strengths(scale, rows).max())


def _value(shown: Any, scale: str) -> int:
    """Return the shown hand's strength, or -1 if there is no hand."""
    if shown is None:
        return -1
    assert shown["plays_as"] == {}
    return _best(scale, iter([tuple(shown["cards"])]))
