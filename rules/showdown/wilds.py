"""Which cards are wild, and what a wild card stands for.

Some rules leave a choice: the middle rank of the down cards has two readings when an ace is
among them (Middlemost). Each reading makes a row of its own, and a player takes the better one
for each way.
"""

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rules.cards import ACE, NATURAL_CARDS
from rules.game.game import Game
from rules.game.wild_rules import RankOf
from rules.ranking import Scale
from rules.showdown.rows import Cards
from rules.showdown.selections import Layout, Shape
from rules.showdown.strength_tables import WILD, table
from rules.showdown.symbols import NO_RANK, Reading, decided_rules

# --- readings -----------------------------------------------------------------------------------


def readings(game: Game, layout: Layout, codes: Sequence[int]) -> list[Reading]:
    """Every way in which one row's wild cards can be read."""
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
        case "middle":
            return _middle_ranks(ranks)
        case "lowest":
            return [min(ranks)]
        case "highest":
            return [max(ranks)]
        case "first":
            return [ranks[0]]
        case "last":
            return [ranks[-1]]


def _middle_ranks(ranks: list[int]) -> list[int]:
    """The middle rank, with every ace standing at either end (the source of Middlemost)."""
    aces = ranks.count(ACE)
    others = sorted(rank for rank in ranks if rank != ACE)
    middle = len(ranks) // 2
    found = [([-1] * low + others + [ACE] * (aces - low))[middle] for low in range(aces + 1)]
    return sorted({ACE if rank == -1 else rank for rank in found})


# --- rows ---------------------------------------------------------------------------------------


Rows = Sequence[Sequence[int]] | NDArray[np.integer[Any]]


def lay_out(game: Game, shape: Shape, rows: Rows, read: Sequence[Reading]) -> Cards:
    """Rows of cards as arrays, each under its reading of the wild cards."""
    codes = np.ascontiguousarray(np.asarray(rows, dtype=np.int16).T)
    return Cards(game, shape, codes, read)


# --- what a wild card stands for ----------------------------------------------------------------


def stand_ins(scale: Scale, played: Sequence[int], symbols: Sequence[int]) -> dict[int, int]:
    """The card that each wild card of a played hand stands for, by its place in the hand.

    Ranks are taken one at a time so that the strength of the table is kept; suits are then
    chosen so that no card is there twice. A wild card that may stand for itself does.
    """
    wild = [place for place, symbol in enumerate(symbols) if symbol >= WILD]
    natural = [card for card, symbol in zip(played, symbols, strict=True) if symbol < WILD]
    suits = {card % 4 for card in natural}
    flush = len(suits) <= 1 and len(played) in scale.sizes
    left = list(symbols)
    stands: dict[int, int] = {}
    there = list(natural)
    for place in wild:
        suit = next(iter(suits)) if len(suits) == 1 else None
        own = played[place]
        rank, on_suit = _next_rank(scale, left, place, own, flush=flush)
        card = _free_card(there, rank, suit, own, on_suit=on_suit)
        flush = on_suit
        suits.add(card % 4)
        stands[place] = card
        there.append(card)
        left[place] = rank
    return stands


def _next_rank(
    scale: Scale, symbols: list[int], place: int, own: int, *, flush: bool
) -> tuple[int, bool]:
    """A rank for the wild card at a place that keeps the hand as strong as it is."""
    found = table(scale, len(symbols))
    wanted = found.of(symbols, flush=flush)
    for rank in sorted(range(13), key=lambda rank: (rank != own // 4, -rank)):
        after = [*symbols[:place], rank, *symbols[place + 1 :]]
        fresh = rank not in symbols
        if flush and fresh and found.of(after, flush=True) == wanted:
            return rank, True
        if found.of(after, flush=False) == wanted:
            return rank, False
    raise AssertionError("a wild card stands for something")


def _free_card(there: list[int], rank: int, suit: int | None, own: int, *, on_suit: bool) -> int:
    """A card of this rank that is not there; of the flush's suit, or of another."""
    if on_suit and suit is not None:
        return 4 * rank + suit
    options = [4 * rank + other for other in (3, 2, 1, 0) if on_suit or other != suit]
    free = [card for card in options if card not in there]
    return own if own in free else (free or [4 * rank + 3])[0]
