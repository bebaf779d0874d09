"""What all charts share: their size on a phone and on a desk, and the frame of a document."""

from collections.abc import Mapping, Sequence
from typing import Any

Document = dict[str, Any]
Row = Mapping[str, Any]

SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
NARROW, WIDE = 304, 680  # what a panel has room for: on a phone of 360, and beyond 760
LETTER = 6.3  # of text at 11 pixels, a little more than the mean


def document(width: int, height: int, rows: Sequence[Row], **rest: Any) -> Document:
    """Return a document of these rows and of exactly this size, labels and all."""
    return {
        "$schema": SCHEMA,
        "width": width,
        "height": height,
        "autosize": {"type": "fit", "contains": "padding"},
        "data": {"values": list(rows)},
        **rest,
    }


def rows_of(chart: Document) -> list[dict[str, Any]]:
    """Return the rows that a document shows, which may be fewer than it was made of."""
    rows: list[dict[str, Any]] = chart["data"]["values"]
    return rows


def by_address(chart: Document, address: str) -> Document:
    """Return the document with the address of its rows in their place."""
    data = {"url": address, "format": {"type": "json", "property": "results"}}
    return {**chart, "data": data}


def short(text: str, room: float) -> str:
    """Return the text, cut where it would be wider than so many pixels."""
    most = max(3, int(room / LETTER))
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def width_of(texts: Sequence[str], most: float) -> int:
    """Return how many pixels the longest of these takes, no more than `most`."""
    return round(min(most, LETTER * max(map(len, texts), default=0)))
