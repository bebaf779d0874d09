"""Draw a game's board: the cards in their positions on the table, and the lines through them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import hypot
from typing import Any

from django.utils.translation import gettext as _

from league.deals.table import board_steps
from league.models import Revision
from league.pages.parts.answer_view import CardFace, faces
from rules.documents import catalog
from rules.errors import GameError
from rules.presentation.form import game_of

CARD_WIDTH, CARD_HEIGHT = 40, 54
ACROSS, DOWN = 62, 80
MARGIN = 20
BEYOND = 10  # how far a line extends beyond its outermost cards
LANE = 9  # distance between parallel lines
COLOURS = 6
CENTRED = "centred"
LINE = re.compile(r"\bline\b")
DUE = re.compile(r"(put|take)\b.*\brow (\d+)")

Point = tuple[float, float]
Rows = Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class Slot:
    """A board slot, given by its centre, with its card if it is known."""

    name: str
    x: float
    y: float
    card: CardFace | None = None

    @property
    def left(self) -> float:
        return self.x - CARD_WIDTH / 2

    @property
    def top(self) -> float:
        return self.y - CARD_HEIGHT / 2


@dataclass(frozen=True, slots=True)
class BoardLine:
    """A line through slots. A line with a single slot is drawn as a frame and has no points."""

    slots: list[str]
    colour: int
    points: str
    frame: Slot | None = None


@dataclass(frozen=True, slots=True)
class Board:
    """The data for drawing a board. `rows` and `lines` describe the board in words.

    `names` are the row numbers. The numbers are drawn only if no lines name the cards.
    """

    rows: Rows
    slots: list[Slot]
    names: list[Slot] = field(default_factory=list)
    lines: list[BoardLine] = field(default_factory=list)
    width: float = 0
    height: float = 0
    card_width: int = CARD_WIDTH
    card_height: int = CARD_HEIGHT

    @property
    def in_words(self) -> str:
        cards = {slot.name: slot.card.name for slot in self.slots if slot.card}
        return "; ".join(", ".join(cards.get(name, name) for name in row) for row in self.rows)

    @property
    def frame_width(self) -> int:
        return CARD_WIDTH + LANE

    @property
    def frame_height(self) -> int:
        return CARD_HEIGHT + LANE


def board(rows: Rows, lines: Rows) -> Board | None:
    """Return the drawing of a board, or None if there are no rows."""
    if not rows:
        return None
    _arrangement, spots = _straightest(rows, lines)
    slots = [Slot(name, x, y) for name, (x, y) in spots.items()]
    names = []
    if len(rows) > 1 and not lines:
        heights = [spots[row[0]][1] for row in rows]
        names = [Slot(str(number), MARGIN / 2, y) for number, y in enumerate(heights, start=1)]
    return Board(
        rows=rows,
        slots=slots,
        names=names,
        lines=_board_lines(lines, spots),
        width=max(slot.x for slot in slots) + CARD_WIDTH / 2 + MARGIN,
        height=max(slot.y for slot in slots) + CARD_HEIGHT / 2 + MARGIN,
    )


def with_cards(picture: Board, cards: Mapping[str, str]) -> Board:
    """Return the drawing with the known cards of each row in its slots.

    `cards` maps the fields of rows ("board/0") to cards as text.
    """
    known = {
        slot: card
        for number, row in enumerate(picture.rows)
        for slot, card in zip(row, faces(cards.get(f"board/{number}", "").split()), strict=False)
        if card.suit
    }
    slots = [replace(slot, card=known.get(slot.name)) for slot in picture.slots]
    return replace(picture, slots=slots)


def lines_played(document: Mapping[str, Any], page: Mapping[str, Any]) -> Rows:
    """Return the lines for a game's rules page, or [] if its hands are not made from lines."""
    terms = [*document.get("hand", ()), *document.get("shares", ())]
    if not any(LINE.search(str(each)) for each in terms):
        return []
    lines: Rows = page["lines"]
    return lines


def row_title(variant: str | Mapping[str, Any], number: int) -> str:
    """Return the name of a board row.

    This is "Put" or "Take" if the row moves chips, "Board 2" if the pot's second share is played on
    the second of two boards, and "Row 2" otherwise.
    """
    document = variant if isinstance(variant, Mapping) else catalog.document(variant)
    if f"board {number}: " in " ".join(map(str, document.get("shares", ()))):
        return _("Board %(number)s") % {"number": number}
    matches = (DUE.match(str(due)) for due in document.get("dues", ()))
    verb = next((match[1] for match in matches if match and int(match[2]) == number), "")
    titles = {"put": _("Put"), "take": _("Take")}
    return titles.get(verb) or _("Row %(row)s") % {"row": number}


