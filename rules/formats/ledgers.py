"""Ledgers, which list the chips that each player bought and had at the end of a night.

PokerNow's ledger is of one night, with one row per session. A table of past nights has one row per
player and date: the buy-in and the cash-out, or only the result. Both may have been edited in a
spreadsheet, with other separators, decimal commas, currency signs and a different column order. An
amount with two readings ("1.000") is read like the other amounts in the file. If the other amounts
leave the reading open, the row is rejected.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from typing import NamedTuple

from rules.formats.amounts import Number, Readings, is_chips, places_of, readings_of, to_units
from rules.formats.pokernow.log import CENTS, Line
from rules.formats.text_files import CsvError, delimiter_of, header, quoting, rows

NEEDED = ("player_nickname", "player_id", "buy_in", "buy_out", "stack", "net")
TIMES = ("session_start_at", "session_end_at")
KEPT = frozenset((*NEEDED, *TIMES, "nit_escrow"))  # other columns would take memory
CODE = re.compile(r"^[A-Z]{3}\b|\b[A-Z]{3}$", re.ASCII)  # a currency code before or after an amount
CHIPS = ("buy_in", "buy_out", "stack", "net")
BOUGHT_OR_LEFT = CHIPS[:3]
# The columns of a table of past nights, with the names that people give them. Spaces, hyphens and
# underscores in names are ignored.
DAY, PLAYER, BOUGHT, LEFT, RESULT = "day", "player", "bought", "left", "result"
COLUMNS = {
    DAY: ("date", "day", "night"),
    PLAYER: ("player", "name", "playername"),
    BOUGHT: ("buyin", "buyins", "bought", "totalbuyin", "buyinamount"),
    LEFT: ("cashout", "cashouts", "left", "cashedout", "cashoutamount"),
    RESULT: ("net", "result", "profit", "profit/loss", "p/l", "pnl", "winnings"),
}
MEANINGS = {name: meaning for meaning, names in COLUMNS.items() for name in names}
DATE = re.compile(r"(\d{1,4})([-./])(\d{1,2})\2(\d{1,4})(?:[ T].*)?", re.ASCII)
MONTHS = 12
YEAR_DIGITS = 4
TOTALS = ("total", "totals", "sum")  # rows that are not a player's
IGNORED = str.maketrans("", "", " _-")
MOST_ROWS = 50_000  # 1,000 nights of 50 rows
TOO_MANY = f"a table has at most {MOST_ROWS:,} rows: split the file"
NAMES = {  # of the columns of amounts
    "buy_in": "buy-in", "buy_out": "buy-out", "stack": "stack", "net": "net",
    BOUGHT: "buy-in", LEFT: "cash-out", RESULT: "result",
}  # fmt: skip


class Amount(NamedTuple):
    """An amount of chips bought or left, as its cell writes it and in the smallest unit."""

    line: int
    text: str
    units: int


@dataclass(slots=True)
class Player:
    """The totals of a player's sessions in the smallest unit. The player's names may change.

    `line` is the line of the first session. `amounts` are the parts of the totals.
    """

    id: str
    name: str
    line: int
    buy_in: int = 0
    buy_out: int = 0
    stack: int = 0
    net: int = 0
    sessions: list[dict[str, str]] = field(default_factory=list)
    amounts: list[Amount] = field(default_factory=list)


@dataclass(slots=True)
class Ledger:
    """The players, the decimal places of their chips, and the unreadable rows."""

    players: list[Player] = field(default_factory=list)
    places: int = 0
    lines: list[Line] = field(default_factory=list)

    @property
    def balance(self) -> int:
        """The sum of all nets, which is zero in a correct ledger."""
        return sum(player.net for player in self.players)


def read_ledger(text: str, amounts: str) -> Ledger:
    """Return the players of a ledger. `cents` are integers, and `units` may have decimals."""
    ledger = Ledger()
    listed = list(_ledger_rows(text, ledger))
    rows = list(_amounts(listed, CHIPS, delimiter_of(text), ledger.lines))
    whole = amounts != CENTS or all(not places_of(row.chips.values()) for row in rows)
    if not whole:
        split = [row for row in rows if places_of(row.chips.values())]
        ledger.lines += [row.refused("an amount in cents has no decimals") for row in split]
        rows = [row for row in rows if not places_of(row.chips.values())]
    ledger.places = places_of(number for row in rows for number in row.chips.values())
    players: dict[str, Player] = {}
    for row in rows:
        name, id_ = row.cells["player_nickname"], row.cells["player_id"]
        # a ledger edited in a spreadsheet may have no ids
        player = players.setdefault(id_ or name.casefold(), Player(id_, name, row.line))
        for key in CHIPS:
            units = to_units(row.chips[key], ledger.places) or 0
            setattr(player, key, getattr(player, key) + units)
            if units and key in BOUGHT_OR_LEFT:
                player.amounts.append(Amount(row.line, row.cells[key], units))
        player.sessions.append({key: row.cells[key] for key in TIMES if row.cells.get(key)})
        buy_in, buy_out, stack, net = (row.chips[key] for key in CHIPS)
        if not ("nit_escrow" in row.cells or buy_out + stack - buy_in == net):
            reason = (
                f"the net {row.cells['net']} is not the buy-out plus the stack minus the buy-in"
            )
            ledger.lines.append(row.refused(reason, "net-differs"))
    ledger.players = list(players.values())
    return ledger


@dataclass(frozen=True, slots=True)
class _Session:
    """A row of a ledger: its last line, its cells, its text in the file, and its amounts."""

    line: int
    cells: dict[str, str]
    text: str
    chips: dict[str, Number] = field(default_factory=dict)

    def refused(self, reason: str, why: str = "unread") -> Line:
        return Line(self.line, quoting(reason, self.text), why)

    def undated(self) -> Line:
        """Return the reason why the date can't be read."""
        cell = self.cells[DAY]
        if not cell:
            return self.refused("the row has no date")
        match = DATE.fullmatch(cell)
        is_open = match and max(int(match[1]), int(match[3])) <= MONTHS and match[2] != "."
        why = "can be two dates: write it like" if is_open else "is not a date like"
        return Line(self.line, f"“{cell[:40]}” {why} 2024-03-13", "unread")

    def add_to(self, player: Player, places: int) -> Iterator[Line]:
        """Add the row's chips to the player's, or yield why the row is wrong."""
        chips = {key: to_units(number, places) or 0 for key, number in self.chips.items()}
        result = chips.get(RESULT, 0)
        bought, left = chips.get(BOUGHT, max(0, -result)), chips.get(LEFT, max(0, result))
        if bought < 0 or left < 0:
            name = NAMES[BOUGHT if bought < 0 else LEFT]
            yield self.refused(f"a {name} can't be negative", "negative")
        elif self.cells.get(RESULT) and result != left - bought:
            reason = f"the result {self.cells[RESULT]} is not the cash-out minus the buy-in"
            yield self.refused(reason, "net-differs")
        else:
            player.buy_in += bought
            player.buy_out += left
            player.net += left - bought
            of_totals = chips.keys() - {RESULT} or {RESULT}
            amounts = ((self.cells[key], units) for key, units in chips.items() if key in of_totals)
            player.amounts += [
                Amount(self.line, text, abs(units)) for text, units in amounts if units
            ]


