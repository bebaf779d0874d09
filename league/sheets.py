"""Cells of a table that a spreadsheet opens."""

FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n")


def safe_cell(cell: object) -> object:
    """Return the cell so that no spreadsheet takes a name for a formula.

    An apostrophe goes before whatever may start one; numbers stay numbers.
    """
    if isinstance(cell, int) or not str(cell).startswith(FORMULAS):
        return cell
    return cell if _is_number(str(cell)) else f"'{cell}"


def _is_number(text: str) -> bool:
    return text.removeprefix("-").replace(".", "", 1).isdecimal()
