"""The strengths of all choices of a selection on scales without a table."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from rules.cards import ACE, CARD_KINDS, NATURAL_CARDS
from rules.game.game import Alternative, Bar, Game
from rules.ranking import IMPOSSIBLE
from rules.showdown.rows import Cards
from rules.showdown.selections import Block, Selection
from rules.showdown.tables import WILD

Strengths = NDArray[np.int64]


@dataclass(frozen=True)
class Measured:
    """The strengths of all choices of a selection, and the positions of each choice's cards."""

    strengths: NDArray[np.int64] | NDArray[np.int32]
    positions: Callable[[int], list[int]]


def wild_in(cards: Cards, choices: Block) -> NDArray[np.bool_]:
    """Return which cards of each choice are wild, as an array (choices, cards, rows)."""
    if not (cards.game.wild or cards.game.bug):
        return np.zeros((*choices.shape, cards.rows), dtype=np.bool_)
    return np.asarray(cards.symbols[choices] >= WILD)


SINGLE_BITS = 6
MOST_SINGLES = 10  # maximum number of single cards in a comparison


def by_singles(alternative: Alternative, selection: Selection, cards: Cards) -> Measured:
    """Compare cards one by one from the best down.

    Only cards in the set and the zone of `alternative.cards` count. A wild card may be any card of
    the set, but keeps its own zone.
    """
    explicit = selection.explicit
    codes, wild = cards.codes[explicit], wild_in(cards, explicit)
    counted = np.ones(codes.shape, dtype=np.bool_)
    if alternative.cards is not None:
        member = np.zeros(CARD_KINDS, dtype=bool)
        member[list(alternative.cards.cards)] = True
        down = explicit < cards.shape.down
        up = (explicit >= cards.shape.down) & (explicit < cards.shape.down + cards.shape.up)
        in_zone = {"": np.ones_like(down), "down": down, "up": up}[alternative.cards.zone]
        counted = (member[codes] | wild) & in_zone[:, :, None]
    singles = np.where(counted, _single_table(cards.game, alternative.scale)[codes], 0)
    waiting = wild & counted
    if waiting.any():
        # replace each wild card with the best unused natural card (docs/rulings.md 1, 10)
        natural = np.where(wild, -1, codes)
        table = _single_table(cards.game, alternative.scale)
        singles = np.where(waiting, 0, singles)
        for stand_in in stand_in_cards(cards.game, alternative):
            if not waiting.any():
                break
            first = waiting & (waiting.cumsum(axis=1) == 1)
            first &= ~(natural == stand_in).any(axis=1)[:, None, :]
            singles[first] = table[stand_in]
            waiting &= ~first
    ordered = -np.sort(-singles, axis=1)
    strengths = np.zeros((ordered.shape[0], ordered.shape[2]), dtype=np.int64)
    # smaller hands are padded to make them comparable with larger ones
    for place in range(MOST_SINGLES):
        card = ordered[:, place] if place < ordered.shape[1] else 0
        strengths = strengths << SINGLE_BITS | card
    return Measured(np.where(ordered[:, 0] > 0, strengths, IMPOSSIBLE), selection.pick)


@lru_cache(maxsize=256)
def _single_table(game: Game, scale: str) -> NDArray[np.int64]:
    best = max(game.singles.values()) + 1
    values = [game.singles.get(card, 0) for card in range(CARD_KINDS)]
    if scale == "lowest":
        values = [best - value if value else 0 for value in values]
    return np.array(values, dtype=np.int64)


def stand_in_cards(game: Game, alternative: Alternative) -> list[int]:
    """Return the cards that wild cards may replace when single cards are compared, best first."""
    table = _single_table(game, alternative.scale)
    named = alternative.cards.cards if alternative.cards else range(NATURAL_CARDS)
    return sorted((card for card in named if card < NATURAL_CARDS), key=lambda card: -table[card])