def _ledger_rows(text: str, ledger: Ledger) -> Iterator[_Session]:
    """Yield the complete rows."""
    text = text.removeprefix("\ufeff")
    try:
        for number, row in enumerate(rows(text)):
            if lacking := [name for name in NEEDED if name not in row.columns]:
                wrong = f"the ledger has no column {' and no column '.join(lacking)}"
                ledger.lines.append(Line(1, wrong, "unread"))
                return
            if number == MOST_ROWS:
                ledger.lines.append(Line(row.line, TOO_MANY, "unread"))
                return
            cells = {key: value.strip() for key, value in row.by_column.items() if key in KEPT}
            session = _Session(row.line, cells, row.quoted(text))
            if any(key not in cells for key in NEEDED):
                ledger.lines.append(session.refused("the row has too few columns"))
            else:
                yield session
    except CsvError as error:
        ledger.lines.append(Line(error.line, str(error), "unread"))


# --- past nights --------------------------------------------------------------------------------


@dataclass(slots=True)
class PastNights:
    """The ledgers of a table's dates, and the rows without a readable date."""

    nights: dict[date, Ledger] = field(default_factory=dict)
    lines: list[Line] = field(default_factory=list)


def is_past_nights(text: str) -> bool:
    """Return whether the header has a date, a player, and the buy-in and cash-out or the result."""
    columns = _columns(header(text)).keys()
    return {DAY, PLAYER} <= columns and bool(_amount_keys(columns))


