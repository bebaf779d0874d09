"""The codes of games in other formats, and the code that fits a record.

`codes.toml` lists the codes. A dealt game fits a code if it has the same deal, comparison and
betting. Its name does not matter: a league's own game that plays like hold'em is exported as
hold'em, but hold'em with a modifier is not.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from rules.documents.game_lookup import game_of
from rules.errors import Problem
from rules.game.game import Betting, Game
from rules.game.grammar import read_betting
from rules.history import Table, begin

FILE = Path(__file__).with_name("codes.toml")


@dataclass(frozen=True, slots=True)
class Code:
    """A code and its game.

    A code also has the bet sizes of the format (fixed, min, stud), the rule for the odd chip, and
    the betting if the game leaves it to the table.
    """

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
def code_of(format_: str, game: str) -> Code | None:
    """Return the code of a catalog game, or None if the format lacks the game."""
    matching = (c for c in codes(format_).values() if c.game == game and not c.betting)
    return next(matching, None)


def pokernow_games() -> dict[str, str]:
    """Map PokerNow's names of games to the codes of the same games in `ohh`."""
    return _tables()["pokernow"]


def pokernow_variants(code: str) -> dict[str, str]:
    """Return the variants of PokerNow's game with this code, each with its `betting`.

    The variants are the bomb pot (`bomb`) and the game on two boards (`two_boards`).
    """
    variants: dict[str, str] = _tables()["pokernow_variants"].get(code, {})
    return variants


Record = Mapping[str, Any]
SAME = (
    *("deck", "clockwise", "steps", "board", "lines", "hand", "wild", "bug", "kill", "values"),
    *("order", "ways", "shares", "declare", "unwon", "ties", "dues", "match", "piles"),
)
# reasons why a game does not match any of a format's codes, by the part that differs
DIFFERENCES = (
    ("deck", "its deck differs"),
    ("steps", "its deal or betting differs"),
    ("board", "its board differs"),
    ("lines", "its hands are made differently"),
    ("hand", "its hands are made differently"),
    ("order", "its hands are compared differently"),
    ("ways", "its hands are compared differently"),
    ("values", "its hands are compared differently"),
    ("shares", "its pot is shared differently"),
    ("unwon", "its pot is shared differently"),
    ("ties", "its ties are broken differently"),
)
TRAITS = (  # reasons why a game does not match any of a format's codes, by a trait that no code has
    ("wild", "it has wild cards"),
    ("bug", "it has a joker"),
    ("dues", "its cards require payments"),
    ("match", "it is played over several deals"),
    ("kill", "its cards can kill a hand"),
)


def fitting_code(table: Table, format_: str) -> Code | None:
    """Return the code of the game on the table, or None if no code of the format fits."""
    for code in codes(format_).values():
        game = game_of({"variant": code.game}).game
        if game is not None and _is(table.game, game):
            betting = read_betting(code.betting) if code.betting else game.betting
            if _limits(table) == betting.limits:
                return code
    return None


def missing_code(record: Record, format_: str) -> Problem:
    """Return why the format has no code for the game, with the place in the record."""
    table, wrong = begin(record)
    if table is None:
        return wrong[0]
    looked_up = (game_of({"variant": code.game}).game for code in codes(format_).values())
    format_games = [game for game in looked_up if game is not None]
    known = f"the format's games are {', '.join(codes(format_))}"
    if any(_is(table.game, each) for each in format_games):
        reason = (
            "the format does not have its limits" if _limits(table) else "its limits are not given"
        )
        return Problem("stakes/betting", "unknown-game", f"{reason}; {known}")
    game, where = table.game, "variant"
    for key in ("modifiers", "options"):  # without this key, the game may have a code
        plain = game_of({each: value for each, value in record.items() if each != key}).game
        if record.get(key) and plain and any(_is(plain, each) for each in format_games):
            where = key
            break
    reasons = [text for trait, text in TRAITS if getattr(game, trait)]
    if game.declare != "cards-speak":
        reasons.append("its players declare")
    if len(game.board) > 1:
        reasons.append("its board has several rows")
    if not game.board:
        reasons.append("it has no board")
    if not reasons:
        reasons = [
            text
            for trait, text in DIFFERENCES
            if all(getattr(each, trait) != getattr(game, trait) for each in format_games)
        ]
    reason = " and ".join(dict.fromkeys(reasons))
    reason = reason or "no game of the format has all of its rules"
    return Problem(where, "unknown-game", f"{reason}; {known}")


def _is(dealt: Game, known: Game) -> bool:
    return all(getattr(dealt, name) == getattr(known, name) for name in SAME)


def _limits(table: Table) -> tuple[object, ...]:
    betting = table.game.betting
    own: Betting = betting if betting.limits else table.stakes.betting or betting
    return own.limits