def by_holding(alternative: Alternative, selection: Selection, cards: Cards) -> Measured:
    """Check that hands contain the required cards. A wild card may replace a missing card."""
    wanted = list(alternative.cards.cards) if alternative.cards else []
    codes = cards.codes[selection.explicit]
    missing = np.zeros((codes.shape[0], codes.shape[2]), dtype=np.int64)
    for card in wanted:
        missing += ~(codes == card).any(axis=1)
    wild = wild_in(cards, selection.explicit) & ~np.isin(codes, wanted)
    return Measured(np.where(missing <= wild.sum(axis=1), 1, IMPOSSIBLE), selection.pick)


def by_badugi(alternative: Alternative, selection: Selection, cards: Cards) -> Measured:
    """Find the best badugi: up to four cards without a repeated rank or suit.

    More cards beat fewer.
    """
    sets = _sets(selection)
    strengths = [
        _badugi_strength(alternative.scale, cards.codes[block], wild_in(cards, block))
        for block in sets
    ]

    def positions(choice: int) -> list[int]:
        for block in sets:
            if choice < len(block):
                picked: list[int] = block[choice].tolist()
                return picked
            choice -= len(block)
        raise IndexError(choice)

    return Measured(np.concatenate(strengths), positions)


@lru_cache(maxsize=32)
def _sets(selection: Selection) -> tuple[Block, ...]:
    """Return the distinct sets of one to four cards to which choices can be reduced.

    Choices share most of these sets.
    """
    explicit, whole = selection.explicit, selection.size
    blocks = []
    for size in range(min(4, whole), 0, -1):
        choices = [explicit[:, places] for places in combinations(range(whole), size)]
        together = np.concatenate(choices)
        _, first = np.unique(together, axis=0, return_index=True)
        blocks.append(together[np.sort(first)])
    return tuple(blocks)


BADUGI_RANKS = {  # ranks on each badugi scale, best first
    "badugi": tuple(range(1, 14)),
    "badugi-ace-high": tuple(range(2, 15)),
    "hidugi": tuple(range(14, 1, -1)),
}


def _badugi_strength(scale: str, codes: NDArray[np.int16], wild: NDArray[np.bool_]) -> Strengths:
    """Return the strengths. A wild card takes an unused suit and the best unused rank."""
    size = codes.shape[1]
    ranks, suits = codes.astype(np.int64) // 4 + 2, codes % 4
    if scale == "badugi":
        ranks = np.where(ranks == ACE + 2, 1, ranks)
    apart = np.ones((codes.shape[0], codes.shape[2]), dtype=bool)
    for one, other in combinations(range(size), 2):
        alike = (ranks[:, one] == ranks[:, other]) | (suits[:, one] == suits[:, other])
        apart &= ~alike | wild[:, one] | wild[:, other]
    if wild.any():
        ranks, waiting = np.where(wild, 0, ranks), wild.copy()
        for rank in BADUGI_RANKS[scale]:
            first = waiting & (waiting.cumsum(axis=1) == 1)
            first &= ~(ranks == rank).any(axis=1)[:, None, :]
            ranks = np.where(first, rank, ranks)
            waiting &= ~first
    ordered = -np.sort(-ranks, axis=1)
    packed = np.zeros(apart.shape, dtype=np.int64)
    for place in range(4):
        packed = packed << 4 | (ordered[:, place] if place < size else 0)
    value = packed if scale == "hidugi" else 0xFFFF - packed
    return np.where(apart, size << 20 | value, IMPOSSIBLE)


def badugi_threshold(scale: str, bar: Bar) -> int:
    """Return the weakest strength that qualifies: a number of cards, or four cards with a limit.

    In `8-or-better` the limit is the highest card, a maximum in badugi and a minimum in hidugi.
    """
    if bar.category == "cards":
        return bar.number << 20
    rank = (bar.rank or 0) + 2
    if scale == "hidugi":
        return 4 << 20 | rank << 12
    rank = 1 if scale == "badugi" and rank == ACE + 2 else rank
    return 4 << 20 | 0xFFFF - (rank << 12 | 0xFFF)


POINTS_ZERO = 1 << 20


