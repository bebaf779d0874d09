"""Formulas of points documents, such as `sqrt(players * buy_in) / (place + 1)`.

A formula is an arithmetic expression of whole and decimal numbers, the names in `NAMES`, the
operators + - * / with brackets, and the functions sqrt, log (base 10), min and max. It is
calculated in decimals with 28 digits and rounded to hundredths of a point.
"""

import ast
from collections.abc import Callable, Mapping, Sequence
from decimal import ROUND_HALF_UP, Context, Decimal, localcontext
from operator import add, mul, sub, truediv

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
