"""PokerNow's logs, with hands and stated stacks.

The files do not state whether 2500 means 2500 chips or 25.00, so the caller passes `amounts` as
`cents` or `units`. A log is sorted by its `order` column. Each line outside a hand is returned with
its number.
"""

import re
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from rules.formats.amounts import (
    places_of,
    read_number,
    to_units,
)
from rules.formats.hands import Imported, StackStatement
from rules.formats.pokernow.hand import read_hand
from rules.formats.pokernow.log_lines import (
    STARTS,
    Act,
    LoggedHand,
    NewId,
    OtherLine,
    StackLine,
    Stacks,
    Unread,
    is_end,
    read_line,
    read_start,
)
from rules.formats.text_files import (
    MOST_UNREAD,
    NOT_UNDERSTOOD,
    CsvError,
    delimiter_of,
    row_at,
    rows,
    unread,
)

Record = dict[str, Any]
ORDER = re.compile(r"\d{1,18}", re.ASCII)
MOST_ROWS = 250_000  # a log of 20 MB has 200,000 lines
AMOUNTS = CENTS, UNITS = "cents", "units"
AFTER_THE_END = frozenset(("show", "bounty"))


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the file that can't be used. `text` is the reason and quotes the line."""

    number: int
    text: str
    why: str  # "unread", "ambiguous", "net-differs", "negative" or "row-twice"


@dataclass(slots=True)
class Log:
    """The hands of a log, its unreadable lines, and the stacks stated after the last hand."""

    hands: list[Imported] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    after: list[StackStatement] = field(default_factory=list)

    def note(self, number: int, reason: str, text: str = "") -> None:
        """Add an unreadable line, unless too many are listed."""
        if len(self.lines) <= MOST_UNREAD:
            self.lines.append(Line(number, unread(len(self.lines), reason, text), "unread"))


@dataclass(frozen=True, slots=True)
class Entry:
    number: int
    text: str
    at: str


def iter_log(text: str, amounts: str, hero: str, log: Log) -> Iterator[Imported]:
    """Yield the hands of a log. Other lines and the last stacks are added to `log`.

    `hero` is the name or id of the player who exported the log.
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

    A log of 20 MB has 200,000 lines. Only the order and positions of the lines are stored, and each
    line is read again from the text when its turn comes.
    """
    orders, starts, ends, numbers = (array("q") for _ in range(4))
    columns: list[str] = []
    try:
        for place, row in enumerate(rows(text)):
            if place == MOST_ROWS:
                log.note(row.line, f"a log has at most {MOST_ROWS:,} lines: split the file")
                return
            columns = row.columns
            cells = row.by_column
            order = cells.get("order")
            if "entry" not in cells or (order is not None and not ORDER.fullmatch(order.strip())):
                log.note(row.line, "the line has no valid number", cells.get("entry", row.text))
            else:  # if there is no `order` column, the newest line still comes first
                orders.append(int(order) if order else -place)
                starts.append(row.start)
                ends.append(row.end)
                numbers.append(row.line)
    except CsvError as error:
        log.note(error.line, str(error))
    delimiter = delimiter_of(text)
    for place in sorted(range(len(orders)), key=orders.__getitem__):
        cells = row_at(text, slice(starts[place], ends[place]), columns, delimiter)
        yield Entry(numbers[place], cells["entry"].strip(), cells.get("at", "").strip())


class _LogReader:
    """Groups entries into hands and the statements between them.

    A player whose id changes keeps the first id. `statements` has one more list than `hands`,
    because there are statements before each hand and after the last one.
    """

    def __init__(self, log: Log, amounts: str) -> None:
        self.log, self.amounts = log, amounts
        self.hands: list[LoggedHand] = []
        self.statements: list[list[tuple[StackLine, Entry]]] = [[]]
        self.ids: dict[str, str] = {}  # a player's first id, keyed by later id
        self.first_names: dict[str, str] = {}  # a player's name in their first hand, keyed by id
        self.other_names: dict[str, str] = {}
        self.ended = True

    def read(self, entry: Entry) -> None:
        if start := read_start(entry.text):
            dealer = self.ids.get(start.dealer, start.dealer)
            self.hands.append(LoggedHand(start, dealer, entry.number, entry.at))
            self.statements.append([])
            self.ended = False
        elif entry.text.startswith(STARTS):
            self.log.note(entry.number, "the start of this hand is not understood", entry.text)
            self.ended = True
        elif is_end(entry.text):
            self.ended = True
        else:
            self.read_line(entry)

    def read_line(self, entry: Entry) -> None:
        line = read_line(entry.text)
        if isinstance(line, OtherLine):
            return
        if isinstance(line, StackLine):
            # during a hand, the line reports a stack that does not include the chips in the pot
            self.statements[-1 if self.ended else -2].append((self.with_known_id(line), entry))
        elif isinstance(line, NewId):
            self.ids[line.new] = self.ids.get(line.old, line.old)
        elif self.ended and not (
            self.hands and isinstance(line, Act) and line.verb in AFTER_THE_END
        ):
            is_unread = isinstance(line, Unread)
            reason = NOT_UNDERSTOOD if is_unread else "this line does not belong to a hand"
            self.log.note(entry.number, reason, entry.text)
        elif isinstance(line, Unread):
            self.log.note(entry.number, NOT_UNDERSTOOD, entry.text)
            if line.has_number:
                self.hands[-1].unread.append(entry.number)
        elif isinstance(line, Act):
            self.hands[-1].add(line, self.ids)
        else:
            if isinstance(line, Stacks):
                for stack in line.players:
                    self.first_names.setdefault(self.ids.get(stack.id, stack.id), stack.name)
            self.hands[-1].add(line, self.ids)

    def with_known_id(self, line: StackLine) -> StackLine:
        id_ = self.ids.get(line.id, line.id)
        self.other_names.setdefault(id_, line.name)
        return StackLine(line.kind, id_, line.name, line.chips, line.before)

    def names(self) -> dict[str, str]:
        """Return each player's first name by id. If two players share it, the id is added."""
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
            if None in chips or (places and self.amounts == CENTS):
                self.log.note(entry.number, "an amount in this line can't be read", entry.text)
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
