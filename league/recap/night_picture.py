"""The picture of a night for a chat, upright: its podium, its hand, and who is up in the season."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.template.loader import render_to_string
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _

from league.hands.pictures import CARD, GAP, SYMBOLS, fitted, in_lines, row_of_cards
from league.recap.night_recap import BLOCKS, HandOfTheNight, NightRecap, Placed, blocks, with_sign

WIDTH, HEIGHT = 1080, 1350
LEFT, RIGHT = 80, 1000
# Bars of the season go both ways from the middle; rows stand so far apart.
MIDDLE, BAR, BETWEEN = 660, 170, 58
FIRST_ROW, FIRST_ROW_WITHOUT_HAND = 944, 720
NAME_ROOM = 330


@dataclass(frozen=True, slots=True)
class Bar:
    """A player of the season: a place, a name, and a bar from the middle."""

    y: int
    place: int
    name: str
    net: str
    x: int
    width: int
    up: bool


def drawn(recap: NightRecap) -> str:
    """Return the picture as SVG; its only font is the one that the drawing library brings."""
    first = FIRST_ROW if recap.best else FIRST_ROW_WITHOUT_HAND
    context = {
        "width": WIDTH,
        "height": HEIGHT,
        "symbols": mark_safe(SYMBOLS),  # noqa: S308 (our own file)
        "league": fitted(recap.league, 36, WIDTH - 160),
        "night": fitted(recap.night, 76, WIDTH - 160),
        "date": recap.date,
        "hands": recap.hands,
        "blocks": blocks(recap.players),
        "rest": in_lines(_rest(recap.players[len(BLOCKS) :]), 30, RIGHT - LEFT, 2),
        "best": recap.best,
        **(_hand(recap.best) if recap.best else {}),
        "season": fitted(recap.season_name, 28, RIGHT - LEFT),
        "season_y": first - 54,
        "middle": MIDDLE,
        "bars": _bars(recap.season, first),
    }
    return render_to_string("recap/night.svg", context)


def _rest(players: Sequence[Placed]) -> str:
    return " · ".join(f"{place}. {name} {with_sign(net)}" for place, name, net in players)


def _hand(best: HandOfTheNight) -> dict[str, object]:
    cards = row_of_cards(best.cards, LEFT)
    x = LEFT + len(cards) * (CARD + GAP) + (26 if cards else 0)
    room = RIGHT - x
    chips = f"+{best.chips:,}"
    told = _("%(game)s: %(made)s") % {"game": best.game, "made": best.made}
    return {
        "cards": cards,
        "best_x": x,
        "best_name": fitted(best.name, 44, room - 40 - 28 * len(chips)),
        "best_chips": chips,
        "best_called": in_lines(told if best.made else best.game, 28, room, 2),
    }


def _bars(season: Sequence[Placed], first: int) -> list[Bar]:
    most = max((abs(net) for _place, _name, net in season), default=0) or 1
    return [_bar(first + at * BETWEEN, each, most) for at, each in enumerate(season)]


def _bar(y: int, placed: Placed, most: int) -> Bar:
    place, name, net = placed
    width = round(BAR * abs(net) / most)
    x = MIDDLE if net >= 0 else MIDDLE - width
    return Bar(y, place, fitted(name, 32, NAME_ROOM), with_sign(net), x, width, net >= 0)
