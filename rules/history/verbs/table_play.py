"""Actions to pick, keep or push cards, post, pay, bid, and swap whole hands."""

from collections.abc import Callable

from rules.cards import TEXTS, UNSEEN, sign
from rules.errors import counted
from rules.history.actions import Action, read_amount, read_cards
from rules.history.betting_round import open_round
from rules.history.setup import arrive
from rules.history.stages import advance, offer, owe
from rules.history.table import (
    DECK,
    Seat,
    Table,
    fold,
    pay,
    place,
    report,
    round_from,
    toll_of,
    untolled,
    zones_of,
)
from rules.history.verbs.card_play import done, take_out, take_part
from rules.history.verbs.dealer import check_new

Verb = Callable[[Table, Action], None]


def posting(into: str, *, posted: bool = False) -> Verb:
    """Return the function of a verb that puts in chips: a bet, dead chips or a payment."""

    def put_in(table: Table, action: Action) -> None:
        amount = action.amount
        if amount is None and into == "ante" and len(action.words) != 1:
            amount = table.stakes.ante
        if amount is None:
            report(table, "bad-amount", "a number of chips is required", fatal=True)
            return
        seat = table.seats[action.seat]
        if into in {"ante", "bet"} and (table.rounds > 1 or table.acted or table.over):
            report(table, "too-late", f"{seat.name} posts after the betting began")
        if into == "stake" and not table.game.bank:
            report(table, "no-such-step", "only a game against a bank has chips to put in or take")
        paid = pay(table, seat, amount)
        if paid < amount and into == "dead":
            report(table, "wrong-size", f"{seat.name} has only {counted(paid, 'chip')}")
        if into == "bet":
            seat.bet += paid
            seat.blind += 0 if posted else paid
            if table.stage.kind == "bet" and not table.acted:
                open_round(table, table.stage)
        elif into == "dead" or (into == "ante" and table.stakes.dead_ante):
            seat.dead += paid

    return put_in


def take(table: Table, action: Action) -> None:
    if action.amount is None:
        report(table, "bad-amount", "a number of chips is required", fatal=True)
        return
    table.seats[action.seat].took += action.amount


SWAPPING = frozenset(("swap hand",))


def swap(table: Table, action: Action) -> None:
    """Handle `swap`, or `swap Kd` if the king blocks it. The last player swaps with the deck."""
    table.asked, table.refused = None, False
    shown = () if not action.words else action.cards
    if shown is None or len(shown) > 1:
        report(table, "bad-cards", "at most one card can refuse the swap", fatal=True)
        return
    if not arrive(table, SWAPPING) or not take_part(table, action.seat):
        return
    turn = round_from(table, table.stage.word)
    behind = turn[turn.index(action.seat) + 1 :]
    seat = table.seats[action.seat]
    if behind:
        index = behind[0]
        other = table.seats[index]
        table.asked = index
        for card in shown:
            _show(table, other, card)
        table.refused = shown != () or not table.stage.cards.isdisjoint(_could_refuse(table, other))
        if not table.refused:
            seat.down, other.down = other.down, seat.down
        elif index in table.waiting:  # the player who refused loses their turn
            table.waiting.remove(index)
    else:  # a hand from the deck is due; the player keeps the old one until the end of the step
        if shown:
            report(table, "no-such-card", "there is no player who could refuse")
        table.asked, table.drawing = DECK, (action.seat, len(seat.down))
        owe(table, seat, ("down",) * len(seat.down))
    done(table)


def _could_refuse(table: Table, seat: Seat) -> list[int]:
    """Return the player's cards, one of which may block the swap."""
    return {"down": seat.down, "up": seat.up}.get(table.stage.zone, [*seat.down, *seat.up])


def _show(table: Table, seat: Seat, card: int) -> None:
    """Record the card that blocked the swap, if it was seen."""
    held, refusing = _could_refuse(table, seat), table.stage.cards
    if card == UNSEEN:
        if UNSEEN not in held and refusing.isdisjoint(held):
            report(table, "no-such-card", f"{seat.name} has no card that refuses")
    elif card not in refusing:
        report(table, "no-such-card", f"{sign(TEXTS[card])} can't refuse a swap")
    elif card not in held:
        if UNSEEN in seat.down and table.stage.zone != "up":
            check_new(table, card)
            seat.down[seat.down.index(UNSEEN)] = card
        else:
            report(table, "no-such-card", f"{seat.name} has no {sign(TEXTS[card])}")


PICKING = frozenset(("take", "swap"))
PUSHING = frozenset(("push",))
BIDDING = frozenset(("bid",))
Cards = tuple[int, ...]

_put_in = posting("dead")


def _pay_price(table: Table, seat: Seat, price: int | None, due: int) -> None:
    """Pay a price, which goes to the main pot and does not count toward the bet."""
    if price is not None and price != due:
        report(table, "wrong-size", f"{seat.name} pays {price:,}, but the price is {due:,}")
    seat.dead += pay(table, seat, due if price is None else price)


