"""Charts are Vega-Lite documents: pure functions of rows, and readable on a phone."""

import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from league.charts import rendering
from league.charts.vega.bars import MOST_BARS, bars
from league.charts.vega.grids import MOST_COLUMNS, MOST_ROWS, grid
from league.charts.vega.lines import MOST_NAMED, MOST_NIGHTS, net_over_nights
from league.charts.vega.theme import NARROW, THEMES, WIDE, by_address, with_theme
from league.jobs.child_process import call_script
from league.people.leagues import COLOURS

Rows = list[dict[str, Any]]


def totals(players: int, nights: int) -> Rows:
    return [
        {
            "player": f"{'x' * 17} {player:02}",
            "at": [*range(1, nights + 1)],
            "totals": [at * (player - players // 2) for at in range(1, nights + 1)],
            "colour": player % COLOURS,
        }
        for player in range(players)
    ]


def cells(rows: int, columns: int) -> Rows:
    return [
        {"row": f"game {row}", "column": f"player {column}", "value": row - column, "weight": row}
        for row in range(rows)
        for column in range(columns)
    ]


def lengths(number: int) -> Rows:
    return [{"name": f"game {n}", "value": n - number // 2} for n in range(number)]


DRAWN: list[tuple[Callable[..., Any], Rows]] = [
    (net_over_nights, totals(2, 1)),
    (net_over_nights, totals(40, 60)),
    (net_over_nights, [{"player": "ann", "at": [1], "totals": [0], "colour": 0}]),
    (net_over_nights, []),
    (grid, cells(1, 1)),
    (grid, cells(60, 40)),
    (grid, []),
    (bars, lengths(1)),
    (bars, lengths(60)),
    (bars, []),
]


def test_chart_is_rendered_in_exactly_the_size_given_in_its_document() -> None:
    """Pages reserve space for a chart, so the layout does not move when it loads.

    One process renders all charts, as in the service, because the library uses 100 MB of memory.
    """
    charts = [(*each, width) for each in DRAWN for width in (NARROW, WIDE)]
    documents = [with_theme(drawn(rows, width), "dark") for drawn, rows, width in charts]
    script = Path(rendering.__file__).with_name("render_process.py")
    pictures = call_script(script, documents, seconds=rendering.MOST_SECONDS)
    for (*_, width), document, svg in zip(charts, documents, pictures, strict=True):
        size = f'width="{document["width"]}" height="{document["height"]}"'
        assert svg
        assert size in svg.partition(">")[0]
        assert document["width"] == width


@pytest.mark.parametrize(("drawn", "rows"), DRAWN)
def test_identical_rows_give_identical_documents(drawn: Callable[..., Any], rows: Rows) -> None:
    assert json.dumps(drawn(rows)) == json.dumps(drawn([dict(row) for row in rows]))


@pytest.mark.parametrize("drawn", [net_over_nights, grid, bars])
def test_document_with_a_data_url_contains_no_rows(drawn: Callable[..., Any]) -> None:
    document = by_address(drawn([]), "https://league.example/rows.json")
    assert document["data"]["url"] == "https://league.example/rows.json"
    assert "values" not in document["data"]


def values(document: dict[str, Any]) -> Rows:
    found: Rows = document["data"]["values"]
    return found


def test_total_starts_at_zero_and_does_not_change_on_a_missed_night() -> None:
    rows = [
        {"player": "ann", "at": [1, 3], "totals": [5, 2], "colour": 0},
        {"player": "bob", "at": [2, 3], "totals": [-7, -2], "colour": 0},
    ]
    lines = {(row["player"], row["at"]): row["total"] for row in values(net_over_nights(rows))}
    assert [lines["ann", at] for at in range(4)] == [0, 5, 5, 2]
    assert [lines["bob", at] for at in range(4)] == [0, 0, -7, -2]


def test_lines_have_the_colours_of_their_players() -> None:
    """Lines used to be coloured by rank, so they differed from the players' avatars."""
    rows = [
        {"player": "ann", "at": [1], "totals": [5], "colour": 7},
        {"player": "bob", "at": [1], "totals": [9], "colour": 2},
    ]
    document = net_over_nights(rows)
    lines = next(layer for layer in document["layer"] if "strokeDash" in layer["encoding"])
    players = lines["encoding"]["color"]["scale"]["domain"]
    for theme in THEMES:
        colours = with_theme(document, theme)["config"]["range"]["category"]
        drawn = dict(zip(players, colours, strict=True))
        assert drawn == {"ann": THEMES[theme].lines[7], "bob": THEMES[theme].lines[2]}


def test_names_at_line_ends_never_overlap() -> None:
    rows = [{"player": name, "at": [1], "totals": [10], "colour": 0} for name in "abcdefgh"]
    document = net_over_nights(rows, NARROW)
    names = document["layer"][-1]["data"]["values"]
    low, high = document["encoding"]["y"]["scale"]["domain"]
    spots = sorted(each["spot"] for each in names)
    pixels = (document["height"] - 40) / (high - low)
    assert all((after - before) * pixels > 12.9 for before, after in pairwise(spots))


def test_name_is_connected_to_the_end_of_its_line() -> None:
    """Labels of lines with the same end are shifted, and colour alone must not identify a line."""
    rows = [{"player": name, "at": [1], "totals": [10], "colour": 0} for name in "abcdefgh"]
    leaders, _names = net_over_nights(rows, NARROW)["layer"][-2:]
    assert {each["total"] for each in leaders["data"]["values"]} == {10}
    assert len({each["spot"] for each in leaders["data"]["values"]}) == 8


def test_dashed_line_is_drawn_on_top_of_an_identical_line() -> None:
    rows = [{"player": name, "at": [1], "totals": [10], "colour": 0} for name in "ba"]
    document = net_over_nights(rows)
    dashes = next(layer for layer in document["layer"] if "strokeDash" in layer["encoding"])
    scale = dashes["encoding"]["strokeDash"]["scale"]
    pattern = dict(zip(scale["domain"], scale["range"], strict=True))
    drawn = [row["player"] for row in values(document)]
    assert pattern[drawn[0]] == [1, 0] != pattern[drawn[-1]]


def test_only_the_best_and_worst_of_many_lines_have_labels() -> None:
    document = net_over_nights(totals(40, 3))
    names = [each["player"][-2:] for each in document["layer"][-1]["data"]["values"]]
    assert names == ["39", "38", "37", "36", "35", "02", "01", "00"]
    assert len(names) == MOST_NAMED


def test_unlabelled_lines_have_fewer_points_but_end_in_the_same_place() -> None:
    rows = totals(40, 100)
    document = net_over_nights(rows)
    points: dict[str, Rows] = {}
    for point in values(document):
        points.setdefault(point["player"], []).append(point)
    named = set(document["layer"][1]["transform"][0]["filter"]["not"]["oneOf"])
    assert {len(points[name]) for name in named} == {101}
    assert {len(points[name]) for name in set(points) - named} == {51}
    ends = {row["player"]: row["totals"][-1] for row in rows}
    assert {name: line[-1]["total"] for name, line in points.items()} == ends


def test_chart_of_many_nights_draws_a_subset_that_includes_the_last() -> None:
    drawn = {row["at"] for row in values(net_over_nights(totals(2, 1000)))}
    assert 1000 in drawn
    assert len(drawn) <= MOST_NIGHTS + 2


def test_surplus_rows_and_columns_of_a_grid_are_summed() -> None:
    rows = cells(60, 40)
    document = grid(rows, NARROW, others="the rest")
    shown = values(document)
    assert sum(row["value"] for row in shown) == sum(row["value"] for row in rows)
    assert len({row["row"] for row in shown}) == MOST_ROWS + 1
    assert len({row["column"] for row in shown}) == MOST_COLUMNS[False] + 1


@pytest.mark.parametrize("width", [NARROW, WIDE])
def test_single_column_of_a_grid_has_a_limited_width(width: int) -> None:
    spare = grid(cells(3, 1), width)["padding"]["right"]
    assert 40 <= width - spare - len("game 1") * 6 <= 160


def test_surplus_bars_are_summed() -> None:
    rows = lengths(61)
    shown = values(bars(rows))
    assert sum(row["value"] for row in shown) == sum(row["value"] for row in rows)
    assert len(shown) == MOST_BARS + 1


@pytest.mark.parametrize("most", [9, 899_998, 10**12])
@pytest.mark.parametrize("width", [NARROW, WIDE])
def test_numbers_next_to_bars_stay_inside_the_picture_and_clear_of_names(
    most: int, width: int
) -> None:
    """Numbers used to be cut off if one bar was far longer than all others."""
    rows = [{"name": "Midnight Cobain Baseball", "value": -most}, {"name": "bob", "value": most}]
    document = bars([*rows, {"name": "cat", "value": 7}], width)
    low, high = document["encoding"]["x"]["scale"]["domain"]
    limit = document["encoding"]["y"]["axis"]["labelLimit"]
    pixels = (width - limit - 24) / (high - low)
    assert most * 2 * pixels >= 30
    number = 6 * min(len(f"{most:+,d}"), 8) + 5
    assert (high - most) * pixels >= number
    assert (-most - low) * pixels >= number


def test_bar_for_all_others_is_at_the_bottom() -> None:
    rows = [{"name": f"player {at}", "value": -at} for at in range(40)]
    assert bars(rows, others="the rest")["encoding"]["y"]["sort"][-1] == "the rest"


def test_chart_documents_contain_no_colours() -> None:
    """The page that embeds a chart sets its colours. Themes differ only in colours."""
    for drawn, rows in DRAWN:
        assert "#" not in json.dumps(drawn(rows))
    light, dark = (with_theme(bars(lengths(3)), name) for name in THEMES)
    assert light["config"] != dark["config"]
    assert {**light, "config": 0} == {**dark, "config": 0}
