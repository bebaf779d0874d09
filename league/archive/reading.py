"""Read the lines of a season's file: bounded before they are read, each field by its own reader.

Everything that is wrong is told at once, with its line and field, up to a bound.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

from league.archive.fields import Unfit
from league.archive.file_format import (
    DEEPEST,
    FORMAT,
    HEAD,
    LONGEST_LINE,
    MOST_ERRORS,
    MOST_LINES,
    OLDEST,
    POSTING_KINDS,
    STILL_READ,
    TABLES,
    names_of,
)
from league.common import bounds
from league.common.errors import Problem, RefusedError, problem
from league.common.text import shown

# One that does not end is taken to the end of the line: no character is looked at twice.
_STRING = re.compile(r'"(?:[^"\\]++|\\.)*+"?')
_BRACKET = re.compile(r"[\[\]{}]")

Values = dict[str, Any]

# By table: the field that rows are counted by (none: the whole file), and how many there may be.
BOUNDS: dict[str, tuple[str, bounds.Bound]] = {
    "Player": ("", bounds.PLAYERS),
    "Night": ("", bounds.NIGHTS),
    "Seat": ("night", bounds.SEATS),
    "BuyIn": ("night", bounds.BUY_INS),
    "CashOut": ("night", bounds.CASH_OUTS),
    "Count": ("night", bounds.COUNTS),
    "Hand": ("night", bounds.HANDS),
    "Revision": ("hand", bounds.REVISIONS),
    "Charge": ("night", bounds.CHARGES),
    "Closing": ("night", bounds.CLOSINGS),
    "Payment": ("planned", bounds.PAYMENTS),
}


class Errors:
    """What is wrong with a file, as far as anybody wants to read it."""

    def __init__(self) -> None:
        self.found: list[Problem] = []

    def add(self, line: int, where: str, code: str, text: str) -> None:
        """Note one more; at the bound, nothing more is looked at."""
        at = "/".join(filter(None, (f"lines/{line}", where)))
        said = f"line {line}{f', {where}' if where else ''}: {text}"
        self.found.append(problem(shown(at), code, shown(said)))
        if len(self.found) >= MOST_ERRORS:
            self.refuse()

    def refuse(self) -> None:
        """Raise RefusedError if there is anything."""
        if self.found:
            raise RefusedError(self.found)


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the file: the line it stands in, its number in its table, its fields as ours."""

    line: int
    number: int
    values: Values

    def __getitem__(self, name: str) -> Any:
        return self.values[name]


@dataclass(frozen=True, slots=True)
class SeasonContent:
    """All that a file says: the league's part of the first line, the rows of each table."""

    league: Values
    rows: dict[str, dict[int, Row]] = field(default_factory=lambda: {name: {} for name in TABLES})

    def of(self, table: str) -> Iterable[Row]:
        return self.rows[table].values()

    def row(self, table: str, number: int) -> Row:
        return self.rows[table][number]

    def grouped(self, table: str, by: str) -> dict[int | None, list[Row]]:
        """Return the rows of a table by the row that a field names, in the file's order."""
        found: dict[int | None, list[Row]] = {}
        for row in self.of(table):
            found.setdefault(row[by], []).append(row)
        return found


def read_file(lines: Iterable[str], errors: Errors) -> SeasonContent:
    """Return what the file says. Raises RefusedError: with all that is wrong with single rows."""
    objects = _objects(lines)
    content = SeasonContent(_head(next(objects, (0, {}))[1]))
    for line, found in objects:
        _take(content, line, found, errors)
    errors.refuse()
    for name in TABLES:
        _look_around(content, name, errors)
    _check_bounds(content, errors)
    errors.refuse()
    return content


def _objects(lines: Iterable[str]) -> Iterator[tuple[int, Values]]:
    """Yield the object in each line, with the number of the line."""
    for number, line in enumerate(lines, start=1):
        if number > MOST_LINES:
            raise _no_file("too-long", f"the file has more than {MOST_LINES} lines")
        if len(line) > LONGEST_LINE:
            raise _no_file("too-long", f"line {number} is longer than {LONGEST_LINE} characters")
        if line.strip():
            yield number, _object(number, line)


