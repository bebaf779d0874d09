"""The forms of a feed: a page of JSON, and NDJSON or CSV of all its rows, written as it is read."""

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from api.feeds.columns import Column, Row, written
from league.common.csv_safety import safe_cell

JSON = "application/json"
NDJSON = "application/x-ndjson"
CSV = "text/csv"
_encode = json.JSONEncoder(separators=(",", ":")).encode

Pages = Iterable[Sequence[Row]]


@dataclass(frozen=True, slots=True)
class Form:
    """How all rows are written; `ending` ends the address."""

    ending: str
    media_type: str
    write: Callable[[Sequence[Column], Pages], Iterator[str]]


def as_objects(columns: Sequence[Column], rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Return the rows as JSON says them."""
    names = [each.name for each in columns]
    return [dict(zip(names, row, strict=True)) for row in written(columns, rows)]


def as_ndjson(columns: Sequence[Column], pages: Pages) -> Iterator[str]:
    """Yield the text of each page: an object a line."""
    for rows in pages:
        lines = [_encode(each) for each in as_objects(columns, rows)]
        yield "".join(f"{line}\n" for line in lines)


class _Lines(list[str]):
    """What a csv writer writes to."""

    write = list.append


def as_csv(columns: Sequence[Column], pages: Pages) -> Iterator[str]:
    """Yield the text of each page, the names of the columns first; no cell is a formula."""
    lines = _Lines()
    writer = csv.writer(lines)
    writer.writerow([each.name for each in columns])
    for rows in pages:
        writer.writerows([_cell(cell) for cell in row] for row in written(columns, rows))
        yield "".join(lines)
        lines.clear()


def _cell(cell: object) -> object:
    match cell:
        case bool():
            return "true" if cell else "false"
        case str():
            return safe_cell(cell)
    return cell


FORMS = (Form("ndjson", NDJSON, as_ndjson), Form("csv", CSV, as_csv))