def by_points(alternative: Alternative, selection: Selection, cards: Cards) -> Measured:
    """Find the best total of each choice.

    A card may have more than one value. A wild card has the value of any card that is not in use
    (docs/rulings.md 1).
    """
    game, explicit = cards.game, selection.explicit
    wild = wild_in(cards, explicit)
    most_counts = max(len(values) for values in game.values.values())
    totals = np.zeros((1, selection.count, cards.rows), dtype=np.int64)  # (ways, choices, rows)
    tables = [_value_table(game, way) for way in range(most_counts)]
    for at, column in enumerate(explicit.T):
        counts = [np.where(wild[:, at], 0, values[cards.codes[column]]) for values in tables]
        both = counts if any((counts[0] != other).any() for other in counts[1:]) else counts[:1]
        totals = np.concatenate([totals + count for count in both])
    if wild.any():
        sizes = np.array([*map(len, _kinds(game).values())])
        taken = np.zeros((*totals.shape[1:], len(sizes) + 1), dtype=np.int64)
        choice, row = np.ogrid[: taken.shape[0], : taken.shape[1]]
        for at, column in enumerate(explicit.T):
            taken[choice, row, _kind_table(game)[cards.codes[column]]] += ~wild[:, at]
        number = wild.sum(axis=1)
        with_wild = np.nonzero(number)
        needed = number[with_wild][:, None]
        left = np.minimum(sizes - taken[with_wild][:, :-1], needed)
        # choices with the same number of wild cards and the same cards left have the same sums
        alike, of_which = np.unique(
            np.concatenate([needed, left], axis=1), axis=0, return_inverse=True
        )
        for index, (wilds, *kinds) in enumerate(alike.tolist()):
            where = np.flatnonzero(of_which.ravel() == index)
            these = slice(None), with_wild[0][where], with_wild[1][where]
            sums = _sums(game, wilds, tuple(kinds))
            totals[these] = _reached(game, alternative, totals[these], sums)
    return Measured(_best_total(game, alternative, totals), selection.pick)


Left = tuple[int, ...]  # number of cards of each kind that wild cards can still replace


@lru_cache(maxsize=256)
def _kinds(game: Game) -> dict[tuple[int, ...], list[int]]:
    """Group the cards that a wild card may replace by their values.

    These are all natural cards, even in a stripped deck, and the jokers of the deck.
    """
    cards_by_values: dict[tuple[int, ...], list[int]] = {}
    jokers = sorted(card for card in game.deck if card >= NATURAL_CARDS)
    for card in (*range(NATURAL_CARDS), *jokers):
        cards_by_values.setdefault(tuple(sorted(set(game.values[card]))), []).append(card)
    return cards_by_values


@lru_cache(maxsize=256)
def _kind_table(game: Game) -> NDArray[np.int64]:
    """Return the kind of each card code. Cards without a kind, such as unseen ones, come last."""
    kinds = _kinds(game)
    table = np.full(CARD_KINDS, len(kinds), dtype=np.int64)
    for at, cards in enumerate(kinds.values()):
        table[cards] = at
    return table


