"""Grids with a value for each row and column, such as players by game."""

from collections.abc import Sequence
from typing import Any

from league.charts.vega.theme import WIDE, Document, Row, document, short, width_of
from league.common.text import name_order

TEXT = (
    "datum.size < 1000 ? format(datum.value, 'd') : replace(format(datum.value, '.2~s'), 'G', 'B')"
)
LINE = 26
MOST_ROWS = 24
MOST_COLUMNS = {True: 14, False: 6}  # columns that leave room for numbers; True: wide screen
WIDEST = {True: 96, False: 56}  # maximum width of a cell
BESIDE = 16  # space around names and cells
# Text colours for ranges of a cell's strength. A test checks that every colour is readable.
SHADES = (("faint", 0, 0.657), ("half", 0.657, 0.86), ("full", 0.86, 2))

COLOUR = {
    "field": "shade",
    "type": "quantitative",
    "scale": {"domain": [-1, -0.5, 0, 0.5, 1], "range": "diverging", "interpolate": "rgb"},
    "legend": None,
}


def grid(rows: Sequence[Row], width: int = WIDE, *, others: str = "others") -> Document:
    """Return a grid of numbers, coloured by value.

    Rows have `row`, `column`, `value`, and optionally `weight`. The heaviest rows and columns come
    first. The ones that do not fit are combined as `others`. Cells without data stay empty.
    """
    wide = width >= WIDE
    across = _ordered(rows, "column", MOST_COLUMNS[wide])
    down = _ordered(rows, "row", MOST_ROWS)
    rows = _folded(rows, set(down), set(across), others)
    across += [others] * (others in {row["column"] for row in rows} and others not in across)
    down += [others] * (others in {row["row"] for row in rows} and others not in down)
    left, top = (170 if wide else 98), (110 if wide else 84)
    spare = width - width_of(down, left) - BESIDE - WIDEST[wide] * max(1, len(across))
    header = max(20, width_of([short(name, top) for name in across], top)) + 14
    return document(
        width,
        header + LINE * max(1, len(down)) + 8,
        rows,
        padding={"left": 5, "top": 5, "bottom": 5, "right": 5 + max(0, spare)},
        transform=[
            {"calculate": "abs(datum.value)", "as": "size"},
            {"joinaggregate": [{"op": "max", "field": "size", "as": "most"}]},
            # the square root keeps small values visible next to very large ones
            {
                "calculate": "datum.most ? (datum.value < 0 ? -1 : 1)"
                " * sqrt(datum.size / datum.most) : 0",
                "as": "shade",
            },
            {"calculate": TEXT, "as": "told"},
        ],
        encoding={
            "x": _axis("column", across, {"orient": "top", "labelAngle": -90, "labelLimit": top}),
            "y": _axis("row", down, {"labelLimit": left}),
        },
        layer=[
            {"mark": {"type": "rect", "style": "cell"}, "encoding": {"color": COLOUR}},
            *(
                {
                    "transform": [
                        {"filter": f"abs(datum.shade) >= {low} && abs(datum.shade) < {high}"}
                    ],
                    "mark": {"type": "text", "style": f"on-{style}"},
                    "encoding": {"text": {"field": "told"}},
                }
                for style, low, high in SHADES
            ),
        ],
    )


def _ordered(rows: Sequence[Row], field: str, most: int) -> list[str]:
    """Return the names in the field, heaviest first, as many as fit."""
    weights: dict[str, float] = {}
    for row in rows:
        weights[row[field]] = weights.get(row[field], 0) + row.get("weight", 1)
    names = sorted(weights, key=lambda name: (-weights[name], name_order(name)))
    # `others` takes up a place too, so one more name fits if there are no others
    return names if len(names) <= most + 1 else names[:most]


def _folded(
    rows: Sequence[Row], down: set[str], across: set[str], others: str
) -> list[dict[str, Any]]:
    cells: dict[tuple[str, str], int] = {}
    for row in rows:
        key = (
            row["row"] if row["row"] in down else others,
            row["column"] if row["column"] in across else others,
        )
        cells[key] = cells.get(key, 0) + row["value"]
    return [{"row": one, "column": other, "value": n} for (one, other), n in cells.items()]


def _axis(field: str, names: Sequence[str], axis: Document) -> Document:
    return {
        "field": field,
        "type": "nominal",
        "title": None,
        "scale": {"domain": list(names), "paddingInner": 0.04, "paddingOuter": 0},
        "axis": {"domain": False, "ticks": False, "grid": False, "labelPadding": 6, **axis},
    }
