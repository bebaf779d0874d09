"""Usual records, read at once: nothing wrong, nothing rare.

What the full reader and its checks (`rules.settlement.checks`) would make of a record, or None
where they must look themselves; whatever is wrong is theirs to say. A law holds that both come to
the same hand (tests/laws/test_quick_ways.py).
"""

from itertools import chain
from typing import Any

from rules.cards import CARDS
from rules.documents.game_lookup import known_game
from rules.game.game import Game
from rules.game.hand import (
    MOST_CHIPS,
    MOST_NAME,
    MOST_PLAYERS,
    PLAYER_KEYS,
    SHOWDOWN,
    Hand,
    Player,
)
from rules.settlement.checks import declarations
from rules.settlement.reader import Reader

USUAL_RECORD_KEYS = frozenset(
    ("variant", "modifiers", "options", "button", "players", "board", "shared", "carried", "took")
)
NAMING_KEYS = frozenset(("shared", "carried", "took"))  # those of them that name its players
STANDING_KEYS = PLAYER_KEYS - {"out", "piles"}
NOTHING: list[Any] = []
CARD = CARDS.__getitem__


def usual_hand(record: dict[str, Any]) -> Hand | None:
    """The hand of a usual record, None for any other."""
    raw, button, rows = record.get("players"), record.get("button"), record.get("board", NOTHING)
    if (
        not USUAL_RECORD_KEYS.issuperset(record)
        or type(raw) is not list
        or len(raw) > MOST_PLAYERS
        or type(button) is not int
        or not 0 <= button < len(raw)
        or type(rows) is not list
    ):
        return None
    found = known_game(record)  # another one takes its time, and must not take it twice
    game = found.game if found else None
    if found is None or game is None or not game.is_plain or len(rows) != len(game.board):
        return None
    try:
        players = [*map(_player, raw)]
        board = [_cards(row) for row in rows]
    except (KeyError, TypeError, ValueError):
        return None
    seats = {player.name: seat for seat, player in enumerate(players)}
    if len(seats) != len(players) or [*map(len, board)] != game.row_lengths:
        return None
    shared, carried, took = NOTHING, NOTHING, None
    if not NAMING_KEYS.isdisjoint(record):
        reader = Reader(record)
        shared = reader.shared(players, seats)
        carried, took = reader.carried(seats), reader.took(seats)
        if reader.problems:
            return None
    live = _seats_in(game, players, [*chain(shared, *board)])
    if live is None:
        return None
    odd_chip, unit = game.table_options
    return Hand(
        *(game, found.variant, SHOWDOWN, button, players, board, [*carried], took, []),
        *(odd_chip, unit, live),
    )


def _player(raw: Any) -> Player:
    """A player of whom nothing rare is told. Raises KeyError, TypeError and ValueError."""
    if type(raw) is not dict:
        raise TypeError
    name = raw["name"]
    if type(name) is not str or not (0 < len(name) <= MOST_NAME and name.isprintable()):
        raise ValueError
    player = Player(name)
    known = 1
    if "paid" in raw:
        paid = raw["paid"]
        if type(paid) is not int or not 0 <= paid <= MOST_CHIPS:
            raise ValueError
        player.paid, player.paid_told, known = paid, True, 2
    if "down" in raw:
        player.down = _cards(raw["down"])
        known += 1
    if "up" in raw:
        player.up = _cards(raw["up"])
        known += 1
    if len(raw) > known:
        if not STANDING_KEYS.issuperset(raw):
            raise ValueError
        _stand(raw, player)
    return player


def _stand(raw: dict[str, Any], player: Player) -> None:
    """Put in what else is told of a player now and then."""
    dead, folded, declared = raw.get("dead", 0), raw.get("folded", False), raw.get("declared")
    mucked, all_in = raw.get("mucked", False), raw.get("all_in", False)
    if type(dead) is not int or not 0 <= dead <= player.paid:
        raise ValueError
    if folded == "late":
        folded = player.late = True
    if type(folded) is not bool or type(mucked) is not bool or type(all_in) is not bool:
        raise ValueError
    if declared is not None and type(declared) is not str:
        raise ValueError
    player.dead, player.folded, player.mucked = dead, folded, mucked
    player.all_in, player.declared = all_in, declared


def _cards(raw: Any) -> list[int]:
    if type(raw) is not list:
        raise TypeError
    return [*map(CARD, raw)]


def _seats_in(game: Game, players: list[Player], cards: list[int]) -> list[int] | None:
    """The seats that are compared, None where something is wrong: all cards, those of the board
    among them, were seen, are of the deck and lie there once, of no player's more than the game
    leaves; and all who are compared have the cards for it, and declared where that counts."""
    least_down, most_down, least_up, most_up = game.card_bounds
    live, enough = [], True
    for seat, player in enumerate(players):
        down, up = player.down, player.up
        lie_down, lie_up = len(down) + len(player.shared), len(up)
        if lie_down > most_down or lie_up > most_up:
            return None
        cards += down
        cards += up
        if not (player.folded or player.mucked):
            live.append(seat)
            if lie_down < least_down or lie_up < least_up:
                enough = False
    once = {*cards}
    if len(once) < len(cards) or not once <= game.deck:
        return None
    if len(live) == 1 and not game.must_show:
        return live
    if not enough:
        return None
    allowed = declarations(game) if game.declares else ()
    return live if not allowed or {players[n].declared for n in live}.issubset(allowed) else None
