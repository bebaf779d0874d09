"""How hands stand beside each other on each board of many: who is before whom on every measure.

Where strengths decide, chips go by nothing else: a share of a pot is won by comparing strengths
and by who qualifies (`rules.settlement.contest`). So of all boards on which the players
stand alike one is settled, and counts for all of them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rules.game import workload
from rules.game.game import CardSet, Game
from rules.game.hand import Hand
from rules.history.tracking.boards import Boards, Codes
from rules.showdown.best_hands import count_looks
from rules.showdown.evaluation import ROWS_AT_ONCE, Measure, measure_rows
from rules.showdown.measures import Strengths
from rules.showdown.selections import Shape
from rules.showdown.showdown import compared_as

MOST_NUMBERS = 1 << 62  # that standings can be told apart by
FEW_NUMBERS = 1 << 16  # that are counted in a table
ROW = 8  # combinations that take as long as what else a row of cards asks
COMPARED = 8  # strengths that are compared in the time of a combination
Lines = NDArray[np.int8]  # (measures and players, boards): 0 does not qualify, 1 is the weakest


def strengths_decide(game: Game) -> bool:
    """Whether how strong hands are beside each other says all of where the chips go.

    Not where cards kill, are taken, thrown away or turned over, break ties or get odd chips, nor
    where a fact is told that the cards of another board might have made another. Wild cards are
    those that are named, so that all rows are read at once.
    """
    by_cards = game.ties != "split" or game.table_options[0] == "high card"
    rare = game.bank or game.against_pot or game.kill or game.extra_cards
    loses = game.for_taking or game.loses_cards or any(option.asked for option in game.options)
    named = all(isinstance(rule, CardSet) for rule in (*game.wild, *game.bug))
    return game.hands_decide and named and not (by_cards or rare or loses)


@dataclass(frozen=True)
class _Held:
    """What a player holds, as far as it counts."""

    shape: Shape
    cards: Sequence[int]


def _held(hand: Hand) -> list[_Held]:
    game, found = hand.game, []
    for player in (hand.players[seat] for seat in hand.live):
        piles = [card for pile in game.piles for card in player.piles[pile]]
        shape = Shape(len(player.held_down), len(player.up), tuple(game.pile_cards.values()))
        found.append(_Held(shape, [*player.held_down, *player.up, *piles]))
    return found


def work(hand: Hand, boards: Boards) -> int:
    """How many combinations of cards take as long as it takes to count all boards of a hand."""
    game, players = hand.game, len(hand.live)
    measures = workload.measures(game)
    rows = sum(
        ROW + sum(count_looks(game, measure, held.shape) for measure in measures)
        for held in _held(hand)
    )
    return boards.count * (rows + players * players * len(measures) // COMPARED)


def standings(hand: Hand, boards: Boards, *, most: int) -> list[tuple[list[int], int]] | None:
    """A board for each way in which the players of a hand can stand, and how many are such.

    None where they can stand in more ways than `most`.
    """
    game = compared_as(hand.game)
    held = _held(hand)
    found: dict[bytes, tuple[list[int], int]] = {}
    for some in boards.parts(ROWS_AT_ONCE):
        lines = _lines(game, held, some)
        for at, count in _counted(lines, len(held) + 1):
            told = lines[:, at].tobytes()
            board, before = found.get(told) or (some[:, at].tolist(), 0)
            found[told] = board, before + count
        if len(found) > most:
            return None
    return [*found.values()]


def _lines(game: Game, held: Sequence[_Held], boards: Codes) -> Lines:
    """Where each player stands on each measure, on each board."""
    measures = [(share, one) for share in game.shares for one in share.alternatives]
    each = [_measured(game, measures, one, boards) for one in held]
    ordered = [_ordered(strengths) for strengths in zip(*each, strict=True)]
    return np.concatenate(ordered)


def _measured(
    game: Game, measures: Sequence[Measure], held: _Held, boards: Codes
) -> list[Strengths]:
    own = np.array(held.cards, dtype=np.int16).reshape(-1, 1)
    cards = np.concatenate([np.repeat(own, boards.shape[1], axis=1), boards])
    return measure_rows(game, held.shape, cards.T, measures)


def _ordered(strengths: Sequence[Strengths]) -> Lines:
    """Of each player 0 where the hand does not qualify, else 1 and one for each that is weaker."""
    told = [np.maximum(some, -1) for some in strengths]
    found = np.array([own >= 0 for own in told], dtype=np.int8)
    for number, own in enumerate(told):
        for other in told:
            found[number] += own > other
    return found


def _counted(lines: Lines, places: int) -> Iterator[tuple[int, int]]:
    """Of each column that differs from the others one, and how many there are like it."""
    numbers, bound = np.zeros(lines.shape[1], dtype=np.int64), 1
    for line in lines:
        if bound > MOST_NUMBERS // places:
            numbers, bound = _numbered_anew(numbers)
        numbers, bound = numbers * places + line, bound * places
    if bound > FEW_NUMBERS:
        numbers, bound = _numbered_anew(numbers)
    counts = np.bincount(numbers, minlength=bound)
    columns = np.zeros(bound, dtype=np.intp)
    columns[numbers] = np.arange(len(numbers))  # any of them will do
    there = np.flatnonzero(counts)
    yield from zip(columns[there].tolist(), counts[there].tolist(), strict=True)


def _numbered_anew(numbers: NDArray[Any]) -> tuple[NDArray[Any], int]:
    """The same numbers without gaps, and how many there are."""
    there, anew = np.unique(numbers, return_inverse=True)
    return anew, len(there)