def _object(number: int, line: str) -> Values:
    if _depth(line) > DEEPEST:
        raise _no_file("not-json", f"line {number} is nested more than {DEEPEST} deep")
    try:
        found = json.loads(line)
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise _no_file("not-json", f"line {number} is no JSON object: the file is no season")
    return found


def _depth(line: str) -> int:
    """Return how deep the brackets of a line go, those inside texts aside."""
    if line.count("[") + line.count("{") <= DEEPEST:
        return 0
    brackets = _BRACKET.findall(_STRING.sub("", line))
    return max(accumulate(1 if each in "[{" else -1 for each in brackets), default=0)


def _no_file(code: str, text: str) -> RefusedError:
    return RefusedError([problem("file", code, text)])


def _head(head: Values) -> Values:
    said = {key: head.get(key) for key in FORMAT}
    if said == OLDEST:
        text = "an older version of this service wrote this file: export the season again"
        raise _no_file("old-format", text)
    if said not in STILL_READ or head.keys() != HEAD:
        raise _no_file("unknown-format", "the file is no season of this version")
    if not isinstance(head["league"], dict):
        raise _no_file("unknown-format", "the file does not say what its chips are")
    return head["league"]


def _take(content: SeasonContent, line: int, found: Values, errors: Errors) -> None:
    name, number = found.pop("row", None), found.pop("id", None)
    table = TABLES.get(name) if isinstance(name, str) else None
    if table is None:
        errors.add(line, "row", "unknown-row", "no such row is part of a season")
        return
    found = {**table.added, **found}
    if type(number) is not int or not 1 <= number <= MOST_LINES:
        errors.add(line, "id", "bad-number", "a row has a whole number of its own, from 1")
    elif number in content.rows[name]:
        errors.add(line, "id", "told-twice", "another row of this table has the same number")
    elif found.keys() != table.fields.keys():
        for key in sorted(found.keys() ^ table.fields.keys()):
            lacking = key in table.fields
            code, text = ("missing", "this is missing") if lacking else ("unknown-field", "what?")
            errors.add(line, key, code, text if lacking else f"a {name} has no such field")
    else:
        content.rows[name][number] = Row(line, number, _values(line, name, found, errors))


def _values(line: int, name: str, found: Values, errors: Errors) -> Values:
    values = {}
    for key, read in TABLES[name].fields.items():
        try:
            values[key] = read.read(found[key])
        except Unfit as wrong:
            values[key] = None
            for each in wrong.errors:
                where = "/".join(filter(None, (key, each["where"])))
                errors.add(line, where, each["code"], each["text"])
    return values


def _look_around(content: SeasonContent, name: str, errors: Errors) -> None:
    """Find rows that name none of the file's, and those that say what another has said."""
    table = TABLES[name]
    seen: set[tuple[Any, ...]] = set()
    for row in content.of(name):
        for where, other, number in _names(row, name):
            if number not in content.rows[other]:
                errors.add(row.line, where, "unknown-row", f"the file has no {other} {number}")
        for key in table.once:
            said = (key, *(row[each] for each in key))
            if said in seen:
                errors.add(row.line, key[-1], "told-twice", f"another {name} says the same")
            seen.add(said)


def _check_bounds(content: SeasonContent, errors: Errors) -> None:
    """Find the tables that have more rows than a league, a night or a hand may have."""
    for name, (of, bound) in BOUNDS.items():
        groups = content.grouped(name, of) if of else {None: list(content.of(name))}
        for rows in groups.values():
            for each in bound.exceeded(0, adding=len(rows)):
                errors.add(rows[bound.most].line, "row", each["code"], each["text"])


def _names(row: Row, name: str) -> list[tuple[str, str, int]]:
    named = names_of(row.values, TABLES[name])
    return (
        [*named, ("of", POSTING_KINDS[row["kind"]].of, row["of"])] if name == "Posting" else named
    )
