"""Usual records, read at once: nothing wrong, nothing rare.

What the full reader and its checks (`rules.settlement.checks`) would make of a record, or None
where they must look themselves; whatever is wrong is theirs to say. A law holds that both come to
the same hand (tests/laws/test_quick_ways.py).
"""

from typing import Any

from rules.cards import CARDS
from rules.documents.game_lookup import known_game
from rules.game.game import Game
from rules.game.hand import (
    MOST_CARDS,
    MOST_CHIPS,
    MOST_NAME,
    MOST_PLAYERS,
    PLAYER_KEYS,
    SHOWDOWN,
    USUAL_KEYS,
    Hand,
    Player,
)
from rules.settlement.checks import declarations
from rules.settlement.reader import Reader

USUAL_RECORD_KEYS = frozenset(
    ("variant", "modifiers", "options", "button", "players", "board", "carried", "took")
)
STANDING_KEYS = PLAYER_KEYS - {"out", "piles"}
NOTHING: list[Any] = []


def usual_hand(record: dict[str, Any]) -> Hand | None:
    """The hand of a usual record, None for any other."""
    raw, button, rows = record.get("players"), record.get("button"), record.get("board", NOTHING)
    if (
        not record.keys() <= USUAL_RECORD_KEYS
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
        players = [_player(each) for each in raw]
        board = [_cards(row) for row in rows]
    except (KeyError, TypeError, ValueError):
        return None
    seats = {player.name: seat for seat, player in enumerate(players)}
    live = [seat for seat, player in enumerate(players) if not (player.folded or player.mucked)]
    apart = len(seats) == len(players)
    if not (apart and _lie_well(game, players, board) and _hold(game, players, live)):
        return None
    carried, took = NOTHING, None
    if "carried" in record or "took" in record:
        reader = Reader(record)
        carried, took = reader.carried(seats), reader.took(seats)
        if reader.problems:
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
    name, paid = raw["name"], raw.get("paid", 0)
    if type(name) is not str or not (0 < len(name) <= MOST_NAME and name.isprintable()):
        raise ValueError
    if type(paid) is not int or not 0 <= paid <= MOST_CHIPS:
        raise ValueError
    player = Player(
        name,
        paid=paid,
        paid_told="paid" in raw,
        down=_cards(raw["down"]) if "down" in raw else (),
        up=_cards(raw["up"]) if "up" in raw else (),
    )
    keys = raw.keys()
    if not keys <= USUAL_KEYS:
        if not keys <= STANDING_KEYS:
            raise ValueError
        _stand(raw, player)
    return player


def _stand(raw: dict[str, Any], player: Player) -> None:
    """Put in what else is told of a player now and then."""
    dead, folded, declared = raw.get("dead", 0), raw.get("folded", False), raw.get("declared")
    mucked, all_in = raw.get("mucked", False), raw.get("all_in", False)
    if type(dead) is not int or not 0 <= dead <= player.paid:
        raise ValueError
    if type(folded) is not bool or type(mucked) is not bool or type(all_in) is not bool:
        raise ValueError
    if declared is not None and type(declared) is not str:
        raise ValueError
    player.dead, player.folded, player.mucked = dead, folded, mucked
    player.all_in, player.declared = all_in, declared


def _cards(raw: Any) -> list[int]:
    if type(raw) is not list:
        raise TypeError
    if len(raw) > MOST_CARDS:
        raise ValueError
    return [CARDS[card] for card in raw]


def _lie_well(game: Game, players: list[Player], board: list[list[int]]) -> bool:
    """Whether all cards were seen, are of the deck and lie there once, the board as it should."""
    cards: list[int] = []
    for row in board:
        cards += row
    for player in players:
        cards += player.down
        cards += player.up
    once = len(set(cards)) == len(cards)
    return once and game.deck.issuperset(cards) and [*map(len, board)] == game.row_lengths


def _hold(game: Game, players: list[Player], live: list[int]) -> bool:
    """Whether everybody has as many cards as the game leaves, and declared where that counts."""
    down, up = game.down, game.up
    for player in players:
        if len(player.down) > down.most or len(player.up) > up.most:
            return False
    if len(live) == 1 and not game.must_show:
        return True
    shown = [players[seat] for seat in live]
    allowed = declarations(game)
    for player in shown:
        if len(player.down) < down.least or len(player.up) < up.least:
            return False
    return not allowed or {player.declared for player in shown}.issubset(allowed)
