"""A game written by a league, and a hand played under it."""

from typing import Any

from league.games.house_games import write
from league.models import HouseGame, Night

# Five down cards, a cross of five board cards, and a hand with a line of three.
CROSS = """\
name = "Grandma's Cross"
by = "Grandma"
players = [2, 8]
deal = ["ante", "5 down", "bet", "board a b c d", "bet", "board e", "bet"]
board = ["a", "b e c", "d"]
lines = ["a e d", "b e c"]
hand = ["2 down + 3 line"]
shares = ["high"]
"""
LOW_CROSS = CROSS.replace('"high"', '"low: worst"')


def a_house_game(night: Night, text: str = CROSS) -> HouseGame:
    return write(night.league, text, by=None)


def crossed(variant: str, **changes: Any) -> dict[str, Any]:
    """Return a hand: ann has aces full on the vertical line, bob the low on the horizontal one."""
    record: dict[str, Any] = {
        "variant": variant,
        "button": 1,
        "players": [
            {"name": "ann", "paid": 10, "down": ["Ac", "Ad", "Kh", "Qh", "Js"]},
            {"name": "bob", "paid": 10, "down": ["2c", "3d", "6s", "8d", "Th"]},
        ],
        "board": [["As"], ["7c", "9d", "7h"], ["9s"]],
    }
    return record | changes
