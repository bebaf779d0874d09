"""Every board that can still come, some at a time, in arrays.

Cards that come to slots of which the game never tells one from the other are the same board in
whichever order they came, so such slots are filled together. Every board stands for as many deals
as any other.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rules.game.game import Alternative, CardsAre, CardSet, Game, Pattern, Place
from rules.showdown.selections import Layout, Shape

Codes = NDArray[np.int16]  # (slots or cards, boards)
Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class Boards:
    """The boards that can come of a deck: the card of each slot that is out, None for the others;
    of these the places, those together that are alike."""

    known: Sequence[int | None]
    alike: Sequence[Sequence[int]]
    deck: Sequence[int]

    @cached_property
    def missing(self) -> int:
        return sum(map(len, self.alike))

    @cached_property
    def count(self) -> int:
        """How many there are; none where the deck does not reach."""
        count, left = 1, len(self.deck)
        for places in self.alike:
            count *= comb(left, len(places))
            left = max(0, left - len(places))
        return count

    def parts(self, size: int) -> Iterator[Codes]:
        """So many boards after so many: (slots, boards)."""
        for first in range(0, self.count, size):
            yield self._some(np.arange(first, min(first + size, self.count)))

    def _some(self, numbers: Numbers) -> Codes:
        deck = np.array(self.deck, dtype=np.int16)
        found = np.empty((len(self.known), len(numbers)), dtype=np.int16)
        for place, card in enumerate(self.known):
            if card is not None:
                found[place] = card
        taken: list[NDArray[Any]] = []
        for places in self.alike:
            left = len(deck) - len(taken)
            numbers, own = np.divmod(numbers, comb(left, len(places)))
            picked = [_skipping(line, taken) for line in _picked(left, len(places), own)]
            lines = [*taken, *picked]
            taken = [*np.sort(np.stack(lines), axis=0)] if len(lines) > 1 else [*lines]
            for place, line in zip(places, picked, strict=True):
                found[place] = deck[line]
        return found


def _picked(left: int, size: int, numbers: Numbers) -> Iterator[NDArray[Any]]:
    """So many of what is left, by the number of the choice: one after the other, the last first.

    The choices without the one at `top` and beyond come before those with it: of each number the
    last card is at the highest place to whose choices it reaches.
    """
    for some in range(size, 0, -1):
        line = _highest(left, some)[numbers]
        numbers = numbers - _below(left, some)[line]
        yield line


@lru_cache(maxsize=256)
def _below(left: int, size: int) -> Numbers:
    """How many choices of so many cards lie below each place."""
    return np.array([comb(place, size) for place in range(left)], dtype=np.int64)


@lru_cache(maxsize=16)  # mostly less than two megabytes each
def _highest(left: int, size: int) -> NDArray[np.int8]:
    """The place of the last card of every choice, in the order of the choices."""
    places = np.arange(left, dtype=np.int8)
    return np.repeat(places, [comb(place, size - 1) for place in range(left)])


def _skipping(line: NDArray[Any], taken: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """Places among the cards that are left as places in the whole deck."""
    for other in taken:
        line = line + (line >= other)
    return line


# --- slots that are alike -----------------------------------------------------------------------


def alike(game: Game, slots: Iterable[str]) -> list[list[str]]:
    """Some slots, those together of which no rule of the game tells one from the other."""
    groups = _groups(game)
    found: dict[object, list[str]] = {}
    for slot in slots:
        told = slot if groups is None else tuple([slot in group for group in groups])
        found.setdefault(told, []).append(slot)
    return [*found.values()]


@lru_cache(maxsize=1024)
def _groups(game: Game) -> tuple[frozenset[str], ...] | None:
    """The slots of each place that a rule speaks of; None where a slot may count by itself."""
    named = all(isinstance(rule, CardSet) for rule in (*game.wild, *game.bug, *game.kill))
    if not named or game.for_taking or game.loses_cards or game.turned is not None or game.bank:
        return None
    layout = Layout(game, Shape(0, 0, (0,) * len(game.piles)))
    names = [*layout.slots]
    groups = (
        frozenset(names[position] for position in layout.positions(place, line))
        for place in _places(game)
        for line in range(1, len(game.lines) + 1)
    )
    return tuple(dict.fromkeys(groups))


def _places(game: Game) -> Iterator[Place]:
    """Every place that a hand is made of or a condition asks about."""
    measures = [alternative for share in game.shares for alternative in share.alternatives]
    patterns = [*game.hand, *chain.from_iterable(map(_patterns, measures))]
    tests: list[CardsAre] = [test for pattern in patterns for test in pattern.tests]
    tests += [test for share in game.shares for test in share.tests]
    yield from (place for pattern in patterns for term in pattern.terms for place in term.places)
    yield from (test.place for test in tests)


def _patterns(measure: Alternative) -> tuple[Pattern, ...]:
    before = () if measure.after is None else _patterns(measure.after)
    return (*measure.patterns, *measure.beating, *before)
