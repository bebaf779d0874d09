"""The card that lies beside the deal: a game in five lines, and the stages that it goes through.

What a newcomer needs while the hand is played; the whole of it is the rules page.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rules.game.game import Game
from rules.presentation.deal_words import dues_in_words, match_in_words
from rules.presentation.form import Document, game_of
from rules.presentation.rules_page import (
    hand_in_words,
    share_in_words,
    specials_in_words,
    worded_steps,
)

# What the table does at a step of the deal, where it is not dealt to.
STAGES = {
    "declare": "declare",
    "bet": "bet",
    "draw": "draw",
    "buy": "draw",
    "discard": "draw",
    "pass": "draw",
    "swap hand": "draw",
}
DECLARE = "Everybody declares at once."
SHOWDOWN = "Cards on the table."


def rules_card(
    variant: str | Document, modified: Sequence[str] = (), options: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return the card as plain JSON. Raises GameError.

    `says` are pairs of a title and a line, at most five; `stages` go from the deal to the showdown,
    each with its `kind` (deal, bet, draw, declare, showdown) and what is done, in words.
    """
    game = game_of(variant, modified, options)
    told = (
        ("Wild", specials_in_words(game)),
        ("Hand", hand_in_words(game)),
        ("Pot", _pot(game)),
        ("Declare", _declare(game)),
    )
    return {
        "name": game.name,
        "board": [list(row) for row in game.board],
        "lines": [list(line) for line in game.lines],
        "says": [[title, line] for title, lines in told if (line := " ".join(lines))],
        "stages": list(_stages(game)),
    }


def _pot(game: Game) -> Iterator[str]:
    yield from (share_in_words(share) for share in game.shares)
    if len(game.shares) > 1:
        yield "Each gets an even part."
    yield from dues_in_words(game)
    yield from match_in_words(game)


def _declare(game: Game) -> Iterator[str]:
    if game.declares and len(game.shares) > 1:
        yield f"{' or '.join(game.share_names)}, or both.".capitalize()
        tie = "tying for one is losing it" if game.both_ways == "outright" else "a tie is enough"
        yield f"Both must be won ({tie}), else nothing."


def _stages(game: Game) -> Iterator[dict[str, str]]:
    steps = [(STAGES.get(verb, "deal"), words) for verb, words in worded_steps(game.steps)]
    for kind, words in steps:
        yield {"kind": kind, "text": DECLARE if kind == "declare" else words}
    if game.declares and not any(kind == "declare" for kind, _words in steps):
        yield {"kind": "declare", "text": DECLARE}
    yield {"kind": "showdown", "text": SHOWDOWN}
