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

`formula` gives the points for a place. `attendance` is awarded for each night that a player
attends, and `knockout` for each player knocked out of a tournament. Each example states the points
that the formula gives for its values. Examples are checked. Missing values of an example are 20 for
`buy_in` and `spent`, and 0 for `rebuys`.

A formula is an arithmetic expression of whole and decimal numbers, the names in `NAMES`, the
operators + - * / with brackets, and the functions sqrt, log (base 10), min and max. It is
calculated in decimals with 28 digits and rounded to hundredths of a point.
"""

import ast
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Context, Decimal, InvalidOperation, localcontext
from functools import cache
from operator import add, mul, sub, truediv
from pathlib import Path
from typing import Any

from league.common.errors import Problem, problem
from league.common.text import unstorable
from league.models import LONGEST_NAME

LONGEST = 200  # characters; nesting can't be deeper than this
MOST_DIGITS = 6
MOST_POINTS = 1_000_000
NAMES = {
    "players": "the number of players",
    "place": "the player's place, 1 for the winner",
    "buy_in": "the usual buy-in of the night, or the entry fee of the tournament, in money",
    "spent": "the player's buy-ins and rebuys, in money",
    "rebuys": "the player's rebuys",
}
Number = Decimal
OPERATORS: dict[type[ast.operator], Callable[[Number, Number], Number]] = {
    ast.Add: add,
    ast.Sub: sub,
    ast.Mult: mul,
    ast.Div: truediv,
}
FUNCTIONS: dict[str, tuple[int, Callable[..., Number]]] = {
    "sqrt": (1, Decimal.sqrt),
    "log": (1, Decimal.log10),
    "min": (2, min),
    "max": (2, max),
}


class FormulaError(ValueError):
    """The text is not a formula. The message is a sentence for the author."""


class Formula:
    """A formula that can be calculated. Raises FormulaError if `text` is not a formula."""

    def __init__(self, text: str) -> None:
        if len(text) > LONGEST:
            raise FormulaError(f"A formula has at most {LONGEST} characters.")
        try:
            self._tree = ast.parse(text.strip(), mode="eval").body
        except (SyntaxError, ValueError, MemoryError, RecursionError):
            raise FormulaError("This is not an arithmetic expression.") from None
        _check(self._tree)
        self.text = text

    def points(self, values: Mapping[str, Decimal]) -> int:
        """Return the points in hundredths. `values` has all `NAMES`. Raises ArithmeticError."""
        with localcontext(Context(prec=28)):
            result = _calculate(self._tree, values)
            limited = min(max(result, Decimal(-MOST_POINTS)), Decimal(MOST_POINTS))
            return int((limited * 100).to_integral_value(ROUND_HALF_UP))


def _check(node: ast.expr) -> None:
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            if len(repr(number).lstrip("0").replace(".", "")) > MOST_DIGITS:
                raise FormulaError(f"A number has at most {MOST_DIGITS} digits.")
        case ast.Name(id=name):
            if name not in NAMES:
                raise FormulaError(f"“{name}” is unknown. Use {', '.join(NAMES)}.")
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            _check(operand)
        case ast.BinOp(left=left, op=operator, right=right) if type(operator) in OPERATORS:
            _check(left)
            _check(right)
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
            _check_call(name, arguments)
        case _:
            raise FormulaError(
                "A formula has only numbers, names, + - * /, brackets, sqrt, log, min and max."
            )


def _check_call(name: str, arguments: Sequence[ast.expr]) -> None:
    count, _ = FUNCTIONS.get(name, (0, None))
    if not count:
        raise FormulaError(f"“{name}” is unknown. Use {', '.join(FUNCTIONS)}.")
    if len(arguments) != count:
        raise FormulaError(f"“{name}” takes {count} value{'s' if count > 1 else ''}.")
    for argument in arguments:
        _check(argument)


def _calculate(node: ast.expr, values: Mapping[str, Decimal]) -> Decimal:
    match node:
        case ast.Constant(value=number):
            return Decimal(repr(number))
        case ast.Name(id=name):
            return values[name]
        case ast.UnaryOp(operand=operand):
            return -_calculate(operand, values)
        case ast.BinOp(left=left, op=operator, right=right):
            apply = OPERATORS[type(operator)]
            return apply(_calculate(left, values), _calculate(right, values))
        case ast.Call(func=ast.Name(id=name), args=arguments):
            _, function = FUNCTIONS[name]
            return function(*(_calculate(argument, values) for argument in arguments))
    raise AssertionError(node)  # `_check` has rejected everything else


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
        length = f"1 to {longest}" if required else f"at most {longest}"
        yield problem(f"document/{key}", "bad-text", f"Enter {length} characters.")


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
        text = f"Add 1 to {MOST_EXAMPLES} examples, each with players, place and points."
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
