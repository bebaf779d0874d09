"""Read a season file into rows: first check each field, then the consistency between rows.

All errors of a step are reported together, with line and field. No database is used.
"""

import json
import re
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

from league.archive.fields import FieldError
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
)
from league.common import row_limits
from league.common.errors import Problem, RefusedError, problem
from league.common.text import shown
from league.models import ObjectionAnswer, Payment
from league.scoring.season_table import Option, wrong_option

# An unterminated string extends to the end of the line, which prevents reading a character twice.
_STRING = re.compile(r'"(?:[^"\\]++|\\.)*+"?')
_BRACKET = re.compile(r"[\[\]{}]")

Values = dict[str, Any]

# For each table, the field that groups the rows ("" for the whole file), and the limit per group.
BOUNDS: dict[str, tuple[str, row_limits.RowLimit]] = {
    "Player": ("", row_limits.PLAYERS),
    "Night": ("", row_limits.NIGHTS),
    "Seat": ("night", row_limits.SEATS),
    "BuyIn": ("night", row_limits.BUY_INS),
    "CashOut": ("night", row_limits.CASH_OUTS),
    "Count": ("night", row_limits.COUNTS),
    "Hand": ("night", row_limits.HANDS),
    "Revision": ("hand", row_limits.REVISIONS),
    "Objection": ("hand", row_limits.OBJECTIONS),
    "Charge": ("night", row_limits.CHARGES),
    "Closing": ("night", row_limits.CLOSINGS),
    "Payment": ("planned", row_limits.PAYMENTS),
}
# Which states of a payment may follow each state.
State = Payment.State
STEPS: dict[str | None, tuple[str, ...]] = {
    None: (State.PROMISED,),
    State.PROMISED: (State.CONFIRMED, State.DISPUTED, State.WITHDRAWN),
    State.DISPUTED: (State.CONFIRMED, State.WITHDRAWN),
    State.CONFIRMED: (State.WITHDRAWN,),
    State.WITHDRAWN: (),
}


class Errors:
    """The errors of a file, up to a limit."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def add(self, line: int, where: str, code: str, text: str) -> None:
        """Add an error. Raises RefusedError when the limit is reached."""
        at = "/".join(filter(None, (f"lines/{line}", where)))
        full = f"line {line}{f', {where}' if where else ''}: {text}"
        self.problems.append(problem(shown(at), code, shown(full)))
        if len(self.problems) >= MOST_ERRORS:
            self.refuse()

    def refuse(self) -> None:
        """Raise RefusedError if there are errors."""
        if self.problems:
            raise RefusedError(self.problems)


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the file.

    `line` is its line in the file, and `number` is its number in the table.
    """

    line: int
    number: int
    values: Values

    def __getitem__(self, name: str) -> Any:
        return self.values[name]


