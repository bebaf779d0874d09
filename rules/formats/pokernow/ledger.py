"""PokerNow's ledger in: what everybody bought in for and left with, one row a session.

A ledger that went through a spreadsheet may have other separators, decimal commas, currency signs
and columns in another order. An amount with two readings ("1.000") is read as the other amounts of
the file are; where they do not decide, the row is refused.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal

from rules.formats.amounts import Number, Readings, is_chips, places_of, readings_of, to_units
from rules.formats.pokernow.log import Line
from rules.formats.text_files import CsvError, delimiter_of, rows

NEEDED = ("player_nickname", "player_id", "buy_in", "buy_out", "stack", "net")
CODE = re.compile(r"^[A-Z]{3}\b|\b[A-Z]{3}$", re.ASCII)  # of a currency
CHIPS = ("buy_in", "buy_out", "stack", "net")


@dataclass(slots=True)
class Player:
    """One player, all sessions together, in the smallest unit. Names by id: they may change."""

    id: str
    name: str
    buy_in: int = 0
    buy_out: int = 0
    stack: int = 0
    net: int = 0
    sessions: list[dict[str, str]] = field(default_factory=list)


@dataclass(slots=True)
class Ledger:
    """The players, how many decimal places their chips have, and the rows that can't be read."""

    players: list[Player] = field(default_factory=list)
    places: int = 0
    lines: list[Line] = field(default_factory=list)

    @property
    def balance(self) -> int:
        """What all nets come to: nothing, in a ledger that is right."""
        return sum(player.net for player in self.players)


def read_ledger(text: str, amounts: str) -> Ledger:
    """The players of a ledger. `cents` are whole already; `units` may have decimals."""
    ledger = Ledger()
    found = list(_amounts(list(_rows(text, ledger)), delimiter_of(text), ledger))
    whole = amounts != "cents" or all(not places_of(row.chips.values()) for row in found)
    if not whole:
        split = [row for row in found if places_of(row.chips.values())]
        ledger.lines += [Line(row.line, row.text, "unread") for row in split]
        found = [row for row in found if not places_of(row.chips.values())]
    ledger.places = places_of(number for row in found for number in row.chips.values())
    players: dict[str, Player] = {}
    for row in found:
        name, id_ = row.cells["player_nickname"], row.cells["player_id"]
        player = players.setdefault(id_, Player(id_, name))
        for key in CHIPS:
            units = to_units(row.chips[key], ledger.places) or 0
            setattr(player, key, getattr(player, key) + units)
        times = ("session_start_at", "session_end_at")
        player.sessions.append({key: row.cells[key] for key in times if row.cells.get(key)})
        buy_in, buy_out, stack, net = (row.chips[key] for key in CHIPS)
        if not ("nit_escrow" in row.cells or buy_out + stack - buy_in == net):
            ledger.lines.append(Line(row.line, row.text, "net-differs"))
    ledger.players = list(players.values())
    return ledger


@dataclass(frozen=True, slots=True)
class _Session:
    """A row of a ledger and its amounts."""

    line: int
    cells: dict[str, str]
    chips: dict[str, Number]

    @property
    def text(self) -> str:
        return ",".join(self.cells.values())


def _rows(text: str, ledger: Ledger) -> Iterator[tuple[int, dict[str, str]]]:
    """The rows that are whole, each with the line it ends on."""
    try:
        for row in rows(text):
            lacking = [name for name in NEEDED if name not in row.columns]
            if lacking:
                wrong = f"the ledger has no column {' and no column '.join(lacking)}"
                ledger.lines.append(Line(1, wrong, "unread"))
                return
            cells = {key: value.strip() for key, value in row.by_column.items() if key}
            if any(key not in cells for key in NEEDED):
                ledger.lines.append(Line(row.line, row.text[:200], "unread"))
            else:
                yield row.line, cells
    except CsvError as error:
        ledger.lines.append(Line(error.line, "from here on this is no CSV", "unread"))


# --- amounts ------------------------------------------------------------------------------------


def _amounts(
    found: list[tuple[int, dict[str, str]]], delimiter: str, ledger: Ledger
) -> Iterator[_Session]:
    """The rows with their amounts read, by the separators that the whole file uses."""
    read = {cells[key]: _readings(cells[key]) for _, cells in found for key in CHIPS}
    known = [each for each in read.values() if each is not None]
    decimals = {each.separator for each in known if each.grouped is None}
    groups = {each.separator for each in known if each.pointed is None} - decimals
    for line, cells in found:
        chips: dict[str, Number] = {}
        for key in CHIPS:
            each = read[cells[key]]
            number = None if each is None else _by_file(each, decimals, groups, delimiter)
            if number is not None and is_chips(number):
                chips[key] = int(number) if number == number.to_integral() else number
            elif each is not None and each.only is None:
                text = f"{cells[key]} can mean {each.grouped} or {each.pointed}"
                ledger.lines.append(Line(line, text, "ambiguous"))
                break
            else:
                ledger.lines.append(Line(line, ",".join(cells.values())[:200], "unread"))
                break
        else:
            yield _Session(line, cells, chips)


def _readings(cell: str) -> Readings | None:
    """What an amount can mean, without its currency; "(5.00)" is what accountants write for -5."""
    cell = cell.strip()
    if cell.startswith("(") and cell.endswith(")"):
        cell = f"-{cell[1:-1]}"
    plain = "".join(sign for sign in cell if unicodedata.category(sign) != "Sc")
    plain = CODE.sub("", plain.strip()).strip()
    if plain.startswith("- "):
        plain = f"-{plain[1:].strip()}"
    return readings_of(plain or "0")  # a player who still sits has no buy-out


def _by_file(
    each: Readings, decimals: set[str], groups: set[str], delimiter: str
) -> Decimal | None:
    """The reading that other amounts of the file have shown to be meant; None for no decision."""
    if each.only is not None:
        return each.only
    if len(decimals) == 1:
        return each.pointed if each.separator in decimals else each.grouped
    if not decimals and each.separator in groups:
        return each.grouped
    as_programs_write = not decimals and delimiter == "," and each.separator == "."
    return each.pointed if as_programs_write else None
