"""The input and output of an import: files, options and problems."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from league.common.errors import Problem, problem
from league.common.text import shown, tidy
from league.models import LONGEST_NAME, League, SettlementPeriod
from rules.api import MOST_PLACES
from rules.formats.pokernow.log import AMOUNTS

DATE, FILE = "date", "file"
LARGEST_FILES = 20_000_000  # maximum total size of an import's files in bytes
EVERYONE = "all"  # a difference that applies to all players in the night


@dataclass(frozen=True, slots=True)
class Source:
    """A file to import."""

    name: str
    folder: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportOptions:
    """The options of an import.

    `amounts` is the unit of PokerNow's numbers. A chip is worth `units` of 10^-`places` of the
    files' unit (2 places if a chip is a cent). If `places` is None, the largest number of decimal
    places in the files is used. But with `by_value`, a chip is worth its value in the league if
    the files have decimals. `nights` groups hands by date or by file. `called` maps names in the
    files to players. `close` closes the nights with the result of the hands, except nights whose
    chips are in doubt. `bears` is EVERYONE or the name of the player who pays any difference in a
    ledger. If it is empty, nights with a difference stay open. `settled` records the nights'
    payments as paid, for past seasons.
    """

    amounts: str = ""
    places: int | None = None
    units: int = 1
    by_value: bool = False
    nights: str = DATE
    called: Mapping[str, str] = field(default_factory=dict)
    add_players: bool = False
    close: bool = False
    bears: str = ""
    settled: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportProblem:
    """A part of a file that was not recorded or looks wrong, with the reason.

    `line` is 0 if the line is unknown. `action` is one of the hand's actions. `player` is a name in
    the file that is not in the league. `keeps_open` is true if everything was recorded, but the
    night stays open.
    """

    file: str
    code: str
    text: str
    hand: str = ""
    line: int = 0
    where: str = ""
    action: str = ""
    player: str = ""
    keeps_open: bool = False

    def as_dict(self) -> dict[str, Any]:
        columns = ("file", "line", "hand", "where", "action", "code", "text")
        return {name: getattr(self, name) for name in columns}

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        hand = f" hand {self.hand}" if self.hand else ""
        action = f" ({self.action})" if self.action else ""
        return f"{place}:{hand}{' ' + self.where if self.where else ''}{action}: {self.text}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportDifference:
    """A stack that differs from the hands and purchases in the same file, in chips.

    `hand` is empty if the file states the stack between two hands.
    """

    file: str
    night: str
    player: str
    expected: int
    stated: int
    hand: str = ""
    line: int = 0

    code = "stack-differs"
    action = ""

    @property
    def where(self) -> str:
        return self.player

    @property
    def text(self) -> str:
        chips = self.stated - self.expected
        more = f"{abs(chips):,} {'more' if chips > 0 else 'fewer'}"
        return f"{self.player} has {self.stated:,} chips, {self.expected:,} expected: {more}"

    def as_dict(self) -> dict[str, Any]:
        columns = ("file", "line", "hand", "night", "player", "expected", "stated", "code", "text")
        return {name: getattr(self, name) for name in columns}

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        return f"{place}:{f' hand {self.hand}' if self.hand else ''} {self.text}"


def import_problem(
    cause: Problem,
    *,
    file: str,
    hand: object = None,
    line: int = 0,
    action: str = "",
    player: str = "",
) -> ImportProblem:
    """Return a problem, with its hand and location."""
    return ImportProblem(
        file=shown(file),
        line=line,
        hand="" if hand is None else shown(str(hand))[:LONGEST_NAME],
        where=shown(cause["where"]),
        action=shown(action),
        player=shown(player),
        code=cause["code"],
        text=shown(cause["text"]),
    )


def wrong_options(
    league: League, options: ImportOptions, added: Collection[str] | None = None
) -> Iterator[Problem]:
    """Yield the problems with the options.

    `added` are the names that the files add to the league. If it is None, the names in the files
    are not known yet, and players are only checked if the files may not add any.
    """
    if options.amounts and options.amounts not in AMOUNTS:
        yield problem("amounts", "wrong-type", f"amounts must be {' or '.join(AMOUNTS)}")
    if options.nights not in (DATE, FILE):
        yield problem("nights", "wrong-type", f"nights must be {DATE} or {FILE}")
    if options.places is not None and not 0 <= options.places <= MOST_PLACES:
        yield problem("places", "wrong-type", f"decimal places must be from 0 to {MOST_PLACES}")
    if (options.bears or options.settled) and not options.close:
        yield problem("close", "missing", "only closed nights have payments: close the nights too")
    if options.settled and league.settles == SettlementPeriod.SEASON:
        text = "this league settles at the end of the season: settle the season then"
        yield problem("settled", "wrong-type", text)
    if options.add_players and added is None:
        return
    there = {tidy(name).lower() for name in (added if options.add_players and added else ())}
    there |= {name.lower() for name in league.players.values_list("name", flat=True)}
    if options.bears and options.bears != EVERYONE and tidy(options.bears).lower() not in there:
        text = f"the league has no player {shown(options.bears)}"
        yield problem("bears", "unknown-player", text)
    for name, meant in () if options.add_players else options.called.items():
        if tidy(meant).lower() not in there:
            text = f"the league has no player {shown(meant)} to match with {shown(name)}"
            yield problem("called", "unknown-player", text)