def _reached(
    game: Game, alternative: Alternative, totals: NDArray[np.int64], sums: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Add to each total the wild cards' sum of values that is best on the scale."""
    if alternative.scale == "least points":
        return np.asarray(totals + sums[0])
    if alternative.scale == "closest":
        room = number_of(game, alternative) - totals
        at = np.searchsorted(sums, room, side="right") - 1
        return np.asarray(totals + sums[np.maximum(at, 0)])
    if alternative.scale == "nearest":
        number = number_of(game, alternative)
        at = np.searchsorted(sums, number - totals, side="right")
        below = totals + sums[np.maximum(at - 1, 0)]
        above = totals + sums[np.minimum(at, len(sums) - 1)]
        return np.where(abs(below - number) <= abs(above - number), below, above)
    return np.asarray(totals + sums[-1])


@lru_cache(maxsize=4096)
def _sums(game: Game, count: int, left: Left) -> NDArray[np.int64]:
    """Return all sums that `count` wild cards can reach, in ascending order.

    Each wild card replaces a different remaining card.
    """
    sums_by_count: list[set[int]] = [{0}, *(set() for _ in range(count))]
    for values, free in zip(_kinds(game), left, strict=True):
        before = [frozenset(sums) for sums in sums_by_count]
        several = {0}
        for cards in range(1, min(free, count) + 1):
            several = {total + value for total in several for value in values}
            for others in range(count - cards + 1):
                sums_by_count[others + cards] |= {
                    one + other for one in before[others] for other in several
                }
    return np.array(sorted(sums_by_count[count]), dtype=np.int64)


def stand_ins_of_points(
    game: Game, alternative: Alternative, natural: Sequence[int], wild: Sequence[int]
) -> dict[int, int]:
    """Return the card that each wild card replaces in the best total.

    No card is used twice, and a wild card keeps its own value if it can. Jokers are assigned first,
    so that no other card replaces a joker that is in the hand.
    """
    totals = sorted({sum(counts) for counts in product(*(game.values[card] for card in natural))})
    taken = {*natural}
    sums = _sums(game, len(wild), _remaining_counts(game, taken))
    reached = _reached(game, alternative, np.array(totals, dtype=np.int64), sums)
    strengths = [int(_best_total(game, alternative, one.reshape(1, 1))[0]) for one in reached]
    best = strengths.index(max(strengths))
    wanted = int(reached[best]) - totals[best]  # the points that the wild cards add
    stand_ins: dict[int, int] = {}
    for at, card in enumerate(sorted(wild, key=lambda card: card < NATURAL_CARDS), start=1):
        others = len(wild) - at
        options = [
            (value, other)
            for values, cards in _kinds(game).items()
            for value in values
            for other in cards
            if other not in taken
        ]
        # The lowest value comes first. For equal values the card itself comes first, then natural
        # cards from the highest down.
        options.sort(
            key=lambda each: (each[0], each[1] != card, each[1] >= NATURAL_CARDS, -each[1])
        )
        points, stand_ins[card] = next(
            (value, other)
            for value, other in options
            if wanted - value in _sums(game, others, _remaining_counts(game, {*taken, other}))
        )
        taken.add(stand_ins[card])
        wanted -= points
    return {card: stand_ins[card] for card in wild}


def _remaining_counts(game: Game, taken: set[int]) -> Left:
    return tuple(len({*cards} - taken) for cards in _kinds(game).values())


def number_of(game: Game, alternative: Alternative) -> int:
    """Return the target number in the units of the game's values."""
    return alternative.number * game.per_point


def _best_total(game: Game, alternative: Alternative, totals: NDArray[np.int64]) -> Strengths:
    number = number_of(game, alternative)
    if alternative.scale == "least points":
        return np.asarray((POINTS_ZERO - totals).max(axis=0))
    if alternative.scale == "nearest":  # if two totals are equally close, the lower one wins
        away = 2 * abs(totals - number) + (totals > number)
        return np.asarray((POINTS_ZERO - away).max(axis=0))
    if alternative.scale == "closest":
        totals = np.where(totals <= number, totals, -POINTS_ZERO - 1)
    return np.asarray((POINTS_ZERO + totals).max(axis=0))


def points_of(game: Game, alternative: Alternative, strength: int) -> float:
    """Return the points of a strength, as an integer if they are whole."""
    if alternative.scale == "nearest":
        away, over = divmod(POINTS_ZERO - strength, 2)
        total = number_of(game, alternative) + (away if over else -away)
    elif alternative.scale == "least points":
        total = POINTS_ZERO - strength
    else:
        total = strength - POINTS_ZERO
    return total // game.per_point if not total % game.per_point else total / game.per_point


@lru_cache(maxsize=256)
def _value_table(game: Game, way: int) -> NDArray[np.int64]:
    values = [game.values.get(card, (0,)) for card in range(CARD_KINDS)]
    return np.array([counts[min(way, len(counts) - 1)] for counts in values], dtype=np.int64)