@dataclass(frozen=True, slots=True)
class SeasonContent:
    """All rows of a file, keyed by table and number.

    `league` is the part of the first line that describes the league.
    """

    league: Values
    rows: dict[str, dict[int, Row]] = field(default_factory=lambda: {name: {} for name in TABLES})

    def of(self, table: str) -> Iterable[Row]:
        return self.rows[table].values()

    def row(self, table: str, number: int) -> Row:
        return self.rows[table][number]

    def grouped(self, table: str, by: str) -> dict[int | None, list[Row]]:
        """Return a table's rows, grouped by the row that the field `by` references.

        Each group is in file order.
        """
        groups: dict[int | None, list[Row]] = {}
        for row in self.of(table):
            groups.setdefault(row[by], []).append(row)
        return groups

    def add_row(self, line: int, fields: Values, errors: Errors) -> None:
        """Add a row to the content. A rejected value becomes None and adds an error."""
        name, number = fields.pop("row", None), fields.pop("id", None)
        table = TABLES.get(name) if isinstance(name, str) else None
        if table is None:
            errors.add(line, "row", "unknown-row", "a season has no rows of this kind")
            return
        fields = {**table.added, **fields}
        if type(number) is not int or not 1 <= number <= MOST_LINES:
            text = "each row needs its own whole number, starting at 1"
            errors.add(line, "id", "bad-number", text)
            return
        if number in self.rows[name]:
            errors.add(line, "id", "told-twice", "another row of this table has the same number")
            return
        if wrong := sorted(fields.keys() ^ table.fields.keys()):
            for key in wrong:
                missing = key in table.fields
                text = "this is missing" if missing else f"a {name} has no such field"
                errors.add(line, key, "missing" if missing else "unknown-field", text)
            return
        values: Values = {}
        for key, of_field in table.fields.items():
            try:
                values[key] = of_field.read(fields[key])
            except FieldError as rejected:
                values[key] = None
                for error in rejected.errors:
                    where = "/".join(filter(None, (key, error["where"])))
                    errors.add(line, where, error["code"], error["text"])
        self.rows[name][number] = Row(line, number, values)

    def check_references(self, name: str, errors: Errors) -> None:
        """Add errors for references to missing rows, and for duplicates of unique values."""
        table = TABLES[name]
        seen: set[tuple[Any, ...]] = set()
        for row in self.of(name):
            named = [
                (where, *target)
                for where, of_field in table.fields.items()
                for target in of_field.names(row[where])
            ]
            if name == "Posting":
                named.append(("of", POSTING_KINDS[row["kind"]].of, row["of"]))
            for where, other, number in named:
                if number not in self.rows[other]:
                    errors.add(row.line, where, "unknown-row", f"the file has no {other} {number}")
            for key in table.once:
                unique = (key, *(row[each] for each in key))
                if unique in seen:
                    text = f"another {name} has the same value"
                    errors.add(row.line, key[-1], "told-twice", text)
                seen.add(unique)


def read_file(lines: Iterable[str], errors: Errors) -> SeasonContent:
    """Return the rows of the file.

    Raises RefusedError with all errors of the first step that has any. The steps are fields, then
    references and limits, then contradictions between rows.
    """
    objects = _objects(lines)
    head = next(objects, (0, {}))[1]
    version = {key: head.get(key) for key in FORMAT}
    if version == OLDEST:
        text = "an older version of this service wrote this file: export the season again"
        raise _no_season("old-format", text)
    if version not in STILL_READ or head.keys() != HEAD:
        raise _no_season("unknown-format", "the file is not a season file of this version")
    if not isinstance(head["league"], dict):
        raise _no_season("unknown-format", "the file does not contain the value of its chips")
    content = SeasonContent(head["league"])
    for line, row in objects:
        content.add_row(line, row, errors)
    errors.refuse()
    for name in TABLES:
        content.check_references(name, errors)
    for name, (of, bound) in BOUNDS.items():
        groups = content.grouped(name, of) if of else {None: list(content.of(name))}
        for rows in groups.values():
            for each in bound.exceeded(0, adding=len(rows)):
                errors.add(rows[bound.most].line, "row", each["code"], each["text"])
    errors.refuse()
    for check in CHECKS:
        check(content, errors)
    errors.refuse()
    return content


# --- lines and fields -----------------------------------------------------------------------------


def _objects(lines: Iterable[str]) -> Iterator[tuple[int, Values]]:
    """Yield each line's number and object. Raises RefusedError."""
    for number, line in enumerate(lines, start=1):
        if number > MOST_LINES:
            raise _no_season("too-long", f"the file has more than {MOST_LINES} lines")
        if len(line) > LONGEST_LINE:
            raise _no_season("too-long", f"line {number} is longer than {LONGEST_LINE} characters")
        if not line.strip():
            continue
        if line.count("[") + line.count("{") > DEEPEST:  # some may be inside strings
            brackets = _BRACKET.findall(_STRING.sub("", line))
            depths = accumulate(1 if bracket in "[{" else -1 for bracket in brackets)
            if max(depths, default=0) > DEEPEST:
                text = f"line {number} is nested more than {DEEPEST} deep"
                raise _no_season("not-json", text)
        try:
            value = json.loads(line)
        except ValueError:
            value = None
        if not isinstance(value, dict):
            text = f"line {number} is not a JSON object, so the file is not a season file"
            raise _no_season("not-json", text)
        yield number, value


