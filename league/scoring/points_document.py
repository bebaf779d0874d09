"""Points documents, in TOML, define how many points a night or a tournament awards.

    title = "Square root"
    source = "where the formula comes from"
    formula = "10 * sqrt(players / place)"
    attendance = 1
    knockout = 2

    [[examples]]
    players = 9
    place = 1
    points = 30

`formula` gives the points for a place (see `formula.py`). `attendance` is awarded for each night
that a player attends, and `knockout` for each player knocked out of a tournament. Each example
states the points that the formula gives for its values. Examples are checked. Missing values of an
example are 20 for `buy_in` and `spent`, and 0 for `rebuys`.
"""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import cache
from pathlib import Path
from typing import Any

from league.common.errors import Problem, problem
from league.common.text import unstorable
from league.models import LONGEST_NAME
from league.scoring.formula import NAMES, Formula, FormulaError

FOLDER = Path(__file__).with_name("catalog")
MOST_EXAMPLES = 20
MOST_BONUS = 1000
LONGEST_DOCUMENT = 4000
LONGEST_SOURCE = 300
MOST_PLAYERS = 10_000
# the formula must give points for every place when this many players take part
FEW_PLAYERS = range(2, 11)
USUAL = {"buy_in": Decimal(20), "spent": Decimal(20), "rebuys": Decimal(0)}
KEYS = ("title", "source", "formula", "attendance", "knockout", "examples")


@dataclass(frozen=True, slots=True)
class PointsDocument:
    """A checked document. `attendance` and `knockout` are whole points."""

    title: str
    source: str
    formula: Formula
    attendance: int
    knockout: int

    def place_points(self, values: Mapping[str, Decimal]) -> int:
        """Return the formula's hundredths of points, or 0 if it can't be calculated."""
        try:
            return self.formula.points(values)
        except ArithmeticError:
            return 0


def document_of(raw: Mapping[str, Any]) -> PointsDocument:
    """Return the document for a mapping that has no problems."""
    return PointsDocument(
        title=raw["title"],
        source=raw.get("source", ""),
        formula=Formula(raw["formula"]),
        attendance=raw.get("attendance", 0),
        knockout=raw.get("knockout", 0),
    )


def read_document(text: str) -> tuple[dict[str, Any], list[Problem]]:
    """Return the mapping in a TOML text, and its problems."""
    if len(text) > LONGEST_DOCUMENT:
        too_long = f"A points document has at most {LONGEST_DOCUMENT} characters."
        return {}, [problem("document", "too-long", too_long)]
    try:
        raw = tomllib.loads(text, parse_float=str)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        return {}, [problem("document", "bad-toml", f"This is not TOML: {error}.")]
    return raw, list(wrong_document(raw))


def wrong_document(raw: object) -> Iterator[Problem]:
    """Yield all problems with a points document."""
    if not isinstance(raw, Mapping):
        yield problem("document", "bad-document", "A points document is a table of keys.")
        return
    if wrong := [*unstorable(raw)]:
        yield from ({**each, "where": f"document/{each['where']}"} for each in wrong)
        return
    for key in sorted(set(map(str, raw)) - set(KEYS)):
        yield problem(f"document/{key}", "unknown-key", f"The keys are {', '.join(KEYS)}.")
    yield from _wrong_text(raw, "title", LONGEST_NAME, required=True)
    yield from _wrong_text(raw, "source", LONGEST_SOURCE)
    for key in ("attendance", "knockout"):
        if not is_integer(raw.get(key, 0), 0, MOST_BONUS):
            text = f"These are whole points from 0 to {MOST_BONUS}."
            yield problem(f"document/{key}", "bad-points", text)
    formula = None
    try:
        formula = Formula(str(raw.get("formula", "")))
    except FormulaError as error:
        yield problem("document/formula", "bad-formula", str(error))
    else:
        yield from _wrong_fields(formula)
    yield from _wrong_examples(raw.get("examples", []), formula)


def _wrong_text(
    raw: Mapping[str, Any], key: str, longest: int, *, required: bool = False
) -> Iterator[Problem]:
    text = raw.get(key, "")
    if not isinstance(text, str) or len(text) > longest or (required and not text.strip()):
        yield problem(f"document/{key}", "bad-text", f"This is a text of up to {longest} letters.")


def _wrong_fields(formula: Formula) -> Iterator[Problem]:
    """Yield a problem for the first place in a small tournament that the formula gives no value."""
    for players in FEW_PLAYERS:
        for place in range(1, players + 1):
            try:
                formula.points(USUAL | {"players": Decimal(players), "place": Decimal(place)})
            except ArithmeticError:
                text = f"It has no value for place {place} of {players} players."
                yield problem("document/formula", "no-value", text)
                return


def _wrong_examples(examples: object, formula: Formula | None) -> Iterator[Problem]:
    """Compare each example's points with the formula's, to hundredths."""
    if not isinstance(examples, list) or not 1 <= len(examples) <= MOST_EXAMPLES:
        text = f"State 1 to {MOST_EXAMPLES} examples, each with players, place and points."
        yield problem("document/examples", "bad-examples", text)
        return
    for number, example in enumerate(examples):
        at = f"document/examples/{number}"
        values = _example_values(example)
        if values is None:
            text = f"An example has points, players and place, and may have {', '.join(USUAL)}."
            yield problem(at, "bad-example", text)
            continue
        if formula is None:
            continue
        try:
            points = Decimal(formula.points(values)) / 100
        except ArithmeticError:
            yield problem(at, "no-value", "The formula has no value here.")
            continue
        if points != values["points"].quantize(Decimal("0.01")):
            text = f"The formula gives {points} points, not {values['points']}."
            yield problem(at, "wrong-example", text)


def _example_values(example: object) -> dict[str, Decimal] | None:
    names = {"points", *NAMES}
    if not isinstance(example, Mapping) or not {"points", "players", "place"} <= set(example):
        return None
    if set(example) - names:
        return None
    values = dict(USUAL)
    for name, value in example.items():
        try:
            values[name] = Decimal(str(value)) if not isinstance(value, bool) else Decimal("nan")
        except InvalidOperation:
            return None
    if not all(value.is_finite() and abs(value) <= MOST_PLAYERS**2 for value in values.values()):
        return None
    return values


def is_integer(number: object, least: int, most: int) -> bool:
    """Return whether this is an integer in the range, and not a boolean."""
    return isinstance(number, int) and not isinstance(number, bool) and least <= number <= most


@cache
def catalog() -> dict[str, dict[str, Any]]:
    """Return the documents that are included with the service, keyed by slug."""
    return {
        path.stem: tomllib.loads(path.read_text("utf-8"), parse_float=str)
        for path in sorted(FOLDER.glob("*.toml"))
    }
