"""The symbol that each card has in the tables of strengths: its rank, a wild card, a bug."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from rules.cards import NATURAL_CARDS, RANK_OF
from rules.game.game import Game
from rules.game.wild_rules import CardOf, CardSet, RankOf
from rules.showdown.selections import Layout, Shape
from rules.showdown.strength_tables import BUG, WILD

NO_RANK = 15
ALL_SUITS = 15
SUIT_BITS = np.array([*(1 << card % 4 for card in range(NATURAL_CARDS)), *[0] * 5], dtype=np.uint8)
Reading = tuple[int, ...]  # the wild rank of each rule that the deal decides, NO_RANK for none


def decided_rules(game: Game) -> tuple[RankOf, ...]:
    """The rules whose rank the deal decides, those for bugs last."""
    return tuple(rule for rule in (*game.wild, *game.bug) if isinstance(rule, RankOf))


@lru_cache(maxsize=512)
def zone_tables(game: Game) -> NDArray[np.int8]:
    """The symbol of every card in each zone: down, up, board."""
    plain = [*(card // 4 for card in range(NATURAL_CARDS)), *[0] * 5]  # a joker is dead by itself
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
    """The symbol of each card (positions, rows), each row under its reading of the wild cards. What
    is wild by one rule and a bug by another is wild."""
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
    _apply_readings(game, codes, symbols, read)
    return symbols


@lru_cache(maxsize=1024)
def placed_symbols(game: Game, shape: Shape) -> tuple[tuple[int, int], ...]:
    """The positions that are wild, or bugs, whatever card lies there."""
    layout = Layout(game, shape)
    return tuple(
        (places[0] if rule.which == "first" else places[-1], symbol)
        for rules, symbol in ((game.bug, BUG), (game.wild, WILD))
        for rule in rules
        if isinstance(rule, CardOf) and (places := layout.positions(rule.place))
    )


def _apply_readings(
    game: Game, codes: NDArray[np.int16], symbols: NDArray[np.int8], read: Sequence[Reading]
) -> None:
    rules = decided_rules(game)
    wild_count = sum(isinstance(rule, RankOf) for rule in game.wild)
    for index in range(len(rules)):
        ranks = np.array([reading[index] for reading in read], dtype=np.int8)
        matches = RANK_OF[codes] == ranks[None, :]
        symbols[matches & (symbols != WILD)] = WILD if index < wild_count else BUG
