"""The tournament clock: levels, the current level, its remaining time, and when to colour up."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import chain, count, cycle
from typing import Any

from league.chips import ChipSet
from league.common.errors import Problem, problem, refuse
from league.common.text import shown, tidy
from league.models import LONGEST_GAME_NAME, MOST_CHIPS

# Tournament levels: blinds, duration, game and breaks.


MOST_LEVELS = 60
MOST_MINUTES = 240
_LONGEST_LINE = 300
_BREAK = re.compile(r"break (\d{1,3})(?: min)?")
_LEVEL = re.compile(r"(\d{1,10})/(\d{1,10})(?: ante (\d{1,10}))? (\d{1,3})(?: min)?(?: (\S.*))?")
# Typical blinds of home tournaments. Each level is about 50 % higher than the previous one and can
# be paid with common chips. The last steps repeat, multiplied by ten.
_FIRST_STEPS, _STEPS = (1, 2), (3, 4, 6, 8, 12, 16, 20)
_STACK_IN_BIG_BLINDS = 100
_LEVELS_TO_A_BREAK, _BREAK_MINUTES, _HOURS = 4, 10, 4
_ROUND = (1, 2, 5, 10, 25, 50)  # common chip values, multiplied by powers of ten


@dataclass(frozen=True, slots=True)
class Level:
    """A level of play, or a break in which no hands are dealt.

    If `game` is empty, the dealer chooses the game.
    """

    seconds: int
    small: int = 0
    big: int = 0
    ante: int = 0
    game: str = ""

    @property
    def is_break(self) -> bool:
        return self.big == 0


def read_levels(text: str) -> list[Level]:
    """Read one level per line, such as `25/50 ante 5 20 min Omaha` or `break 10`.

    Raises RefusedError.
    """
    lines = [tidy(line) for line in text.splitlines()[: MOST_LEVELS + 1] if line.strip()]
    wrong, levels = list(_wrong_count(lines)), []
    for number, line in enumerate(lines, 1):
        level = _read(line)
        if level is None:
            example = "25/50 20 min, 50/100 ante 10 15 min Omaha, or break 10 min"
            text = f"line {number} ({shown(line[:60])}) is not a level: write {example}"
            wrong.append(problem(f"levels/{number - 1}", "bad-level", text))
        else:
            levels.append(level)
            wrong += wrong_level(level, number - 1)
    refuse(wrong)
    return levels


def wrong_levels(levels: Sequence[Level]) -> Iterator[Problem]:
    yield from _wrong_count(levels)
    for number, level in enumerate(levels[:MOST_LEVELS]):
        yield from wrong_level(level, number)


def wrong_level(level: Level, number: int) -> Iterator[Problem]:
    """Yield the problems with the level at index `number`."""
    where = f"levels/{number}"
    if not 60 <= level.seconds <= MOST_MINUTES * 60:
        yield problem(where, "bad-level", f"a level lasts from 1 to {MOST_MINUTES} minutes")
    if max(level.small, level.big, level.ante) > MOST_CHIPS:
        yield problem(where, "bad-level", f"blinds and ante are at most {MOST_CHIPS} chips")
    if level.is_break and (level.small or level.ante or level.game):
        yield problem(where, "bad-level", "a break has no blinds, ante or game")
    if level.small > level.big:
        yield problem(where, "bad-level", "the small blind must not be larger than the big blind")
    if len(level.game) > LONGEST_GAME_NAME:
        text = f"the name of a game has at most {LONGEST_GAME_NAME} characters"
        yield problem(where, "bad-level", text)


def levels_text(levels: Sequence[Level]) -> str:
    """Return the levels as text for `read_levels`. Durations must be whole minutes."""
    lines = []
    for level in levels:
        minutes = f"{level.seconds // 60} min"
        ante = f" ante {level.ante}" if level.ante else ""
        play = f"{level.small}/{level.big}{ante} {minutes} {level.game}".rstrip()
        lines.append(f"break {minutes}" if level.is_break else play)
    return "\n".join(lines)


def levels_json(levels: Sequence[Level]) -> list[dict[str, Any]]:
    """Return the levels as JSON, in the format that tournaments store."""
    return [asdict(each) for each in levels]


def levels_of_json(rows: Sequence[dict[str, Any]]) -> list[Level]:
    return [Level(**each) for each in rows]


def in_turn(levels: Sequence[Level], games: Sequence[str]) -> list[Level]:
    """Return the levels with these games in rotation.

    Levels that already have a game keep it.
    """
    turns = cycle(games or [""])
    return [
        level if level.is_break or level.game else replace(level, game=next(turns))
        for level in levels
    ]


def usual_levels(stack: int, minutes: int) -> list[Level]:
    """Return levels for about four hours, for starting stacks of at least a hundred big blinds."""
    blind = max(1, stack // (2 * _STACK_IN_BIG_BLINDS))
    power: int = 10 ** max(0, len(str(blind)) - 2)
    unit = max(each * power for each in _ROUND if each * power <= blind)
    levels: list[Level] = []
    for times in chain(_FIRST_STEPS, (step * 10**zeros for zeros in count() for step in _STEPS)):
        lasted = sum(level.seconds for level in levels)
        too_many = len(levels) >= MOST_LEVELS - 1 or 2 * unit * times > MOST_CHIPS
        if lasted >= _HOURS * 3600 or too_many:
            break
        if levels and sum(not level.is_break for level in levels) % _LEVELS_TO_A_BREAK == 0:
            levels.append(Level(_BREAK_MINUTES * 60))
        levels.append(Level(minutes * 60, unit * times, 2 * unit * times))
    return levels


def _read(line: str) -> Level | None:
    if len(line) > _LONGEST_LINE:
        return None
    if rest := _BREAK.fullmatch(line.lower()):
        return Level(60 * int(rest[1]))
    if match := _LEVEL.fullmatch(line):
        small, big, ante, minutes, game = match.groups()
        if int(big):
            return Level(60 * int(minutes), int(small), int(big), int(ante or 0), game or "")
    return None


def _wrong_count(levels: Sequence[object]) -> Iterator[Problem]:
    if not levels:
        yield problem("levels", "missing", "enter at least one level")
    if len(levels) > MOST_LEVELS:
        yield problem("levels", "too-many", f"a tournament has at most {MOST_LEVELS} levels")


@dataclass(frozen=True, slots=True)
class ClockTime:
    """The state of the clock at a moment. Times are in milliseconds, and levels count from 0.

    `over` is true after the end of the last level, which continues until there is a winner.
    """

    number: int
    passed: int
    left: int
    over: bool


def clock_at(levels: Sequence[Level], elapsed: int) -> ClockTime:
    """Return the clock after `elapsed` milliseconds. There must be at least one level."""
    begun = 0
    for number, level in enumerate(levels):
        lasts = 1000 * level.seconds
        if elapsed < begun + lasts:
            return ClockTime(number, elapsed - begun, begun + lasts - elapsed, over=False)
        begun += lasts
    last = len(levels) - 1
    return ClockTime(last, 1000 * levels[last].seconds, 0, over=True)


def start_of(levels: Sequence[Level], number: int) -> int:
    """Return how many milliseconds after the start the level begins."""
    return 1000 * sum(level.seconds for level in levels[:number])


def next_break(levels: Sequence[Level], elapsed: int) -> int | None:
    """Return how many milliseconds remain until the next break, or None if no break follows."""
    for number, level in enumerate(levels):
        begins = start_of(levels, number)
        if level.is_break and begins > elapsed:
            return begins - elapsed
    return None


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
