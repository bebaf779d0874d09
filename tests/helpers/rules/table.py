"""Short notation for hands of catalog games.

`called` returns a hand's name, and `shares` returns the winners. Unspecified cards are dealt from
the rest of the deck.
"""

from collections.abc import Iterator
from typing import Any

from rules import settle
from rules.cards import TEXTS
from rules.documents import game_lookup
from rules.game.game import Game
from tests.helpers.rules.tables import deal, seat

Record = dict[str, Any]


def played(variant: str | Record, *modified: str, **chosen: str | int) -> Game:
    """Return the catalog game with these modifiers and options."""
    lookup = game_lookup.game_of({"variant": variant, "modifiers": modified, "options": chosen})
    assert lookup.game is not None, lookup.problems
    return lookup.game


def steps(variant: str, *modified: str, **chosen: str | int) -> list[str]:
    """Return a deal's steps as written, without steps that the options exclude."""
    return [step.text for step in played(variant, *modified, **chosen).steps]


def called(
    variant: str,
    down: str = "",
    *,
    up: str = "",
    board: str = "",
    way: str = "high",
    modified: tuple[str, ...] = (),
    **chosen: str | int,
) -> str | None:
    """Return a hand's name for a share, or None if the hand does not qualify."""
    game = played(variant, *modified, **chosen)
    taken = {*down.split(), *up.split(), *board.replace("|", " ").split()}
    rest = (TEXTS[card] for card in sorted(game.deck) if TEXTS[card] not in taken)
    other = _filled(game, rest)
    says = {"declared": way} if game.declares else {}
    record = deal(
        variant,
        seat("ann", down, up=up, **says),
        other | says,
        board=board,
        modifiers=list(modified),
        options=chosen,
    )
    answer = settle(record)
    assert "errors" not in answer, answer["errors"]
    response = answer["hands"]["ann"].get(way)
    return response["name"] if response else None


def _filled(game: Game, rest: Iterator[str]) -> Record:
    down = [next(rest) for _ in range(game.down.least)]
    up = [next(rest) for _ in range(game.up.least)]
    return seat("bob", " ".join(down), up=" ".join(up))


def shares(record: Record) -> dict[str, set[str]]:
    """Return the winners of each share of the only contested pot."""
    answer = settle(record)
    assert "errors" not in answer, answer["errors"]
    (pot,) = answer["pots"]
    return {share["way"]: set(share["winners"]) for share in pot["shares"]}
