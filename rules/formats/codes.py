"""Which game of the catalog a code of another format means, and back: a table, not code."""

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("codes.toml")


@dataclass(frozen=True, slots=True)
class Code:
    """A code and its game: which sizes it tells (fixed, min, stud), whose the odd chip is, and
    how it is bet where the game leaves that to the table."""

    code: str
    game: str
    sizes: str = ""
    odd_chip: str = ""
    betting: str = ""


@lru_cache(maxsize=1)
def _tables() -> dict[str, dict[str, Any]]:
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


@lru_cache(maxsize=8)
def codes(format_: str) -> dict[str, Code]:
    return {code: Code(code, **fields) for code, fields in _tables()[format_].items()}


@lru_cache(maxsize=256)
def code_of(format_: str, game: str, betting: str = "") -> Code | None:
    """The code of a game of the catalog, None when the format has none."""
    found = (c for c in codes(format_).values() if c.game == game and c.betting == betting)
    return next(found, None)


def pokernow_games() -> dict[str, str]:
    """PokerNow's words for a game, and the code of the same game in `ohh`."""
    return _tables()["pokernow"]


def pokernow_variants(code: str) -> dict[str, str]:
    """The games that PokerNow's game of this code is as a bomb pot (`bomb`) and on two boards
    (`two_boards`), and their `betting`."""
    found: dict[str, str] = _tables()["pokernow_variants"].get(code, {})
    return found
