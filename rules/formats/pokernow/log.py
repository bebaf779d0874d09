"""PokerNow's log of a table in: hands, and the stacks that lines between them state.

The file does not say whether 2500 is 2500 chips or 25.00, so the caller must: `amounts` is `cents`
or `units`. A log comes newest first and is put in order by its `order` column. Every line that is
no part of a hand is handed back with its number: nothing is dropped.
"""

import re
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from rules.formats.amounts import places_of, read_number, to_units
from rules.formats.hand_builder import Imported
from rules.formats.pokernow.hand import read_hand
from rules.formats.pokernow.log_lines import (
    STARTS,
    Act,
    Beside,
    LoggedHand,
    NewId,
    StackLine,
    Stacks,
    Unread,
    is_end,
    read_line,
    read_start,
)
from rules.formats.stacks import StackStatement
from rules.formats.text_files import CsvError, Row, delimiter_of, row_at, rows

Record = dict[str, Any]
ORDER = re.compile(r"\d{1,18}", re.ASCII)
AMOUNTS = ("cents", "units")
AFTER_THE_END = frozenset(("show", "bounty"))


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the file that is in no hand, and why."""

    number: int
    text: str
    why: str  # beside: moves no chips; stacks: states a stack; unread


@dataclass(slots=True)
class Log:
    """The hands of a log with the stacks stated before each; stacks stated after the last one."""

    hands: list[Imported] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    after: list[StackStatement] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Entry:
    number: int
    text: str
    at: str


def iter_log(text: str, amounts: str, hero: str, log: Log) -> Iterator[Imported]:
    """Yield the hands of a log, and note its other lines and last stacks in `log`.

    `hero` is the name or id of its exporter.
    """
    reader = _LogReader(log, amounts)
    for entry in _entries(text.removeprefix("\ufeff"), log):
        reader.read(entry)
    names = reader.names()
    reader.hands.reverse()
    for statements in reader.statements[:-1]:
        hand = read_hand(reader.hands.pop(), names, amounts, hero)
        hand.before = list(reader.stated(statements, names))
        yield hand
    log.after = list(reader.stated(reader.statements[-1], names))
    log.lines.sort(key=lambda line: line.number)


def _entries(text: str, log: Log) -> Iterator[Entry]:
    """Yield the lines of a log, oldest first.

    A log of 20 MB has 200,000 lines: only their order and places are held, and each line is read
    from the text again when it is its turn.
    """
    orders, starts, ends, numbers = (array("q") for _ in range(4))
    columns: list[str] = []
    for place, row in enumerate(_rows(text, log)):
        columns = row.columns
        cells = row.by_column
        order = cells.get("order")
        if "entry" not in cells or (order is not None and not ORDER.fullmatch(order.strip())):
            log.lines.append(Line(row.line, cells.get("entry", row.text[:200]), "unread"))
        else:  # without an order the newest is still the first
            orders.append(int(order) if order else -place)
            starts.append(row.start)
            ends.append(row.end)
            numbers.append(row.line)
    delimiter = delimiter_of(text)
    for place in sorted(range(len(orders)), key=orders.__getitem__):
        cells = row_at(text, slice(starts[place], ends[place]), columns, delimiter)
        yield Entry(numbers[place], cells["entry"].strip(), cells.get("at", "").strip())


def _rows(text: str, log: Log) -> Iterator[Row]:
    try:
        yield from rows(text)
    except CsvError as error:
        log.lines.append(Line(error.line, "from here on this is no CSV", "unread"))


class _LogReader:
    """Takes entries in order, and puts them together as hands and statements between them.

    A player whose id changes keeps the first one. `statements` has one list more than `hands`: what
    is stated before each hand, and after the last one.
    """

    def __init__(self, log: Log, amounts: str) -> None:
        self.log, self.amounts = log, amounts
        self.hands: list[LoggedHand] = []
        self.statements: list[list[tuple[StackLine, Entry]]] = [[]]
        self.ids: dict[str, str] = {}  # the first id of a player by each later one
        self.first_names: dict[str, str] = {}  # at the start of a hand
        self.other_names: dict[str, str] = {}
        self.ended = True

    def read(self, entry: Entry) -> None:
        if start := read_start(entry.text):
            dealer = self.ids.get(start.dealer, start.dealer)
            self.hands.append(LoggedHand(start, dealer, entry.number, entry.at))
            self.statements.append([])
            self.ended = False
        elif entry.text.startswith(STARTS):
            self.note(entry, "unread")
            self.ended = True
        elif is_end(entry.text):
            self.ended = True
        else:
            self.read_line(entry)

    def read_line(self, entry: Entry) -> None:
        line = read_line(entry.text)
        if isinstance(line, Beside):
            self.note(entry, "beside")
        elif isinstance(line, StackLine):
            # while a hand is played, such a line states a stack without the chips of that hand
            self.statements[-1 if self.ended else -2].append((self.known(line), entry))
            self.note(entry, "stacks")
        elif isinstance(line, NewId):
            self.ids[line.new] = self.ids.get(line.old, line.old)
            self.note(entry, "beside")
        elif self.ended and not (
            self.hands and isinstance(line, Act) and line.verb in AFTER_THE_END
        ):
            self.note(entry, "unread")
        elif isinstance(line, Unread):
            self.note(entry, "unread")
            if line.has_number:
                self.hands[-1].unread.append(entry.number)
        elif isinstance(line, Act):
            self.hands[-1].add(line, self.ids)
        else:
            if isinstance(line, Stacks):
                for stack in line.players:
                    self.first_names.setdefault(self.ids.get(stack.id, stack.id), stack.name)
            self.hands[-1].add(line, self.ids)

    def known(self, line: StackLine) -> StackLine:
        id_ = self.ids.get(line.id, line.id)
        self.other_names.setdefault(id_, line.name)
        return StackLine(line.kind, id_, line.name, line.chips, line.before)

    def note(self, entry: Entry, why: str) -> None:
        self.log.lines.append(Line(entry.number, entry.text, why))

    def names(self) -> dict[str, str]:
        """The name of each player by id: the first one; with the id where two play together."""
        clashing: set[str] = set()
        for hand in self.hands:
            by_name: dict[str, str] = {}
            for id_ in hand.seats:
                other = by_name.setdefault(self.first_names[id_].casefold(), id_)
                if other != id_:
                    clashing |= {other, id_}
        return {
            id_: f"{name} ({id_})" if id_ in clashing else name
            for id_, name in (self.other_names | self.first_names).items()
        }

    def stated(
        self, lines: list[tuple[StackLine, Entry]], names: dict[str, str]
    ) -> Iterator[StackStatement]:
        for line, entry in lines:
            numbers = [read_number(text) for text in (line.chips, line.before) if text]
            places = places_of(numbers)
            chips = [to_units(number, places) for number in numbers]
            if None in chips or (places and self.amounts == "cents"):
                self.note(entry, "unread")
                continue
            yield StackStatement(
                kind=line.kind,
                player=names[line.id],
                chips=chips[0] or 0,
                before=(chips[1] or 0) if len(chips) > 1 else 0,
                id=line.id,
                places=places,
                line=entry.number,
                at=entry.at,
            )
