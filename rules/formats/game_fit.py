"""Which code of another format a dealt game is, by what is dealt, compared and bet.

Names do not decide: a league's own document that is hold'em in all but its name goes out as
hold'em, and a game changed by a modifier does not.
"""

from collections.abc import Mapping
from typing import Any

from rules.documents.game_lookup import game_of
from rules.errors import Problem
from rules.formats.codes import Code, codes
from rules.game.game import Betting, Game
from rules.game.grammar import read_betting
from rules.history import Table, begin

Record = Mapping[str, Any]
SAME = (
    *("deck", "clockwise", "steps", "board", "lines", "hand", "wild", "bug", "kill", "values"),
    *("order", "ways", "shares", "declare", "unwon", "ties", "dues", "match", "piles"),
)
DIFFERENCES = (  # where no trait is the reason: what no game of the format has
    ("deck", "its deck is another"),
    ("steps", "its cards are dealt or bet differently"),
    ("board", "its board is another"),
    ("lines", "its hands are made differently"),
    ("hand", "its hands are made differently"),
    ("order", "its hands are compared differently"),
    ("ways", "its hands are compared differently"),
    ("values", "its hands are compared differently"),
    ("shares", "its pot is shared differently"),
    ("unwon", "its pot is shared differently"),
    ("ties", "its ties are settled differently"),
)
TRAITS = (  # why a game is none of those that a format has
    ("wild", "it has wild cards"),
    ("bug", "it has a joker"),
    ("dues", "its cards ask for chips"),
    ("match", "it is played over several deals"),
    ("kill", "its cards kill hands"),
)


def fitting_code(table: Table, format_: str) -> Code | None:
    """The code of the game that lies on the table, None when the format has none."""
    for code in codes(format_).values():
        game = game_of({"variant": code.game}).game
        if game is not None and _is(table.game, game):
            betting = read_betting(code.betting) if code.betting else game.betting
            if _limits(table) == betting.limits:
                return code
    return None


def why_none(record: Record, format_: str) -> Problem:
    """Why the format has no code of the game, and where the record says so."""
    table, wrong = begin(record)
    if table is None:
        return wrong[0]
    known = [game_of({"variant": code.game}).game for code in codes(format_).values()]
    if any(game is not None and _is(table.game, game) for game in known):
        said = "its limits are not told" if not _limits(table) else "not with these limits"
        return Problem("stakes/betting", "unknown-game", f"{said}; known are {_known(format_)}")
    return Problem(
        _place(record, known),
        "unknown-game",
        f"{_reason(table.game, known)}; known are {_known(format_)}",
    )


def _is(dealt: Game, known: Game) -> bool:
    return all(getattr(dealt, name) == getattr(known, name) for name in SAME)


def _limits(table: Table) -> tuple[object, ...]:
    told = table.game.betting
    own: Betting = told if told.limits else table.stakes.betting or told
    return own.limits


def _reason(game: Game, known: list[Game | None]) -> str:
    said = [text for trait, text in TRAITS if getattr(game, trait)]
    if game.declare != "cards-speak":
        said.append("players declare")
    if len(game.board) > 1:
        said.append("its board has several rows")
    if not game.board:
        said.append("it has no board")
    if not said:
        said += [
            text
            for trait, text in DIFFERENCES
            if not any(
                each is not None and getattr(each, trait) == getattr(game, trait) for each in known
            )
        ]
    return " and ".join(dict.fromkeys(said)) or "no game of the format has all of its rules"


def _known(format_: str) -> str:
    return ", ".join(codes(format_))


def _place(record: Record, known: list[Game | None]) -> str:
    """What of the record makes it another game: a modifier, an option, or the game itself."""
    for key in ("modifiers", "options"):
        plain = game_of({each: value for each, value in record.items() if each != key}).game
        if record.get(key) and plain and any(game and _is(plain, game) for game in known):
            return key
    return "variant"
