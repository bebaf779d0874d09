"""Transitions between stages of the deal: the actions that each stage requires, and its end."""

from collections.abc import Callable

from rules.cards import UNSEEN
from rules.history.betting_round import open_round
from rules.history.script import Stage
from rules.history.table import (
    Seat,
    Table,
    can_still_be_beaten,
    end,
    live_in_turn,
    may_hit,
    must_throw,
    round_from,
    untolled,
)
from rules.showdown.evaluation import turned_strength

Enter = Callable[[Table, Stage], None]
Leave = Callable[[Table, Stage], bool]  # returns whether the hand ends with this stage


def advance(table: Table) -> None:
    """Advance to the next stage that waits for a player or a card."""
    stages = table.script.stages
    while not (table.waiting or table.owed or table.over):
        leave = LEAVE.get(table.stage.kind)
        if leave is not None and leave(table, table.stage):
            return
        table.at = table.at + 1 if table.stage.back < 0 else _next(table)
        if table.at >= len(stages):
            end(table)
            return
        table.stage = stages[table.at]
        ENTER[table.stage.kind](table, table.stage)


def _next(table: Table) -> int:
    """Return the index of the next stage, which may be the first stage of a loop.

    Turning cards repeats while a player can still turn one. Taking cards repeats if a player took
    one in this round and a player still may take one.
    """
    begun = table.script.stages[table.stage.back]
    if begun.kind == "roll":
        goes_on = can_still_be_beaten(table)
    else:
        goes_on = table.left > 1 and table.hit and may_hit(table, begun) != []
    if goes_on:
        return table.stage.back
    _forget_extras(table)
    return table.at + 1


def _forget_extras(table: Table) -> None:
    """Reset the counts of cards taken, before the next step at which players take cards."""
    for seat in table.seats:
        seat.extras = seat.stood = 0


def _leave_bet(table: Table, stage: Stage) -> bool:
    """Collect the bets. End the hand if no player could open."""
    if stage.bar and not table.opened and table.left > 1:
        end_without_opener(table)
        return True
    for seat in table.seats:
        seat.bet = 0
    table.high = 0
    return False


def end_without_opener(table: Table) -> None:
    """End the hand because no player could open. The antes stay for the next hand."""
    for seat in table.seats:
        seat.live = False
    table.left = 0
    end(table)


def end_for_all(table: Table) -> None:
    """End the deal because of a face-up card. Players left may keep a right to the pot."""
    for seat in table.seats:
        seat.killed = seat.live
        seat.live = False
        seat.owed = ()
    table.left = 0
    end(table)


# --- entering a stage -----------------------------------------------------------------------------


def owe(table: Table, seat: Seat, zones: tuple[str, ...]) -> None:
    seat.owed += zones
    table.owed += len(zones)


def _enter_deal(table: Table, stage: Stage) -> None:
    bank = table.seats[table.button] if table.game.bank else None
    zones, owing = stage.zones, 0
    for seat in table.seats:
        if seat.live and seat is not bank:
            seat.owed += zones
            owing += 1
    table.owed += owing * len(zones)


def _enter_board(table: Table, stage: Stage) -> None:
    table.slots_due = stage.slots
    table.owed += len(stage.slots)


def _enter_replace(table: Table, stage: Stage) -> None:
    table.owed += stage.least


def _enter_everybody(table: Table, stage: Stage) -> None:
    """Wait for all remaining players if there is more than one."""
    if table.left > 1:
        table.waiting = live_in_turn(table)


def _enter_last_players(table: Table, stage: Stage) -> None:
    """Wait for all players left. The last player left may have to show a hand."""
    if table.left > 1 or table.game.must_show:
        table.waiting = live_in_turn(table)


def _enter_declare(table: Table, stage: Stage) -> None:
    """Wait for all players left.

    If players declare in turn, the last player who raised goes first.
    """
    _enter_last_players(table, stage)
    if stage.word and table.waiting and table.raiser >= 0:
        order = (table.raiser, *table.after[table.raiser])
        table.waiting = [seat for seat in order if seat in table.waiting]


def _enter_discard(table: Table, stage: Stage) -> None:
    """Wait for the players who must discard. Players without a matching rank need not."""
    _enter_last_players(table, stage)
    if stage.table_slots:
        table.waiting = [i for i in table.waiting if must_throw(table, table.seats[i]) != []]


def _enter_turn(table: Table, stage: Stage) -> None:
    table.waiting = live_in_turn(table)


def _enter_earned(table: Table, stage: Stage) -> None:
    """Make a card due for each card of the stage's ranks dealt up since the last such stage."""
    for index in live_in_turn(table):
        owe_earned(table, table.seats[index], stage.ranks)