def _no_season(code: str, text: str) -> RefusedError:
    return RefusedError([problem("file", code, text)])


# --- conditions between rows ----------------------------------------------------------------------


def _check_unique(
    rows: Iterable[Row], where: str, key: Callable[[Row], Hashable], errors: Errors
) -> None:
    seen = set()
    for row in rows:
        value = key(row)
        if value is not None and value in seen:
            errors.add(row.line, where, "told-twice", "another row has the same value")
        seen.add(value)


def _check_season(content: SeasonContent, errors: Errors) -> None:
    """Check that the file has one season, and that no two players have the same name."""
    rows = list(content.of("Season"))
    if len(rows) == 1:
        [row] = rows
        if row["ends_on"] and row["ends_on"] < row["starts_on"]:
            errors.add(row.line, "ends_on", "bad-time", "a season must end after it begins")
        option = Option(
            scoring=row["scoring"],
            points=tuple(row["points"]),
            best_nights=row["best_nights"],
            document=row["document"],
            drop_worst=row["drop_worst"],
        )
        for each in wrong_option(option):
            errors.add(row.line, each["where"], each["code"], each["text"])
    else:
        errors.add(
            rows[1].line if rows else 1, "", "not-whole", "a file must contain exactly one season"
        )
    _check_unique(content.of("Player"), "name", lambda row: row["name"].lower(), errors)


def _check_seats(content: SeasonContent, errors: Errors) -> None:
    """Check that a seat has one player at a time, and that the players of a night have seats."""
    taken = (row for row in content.of("Seat") if row["left_at"] is None)
    _check_unique(taken, "position", lambda row: (row["night"], row["position"]), errors)
    seated = {(row["night"], row["player"]) for row in content.of("Seat")}
    for name in ("BuyIn", "CashOut", "Count"):
        for row in content.of(name):
            if (row["night"], row["player"]) not in seated:
                errors.add(
                    row.line, "player", "unknown-player", "the player has no seat in this night"
                )
    for row in content.of("Revision"):
        night = content.row("Hand", row["hand"])["night"]
        players = list((row["names"] or {}).values())
        if any((night, player) not in seated for player in players):
            errors.add(row.line, "names", "unknown-player", "the player has no seat in this night")
        if len(set(players)) < len(players):
            errors.add(row.line, "names", "told-twice", "one player has two names in this hand")


def _check_pots(content: SeasonContent, errors: Errors) -> None:
    for row in content.of("Night"):
        for place, pot in enumerate(row["opening_pots"]):
            before = pot["from"] and content.row("Night", pot["from"])["number"]
            if before and before >= row["number"]:
                where = f"opening_pots/{place}/from"
                errors.add(row.line, where, "bad-pot", "a pot must come from an earlier night")


def _check_hands(content: SeasonContent, errors: Errors) -> None:
    """Check that a hand's revisions are numbered from 1, and that voiding ones have no record."""
    revisions = content.grouped("Revision", "hand")
    for hand in content.of("Hand"):
        rows = sorted(revisions.get(hand.number, []), key=lambda row: row["number"])
        if not rows:
            errors.add(hand.line, "", "not-whole", "this hand has no revisions")
        voided = True  # a hand without revisions counts as voided
        for number, row in enumerate(rows, start=1):
            if row["number"] != number:
                errors.add(row.line, "number", "not-whole", f"revision {number} is missing")
            if row["voids"] and voided:
                errors.add(row.line, "voids", "bad-revision", "there is nothing to remove")
            voided = row["voids"]
            text = "a voided hand must not have this" if voided else "this is missing"
            for name in ("record", "names", "answer"):
                if (row[name] is None) != voided:
                    errors.add(row.line, name, "bad-revision", text)
            if voided and row["document"] is not None:
                errors.add(row.line, "document", "bad-revision", text)