def read_past_nights(text: str) -> PastNights:
    """Return one ledger for each date. If there is only a result, chips lost count as bought."""
    past, wrong = PastNights(), list[Line]()
    listed = list(_past_rows(text, past.lines))
    if not listed and not past.lines:
        past.lines.append(Line(1, "the table has no rows below its first row", "unread"))
    keys = _amount_keys(listed[0].cells) if listed else []
    days = _days({row.cells[DAY] for row in listed})
    day_of = {row.line: day for row in listed if (day := days[row.cells[DAY]])}
    dated: list[_Session] = []
    for row in listed:
        if row.line not in day_of:
            past.lines.append(row.undated())
        elif row.cells[PLAYER] and any(row.cells[key] for key in keys):
            dated.append(row)
        else:
            lacking = "amount" if row.cells[PLAYER] else "player"
            wrong.append(row.refused(f"the row has no {lacking}"))
    sessions = list(_once(_amounts(dated, keys, delimiter_of(text), wrong), day_of, wrong))
    places = places_of(number for row in sessions for number in row.chips.values())
    players: dict[tuple[date, str], Player] = {}
    for row in sessions:
        day, name = day_of[row.line], row.cells[PLAYER]
        player = players.setdefault((day, name.casefold()), Player("", name, row.line))
        wrong += row.add_to(player, places)
    for (day, _), player in players.items():
        past.nights.setdefault(day, Ledger(places=places)).players.append(player)
    for each in wrong:
        past.nights.setdefault(day_of[each.number], Ledger(places=places)).lines.append(each)
    return past


def _once(
    rows: Iterable[_Session], day_of: Mapping[int, date], lines: list[Line]
) -> Iterator[_Session]:
    """Yield the rows that don't repeat an earlier row. Rows without chips left can be buy-ins."""
    seen: dict[tuple[object, ...], int] = {}
    for row in rows:
        key = (day_of[row.line], row.cells[PLAYER].casefold(), *row.chips.items())
        first = seen.setdefault(key, row.line)
        if first == row.line or (RESULT not in row.chips and row.chips.get(LEFT, 0) <= 0):
            yield row
        else:
            reason = f"the row is the same as line {first}: remove it or add them up in one row"
            lines.append(row.refused(reason, "row-twice"))


def _columns(names: Iterable[str]) -> dict[str, list[str]]:
    """Return the columns of a table of past nights by their meaning, in the file's spelling."""
    columns: dict[str, list[str]] = {}
    for name in names:
        if meaning := MEANINGS.get(name.translate(IGNORED)):
            columns.setdefault(meaning, []).append(name)
    return columns


def _amount_keys(columns: Collection[str]) -> list[str]:
    """Return the columns with amounts, or an empty list if they do not determine the results."""
    keys = [BOUGHT, LEFT] if BOUGHT in columns and LEFT in columns else []
    return [*keys, RESULT] if RESULT in columns else keys


