"""Cells of a table that a spreadsheet opens."""

import re

# Full-width signs count as the plain ones; what stands behind white space or a quote does too.
FORMULAS = frozenset("=+-@＝＋－＠")
BEFORE = " \t\r\n\v\f\u00a0\u200b\ufeff\"'"
# Where a sheet may begin another cell: by its country's separator, or at the end of a line that it
# took for the row's. A quoted text is safe from neither, unless it is the first cell of its row.
APART = re.compile(r"([;\t\r\n|])")


def safe_cell(cell: object) -> object:
    """Return the cell so that no spreadsheet takes a name for a formula, nor a part of one.

    An apostrophe goes before whatever may start one; numbers stay numbers.
    """
    if isinstance(cell, int) or _is_number(str(cell)):
        return cell
    text = str(cell)
    if FORMULAS.isdisjoint(text):
        return cell
    safe = "".join(_safe(part) for part in APART.split(text))
    return f"'{safe}" if safe[0] in "\t\r" else safe


def _safe(part: str) -> str:
    return f"'{part}" if part.lstrip(BEFORE)[:1] in FORMULAS else part


def _is_number(text: str) -> bool:
    return text.removeprefix("-").replace(".", "", 1).isdecimal()
