"""The data dictionary describes every column of every feed, in the API and in docs/feeds.md."""

from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.test import Client
from django.utils.dateparse import parse_date, parse_datetime

from api.feeds.columns import Column, Kind
from api.feeds.dictionary import FEEDS

PAGE = (Path(__file__).parents[3] / "docs" / "feeds.md").read_text("utf-8")
UNITS = {"chips", "hands", "actions", "nights", "number", "cursor", "minor units"}
COLUMNS = [(feed.name, each) for feed in FEEDS for each in feed.columns]
READ: dict[Kind, Any] = {
    Kind.ID: UUID,
    Kind.TEXT: str,
    Kind.INTEGER: int,
    Kind.BOOLEAN: bool,
    Kind.TIME: parse_datetime,
    Kind.DATE: parse_date,
}


@pytest.mark.parametrize(("feed", "column"), COLUMNS, ids=lambda each: getattr(each, "name", each))
def test_every_column_has_a_description_and_an_example(feed: str, column: Column) -> None:
    assert column.note, "what does it mean?"
    assert (column.unit in UNITS) == (column.kind is Kind.INTEGER), "what is counted?"
    assert column.shown != "", "what may stand there?"
    assert READ[column.kind](column.shown) is not None
    assert isinstance(column.shown, bool) == (column.kind is Kind.BOOLEAN)


def test_data_dictionary_is_public() -> None:
    results = Client().get("/api/v1/feeds").json()["results"]
    assert [(feed["name"], each["name"]) for feed in results for each in feed["columns"]] == [
        (feed, each.name) for feed, each in COLUMNS
    ]


def test_documentation_lists_every_column() -> None:
    assert [line for line in lines() if line not in PAGE] == []


def lines() -> list[str]:
    """Return the table's rows. Columns with the same meaning in several feeds share a row."""
    feeds: dict[tuple[str, ...], list[str]] = {}
    for feed, column in COLUMNS:
        null = " or null" if column.empty else ""
        shown = str(column.shown).lower() if column.kind is Kind.BOOLEAN else str(column.shown)
        kind = column.kind.name.lower() + null
        feeds.setdefault((column.name, kind, column.unit, column.note, shown), []).append(feed)
    return [
        f"| `{name}` | {', '.join(of)} | {kind}{f', {unit}' if unit else ''} | {note} | {shown} |"
        for (name, kind, unit, note, shown), of in feeds.items()
    ]