def _check_objections(content: SeasonContent, errors: Errors) -> None:
    """Check that objections and answers belong to one hand and to players of its night.

    A player has at most one open objection to a hand. A correction is a later revision.
    """
    seated = {(row["night"], row["player"]) for row in content.of("Seat")}
    answered = {row["objection"] for row in content.of("ObjectionAnswer")}
    for row in content.of("Objection"):
        if content.row("Revision", row["revision"])["hand"] != row["hand"]:
            errors.add(
                row.line, "revision", "bad-objection", "this revision belongs to another hand"
            )
        if (content.row("Hand", row["hand"])["night"], row["player"]) not in seated:
            errors.add(row.line, "player", "unknown-player", "the player has no seat in this night")
    unanswered = (row for row in content.of("Objection") if row.number not in answered)
    _check_unique(unanswered, "player", lambda row: (row["hand"], row["player"]), errors)
    for row in content.of("ObjectionAnswer"):
        objection = content.row("Objection", row["objection"])
        if (row["kind"] == ObjectionAnswer.Kind.CORRECTED) != (row["revision"] is not None):
            errors.add(row.line, "revision", "bad-objection", "only a correction has a revision")
        elif row["revision"]:
            before = content.row("Revision", objection["revision"])
            after = content.row("Revision", row["revision"])
            if after["hand"] != objection["hand"] or after["number"] <= before["number"]:
                text = "this revision is not a later correction of the hand"
                errors.add(row.line, "revision", "bad-objection", text)


def _check_payments(content: SeasonContent, errors: Errors) -> None:
    """Check that a closing has at most one plan, and that payments are valid and not too high."""
    _check_unique(content.of("Plan"), "closing", lambda row: row["closing"], errors)
    for row in content.of("Plan"):
        if row["closing"] and row["after"]:
            text = "a plan belongs either to a closing or to the season, not to both"
            errors.add(row.line, "after", "bad-plan", text)
    steps, paid = content.grouped("PaymentStep", "payment"), content.grouped("Payment", "planned")
    for planned in content.of("PlannedPayment"):
        if planned["payer"] == planned["payee"]:
            errors.add(
                planned.line, "payee", "bad-payment", "the payer and the payee are the same player"
            )
        rows = paid.get(planned.number, [])
        for row in rows:
            _check_payment(row, steps.get(row.number, []), planned["chips"], errors)
        confirmed = (row["chips"] for row in rows if row["state"] == State.CONFIRMED)
        if sum(confirmed) > planned["chips"]:
            errors.add(planned.line, "chips", "too-much", "more was paid than was planned")


def _check_payment(row: Row, steps: Iterable[Row], planned_chips: int, errors: Errors) -> None:
    steps = sorted(steps, key=lambda step: step["number"])
    if [step["number"] for step in steps] != list(range(1, len(steps) + 1)):
        errors.add(row.line, "", "not-whole", "a step of this payment is missing")
    if not steps or steps[-1]["state"] != row["state"]:
        errors.add(row.line, "state", "bad-payment", "this differs from its last step")
    before: str | None = None
    for step in steps:
        if step["state"] not in STEPS[before]:
            errors.add(
                step.line, "state", "bad-payment", "this step can't follow the previous step"
            )
        before = str(step["state"])
    if row["chips"] > planned_chips:
        errors.add(row.line, "chips", "too-much", "the payment is larger than planned")


CHECKS: tuple[Callable[[SeasonContent, Errors], None], ...] = (
    _check_season,
    _check_seats,
    _check_pots,
    _check_hands,
    _check_objections,
    _check_payments,
)