def owe_earned(table: Table, seat: Seat, ranks: frozenset[int]) -> None:
    earned = sum(card // 4 in ranks for card in seat.up if card != UNSEEN)
    more = earned - seat.earned
    if more > 0:
        zone = "up" if table.game.turned is None else "down"
        owe(table, seat, (zone,) * more)
        seat.earned = earned


def _enter_hit(table: Table, stage: Stage) -> None:
    table.hit = False
    if table.left > 1:
        table.waiting = may_hit(table, stage)


def _enter_swap_hand(table: Table, stage: Stage) -> None:
    if table.left > 1:
        table.waiting = round_from(table, stage.word)


def _enter_bid(table: Table, stage: Stage) -> None:
    table.bids = {}
    _enter_everybody(table, stage)


def _enter_toll(table: Table, stage: Stage) -> None:
    """Wait for players who must pay or fold because of cards dealt since the last such stage."""
    table.waiting = [i for i in live_in_turn(table) if untolled(table, table.seats[i])]


def _enter_push(table: Table, stage: Stage) -> None:
    """Offer a card to each player in turn. If cards are pushed to the right, the dealer is last."""
    if table.left < 2 and not table.game.must_show:
        return
    table.waiting = round_from(table, stage.word)
    table.offered = False
    offer(table)


def offer(table: Table) -> None:
    """Offer the next card of the deck to the current player."""
    if table.waiting and not table.offered:
        table.offered = True
        owe(table, table.seats[table.waiting[0]], (table.stage.zone,))


def record_kept_card(table: Table, seat: Seat) -> None:
    """Record that a player kept the offered card, once the next player is dealt a card."""
    while table.waiting and not table.seats[table.waiting[0]].owed and not seat.owed:
        if table.seats[table.waiting[0]] is seat and not table.offered:
            return
        del table.waiting[0]
        table.offered = False
        offer(table)


def _enter_roll(table: Table, stage: Stage) -> None:
    """Wait for the next player with cards to turn, after the holder of the best hand."""
    if table.to_beat is None:
        table.to_beat = turned_strength(table.game, list(table.board.values()))
    order = table.after[table.holder] if table.holder >= 0 else table.order
    table.waiting = [i for i in order if table.seats[i].live and table.seats[i].down][:1]


ENTER: dict[str, Enter] = {
    "bet": open_round,
    "deal": _enter_deal,
    "board": _enter_board,
    "replace": _enter_replace,
    "earn": _enter_earned,
    "hit": _enter_hit,
    "swap hand": _enter_swap_hand,
    "toll": _enter_toll,
    "push": _enter_push,
    "bid": _enter_bid,
    "roll": _enter_roll,
    "turn": _enter_turn,
    **dict.fromkeys(("draw", "buy", "pass", "take", "swap", "extra"), _enter_everybody),
    "discard": _enter_discard,
    "set": _enter_last_players,
    "declare": _enter_declare,
    "in-or-out": _enter_turn,
}


# --- leaving a stage ------------------------------------------------------------------------------


def _hand_over(table: Table, stage: Stage) -> bool:
    """Move all passed cards to their receivers at the same time."""
    seats = [index for index, seat in enumerate(table.seats) if seat.live]
    places = stage.change
    shift = {"left": places, "right": -places, "across": len(seats) // 2}[stage.word]
    for place_, index in enumerate(seats):
        taker = table.seats[seats[(place_ + shift) % len(seats)]]
        taker.down += table.seats[index].passed
    for seat in table.seats:
        seat.passed = []
    return False


def _draw_hand(table: Table, stage: Stage) -> bool:
    """Swap the last player's hand with one from the deck, unless a card in it blocks the swap."""
    if table.drawing is None:
        return False
    (index, count), table.drawing = table.drawing, None
    seat = table.seats[index]
    held, drawn = seat.down[:count], seat.down[count:]
    if not drawn:
        return False
    table.refused = stage.zone != "up" and not stage.cards.isdisjoint(drawn)
    seat.down, thrown = (held, drawn) if table.refused else (drawn, held)
    seat.out += thrown
    if table.refused and table.calls is not None:
        table.calls.append(f"{seat.name} keeps the hand: what was drawn refuses")
    return False


def _leave_extra(table: Table, stage: Stage) -> bool:
    _forget_extras(table)
    return False


LEAVE: dict[str, Leave] = {
    "bet": _leave_bet,
    "pass": _hand_over,
    "swap hand": _draw_hand,
    "extra": _leave_extra,
}
