"""Grafana's transformations of a panel's rows, implemented as in @grafana/data 13.2.3.

That npm package takes 180 MB, so its results are stored in `tests/docs/grafana_frames.json`.
"""

from collections.abc import Callable, Sequence
from typing import Any

Frame = dict[str, list[Any]]
EMPTY = {"zero": 0, "null": None}
REDUCED: dict[str, Callable[[list[Any]], Any]] = {"sum": sum, "count": len}


def transformed(panel: dict[str, Any], rows: Sequence[dict[str, Any]]) -> Frame:
    """Return the frame that a panel draws."""
    names = [item["text"] for item in panel["targets"][0]["columns"]]
    frame: Frame = {name: [row[name] for row in rows] for name in names}
    for item in panel["transformations"]:
        frame = KNOWN[item["id"]](frame, item["options"])
    return frame


def _group_by(frame: Frame, options: dict[str, Any]) -> Frame:
    fields = options["fields"]
    by = [name for name, rule in fields.items() if rule["operation"] == "groupby"]
    groups: dict[tuple[Any, ...], list[int]] = {}
    for at, key in enumerate(zip(*(frame[name] for name in by), strict=True)):
        groups.setdefault(key, []).append(at)
    made: Frame = {name: [key[n] for key in groups] for n, name in enumerate(by)}
    for name, rule in fields.items():
        for kind in rule["aggregations"]:
            values = ([frame[name][at] for at in places] for places in groups.values())
            made[f"{name} ({kind})"] = [REDUCED[kind](value) for value in values]
    return made


def _matrix(frame: Frame, options: dict[str, Any]) -> Frame:
    """If a cell has several values, the last one is used."""
    row, column = frame[options["rowField"]], frame[options["columnField"]]
    cells = dict(zip(zip(row, column, strict=True), frame[options["valueField"]], strict=True))
    rows, empty = list(dict.fromkeys(row)), EMPTY[options["emptyValue"]]
    made: Frame = {f"{options['rowField']}\\{options['columnField']}": rows}
    for name in dict.fromkeys(column):
        made[str(name)] = [cells.get((each, name), empty) for each in rows]
    return made


def _sort_by(frame: Frame, options: dict[str, Any]) -> Frame:
    [by] = options["sort"]
    values = frame[by["field"]]
    order = sorted(range(len(values)), key=values.__getitem__, reverse=by["desc"])
    return {name: [cells[at] for at in order] for name, cells in frame.items()}


KNOWN: dict[str, Callable[[Frame, dict[str, Any]], Frame]] = {
    "groupBy": _group_by,
    "groupingToMatrix": _matrix,
    "sortBy": _sort_by,
}
