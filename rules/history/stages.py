"""From one stage of the deal to the next: what each waits for, and what happens at its end."""

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
from rules.showdown.evaluation import turned_standing

Enter = Callable[[Table, Stage], None]
Leave = Callable[[Table, Stage], bool]  # True: the hand is over with it


def advance(table: Table) -> None:
    """On to the next stage that needs somebody or a card."""
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
    """The turning of cards goes round for as long as somebody can still turn one, the taking of
    cards for as long as somebody took one and somebody still may."""
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
    """The next step of its kind begins anew."""
    for seat in table.seats:
        seat.extras = seat.stood = 0


def _leave_bet(table: Table, stage: Stage) -> bool:
    """The chips in front go to the pot; the end of the hand where nobody could open."""
    if stage.bar and not table.opened and table.left > 1:
        passed_out(table)
        return True
    for seat in table.seats:
        seat.bet = 0
    table.high = 0
    return False


def passed_out(table: Table) -> None:
    """Nobody could open: the hand is over and the antes wait for the next one."""
    for seat in table.seats:
        seat.live = False
    table.left = 0
    end(table)


def end_for_all(table: Table) -> None:
    """A card that ends the deal lies up: nobody wins, and those who are in may stay so."""
    for seat in table.seats:
        seat.killed = seat.live
        seat.live = False
        seat.owed = ()
    table.left = 0
    end(table)


# --- entering -----------------------------------------------------------------------------------


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
    """All who are in have something to do, unless only one is left."""
    if table.left > 1:
        table.waiting = live_in_turn(table)


def _enter_last_ones(table: Table, stage: Stage) -> None:
    """The same, but the last one left may have to show a hand."""
    if table.left > 1 or table.game.must_show:
        table.waiting = live_in_turn(table)


def _enter_discard(table: Table, stage: Stage) -> None:
    """Where ranks of the board must go, whoever holds none of them has nothing to do."""
    _enter_last_ones(table, stage)
    if stage.table_slots:
        table.waiting = [i for i in table.waiting if must_throw(table, table.seats[i]) != []]


def _enter_turn(table: Table, stage: Stage) -> None:
    table.waiting = live_in_turn(table)


def _enter_earned(table: Table, stage: Stage) -> None:
    """A card for each of a rank that was turned up since the last time."""
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
    """Whoever was dealt such a card since the last time pays for it or folds."""
    table.waiting = [i for i in live_in_turn(table) if untolled(table, table.seats[i])]


def _enter_push(table: Table, stage: Stage) -> None:
    """One after the other is offered a card; to the right it begins on the dealer's right."""
    if table.left < 2 and not table.game.must_show:
        return
    table.waiting = round_from(table, stage.word)
    table.offered = False
    offer(table)


def offer(table: Table) -> None:
    """The next card of the deck to who is in turn."""
    if table.waiting and not table.offered:
        table.offered = True
        owe(table, table.seats[table.waiting[0]], (table.stage.zone,))


def kept_before(table: Table, seat: Seat) -> None:
    """A card dealt to the next player says that the last one kept what was offered."""
    while table.waiting and not table.seats[table.waiting[0]].owed and not seat.owed:
        if table.seats[table.waiting[0]] is seat and not table.offered:
            return
        del table.waiting[0]
        table.offered = False
        offer(table)


def _enter_roll(table: Table, stage: Stage) -> None:
    """The first behind the holder of the best hand who has cards to turn is in turn."""
    if table.to_beat is None:
        table.to_beat = turned_standing(table.game, list(table.board.values()))
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
    **dict.fromkeys(("set", "declare"), _enter_last_ones),
    "in-or-out": _enter_turn,
}


# --- passing on ---------------------------------------------------------------------------------


def _hand_over(table: Table, stage: Stage) -> bool:
    """What was passed is taken up by those it went to, all at once."""
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
    """Whoever had nobody left to swap with has a hand of the deck, which may refuse as well."""
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
