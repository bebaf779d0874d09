"""A season's picture for chats, in portrait format, drawn on request."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from django.template.loader import render_to_string
from django.utils.safestring import mark_safe

import league
from league.hands.pictures import CARD, GAP, SYMBOLS, as_made, fitted, in_lines, row_of_cards
from league.recap import blocks
from league.scoring.season_table import Placing
from league.stats.figures.achievements import Achievement

WIDTH, HEIGHT = 1080, 1350
MOST_SENTENCES = 5
SENTENCES_FOOT = 1270  # lower limit of the sentences, above the footer
MOST_NAMED = 4  # maximum number of lines labelled with a name
MOST_GREY = 12
LEFT, RIGHT, TOP, FOOT = 80, 780, 588, 770  # edges of the chart
BETWEEN_NAMES = 38
FACTS, FACTS_BELOW = 836, 1008  # where the sentences begin, without and with a best hand
_BADGES = (Path(league.__file__).parent / "static" / "league" / "badges.svg").read_text("utf-8")
_SYMBOLS = SYMBOLS + _BADGES.partition(">")[2].rpartition("</svg>")[0].replace('id="', 'id="badge-')


@dataclass(frozen=True, slots=True)
class NetLine:
    """A player's running net: zero, then the net after each night."""

    name: str
    totals: list[int]
    colour: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Poster:
    """The picture's data. `open_nights` are the nights that are still being played."""

    league: str
    season: str
    nights: int
    hands: int
    open_nights: Sequence[str] = ()
    podium: Sequence[Placing]
    lines: Sequence[NetLine]
    best: Achievement | None
    sentences: Sequence[Achievement]


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line in the chart. A line without a name is grey."""

    points: str
    colour: str = ""
    name: str = ""
    end_y: int = 0
    name_y: int = 0


@dataclass(frozen=True, slots=True)
class Card:
    x: int
    rank: str
    suit: str
    red: bool


@dataclass(frozen=True, slots=True)
class DrawnSentence:
    """A sentence, split into lines, with its badge."""

    y: int
    badge: str
    lines: list[str]


def drawn(poster: Poster) -> str:
    """Return the picture as SVG. The drawing library's built-in font is the only font."""
    strokes, zero = _strokes(poster.lines)
    sentences, y = [], FACTS_BELOW if poster.best else FACTS
    for achievement in poster.sentences[:MOST_SENTENCES]:
        lines = in_lines(achievement.sentence, 28, WIDTH - 2 * LEFT - 64, 2)
        if y + 34 * len(lines) > SENTENCES_FOOT:
            break
        sentences.append(DrawnSentence(y, achievement.badge, lines))
        y += 34 * len(lines) + 22
    context = {
        "width": WIDTH,
        "height": HEIGHT,
        "symbols": mark_safe(_SYMBOLS),  # noqa: S308 (our own files)
        "league": fitted(poster.league, 36, WIDTH - 160),
        "season": fitted(poster.season, 76, WIDTH - 160),
        "nights": poster.nights,
        "hands": poster.hands,
        "open_nights": [fitted(name, 32, WIDTH - 640) for name in poster.open_nights],
        "blocks": blocks(poster.podium),
        "strokes": strokes,
        "zero": zero,
        "left": LEFT,
        "right": RIGHT,
        "best": poster.best,
        "sentences": sentences,
    }
    if best := poster.best:
        made = as_made(best.cards, best.plays_as, str(best.facts["called"]))
        cards = row_of_cards(made, LEFT, best.plays_as)
        x = LEFT + len(cards) * (CARD + GAP) + (26 if cards else 0)
        room = WIDTH - LEFT - x
        context |= {
            "cards": cards,
            "best_x": x,
            "best_name": fitted(best.name, 44, room),
            "best_called": in_lines(str(best.facts["called"]), 28, room, 2),
        }
    return render_to_string("seasons/recap_picture.svg", context)


def _strokes(lines: Sequence[NetLine]) -> tuple[list[Stroke], int]:
    """Return the lines in drawing order, unnamed lines first, and the height of zero."""
    totals = [total for line in lines for total in line.totals]
    low, high = min(totals, default=0), max(totals, default=0)

    def y_of(total: int) -> int:
        return round(FOOT - (FOOT - TOP) * (total - low) / ((high - low) or 1))

    grey = [Stroke(_points(line, y_of)) for line in lines[MOST_NAMED:][:MOST_GREY]]
    coloured: list[Stroke] = []
    for line in lines[:MOST_NAMED]:
        name_y = end_y = y_of(line.totals[-1])
        if coloured:  # names must not overlap
            name_y = max(end_y, coloured[-1].name_y + BETWEEN_NAMES)
        name = fitted(line.name, 28, WIDTH - RIGHT - 100)
        coloured.append(Stroke(_points(line, y_of), line.colour, name, end_y, name_y))
    return [*grey, *reversed(coloured)], y_of(0)


def _points(line: NetLine, y_of: Callable[[int], int]) -> str:
    step = (RIGHT - LEFT) / max(len(line.totals) - 1, 1)
    spots = (f"{LEFT + at * step:.0f},{y_of(total)}" for at, total in enumerate(line.totals))
    return " ".join(spots)
