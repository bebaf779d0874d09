"""Cards turned over one by one until the hand to beat is beaten, round and round."""

from rules.cards import UNSEEN
from rules.game.hand import Player
from rules.history.stages import end_for_all, owe_earned
from rules.history.table import Table, end, wrong
from rules.settlement.checks import killers
from rules.showdown.partial_hands import NO_STANDING, turned_standing


def turn_one(table: Table, index: int, card: int) -> None:
    """One card is turned: it may kill, it may earn one more, it may beat the best hand."""
    seat = table.seats[index]
    if index not in table.waiting:
        wrong(table, "not-in-turn", f"{seat.name} has no card to turn now")
        return
    if card in seat.down:
        seat.down.remove(card)
    elif UNSEEN in seat.down:
        seat.down.remove(UNSEEN)
    else:
        wrong(table, "no-such-card", f"{seat.name} has no such card to turn")
        return
    seat.up.append(card)
    table.acted = 0
    if card in table.game.enders:
        end_for_all(table)
        return
    player = Player(seat.name, down=seat.down, up=seat.up)
    if any(killers(player, rule, table.board) for rule in table.game.kill):
        _kill(table, index)
        return
    owe_earned(table, seat, table.stage.ranks)
    here = turned_standing(table.game, seat.up)
    if here > (table.to_beat or NO_STANDING):
        table.to_beat, table.holder = here, index
        table.waiting = []
    elif not seat.down and not seat.owed:
        table.waiting = []  # beaten for good: it is the next one's turn


def _kill(table: Table, index: int) -> None:
    """A killer turned up folds the hand; the record's cards say so, not the player."""
    seat = table.seats[index]
    seat.live = False
    seat.killed = True
    table.left -= 1
    table.owed -= len(seat.owed)
    seat.owed = ()
    table.waiting = []
    if table.left < 2:
        end(table)
