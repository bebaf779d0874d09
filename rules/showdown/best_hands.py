"""Find the best hand in every row of cards: collect, add, look up, take the highest.

Small and large numbers of rows use the same code, except that large numbers look up whole pools if
there are tables for them.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from rules.cards import NATURAL_CARDS
from rules.game.game import Alternative, CardsAre, Game
from rules.game.grammar import BADUGI_SCALES, TABLE_SCALES
from rules.ranking import FOUR_FLUSH, FULL_HAND, IMPOSSIBLE
from rules.showdown.game_scales import (
    MEASURES,
    POINT_SCALES,
    breadth,
    count_values,
    scale_of,
    threshold,
)
from rules.showdown.measures import Strengths
from rules.showdown.rows import Cards, holds
from rules.showdown.selections import Block, Selection, Shape, selections
from rules.showdown.tables import Kind, kind_of

# number of combinations times rows evaluated together, chosen to fit the cache
WORKING_SET = 1 << 17
LOOKED_UP = 8  # number of combinations that take as long as one whole-pool look-up
COUNTED_SUITS = 5  # number of look-ups that take as long as one combination with counted suits
LEFT_AT_ONCE = 64  # number of combinations of unused cards picked together
NO_HAND, UNPLAYED = IMPOSSIBLE - 1, IMPOSSIBLE - 2  # both rank below a hand that does not qualify
Rows = NDArray[np.bool_]
ENOUGH_ROWS = 256  # minimum number of rows for which tables of whole pools pay off


@dataclass(frozen=True)
class Best:
    """The strength of the best hand in each row on one alternative, or -1 if none qualifies."""

    strengths: Strengths
    positions: list[list[int]]  # the cards played; empty unless requested


def best_hands(
    game: Game, alternatives: Sequence[Alternative], cards: Cards, *, with_cards: bool = False
) -> list[Best]:
    """Return the best hand of each row for each alternative."""
    patterns = [alternative.patterns or game.hand for alternative in alternatives]
    selected = [
        selections(game, pattern, alternative.line, cards.shape, none=_counts_none(alternative))
        if alternative.after is None
        else ()  # which cards are unused depends on the hands
        for pattern, alternative in zip(patterns, alternatives, strict=True)
    ]
    in_pools = not with_cards and cards.rows >= ENOUGH_ROWS and cards.natural
    work = [
        [
            (selection, _kind(game, alternative, selection) if in_pools else None)
            for selection in options
        ]
        for alternative, options in zip(alternatives, selected, strict=True)
    ]
    widest = max(
        (
            _work(game, alternative, selection, kind)
            for alternative, options in zip(alternatives, work, strict=True)
            for selection, kind in options
        ),
        default=LEFT_AT_ONCE,
    )
    # one part at a time, so that intermediate results are freed
    best_by_part = [
        [
            _best(alternative, options, part, with_cards=with_cards)
            for alternative, options in zip(alternatives, work, strict=True)
        ]
        for part in cards.parts(max(64, WORKING_SET // widest))
    ]
    return [
        Best(
            np.concatenate([best.strengths for best in parts]),
            [row for best in parts for row in best.positions],
        )
        for parts in zip(*best_by_part, strict=True)
    ]


def count_lookups(game: Game, alternative: Alternative, shape: Shape) -> int:
    """Return the number of combinations that take as long as measuring one row."""
    if alternative.after is not None:
        return count_values(game, alternative, shape)
    patterns, none = alternative.patterns or game.hand, _counts_none(alternative)
    natural = not (game.wild or game.bug) and max(game.deck) < NATURAL_CARDS
    looks = 0
    for selection in selections(game, patterns, alternative.line, shape, none=none):
        kind = _kind(game, alternative, selection) if natural else None
        # how long it takes relative to a look-up
        times = 2 if alternative.scale in BADUGI_SCALES else 1
        counted = selection.size > FULL_HAND or FOUR_FLUSH in game.order
        if counted and alternative.scale in TABLE_SCALES:
            times = COUNTED_SUITS
        looks += _work(game, alternative, selection, kind) * times
    return looks


def _work(game: Game, alternative: Alternative, selection: Selection, kind: Kind | None) -> int:
    return LOOKED_UP if kind else selection.count * breadth(game, alternative, selection.size)


def _counts_none(alternative: Alternative) -> bool:
    """Return whether an empty hand has a value (zero points). Otherwise it loses to any hand."""
    return alternative.scale in POINT_SCALES


def _kind(game: Game, alternative: Alternative, selection: Selection) -> Kind | None:
    """Return how to look up the pools of a selection, or None if each choice must be measured."""
    if alternative.scale not in TABLE_SCALES or FOUR_FLUSH in game.order:
        return None
    return kind_of(tuple((picked, len(places)) for picked, places in selection.pools))


def choices(alternative: Alternative, cards: Cards, row: int, strength: int) -> list[Block]:
    """Return the positions of every choice with this strength in a row, grouped by hand size."""
    patterns = alternative.patterns or cards.game.hand
    blocks = []
    none = _counts_none(alternative)
    picked: Iterable[Selection] = (
        (selection for selection, rows in _of_unused(alternative, before, cards) if rows[row])
        if (before := alternative.after) is not None
        else selections(cards.game, patterns, alternative.line, cards.shape, none=none)
    )
    for selection in picked:
        measured = MEASURES[alternative.scale](alternative, selection, cards)
        equal = np.flatnonzero(measured.strengths[:, row] == strength)
        if measured.positions == selection.pick:
            blocks.append(selection.explicit[equal])
        else:
            played = sorted((measured.positions(int(choice)) for choice in equal), key=len)
            blocks += [np.array([*same]) for _, same in groupby(played, key=len)]
    return blocks


def _best(
    alternative: Alternative,
    work: Sequence[tuple[Selection, Kind | None]],
    cards: Cards,
    *,
    with_cards: bool,
) -> Best:
    strengths = np.full(cards.rows, IMPOSSIBLE, dtype=np.int64)
    positions: list[list[int]] = [[] for _ in range(cards.rows)] if with_cards else []
    # selections, how to look them up, and the rows they apply to (None for all)
    picked: Iterable[tuple[Selection, Kind | None, Rows | None]]
    picked = ((selection, kind, None) for selection, kind in work)
    if (before := alternative.after) is not None:
        picked = (
            (selection, None, rows) for selection, rows in _of_unused(alternative, before, cards)
        )
    for selection, kind, rows in picked:
        if kind is not None:
            looked_up = _lookup_strengths(alternative, selection, kind, cards)
            strengths = np.maximum(strengths, _tested(looked_up, selection.tests, cards))
            continue
        measured = MEASURES[alternative.scale](alternative, selection, cards)
        highest = _tested(measured.strengths.max(axis=0), selection.tests, cards)
        if rows is not None:
            highest[~rows] = IMPOSSIBLE
        if with_cards:
            picks = measured.strengths.argmax(axis=0)
            for row in np.flatnonzero(highest > strengths):
                positions[row] = measured.positions(int(picks[row]))
        strengths = np.maximum(strengths, highest)
    if alternative.beating:
        on_table = np.full(cards.rows, IMPOSSIBLE, dtype=np.int64)
        for selection in selections(cards.game, alternative.beating, 0, cards.shape):
            measured = MEASURES[alternative.scale](alternative, selection, cards)
            highest = _tested(measured.strengths.max(axis=0), selection.tests, cards)
            on_table = np.maximum(on_table, highest)
        strengths[strengths <= on_table] = IMPOSSIBLE
    strengths[strengths < threshold(cards.game, alternative)] = IMPOSSIBLE
    return Best(strengths, positions)


def _of_unused(
    alternative: Alternative, before: Alternative, cards: Cards
) -> Iterator[tuple[Selection, Rows]]:
    """Yield selections from the cards left unused by another share's best hand, with their rows.

    If several hands tie for the best, any of them counts, even one without value (docs/rulings.md
    16). If no hand is possible, all own cards are unused.
    """
    game, shape = cards.game, cards.shape
    own = range(shape.own)
    # the best strength of each row for each set of own cards left unused
    left = {tuple(own): np.full(cards.rows, NO_HAND, dtype=np.int64)}
    patterns, none = before.patterns or game.hand, _counts_none(before)
    for selection in selections(game, patterns, before.line, shape, none=none):
        measured = MEASURES[before.scale](before, selection, cards)
        for choice, strengths in enumerate(measured.strengths):
            places = {*measured.positions(choice)}
            unused = tuple(place for place in own if place not in places)
            played = _tested(strengths, selection.tests, cards, otherwise=UNPLAYED)
            left[unused] = np.maximum(left[unused], played) if unused in left else played
    best = np.maximum.reduce([*left.values()])
    patterns, none = alternative.patterns, _counts_none(alternative)
    for unused, strengths in left.items():
        rows = strengths == best
        if rows.any():
            for selection in selections(
                game, patterns, alternative.line, shape, none=none, unused=unused
            ):
                yield selection, rows


def _lookup_strengths(
    alternative: Alternative, selection: Selection, kind: Kind, cards: Cards
) -> NDArray[np.int32]:
    """Return the best strengths of whole pools. Each choice may be checked for a flush."""
    scale = scale_of(cards.game, alternative.scale)
    pools = cards.look_up(selection, kind)
    strengths = pools.best(scale)
    if scale.flushes and len(rows := pools.suited):
        flushes = pools.flushes(scale)
        if flushes is not None:
            strengths[rows] = np.maximum(strengths[rows], flushes)
        else:
            measure = MEASURES[alternative.scale]
            parts = cards.at(rows).parts(max(64, WORKING_SET // selection.count))
            measured = (measure(alternative, selection, part) for part in parts)
            strengths[rows] = np.concatenate([one.strengths.max(axis=0) for one in measured])
    return strengths


def _tested(
    strengths: NDArray[np.int64] | NDArray[np.int32],
    tests: tuple[CardsAre, ...],
    cards: Cards,
    otherwise: int = IMPOSSIBLE,
) -> Strengths:
    for test in tests:
        strengths = np.where(holds(test, cards), strengths, otherwise)
    return np.asarray(strengths, dtype=np.int64)
