"""How strong hands without wild cards are, straight from the meaning of a scale."""

import numpy as np
from numpy.typing import NDArray

from rules.ranking.house_kinds import HOUSE_KINDS, bits_of, of_one_rank
from rules.ranking.poker_scales import (
    CEILING,
    FOUR_FLUSH,
    FOUR_STRAIGHT,
    FULL_HAND,
    STRAIGHT_KINDS,
    Scale,
)

Kinds = dict[str, NDArray[np.bool_]]  # the hands of each kind
HIGH_ACE = 14


def natural_strengths(
    scale: Scale, counts: NDArray[np.int8], suited: str | None
) -> NDArray[np.int32]:
    """Strengths of hands without wild cards, straight from the meaning of the scale."""
    values = np.array([*range(2, 14), scale.ace])
    weights = np.where(counts > 0, counts.astype(np.int64) * 16 + values, 0)
    ordered = -np.sort(-weights, axis=1)[:, :5]
    digits = np.where(ordered > 0, ordered % 16, 0)
    found = _kinds(scale, ordered // 16, counts, suited)
    category = _categories(scale, found)
    _put_tops(scale, counts, digits, category)
    if scale.quick_quads:
        _put_quick_quads(scale, counts, digits, category)
    strength = category.astype(np.int64)
    for column in range(5):
        strength = strength * 16 + (digits[:, column] if column < digits.shape[1] else 0)
    return (CEILING - strength if scale.lowest_wins else strength).astype(np.int32)


def _kinds(
    scale: Scale, groups: NDArray[np.int64], counts: NDArray[np.int8], suited: str | None
) -> Kinds:
    """The hands of each kind. Two pair are no pair and a full house is no trips, whatever an order
    says of them; a straight or a flush may be another kind as well, of which the strongest counts.
    """
    most, next_most = groups[:, 0], groups[:, 1]
    size = int(counts[0].sum())
    straight = _straight_tops(scale, counts) > 0
    flush = np.full(
        len(counts), suited == "flush" and scale.flushes and size in scale.sizes, dtype=bool
    )
    quick = _quick_quads(counts) if scale.quick_quads else np.zeros(len(counts), dtype=bool)
    found = {
        "pair": (most == 2) & (next_most < 2),
        "two-pair": (most == 2) & (next_most == 2),
        "trips": (most == 3) & (next_most < 2) & ~quick,
        "straight": straight & ~flush,
        "flush": flush & ~straight,
        "full-house": (most == 3) & (next_most == 2) & ~quick,
        "quads": (most == 4) | quick,
        "straight-flush": straight & flush,
        "five-of-a-kind": most == 5,
    }
    if size == FULL_HAND:
        found[FOUR_STRAIGHT] = _four_straights(scale, counts) & ~(straight & flush)
        found[FOUR_FLUSH] = np.full(len(counts), suited == FOUR_FLUSH)
    for kind in scale.order:
        if size == FULL_HAND and kind in HOUSE_KINDS:
            found[kind] = HOUSE_KINDS[kind].fits(counts)
        elif one := of_one_rank(kind):
            found[kind] = found[one[0]] & (counts[:, one[1]] > 1)
    return found


def _categories(scale: Scale, found: Kinds) -> NDArray[np.int64]:
    """The place of each hand's strongest kind in the order of the scale."""
    # an order may have moved it from the weakest place
    best = np.full(len(found["pair"]), scale.order.index("high-card"), dtype=np.int64)
    for place, category in enumerate(scale.order):
        if category in found:
            best[found[category]] = place
    return best


def _quick_quads(counts: NDArray[np.int8]) -> NDArray[np.bool_]:
    """Trips, and two cards that add up to their rank: 9-9-9-6-3, aces one, faces nothing."""
    pips = np.array([*range(2, 11), 0, 0, 0, 1])
    with_pips = np.where(pips > 0, counts, 0)
    found = np.zeros(len(counts), dtype=bool)
    for rank, pip in enumerate(pips.tolist()):
        rest = with_pips.sum(axis=1) - with_pips[:, rank]
        adds_up = with_pips @ pips - with_pips[:, rank] * pip == pip
        found |= (counts[:, rank] == 3) & (rest == 2) & adds_up & (pip > 0)
    return found


def _put_quick_quads(
    scale: Scale,
    counts: NDArray[np.int8],
    digits: NDArray[np.int64],
    category: NDArray[np.int64],
) -> None:
    """Both other cards make up the fourth: none is left for a kicker."""
    rows = _quick_quads(counts) & (category == scale.order.index("quads"))
    digits[rows, 1:] = 0


def places(scale: Scale, *categories: str) -> list[int]:
    """Where categories stand in the order, without those that do not count."""
    return [scale.order.index(name) for name in categories if name in scale.order]


def _straight_tops(scale: Scale, counts: NDArray[np.int8]) -> NDArray[np.int64]:
    """The top rank of the straight that each of these counts makes, 0 for none."""
    values = np.array([*range(2, 14), scale.ace])
    held = ((counts > 0) << values).sum(axis=1)
    size = int(counts[0].sum())
    tops = np.zeros(len(counts), dtype=np.int64)
    for run in reversed(scale.straights):  # the first that is told counts
        if len(run) == size:
            tops[held == sum(1 << rank for rank in run)] = run[0]
    return tops


def _put_tops(
    scale: Scale,
    counts: NDArray[np.int8],
    digits: NDArray[np.int64],
    category: NDArray[np.int64],
) -> None:
    """A straight is told by its top rank alone: a wheel is five high, wherever it stands."""
    rows = np.isin(category, places(scale, *STRAIGHT_KINDS))
    digits[rows] = 0
    digits[rows, 0] = _straight_tops(scale, counts)[rows]
    if scale.wheel:
        wheel = rows & _is_wheel(scale, counts)
        digits[wheel, 1] = digits[wheel, 0]
        digits[wheel, 0] = scale.wheel
    for kind in HOUSE_KINDS.keys() & {*scale.order}:
        of_kind = category == scale.order.index(kind)
        for bits, top in HOUSE_KINDS[kind].tops.items():
            run = of_kind & (bits_of(counts) == bits)
            digits[run] = 0
            digits[run, 0] = top


def _is_wheel(scale: Scale, counts: NDArray[np.int8]) -> NDArray[np.bool_]:
    """Which are straights with the ace below."""
    found = np.zeros(len(counts), dtype=bool)
    for run in scale.straights:
        if run[-1] == HIGH_ACE:
            found |= bits_of(counts) == sum(1 << rank - 2 for rank in run)
    return found


def _four_straights(scale: Scale, counts: NDArray[np.int8]) -> NDArray[np.bool_]:
    """Four of the five cards in sequence; the ace may stand at either end on the high scale."""
    held = counts > 0
    ladder = np.concatenate([held[:, 12:], held], axis=1)  # ace, 2 .. king, ace
    if scale.ace == 1:
        ladder = ladder[:, :13]
    runs = [ladder[:, low : low + 4].all(axis=1) for low in range(ladder.shape[1] - 3)]
    return np.asarray(np.logical_or.reduce(runs), dtype=np.bool_)
