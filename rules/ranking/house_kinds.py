"""Kinds of hands that some tables rank beside the usual: dogs, cats, a blaze, odd straights.

Each is told by its five ranks alone (Wikipedia, "Non-standard poker hand"), so wild cards find
them as they find a straight. Hands of one named rank, such as `333`, may be a kind as well.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from rules.cards import ACE, RANKS

Counts = NDArray[np.integer]  # (hands, ranks): how many cards of each, twos first
FACES = slice(RANKS.index("J"), RANKS.index("K") + 1)


@dataclass(frozen=True)
class HouseKind:
    """A kind of hand by its ranks: what it is called, how it is told, and of runs their tops."""

    name: str
    fits: Callable[[Counts], NDArray[np.bool_]]
    tops: dict[int, int] = field(default_factory=dict)  # by the bits of its ranks; 2 to 14


def _between(lowest: str, highest: str) -> Callable[[Counts], NDArray[np.bool_]]:
    """No pair, and these are the lowest and the highest of five ranks."""
    low, high = RANKS.index(lowest), RANKS.index(highest)

    def fits(counts: Counts) -> NDArray[np.bool_]:
        ends = (counts[:, low] == 1) & (counts[:, high] == 1)
        return np.asarray(ends & ((counts[:, low : high + 1] == 1).sum(axis=1) == 5))

    return fits


def _one_of(*choices: str) -> HouseKind:
    """No pair, and one of each of these ranks: `9`, `678`, `5`."""
    places = [[RANKS.index(rank) for rank in ranks] for ranks in choices]

    def fits(counts: Counts) -> NDArray[np.bool_]:
        alone = [(counts[:, some] > 0).sum(axis=1) == 1 for some in places]
        return np.asarray(np.logical_and.reduce([*alone, (counts > 0).sum(axis=1) == 5]))

    return HouseKind("skeet", fits)


def _run(name: str, runs: Iterable[str]) -> HouseKind:
    """These ranks, the top first: an ace in them stands where it is written."""
    tops = {}
    for run in runs:
        bits = sum(1 << RANKS.index(rank) for rank in run)
        tops[bits] = RANKS.index(run[0]) + 2

    def fits(counts: Counts) -> NDArray[np.bool_]:
        return np.isin(bits_of(counts), [*tops])

    return HouseKind(name, fits, tops)


def _all_faces(counts: Counts) -> NDArray[np.bool_]:
    return np.asarray(counts[:, FACES].sum(axis=1) == 5)


LADDER = "A" + RANKS  # the ace below as well: from 9-7-5-3-A to A-Q-10-8-6
SKIPPED = [LADDER[at : at + 9 : 2][::-1] for at in range(len(LADDER) - 8)]
ROUND_THE_CORNER = ("432AK", "32AKQ", "2AKQJ")

HOUSE_KINDS: dict[str, HouseKind] = {
    "blaze": HouseKind("blaze", _all_faces),
    "big-cat": HouseKind("big cat", _between("8", "K")),
    "little-cat": HouseKind("little cat", _between("3", "8")),
    "big-dog": HouseKind("big dog", _between("9", "A")),
    "little-dog": HouseKind("little dog", _between("2", "7")),
    "skeet": _one_of("9", "678", "5", "34", "2"),
    "five-and-dime": HouseKind("five and dime", _between("5", "T")),
    "skip-straight": _run("skip straight", SKIPPED),
    "round-straight": _run("round-the-corner straight", ROUND_THE_CORNER),
}


def bits_of(counts: Counts) -> NDArray[np.int64]:
    """A bit for each rank that is there."""
    return np.asarray(((counts > 0) << np.arange(ACE + 1)).sum(axis=1), dtype=np.int64)


SAME_RANK = {2: "pair", 3: "trips", 4: "quads"}


def of_one_rank(kind: str) -> tuple[str, int] | None:
    """`333` as trips of threes, the rank 0 to 12; None for other kinds."""
    plain = kind.replace("10", "T")
    if len(plain) in SAME_RANK and plain[0] in RANKS and len(set(plain)) == 1:
        return SAME_RANK[len(plain)], RANKS.index(plain[0])
    return None


def usual_name(kind: str) -> str:
    """The kind as everybody calls it: `333` are trips."""
    found = of_one_rank(kind)
    return found[0] if found else kind
