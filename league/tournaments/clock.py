"""Where the clock of a tournament is: at which level, and how long that one still lasts."""

from collections.abc import Sequence
from dataclasses import dataclass

from league.tournaments.levels import Level


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment of the clock, in milliseconds: the level of this number, from 0.

    It is `over` when all levels have been played: the last one stays until somebody has won.
    """

    number: int
    passed: int
    left: int
    over: bool


def moment(levels: Sequence[Level], elapsed: int) -> Moment:
    """Return where the clock is after so many milliseconds. There is at least one level."""
    begun = 0
    for number, level in enumerate(levels):
        lasts = 1000 * level.seconds
        if elapsed < begun + lasts:
            return Moment(number, elapsed - begun, begun + lasts - elapsed, over=False)
        begun += lasts
    last = len(levels) - 1
    return Moment(last, 1000 * levels[last].seconds, 0, over=True)


def start_of(levels: Sequence[Level], number: int) -> int:
    """Return after how many milliseconds a level begins."""
    return 1000 * sum(level.seconds for level in levels[:number])


def next_break(levels: Sequence[Level], elapsed: int) -> int | None:
    """Return the milliseconds until the next break begins; None where there is none to come."""
    for number, level in enumerate(levels):
        begins = start_of(levels, number)
        if level.is_break and begins > elapsed:
            return begins - elapsed
    return None
