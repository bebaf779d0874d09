"""The best hand of every row of cards: gather, add, look up, take the highest.

One hand and a million take the same path.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from rules.game.game import Alternative, CardsAre, Game
from rules.ranking import IMPOSSIBLE
from rules.showdown.rows import Cards, holds
from rules.showdown.scales import MEASURES, Strengths, breadth, threshold
from rules.showdown.selections import Block, Selection, selections

WORKING_SET = 1 << 17  # combinations times rows that are looked at together; fits the cache


@dataclass(frozen=True)
class Best:
    """The best hand of each row on one alternative: -1 where none qualifies."""

    strengths: Strengths
    positions: list[list[int]]  # the cards played; empty unless asked for


def best_hands(
    game: Game, alternatives: Sequence[Alternative], cards: Cards, *, with_cards: bool = False
) -> list[Best]:
    """The best hand of each row, for each alternative."""
    patterns = [alternative.patterns or game.hand for alternative in alternatives]
    selected = [
        selections(game, pattern, alternative.line, cards.shape)
        for pattern, alternative in zip(patterns, alternatives, strict=True)
    ]
    widest = max(
        (
            s.count * breadth(game, alt, s.size)
            for alt, some in _both(alternatives, selected)
            for s in some
        ),
        default=1,
    )
    step = max(64, WORKING_SET // widest)
    # one after the other: what each works out on the way goes with it
    parts = (cards.part(at, at + step) for at in range(0, cards.rows, step))
    found = [
        [
            _best(game, alt, some, part, with_cards=with_cards)
            for alt, some in _both(alternatives, selected)
        ]
        for part in parts
    ]
    return [_joined([part[index] for part in found]) for index in range(len(alternatives))]


def choices(alternative: Alternative, cards: Cards, row: int, strength: int) -> list[Block]:
    """The positions of every choice of a row that is this strong: hands of one size together."""
    patterns = alternative.patterns or cards.game.hand
    found = []
    for selection in selections(cards.game, patterns, alternative.line, cards.shape):
        measured = MEASURES[alternative.scale](alternative, selection, cards)
        equal = np.flatnonzero(measured.strengths[:, row] == strength)
        if measured.positions == selection.pick:
            found.append(selection.explicit[equal])
        else:
            played = sorted((measured.positions(int(choice)) for choice in equal), key=len)
            found += [np.array([*same]) for _, same in groupby(played, key=len)]
    return found


def _both(
    alternatives: Sequence[Alternative], selected: list[tuple[Selection, ...]]
) -> Iterator[tuple[Alternative, tuple[Selection, ...]]]:
    return zip(alternatives, selected, strict=True)


def _joined(parts: list[Best]) -> Best:
    if len(parts) == 1:
        return parts[0]
    positions = [row for part in parts for row in part.positions]
    return Best(np.concatenate([part.strengths for part in parts]), positions)


def _best(
    game: Game,
    alternative: Alternative,
    selected: tuple[Selection, ...],
    cards: Cards,
    *,
    with_cards: bool,
) -> Best:
    strengths = np.full(cards.rows, IMPOSSIBLE, dtype=np.int64)
    positions: list[list[int]] = [[] for _ in range(cards.rows)] if with_cards else []
    for selection in selected:
        measured = MEASURES[alternative.scale](alternative, selection, cards)
        highest = _tested(measured.strengths.max(axis=0), selection.tests, cards)
        if with_cards:
            picks = measured.strengths.argmax(axis=0)
            for row in np.flatnonzero(highest > strengths):
                positions[row] = measured.positions(int(picks[row]))
        strengths = np.maximum(strengths, highest)
    strengths[strengths < threshold(game, alternative)] = IMPOSSIBLE
    return Best(strengths, positions)


def _tested(
    strengths: NDArray[np.int64] | NDArray[np.int32], tests: tuple[CardsAre, ...], cards: Cards
) -> Strengths:
    for test in tests:
        strengths = np.where(holds(test, cards), strengths, IMPOSSIBLE)
    return np.asarray(strengths, dtype=np.int64)
