"""Exported cells are never formulas, in any locale."""

import csv
import io

import pytest

from league.common.text import safe_cell

SIGNS = "=+-@＝＋－＠"


def starts_a_formula(text: str) -> bool:
    return text.lstrip(' \t\r\n\v\f\u00a0\u200b\ufeff"')[:1] in SIGNS if text.strip() else False


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("before", ["", " ", "\t", "\r", "\n", "\u00a0", '"', ' "', "\ufeff"])
def test_formula_is_escaped_as_text(sign: str, before: str) -> None:
    assert not starts_a_formula(str(safe_cell(f"{before}{sign}1+1")))


@pytest.mark.parametrize("apart", [";", "\t", "\n", "|"])
@pytest.mark.parametrize("sign", SIGNS)
def test_cell_contains_no_formula_when_split_at_other_separators(sign: str, apart: str) -> None:
    """Many locales separate cells with semicolons, so quotes after a comma have no effect."""
    out = io.StringIO()
    csv.writer(out).writerow(["1", safe_cell(f'ann{apart} "{sign}cmd|x'), 5])
    assert not any(starts_a_formula(part) for part in out.getvalue().split(apart))


@pytest.mark.parametrize("cell", [5, -5, "-5", "-5.25", "ann", "ann; bob", "a-b", "5+5", ""])
def test_harmless_cell_is_not_changed(cell: object) -> None:
    assert safe_cell(cell) == cell
