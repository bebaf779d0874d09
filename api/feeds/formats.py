"""Feed formats: a page as JSON, or all rows as NDJSON or CSV, written while they are read."""

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from operator import add
from typing import Any, TypeVar

from api.feeds.columns import PLAIN, Column, Kind, Writer, Writers, written
from api.feeds.row_feed import Page
from league.common.text import safe_cell

JSON = "application/json"
NDJSON = "application/x-ndjson"
CSV = "text/csv"
T = TypeVar("T", str, tuple[str, ...])
_encode = json.JSONEncoder(ensure_ascii=False).encode


def _as_in_script(text: str) -> str:
    """Return the text as JSON. JavaScript line separators are escaped, as DRF does."""
    return _encode(text).replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _quoted(plain: Writer, value: Any) -> str:
    return f'"{plain(value)}"'


# Only strings can contain characters that need escaping in JSON or that a spreadsheet would treat
# as a formula.
QUOTED = {kind: partial(_quoted, PLAIN[kind]) for kind in (Kind.ID, Kind.TIME, Kind.DATE)}
IN_JSON: Writers = {**PLAIN, **QUOTED, Kind.TEXT: _as_in_script}
IN_ASCII: Writers = {**PLAIN, **QUOTED, Kind.TEXT: json.JSONEncoder().encode}
IN_CSV: Writers = {**PLAIN, Kind.TEXT: lambda text: str(safe_cell(text))}

Pages = Iterable[Page]


@dataclass(frozen=True, slots=True)
class Form:
    """A format for all rows of a feed. `ending` is the suffix in the URL."""

    ending: str
    media_type: str
    write: Callable[[Sequence[Column], Pages], Iterator[str]]


def as_page(columns: Sequence[Column], page: Page, **more: Any) -> bytes:
    """Return a page as JSON: its rows, and the members in `more`."""
    rows = "},{".join(_members(columns, page, IN_JSON))
    results = f"{{{rows}}}" if rows else ""
    members = "".join(f',"{name}":{_encode(value)}' for name, value in more.items())
    return f'{{"results":[{results}]{members}}}'.encode()


def as_ndjson(columns: Sequence[Column], pages: Pages) -> Iterator[str]:
    """Yield the text of each page, one object per line."""
    for page in pages:
        lines = "}\n{".join(_members(columns, page, IN_ASCII))
        yield f"{{{lines}}}\n" if lines else ""


def _members(columns: Sequence[Column], page: Page, writers: Writers) -> Iterator[str]:
    """Return an iterator over the rows, each as the members of a JSON object without its braces."""

    def member(column: Column) -> Writer:
        name, write = f'"{column.name}":', writers[column.kind]
        return lambda value: f"{name}null" if value is None else name + write(value)

    shared, own = columns[: page.shared], columns[page.shared :]
    heads = map(",".join, written(shared, page.heads, member))
    tails = map(",".join, written(own, page.rows, member))
    comma = "," if shared and own else ""
    return _joined([f"{head}{comma}" for head in heads], page, tails)


def _joined(heads: Sequence[T], page: Page, tails: Iterable[T]) -> Iterator[T]:
    """Return an iterator over the rows, each starting with its shared columns."""
    return map(add, map(heads.__getitem__, page.places), tails)


class _Lines(list[str]):
    """A file-like list that a csv writer can write to."""

    write = list.append


def as_csv(columns: Sequence[Column], pages: Pages) -> Iterator[str]:
    """Yield the text of each page, preceded by a line with column names. Formulas are escaped."""
    lines = _Lines()
    writer = csv.writer(lines)
    writer.writerow([each.name for each in columns])
    for page in pages:
        heads = list(written(columns[: page.shared], page.heads, _cell))
        tails = written(columns[page.shared :], page.rows, _cell)
        writer.writerows(_joined(heads, page, tails))
        yield "".join(lines)
        lines.clear()


def _cell(column: Column) -> Writer:
    write = IN_CSV[column.kind]
    return lambda value: "" if value is None else write(value)


FORMS = (Form("ndjson", NDJSON, as_ndjson), Form("csv", CSV, as_csv))
