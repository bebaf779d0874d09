"""Line charts of each player's net over the nights, labelled at the end of the line."""

from bisect import bisect_right
from collections.abc import Sequence

from league.charts.vega.theme import WIDE, Document, Row, document, short
from league.common.text import name_order

MOST_NAMED = 8  # lines that can be distinguished by colour; all others are grey
NAMED_FROM_BELOW = 3
A_MILLION = 10**6
# maximum points per line; if there are more nights, only every nth night is drawn
MOST_NIGHTS = 120
MOST_GREY_NIGHTS = 60  # maximum points per grey line, because there are many grey lines
BETWEEN_NAMES = 13
FOOT = 40  # height of the axis
LEADER = 14  # distance between the end of a line and its name
# Players can share a colour, so lines differ not only by colour: a leader connects each line to its
# name, and every other line is dashed. Dashed lines are drawn last, so that both of two overlapping
# lines are visible.
DASHES = [[1, 0], [7, 4], [1, 0], [2, 3]] * 2


def net_over_nights(rows: Sequence[Row], width: int = WIDE, *, night: str = "Night") -> Document:
    """Return the chart of the players' running net.

    Rows have `player`, `at` (the player's nights in order, from 1), `totals` (the total at each of
    them) and `colour` (the number of the player's colour). The total does not change at missed
    nights. All players begin at zero.
    """
    wide = width >= WIDE
    height = 300 if wide else 250
    series = {row["player"]: row for row in rows}
    last = max((row["at"][-1] for row in rows), default=1)
    ends = {player: row["totals"][-1] for player, row in series.items()}
    # all lines have a name, or only the best and the worst
    named = sorted(ends, key=lambda player: (-ends[player], name_order(player)))
    if len(named) > MOST_NAMED:
        named = named[: MOST_NAMED - NAMED_FROM_BELOW] + named[-NAMED_FROM_BELOW:]
    lowest = min((0, *(min(row["totals"]) for row in rows)))
    highest = max((0, *(max(row["totals"]) for row in rows)))
    spare = max((highest - lowest) / 20, 5)
    low, high = lowest - spare, highest + spare
    room = 150 if wide else 96
    labels = {player: short(player, room - LEADER) for player in named}
    spots = _spread({player: ends[player] for player in named}, low, high, height - FOOT)
    drawn, grey = _drawn(last, MOST_NIGHTS), _drawn(last, MOST_GREY_NIGHTS)
    dashes, on_top = dict(zip(named, DASHES, strict=False)), [[1, 0], [7, 4], [2, 3]]
    points = []
    for player in sorted(series, key=lambda name: on_top.index(dashes.get(name, [1, 0]))):
        nights, totals = series[player]["at"], [0, *series[player]["totals"]]
        points += [
            {"at": at, "player": player, "total": totals[bisect_right(nights, at)]}
            for at in (drawn if player in named else grey)
        ]
    return document(
        width,
        height,
        points,
        usermeta={"colours": [series[player]["colour"] for player in named]},
        padding={"left": 4, "top": 10, "bottom": 4, "right": 4},
        layer=[
            {"mark": {"type": "rule", "style": "zero"}, "encoding": {"y": {"datum": 0}}},
            *_lines(named),
            *_names(labels, ends, spots, last),
        ],
        encoding=_axes(last, low, high, night=night, most_ticks=10 if wide else 5),
    )


def _drawn(last: int, most: int) -> list[int]:
    """Return the nights at which a line has points, always including the last night."""
    return [*range(0, last, -(-last // most)), last]


def _spread(ends: dict[str, int], low: float, high: float, height: float) -> dict[str, float]:
    """Return positions for the names, close to the line ends but without overlaps."""
    gap = BETWEEN_NAMES * (high - low) / height
    positions: dict[str, float] = {}
    ceiling = high
    for player, end in sorted(ends.items(), key=lambda each: -each[1]):
        positions[player] = min(float(end), ceiling)
        ceiling = positions[player] - gap
    floor = low
    for player in reversed(positions):
        positions[player] = max(positions[player], floor)
        floor = positions[player] + gap
    return positions


def _axes(last: int, low: float, high: float, *, night: str, most_ticks: int) -> Document:
    """Return the two axes. The first, the last and round numbers of nights are labelled."""
    steps = (n * 10**power for power in range(6) for n in (1, 2, 5))
    step = next(each for each in steps if last / each <= most_ticks)
    ticks = [at for at in range(step, last + 1, step) if last - at > step / 2 or at == last]
    if last % step:
        ticks.append(last)
    millions = max(-low, high) >= A_MILLION
    short_number = {"labelExpr": "replace(format(datum.value, '~s'), 'G', 'B')"}
    return {
        "x": {
            "field": "at",
            "type": "quantitative",
            "title": night,
            "scale": {"domain": [0, last], "nice": False},
            "axis": {"values": ticks, "format": "d", "labelFlush": False},
        },
        "y": {
            "field": "total",
            "type": "quantitative",
            "title": None,
            "scale": {"domain": [low, high], "nice": False},
            "axis": {
                "tickCount": 5,
                "tickMinStep": 1,
                **(short_number if millions else {"format": ",d"}),
            },
        },
    }


def _lines(named: Sequence[str]) -> list[Document]:
    """Return a layer with the grey lines, and one with the lines of the named players."""
    is_named = {"field": "player", "oneOf": list(named)}
    player = {"field": "player"}
    dash = {
        "field": "player",
        "type": "nominal",
        "scale": {"domain": list(named), "range": DASHES[: len(named)]},
        "legend": None,
    }
    return [
        {
            "transform": [{"filter": {"not": is_named}}],
            "mark": {"type": "line", "style": "line-not-named"},
            "encoding": {"detail": player},
        },
        {
            "transform": [{"filter": is_named}],
            "mark": {"type": "line", "style": "line-named"},
            "encoding": {"detail": player, "color": _colour(named), "strokeDash": dash},
        },
    ]


def _colour(named: Sequence[str]) -> Document:
    # without a range, the theme's colours apply
    return {
        "field": "player",
        "type": "nominal",
        "scale": {"domain": list(named), "range": "category"},
        "legend": None,
    }


def _names(
    labels: dict[str, str], ends: dict[str, int], spots: dict[str, float], last: int
) -> list[Document]:
    """Return layers with the names next to the plot and the leaders from the lines to the names."""
    values = [
        {
            "at": last,
            "player": player,
            "total": ends[player],
            "spot": spots[player],
            "label": label,
        }
        for player, label in labels.items()
    ]
    data, colour = {"values": values}, _colour(list(labels))
    return [
        {
            "data": data,
            "mark": {"type": "rule", "style": "leader"},
            "encoding": {
                "x2": {"value": {"expr": f"width + {LEADER}"}},
                "y2": {"field": "spot"},
                "color": colour,
            },
        },
        {
            "data": data,
            "mark": {
                "type": "text",
                "style": "end",
                "align": "left",
                "baseline": "middle",
                "dx": LEADER + 3,
            },
            "encoding": {
                "y": {"field": "spot", "type": "quantitative"},
                "text": {"field": "label"},
                "color": colour,
            },
        },
    ]
