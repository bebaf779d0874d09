"""Kinds of hands of six and seven cards, which some tables rank beside the usual five."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rules.cards import ACE

Codes = NDArray[np.int16]  # (choices, cards, rows), natural cards alone
Strengths = NDArray[np.int64]  # (choices, rows)
NONE = -1


@dataclass(frozen=True)
class LongKind:
    """So many cards, in groups of a rank, in a row, of one suit."""

    size: int
    name: str
    groups: tuple[int, ...] = ()  # how many of each rank, the most first
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
    """The strength of hands of exactly these kinds, NONE for all others. `tops` tells a straight
    by the bits of its ranks: where it stands among its like, 0 for none."""
    cards = codes.astype(np.int64)
    found = np.full((codes.shape[0], codes.shape[2]), NONE, dtype=np.int64)
    for kind, digits in _found(tops, cards):
        if kind in order:
            told = np.where(digits > 0, order.index(kind) << 20 | digits, NONE)
            found = np.maximum(found, told)
    return found


def _found(
    tops: NDArray[np.int64], cards: NDArray[np.int64]
) -> Iterator[tuple[str, NDArray[np.int64]]]:
    """What tells the hands of each kind apart, 0 where they are of another."""
    ranks, suits = cards // 4, cards % 4
    size = cards.shape[1]
    bits = np.bitwise_or.reduce(1 << ranks, axis=1)
    suited = (suits == suits[:, :1]).all(axis=1)
    run = tops[bits]
    alike = (ranks[:, :, None, :] == ranks[:, None, :, :]).sum(axis=2)
    ordered = -np.sort(-(alike * 16 + ranks + 2), axis=1)
    for name, kind in LONG_KINDS.items():
        if kind.size != size:
            continue
        if kind.groups:
            yield name, _groups(kind.groups, ordered)
        elif kind.straight:
            yield name, np.where((suited == kind.flush) & (run > 0), run, 0)
        else:
            yield name, np.where(suited & (run == 0), bits, 0)


def _groups(groups: tuple[int, ...], ordered: NDArray[np.int64]) -> NDArray[np.int64]:
    wanted = np.array([group for group in groups for _ in range(group)])
    fits = (ordered // 16 == wanted[None, :, None]).all(axis=1)
    digits = np.zeros(fits.shape, dtype=np.int64)
    place = 0
    for number, group in enumerate(groups):
        digits |= ordered[:, place] % 16 << 16 - 4 * number
        place += group
    return np.where(fits, digits, 0)


def ranks_of_bits(bits: int) -> list[int]:
    """The ranks of a flush, 2 to 14, the highest first."""
    return [rank + 2 for rank in range(ACE, -1, -1) if bits >> rank & 1]
