"""When a tournament's small chips are exchanged for larger ones ("colour up")."""

from collections.abc import Sequence

from league.chips import ChipSet
from league.tournaments.clock import Level


def colour_ups(chip_set: ChipSet, levels: Sequence[Level]) -> dict[int, list[str]]:
    """Return the colours that are no longer needed, keyed by the index of a level or break.

    From such a level on, a larger value of the set divides all blinds and antes, and all values
    above it. So no smaller chip is needed for a bet or for change. If the level follows a break,
    the break has the colours instead, because players exchange chips in the break. Colours that
    were never needed are not included.
    """
    values = [chips["value"] for chips in chip_set]
    smallest = _smallest_needed(values, levels)
    colours: dict[int, list[str]] = {}
    for number in range(1, len(levels)):
        needed = _smallest_needed(values, levels[number:])
        if needed > smallest:
            colours[number] = [
                chips["colour"] for chips in chip_set if smallest <= chips["value"] < needed
            ]
            smallest = needed
    return colours


def _smallest_needed(values: Sequence[int], levels: Sequence[Level]) -> int:
    """Return the largest value with which all bets can be made and changed, or 0."""
    bets = [bet for level in levels for bet in (level.small, level.big, level.ante) if bet]
    fits = (
        value
        for value in values
        if all(each % value == 0 for each in (*bets, *(other for other in values if other > value)))
    )
    return max(fits, default=0) if bets else 0
