"""Unusual kinds of hands with five, six or seven cards.

Kinds of five cards depend on their ranks alone (Wikipedia, "Non-standard poker hand"), so wild
cards complete them like a straight. Hands of one rank, such as `333`, can also be a kind.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from rules.cards import ACE, RANKS

# shape: (hands, ranks); the number of cards of each rank, starting with twos
Counts = NDArray[np.integer]
FACES = slice(RANKS.index("J"), RANKS.index("K") + 1)


@dataclass(frozen=True)
class HouseKind:
    """A kind of five-card hand with its name, its test by ranks, and the top ranks of its runs."""

    name: str
    fits: Callable[[Counts], NDArray[np.bool_]]
    # maps the bits of a hand's ranks to its highest rank (2 to 14)
    tops: dict[int, int] = field(default_factory=dict)


def _between(lowest: str, highest: str) -> Callable[[Counts], NDArray[np.bool_]]:
    """Return a test for five cards without a pair, with these lowest and highest ranks."""
    low, high = RANKS.index(lowest), RANKS.index(highest)

    def fits(counts: Counts) -> NDArray[np.bool_]:
        ends = (counts[:, low] == 1) & (counts[:, high] == 1)
        return np.asarray(ends & ((counts[:, low : high + 1] == 1).sum(axis=1) == 5))

    return fits


SKEET = [[RANKS.index(rank) for rank in ranks] for ranks in ("9", "678", "5", "34", "2")]


def _is_skeet(counts: Counts) -> NDArray[np.bool_]:
    """Return which hands have no pair and one rank from each group of SKEET."""
    one_of_each = [(counts[:, group] > 0).sum(axis=1) == 1 for group in SKEET]
    return np.asarray(np.logical_and.reduce([*one_of_each, (counts > 0).sum(axis=1) == 5]))


def _run(name: str, runs: Iterable[str]) -> HouseKind:
    """Define a kind by runs of ranks, top first. Aces are high or low by their position."""
    tops = {}
    for run in runs:
        bits = sum(1 << RANKS.index(rank) for rank in run)
        tops[bits] = RANKS.index(run[0]) + 2

    def fits(counts: Counts) -> NDArray[np.bool_]:
        return np.isin(bits_of(counts), [*tops])

    return HouseKind(name, fits, tops)


LADDER = "A" + RANKS  # the ranks with an additional low ace, for runs from 9-7-5-3-A to A-Q-10-8-6
SKIPPED = [LADDER[at : at + 9 : 2][::-1] for at in range(len(LADDER) - 8)]
ROUND_THE_CORNER = ("432AK", "32AKQ", "2AKQJ")

HOUSE_KINDS: dict[str, HouseKind] = {
    "blaze": HouseKind("blaze", lambda counts: np.asarray(counts[:, FACES].sum(axis=1) == 5)),
    "big-cat": HouseKind("big cat", _between("8", "K")),
    "little-cat": HouseKind("little cat", _between("3", "8")),
    "big-dog": HouseKind("big dog", _between("9", "A")),
    "little-dog": HouseKind("little dog", _between("2", "7")),
    "skeet": HouseKind("skeet", _is_skeet),
    "five-and-dime": HouseKind("five and dime", _between("5", "T")),
    "skip-straight": _run("skip straight", SKIPPED),
    "round-straight": _run("round-the-corner straight", ROUND_THE_CORNER),
}


def bits_of(counts: Counts) -> NDArray[np.int64]:
    """Return a mask with a bit for each rank in each hand."""
    return np.asarray(((counts > 0) << np.arange(ACE + 1)).sum(axis=1), dtype=np.int64)


SAME_RANK = {2: "pair", 3: "trips", 4: "quads"}


def of_one_rank(kind: str) -> tuple[str, int] | None:
    """Parse `333` as trips and the rank of threes (0 to 12). Return None for other kinds."""
    plain = kind.replace("10", "T")
    if len(plain) in SAME_RANK and plain[0] in RANKS and len(set(plain)) == 1:
        return SAME_RANK[len(plain)], RANKS.index(plain[0])
    return None


def usual_name(kind: str) -> str:
    """Return the usual name of a kind: `333` are trips."""
    names = of_one_rank(kind)
    return names[0] if names else kind


# --- six and seven cards ------------------------------------------------------------------------

Codes = NDArray[np.int16]  # shape: (choices, cards, rows); natural cards only
Strengths = NDArray[np.int64]  # shape: (choices, rows)
NONE = -1


@dataclass(frozen=True)
class LongKind:
    """A kind of six- or seven-card hand: groups of the same rank, straights or flushes."""

    size: int
    name: str
    groups: tuple[int, ...] = ()  # number of cards in each group of equal ranks, largest first
    straight: bool = False
    flush: bool = False


LONG_KINDS: dict[str, LongKind] = {
    "three-pair": LongKind(6, "three pair, {many}, {second} and {last}", (2, 2, 2)),
    "six-straight": LongKind(6, "six-card straight", straight=True),
    "six-flush": LongKind(6, "six-card flush", flush=True),
    "two-trips": LongKind(6, "three {many} and three {second}", (3, 3)),
    "quads-and-pair": LongKind(6, "four {many} and a pair of {second}", (4, 2)),
    "six-straight-flush": LongKind(6, "six-card straight flush", straight=True, flush=True),
    "trips-and-two-pair": LongKind(7, "three {many} and pairs of {second} and {last}", (3, 2, 2)),
    "seven-straight": LongKind(7, "seven-card straight", straight=True),
    "seven-flush": LongKind(7, "seven-card flush", flush=True),
    "quads-and-trips": LongKind(7, "four {many} and three {second}", (4, 3)),
    "seven-straight-flush": LongKind(7, "seven-card straight flush", straight=True, flush=True),
}
LONG_SIZES = frozenset(kind.size for kind in LONG_KINDS.values())


def long_strengths(order: tuple[str, ...], tops: NDArray[np.int64], codes: Codes) -> Strengths:
    """Return the strengths of hands of exactly these kinds, and NONE for all others.

    `tops` maps the bits of a straight's ranks to its position among straights, and other ranks to
    0.
    """
    cards = codes.astype(np.int64)
    ranks, suits = cards // 4, cards % 4
    bits = np.bitwise_or.reduce(1 << ranks, axis=1)
    suited = (suits == suits[:, :1]).all(axis=1)
    run = tops[bits]
    alike = (ranks[:, :, None, :] == ranks[:, None, :, :]).sum(axis=2)
    ordered = -np.sort(-(alike * 16 + ranks + 2), axis=1)
    strengths = np.full(bits.shape, NONE, dtype=np.int64)
    for name, kind in LONG_KINDS.items():
        if kind.size != cards.shape[1] or name not in order:
            continue
        # digits rank the hands within a kind; they are 0 for hands of a different kind
        if kind.groups:
            wanted = np.array([group for group in kind.groups for _ in range(group)])
            fits = (ordered // 16 == wanted[None, :, None]).all(axis=1)
            starts = accumulate((0, *kind.groups[:-1]))  # the place of each group's first card
            digits = np.zeros(fits.shape, dtype=np.int64)
            for number, start in enumerate(starts):
                digits |= ordered[:, start] % 16 << 16 - 4 * number
            digits[~fits] = 0
        elif kind.straight:
            digits = np.where((suited == kind.flush) & (run > 0), run, 0)
        else:
            digits = np.where(suited & (run == 0), bits, 0)
        of_kind = np.where(digits > 0, order.index(name) << 20 | digits, NONE)
        strengths = np.maximum(strengths, of_kind)
    return strengths


def ranks_of_bits(bits: int) -> list[int]:
    """Return the ranks (2 to 14) of a flush, highest first."""
    return [rank + 2 for rank in range(ACE, -1, -1) if bits >> rank & 1]