# --- picking ------------------------------------------------------------------------------------


def pick(table: Table, action: Action) -> None:
    """Handle `pick Kd`, or `pick Kd 2c` in exchange for a card. A price may come first."""
    price = read_amount(action.words[0]) if action.words else None
    words = action.words if price is None else action.words[1:]
    card_lists = [read_cards(word) for word in words]
    if not card_lists or len(card_lists) > 2 or None in card_lists:
        report(
            table,
            "bad-cards",
            "a card to take is required, and for an exchange a card to give",
            fatal=True,
        )
        return
    taken, given = [cards or () for cards in (*card_lists, ())[:2]]
    if not arrive(table, PICKING) or not take_part(table, action.seat):
        return
    seat, stage = table.seats[action.seat], table.stage
    right = len(taken) == len(given) if stage.kind == "swap" else not given
    if not (right and stage.least <= len(taken) <= stage.most):
        report(table, "wrong-count", f"{seat.name} must follow {stage.text!r}")
    prices = [_pick_one(table, seat, card, given[at : at + 1]) for at, card in enumerate(taken)]
    _pay_price(table, seat, price, sum(prices))
    done(table)


def _pick_one(table: Table, seat: Seat, card: int, given: Cards) -> int:
    """Move a card from the table to a player, in exchange for one if given. Return its price."""
    stage, board = table.stage, table.board
    lying = [slot for slot in stage.table_slots if slot in board]
    slot = next((s for wanted in (card, UNSEEN) for s in lying if board[s] == wanted), None)
    if slot is None:
        report(table, "no-such-card", "the table does not have this card")
        return 0
    if board[slot] == UNSEEN:
        check_new(table, card)
    del board[slot]
    zone = stage.zone
    if stage.kind == "swap":
        zone = "down"
        for put in given:
            zone = take_out(table, seat, put, zones_of(stage)) or zone
            board[slot] = put
    place(table, seat, zone, card)
    prices = stage.prices
    return prices[stage.table_slots.index(slot)] if len(prices) > 1 else sum(prices)


# --- offered cards ------------------------------------------------------------------------------


def keep(table: Table, action: Action) -> None:
    if arrive(table, PUSHING) and _is_offered(table, action.seat):
        del table.waiting[0]
        table.offered = False
        offer(table)
        done(table)


def push(table: Table, action: Action) -> None:
    """Pass the card to the next player, who may push it too. The first player gets a new card."""
    if not arrive(table, PUSHING) or not _is_offered(table, action.seat):
        return
    seat, zone = table.seats[action.seat], table.stage.zone
    _pay_price(table, seat, action.amount, sum(table.stage.prices))
    card = (seat.up if zone == "up" else seat.down).pop()
    del table.waiting[0]
    owe(table, seat, (zone,))
    if table.waiting:
        place(table, table.seats[table.waiting[0]], zone, card)
    else:
        seat.out.append(card)


def _is_offered(table: Table, index: int) -> bool:
    if table.waiting[:1] == [index] and not table.seats[index].owed:
        return True
    report(table, "not-in-turn", f"{table.seats[index].name} is not offered a card now")
    return False


# --- paying -------------------------------------------------------------------------------------


def pay_toll(table: Table, action: Action) -> None:
    """Pay a penalty. At a toll stage the cards determine the amount."""
    seat = table.seats[action.seat]
    if table.stage.kind != "toll" or action.seat not in table.waiting:
        _put_in(table, action)
        return
    _pay_price(table, seat, action.amount, min(toll_of(table, seat), seat.stack))
    seat.tolls[table.stage.cards] = seat.tolls.get(table.stage.cards, 0) + untolled(table, seat)
    table.waiting.remove(action.seat)
    done(table)


def fold_for_toll(table: Table, index: int) -> bool:
    """Fold instead of paying a toll. Return false if no toll is due."""
    if table.stage.kind != "toll" or index not in table.waiting:
        return False
    fold(table, index)
    if not (table.waiting or table.owed or table.over):
        advance(table)
    return True


# --- bidding ------------------------------------------------------------------------------------


def bid(table: Table, action: Action) -> None:
    """Bid chips, or 0 for no bid. If bids tie, the first bid wins.

    The highest bid moves to the pot, and the cards to the bidder.
    """
    if action.amount is None:
        report(table, "bad-amount", "a number of chips is required", fatal=True)
        return
    if not arrive(table, BIDDING) or not take_part(table, action.seat):
        return
    table.bids[action.seat] = action.amount
    winner = max(table.bids, key=lambda index: table.bids[index])
    if not table.waiting and table.bids[winner]:
        seat = table.seats[winner]
        seat.dead += pay(table, seat, table.bids[winner])
        for slot in table.stage.table_slots:
            if slot in table.board:
                place(table, seat, table.stage.zone, table.board.pop(slot))
        if table.stage.word == "seat":
            table.order = (winner, *table.after[winner])
    done(table)
