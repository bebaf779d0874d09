"""The forms of a feed: a page of JSON, and NDJSON or CSV of all its rows, written as it is read."""

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from api.feeds.columns import Column, Kind, Row, written
from league.common.csv_safety import safe_cell

JSON = "application/json"
NDJSON = "application/x-ndjson"
CSV = "text/csv"
NULL = "null"
_encode = json.JSONEncoder(ensure_ascii=False).encode
_encode_ascii = json.JSONEncoder().encode

Pages = Iterable[Sequence[Row]]


@dataclass(frozen=True, slots=True)
class Form:
    """How all rows are written; `ending` ends the address."""

    ending: str
    media_type: str
    write: Callable[[Sequence[Column], Pages], Iterator[str]]


def as_page(columns: Sequence[Column], rows: Sequence[Row], **beside: Any) -> bytes:
    """Return a page: the rows, with what else is said of them."""
    results = ",".join(_objects(columns, rows, _as_in_script))
    said = "".join(f',"{name}":{_encode(value)}' for name, value in beside.items())
    return f'{{"results":[{results}]{said}}}'.encode()


def _as_in_script(text: str) -> str:
    """Return the text as JSON, without what ends a line of a script, as rest_framework has it."""
    return _encode(text).replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def as_ndjson(columns: Sequence[Column], pages: Pages) -> Iterator[str]:
    """Yield the text of each page: an object a line."""
    for rows in pages:
        yield "".join(f"{line}\n" for line in _objects(columns, rows, _encode_ascii))


def _objects(
    columns: Sequence[Column], rows: Sequence[Row], encode: Callable[[Any], str]
) -> Iterator[str]:
    """Return an iterator of the rows as JSON; only texts hold what JSON has to escape."""

    def cell(kind: Kind, value: Any) -> str:
        match value, kind:
            case None, _:
                return NULL
            case _, Kind.TEXT:
                return encode(value)
            case _, Kind.INTEGER | Kind.BOOLEAN:
                return kind.plain(value)
        return f'"{kind.plain(value)}"'

    members = ",".join(f'"{each.name}":%s' for each in columns)
    return map(f"{{{members}}}".__mod__, written(columns, rows, cell))


class _Lines(list[str]):
    """What a csv writer writes to."""

    write = list.append


def as_csv(columns: Sequence[Column], pages: Pages) -> Iterator[str]:
    """Yield the text of each page, the names of the columns first; no cell is a formula."""
    lines = _Lines()
    writer = csv.writer(lines)
    writer.writerow([each.name for each in columns])
    for rows in pages:
        writer.writerows(written(columns, rows, _csv_cell))
        yield "".join(lines)
        lines.clear()


def _csv_cell(kind: Kind, value: Any) -> str:
    if value is None:
        return ""
    told = kind.plain(value)
    return str(safe_cell(told)) if kind is Kind.TEXT else told


FORMS = (Form("ndjson", NDJSON, as_ndjson), Form("csv", CSV, as_csv))
