"""Formulas of points documents: what they can contain, and what is rejected."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.scoring.points_document import LONGEST, NAMES, Formula, FormulaError

VALUES = {"players": 9, "place": 2, "buy_in": 20, "spent": 40, "rebuys": 1}


def points(text: str) -> int:
    return Formula(text).points({name: Decimal(value) for name, value in VALUES.items()})


@pytest.mark.parametrize(
    ("text", "hundredths"),
    [
        ("players - place + 1", 800),
        ("10 * sqrt(players / place)", 2121),  # 10 * sqrt(4.5) = 21.213
        ("sqrt(players * buy_in * buy_in / spent) / (place + 1)", 316),  # sqrt(90) / 3 = 3.162
        ("log(100) + min(players, 5) - max(rebuys, 0.5)", 600),  # 2 + 5 - 1
        ("-place * 0.125", -25),
        ("0.005", 1),  # halves are rounded up
        ("999999 * 10", 1_000_000_00),  # limited
    ],
)
def test_formula_gives_hundredths_of_points(text: str, hundredths: int) -> None:
    assert points(text) == hundredths


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "not an arithmetic expression"),
        ("2 players", "not an arithmetic expression"),
        ("chips", "“chips” is unknown"),
        ("exec(1)", "“exec” is unknown"),
        ("sqrt(1, 2)", "“sqrt” takes 1 value."),
        ("min(place)", "“min” takes 2 values."),
        ("9 ** 9", "has only numbers"),
        ("players.real", "has only numbers"),
        ("[place][0]", "has only numbers"),
        ("True", "has only numbers"),
        ("'a'", "has only numbers"),
        ("12345678", "at most 6 digits"),
        ("place " * 50, "at most 200 characters"),
    ],
)
def test_text_that_is_not_a_formula_is_rejected(text: str, reason: str) -> None:
    with pytest.raises(FormulaError, match=reason.replace("*", r"\*")):
        Formula(text)


@given(st.text(alphabet="()+-*/.0159 ,_" + "".join(sorted(set("".join(NAMES)))), max_size=LONGEST))
def test_any_text_is_a_formula_or_rejected(text: str) -> None:
    try:
        formula = Formula(text)
    except FormulaError:
        return
    try:
        result = formula.points({name: Decimal(value) for name, value in VALUES.items()})
    except ArithmeticError:
        return
    assert isinstance(result, int)