def _past_rows(text: str, lines: list[Line]) -> Iterator[_Session]:
    """Yield the rows of players."""
    text = text.removeprefix("\ufeff")
    columns: dict[str, list[str]] = {}
    try:
        for number, row in enumerate(rows(text)):
            columns = columns or _columns(row.columns)
            twice = [name for names in columns.values() if len(names) > 1 for name in names]
            if twice:  # either of them can be the right one
                wrong = f"two columns have the same meaning: {', '.join(twice)[:200]}"
                lines.append(Line(1, wrong, "unread"))
                return
            if number == MOST_ROWS:
                lines.append(Line(row.line, TOO_MANY, "unread"))
                return
            cells = {key: row.by_column.get(name, "").strip() for key, [name] in columns.items()}
            named = {cells[DAY].casefold(), cells[PLAYER].casefold()}
            if any(cells.values()) and named.isdisjoint(TOTALS):
                yield _Session(row.line, cells, row.quoted(text))
    except CsvError as error:
        lines.append(Line(error.line, str(error), "unread"))


def _days(cells: Iterable[str]) -> dict[str, date | None]:
    """Return the dates of cells.

    The file's other dates decide whether 3/4/2024 is in March or in April. If none of them has a
    day above 12, the date is unknown.
    """
    parts = {cell: DATE.fullmatch(cell) for cell in cells}
    slashed = [m for m in parts.values() if m and len(m[1]) < YEAR_DIGITS and m[2] != "."]
    day_first = any(int(match[1]) > MONTHS for match in slashed)
    month_first = any(int(match[3]) > MONTHS for match in slashed)
    return {cell: m and _day(m, day_first, month_first) for cell, m in parts.items()}


def _day(match: re.Match[str], day_first: bool, month_first: bool) -> date | None:
    first, sign, second, third = match.groups()
    if len(first) == YEAR_DIGITS:
        year, month, day = first, second, third
    elif sign == "." or (day_first and not month_first):
        day, month, year = first, second, third
    elif month_first and not day_first:
        month, day, year = first, second, third
    else:
        return None
    if len(year) != YEAR_DIGITS:
        return None
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        return None


# --- amounts ------------------------------------------------------------------------------------


def _amounts(
    rows: list[_Session], keys: Sequence[str], delimiter: str, lines: list[Line]
) -> Iterator[_Session]:
    """Yield the rows with their amounts, read with the separators that the whole file uses."""
    read = {row.cells[key]: _readings(row.cells[key]) for row in rows for key in keys}
    readings = [reading for reading in read.values() if reading is not None]
    decimals = {reading.separator for reading in readings if reading.grouped is None}
    groups = {reading.separator for reading in readings if reading.pointed is None} - decimals
    for row in rows:
        chips: dict[str, Number] = {}
        for key in keys:
            reading = read[cell := row.cells[key]]
            number = None if reading is None else _by_file(reading, decimals, groups, delimiter)
            if number is not None and is_chips(number):
                chips[key] = int(number) if number == number.to_integral() else number
            elif reading is not None and reading.only is None:
                text = f"{cell} can mean {reading.grouped} or {reading.pointed}"
                lines.append(row.refused(text, "ambiguous"))
                break
            else:
                lines.append(row.refused(f"the {NAMES[key]} “{cell[:40]}” is not an amount"))
                break
        else:
            yield replace(row, chips=chips)


def _readings(cell: str) -> Readings | None:
    """Return the readings of an amount without its currency. Accountants write -5 as "(5.00)"."""
    cell = cell.strip()
    if cell.startswith("(") and cell.endswith(")"):
        cell = f"-{cell[1:-1]}"
    plain = "".join(sign for sign in cell if unicodedata.category(sign) != "Sc")
    plain = CODE.sub("", plain.strip()).strip()
    if plain.startswith("- "):
        plain = f"-{plain[1:].strip()}"
    return readings_of(plain or "0")  # the buy-out is empty if the player is still seated


def _by_file(
    reading: Readings, decimals: set[str], groups: set[str], delimiter: str
) -> Decimal | None:
    """Return the reading that the other amounts of the file support, or None."""
    if reading.only is not None:
        return reading.only
    if len(decimals) == 1:
        return reading.pointed if reading.separator in decimals else reading.grouped
    if not decimals and reading.separator in groups:
        return reading.grouped
    as_programs_write = not decimals and delimiter == "," and reading.separator == "."
    return reading.pointed if as_programs_write else None