def slot_letters(form: Mapping[str, Any], row: int) -> str:
    """Return the names of a row's slots, separated by spaces, if the game's lines refer to them."""
    rows = [each["slots"] for each in form["board"]]
    is_named = form["lines"] not in ([], rows) and row < len(rows)
    return " ".join(rows[row]) if is_named else ""


def slot_turns(variant: str | Mapping[str, Any], form: Mapping[str, Any], row: int) -> str:
    """Return the places of a row's slots in the order of the deal, separated by spaces."""
    dealt = [slot for step in board_steps(variant, form) for slot in step]
    return " ".join(str(dealt.index(slot)) for slot in form["board"][row]["slots"])


def arrangement(rows: Rows, lines: Rows) -> str:
    """Return the row arrangement that keeps the game's lines straight.

    The rows are `centred`, `aligned` on the left, or the last row is `beside` the others.
    """
    return _straightest(rows, lines)[0]


def arrangement_of(revision: Revision) -> str:
    """Return the row arrangement for a recorded hand's board."""
    record = revision.record
    try:
        game = game_of(
            revision.document.document, record.get("modifiers", ()), record.get("options", {})
        )
    except GameError:  # the document predates the current rule terms
        return CENTRED
    return arrangement(game.board, game.lines) if game.board and game.lines else CENTRED


def _straightest(rows: Rows, lines: Rows) -> tuple[str, dict[str, Point]]:
    """Return the arrangement with the shortest lines, and its slot centres, keyed by name."""
    layouts = {CENTRED: _placed(rows, 0.5), "aligned": _placed(rows, 0)}
    if len(rows) > 2:  # the last row is centred to the right of the others
        spots = _placed(rows[:-1], 0)
        x = max(x for x, _y in spots.values())
        y = sum({y for _x, y in spots.values()}) / (len(rows) - 1)
        last = {name: (x + ACROSS * place, y) for place, name in enumerate(rows[-1], start=1)}
        layouts["beside"] = spots | last
    lengths = {
        name: sum(
            sum(_distance(spots[one], spots[other]) for one, other in pairwise(line))
            for line in lines
        )
        for name, spots in layouts.items()
    }
    shortest = min(lengths, key=lengths.__getitem__)
    return shortest, layouts[shortest]


def _placed(rows: Rows, indent: float) -> dict[str, Point]:
    """Return the slot centres. A row is indented by `indent` times its number of missing slots."""
    longest = max(len(row) for row in rows)
    edge_x, edge_y = MARGIN + CARD_WIDTH / 2, MARGIN + CARD_HEIGHT / 2
    return {
        name: (edge_x + ACROSS * (place + indent * (longest - len(row))), edge_y + DOWN * down)
        for down, row in enumerate(rows)
        for place, name in enumerate(row)
    }


def _distance(one: Point, other: Point) -> float:
    return hypot(other[0] - one[0], other[1] - one[1])


def _board_lines(lines: Rows, spots: Mapping[str, Point]) -> list[BoardLine]:
    """Return the lines as drawn. Lines along the same path run next to each other, in lanes."""
    drawn = []
    lanes: dict[frozenset[str], set[int]] = {}
    for number, line in enumerate(lines):
        ways = [frozenset(pair) for pair in pairwise(line)]
        taken = {lane for way in ways for lane in lanes.get(way, ())}
        lane = next(lane for lane in (0, 1, -1, 2, -2, *range(3, 99)) if lane not in taken)
        for way in ways:
            lanes.setdefault(way, set()).add(lane)
        colour, path = number % COLOURS, [spots[name] for name in line]
        if len(path) == 1:
            x, y = path[0]
            frame = Slot(line[0], x - LANE / 2, y - LANE / 2)
            drawn.append(BoardLine(list(line), colour, "", frame))
            continue
        path = [_beyond(path[1], path[0]), *path[1:-1], _beyond(path[-2], path[-1])]
        # Move the path sideways into its lane.
        (x, y), (end_x, end_y) = path[0], path[-1]
        far = _distance(path[0], path[-1]) or 1
        right, down = -(end_y - y) / far * lane * LANE, (end_x - x) / far * lane * LANE
        points = " ".join(f"{x + right:.1f},{y + down:.1f}" for x, y in path)
        drawn.append(BoardLine(list(line), colour, points))
    return drawn


def _beyond(before: Point, last: Point) -> Point:
    """Return a point beyond the last card, where the end of the line is visible."""
    far = _distance(before, last) or 1
    across, down = (last[0] - before[0]) / far, (last[1] - before[1]) / far
    reach = BEYOND + CARD_WIDTH / 2 * abs(across) + CARD_HEIGHT / 2 * abs(down)
    return last[0] + across * reach, last[1] + down * reach
