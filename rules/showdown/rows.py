"""Rows of cards as arrays, with each card read as a rank, a wild card or a bug."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rules.cards import ACE, CARD_KINDS, NATURAL_CARDS, RANK_OF
from rules.game.game import CardOf, CardsAre, CardSet, Game, RankOf, WildRule
from rules.game.grammar import GROUPS
from rules.showdown.selections import Block, Layout, Selection, Shape
from rules.showdown.tables import BUG, KEYS, WILD, Kind, LookUp, multisets

ShareGames = tuple[tuple[tuple[int, ...], Game], ...]


@lru_cache(maxsize=1024)
def share_games(game: Game) -> ShareGames:
    """Group shares by their wild cards. Return their indexes and a game with only these shares.

    Return nothing if all shares have the same wild cards.
    """
    if not any(rule.share for rule in (*game.wild, *game.bug)):
        return ()
    groups: dict[tuple[tuple[WildRule, ...], ...], list[int]] = {}
    for index, name in enumerate(game.share_names):
        seen = tuple(
            tuple(replace(rule, share="") for rule in rules if rule.share in {"", name})
            for rules in (game.wild, game.bug)
        )
        groups.setdefault(seen, []).append(index)
    return tuple(
        (
            tuple(indexes),
            replace(game, wild=wild, bug=bug, shares=tuple(game.shares[n] for n in indexes)),
        )
        for (wild, bug), indexes in groups.items()
    )


def game_of_share(game: Game, share: int) -> tuple[Game, int]:
    """Return the game as a share sees it, and the index of the share in that game."""
    for shares, seen in share_games(game):
        if share in shares:
            return seen, shares.index(share)
    return game, share


NO_RANK = 15
ALL_SUITS = 15
SUIT_BITS = np.array([*(1 << card % 4 for card in range(NATURAL_CARDS)), *[0] * 5], dtype=np.uint8)
# for each rule that depends on the deal, the wild rank or NO_RANK
Reading = tuple[int, ...]


def decided_rules(game: Game) -> tuple[RankOf, ...]:
    """Return the rules whose rank depends on the deal. Rules for bugs come last."""
    return tuple(rule for rule in (*game.wild, *game.bug) if isinstance(rule, RankOf))


@lru_cache(maxsize=512)
def zone_tables(game: Game) -> NDArray[np.int8]:
    """Return the symbol of every card in each zone: down, up, board."""
    # a joker that is not wild has no value
    plain = [*(card // 4 for card in range(NATURAL_CARDS)), *[0] * 5]
    tables = np.array([plain] * 3, dtype=np.int8)
    for rules, symbol in ((game.bug, BUG), (game.wild, WILD)):
        for rule in rules:
            if isinstance(rule, CardSet):
                for zone, name in enumerate(("down", "up", "board")):
                    if rule.zone in {"", name}:
                        tables[zone, list(rule.cards)] = symbol
    return tables


def symbols_of(
    game: Game, shape: Shape, codes: NDArray[np.int16], read: Sequence[Reading]
) -> NDArray[np.int8]:
    """Return the symbol of each card (positions, rows) in the reading of its row.

    A card that is both wild and a bug counts as wild.
    """
    tables = zone_tables(game)
    symbols = np.empty(codes.shape, dtype=np.int8)
    ends = (shape.down, shape.down + shape.up, len(codes))
    start = 0
    for zone, end in enumerate(ends):
        symbols[start:end] = tables[zone][codes[start:end]]
        start = end
    if piles := sum(shape.piles):
        own = slice(shape.down + shape.up, shape.down + shape.up + piles)
        symbols[own] = tables[0][codes[own]]
    for position, symbol in placed_symbols(game, shape):
        symbols[position][symbols[position] != WILD] = symbol
    wild_count = sum(isinstance(rule, RankOf) for rule in game.wild)
    for index in range(len(decided_rules(game))):
        ranks = np.array([reading[index] for reading in read], dtype=np.int8)
        matches = RANK_OF[codes] == ranks[None, :]
        symbols[matches & (symbols != WILD)] = WILD if index < wild_count else BUG
    return symbols


@lru_cache(maxsize=1024)
def placed_symbols(game: Game, shape: Shape) -> tuple[tuple[int, int], ...]:
    """Return the positions that are wild or bugs for any card."""
    layout = Layout(game, shape)
    return tuple(
        (places[0] if rule.which == "first" else places[-1], symbol)
        for rules, symbol in ((game.bug, BUG), (game.wild, WILD))
        for rule in rules
        if isinstance(rule, CardOf) and (places := layout.positions(rule.place))
    )


def readings(game: Game, layout: Layout, codes: Sequence[int]) -> list[Reading]:
    """Return every reading of the wild cards in one row."""
    rules = decided_rules(game)
    if not rules:
        return [()]
    return list(product(*(_ranks(rule, layout, codes) for rule in rules)))


def _ranks(rule: RankOf, layout: Layout, codes: Sequence[int]) -> list[int]:
    held = [codes[position] for position in layout.positions(rule.place)]
    ranks = [card // 4 for card in held if card < NATURAL_CARDS]
    if not ranks:
        return [NO_RANK]
    match rule.which:
        case "middle":  # each ace can be high or low (as in the source of Middlemost)
            aces, middle = ranks.count(ACE), len(ranks) // 2
            others = sorted(rank for rank in ranks if rank != ACE)
            middles = [([-1] * n + others + [ACE] * (aces - n))[middle] for n in range(aces + 1)]
            return sorted({ACE if rank == -1 else rank for rank in middles})
        case "lowest":
            return [min(ranks)]
        case "highest":
            return [max(ranks)]
        case "first":
            return [ranks[0]]
        case "last":
            return [ranks[-1]]


# --- rows ---------------------------------------------------------------------------------------

Lines = NDArray[Any]


@dataclass
class Cards:
    """Rows of cards with one column per row, `codes[position, row]`, and a reading for each row.

    Derived values are calculated on first use, because few measures need all of them.
    """

    game: Game
    shape: Shape
    codes: NDArray[np.int16]
    read: Sequence[Reading]
    _sums: dict[Selection, NDArray[np.int16]] = field(default_factory=dict)
    _flushes: dict[Selection, NDArray[np.bool_]] = field(default_factory=dict)
    _look_ups: dict[Selection, LookUp] = field(default_factory=dict)
    # plain properties are faster than functools.cached_property, which uses a lock
    _symbols: NDArray[np.int8] | None = None
    _suits: NDArray[np.uint8] | None = None
    _keys: NDArray[np.int64] | None = None

    @property
    def rows(self) -> int:
        return int(self.codes.shape[1])

    @property
    def symbols(self) -> NDArray[np.int8]:
        """Ranks, with separate symbols for wild cards and bugs."""
        if self._symbols is None:
            self._symbols = symbols_of(self.game, self.shape, self.codes, self.read)
        return self._symbols

    @property
    def suits(self) -> NDArray[np.uint8]:
        """Masks with a bit for each suit. Wild cards have all four bits."""
        if self._suits is None:
            self._suits = SUIT_BITS[self.codes]
            if self.game.wild or self.game.bug:
                self._suits[self.symbols >= WILD] = ALL_SUITS
        return self._suits

    @property
    def keys(self) -> NDArray[np.int64]:
        if self._keys is None:
            self._keys = KEYS[self.symbols]
        return self._keys

    @property
    def natural(self) -> bool:
        """Return whether all cards are seen and none is wild or a joker."""
        plain = not (self.game.wild or self.game.bug)
        return plain and int(self.codes.max(initial=0)) < NATURAL_CARDS

    def parts(self, step: int) -> Iterator["Cards"]:
        """Yield the rows in parts of up to `step` rows."""
        for start in range(0, self.rows, step):
            rows = slice(start, start + step)
            yield Cards(self.game, self.shape, self.codes[:, rows], self.read[rows])

    def at(self, rows: NDArray[np.intp]) -> "Cards":
        """Return some of the rows, which must have only one reading."""
        return Cards(self.game, self.shape, self.codes[:, rows], ())

    def numbers(self, selection: Selection) -> NDArray[np.int16]:
        """Return the multiset number of every choice of a selection as an array (choices, rows)."""
        if selection not in self._sums:
            sums = _outer(self.keys, selection.blocks, np.add)
            self._sums[selection] = np.take(multisets(selection.size).number_of, sums)
        return self._sums[selection]

    def flushes(self, selection: Selection) -> NDArray[np.bool_]:
        """Return whether the cards of every choice share a suit."""
        if selection not in self._flushes:
            self._flushes[selection] = _outer(self.suits, selection.blocks, np.bitwise_and) != 0
        return self._flushes[selection]

    def look_up(self, selection: Selection, kind: Kind) -> LookUp:
        """Look up the pools of a selection, in rows without wild cards."""
        if selection not in self._look_ups:
            pools = [self._lines(places) for _, places in selection.pools]
            self._look_ups[selection] = LookUp(kind, pools)
        return self._look_ups[selection]

    def _lines(self, places: tuple[int, ...]) -> NDArray[np.int16]:
        """Return the cards at some positions, without a copy if the positions are consecutive."""
        first, end = places[0], places[-1] + 1
        return self.codes[first:end] if end - first == len(places) else self.codes[[*places]]

    def picked(self, values: NDArray[np.int64], selection: Selection) -> NDArray[np.int64]:
        """Return a value for each card of each choice as an array (choices, cards, rows)."""
        return values[self.codes[selection.explicit]]


def _outer(lines: Lines, blocks: tuple[Block, ...], join: np.ufunc) -> Lines:
    """Combine the lines of every choice of an outer product of blocks."""
    parts = []
    for block in blocks:
        part: Lines = lines[block[:, 0]]
        for column in block.T[1:]:
            part = join(part, lines[column])
        parts.append(part)
    whole, *others = parts
    for part in others:
        whole = join(whole[:, None, :], part[None, :, :]).reshape(-1, part.shape[1])
    return whole


def holds(test: CardsAre, cards: Cards) -> NDArray[np.bool_]:
    """Return whether each row meets a condition on the cards of a place."""
    positions = list(Layout(cards.game, cards.shape).positions(test.place))
    codes = cards.codes[positions]
    if test.group:
        member = np.zeros(CARD_KINDS, dtype=bool)
        member[list(GROUPS[test.group])] = True
        count = member[codes].sum(axis=0)
    else:
        count = np.full(cards.rows, len(positions))
    inside = (count >= test.least) & (count <= test.most)
    return np.asarray(inside != test.negated, dtype=np.bool_)


Rows = Sequence[Sequence[int]] | NDArray[np.integer[Any]]


def lay_out(game: Game, shape: Shape, rows: Rows, read: Sequence[Reading]) -> Cards:
    """Create rows of cards as arrays with their readings."""
    codes = np.ascontiguousarray(np.asarray(rows, dtype=np.int16).T)
    return Cards(game, shape, codes, read)
