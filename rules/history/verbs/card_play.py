"""Actions with a player's cards: discard, buy, pass, turn over, set, declare, show."""

from rules.cards import UNSEEN
from rules.errors import counted
from rules.game.hand import Player
from rules.history.actions import Action, read_amount, read_cards, write_cards
from rules.history.setup import arrive
from rules.history.stages import advance, end_for_all, owe, owe_earned
from rules.history.table import (
    Seat,
    Table,
    end,
    fold,
    must_throw,
    pay,
    report,
    zones_of,
)
from rules.history.verbs.dealer import check_new
from rules.settlement.checks import declarations, killers
from rules.showdown.evaluation import NO_STRENGTH, turned_strength

TAKING = frozenset(("take", "swap", "swap hand", "extra", "hit"))
THROWING = TAKING | {"draw", "discard", "buy"}
ON_TOP = frozenset(("extra", "hit"))
BUYING = ON_TOP | {"buy"}
PASSING = frozenset(("pass",))
TURNING = frozenset(("turn", "roll"))
LAYING = frozenset(("set",))
DECLARING = frozenset(("declare",))
STAYING = frozenset(("in-or-out",))


def _cards(table: Table, words: tuple[str, ...]) -> tuple[int, ...] | None:
    return _required(table, read_cards("".join(words)))


def _required(table: Table, cards: tuple[int, ...] | None) -> tuple[int, ...] | None:
    if cards is None:
        report(table, "bad-cards", "cards are required, such as AsKd", fatal=True)
    return cards


def take_part(table: Table, index: int) -> bool:
    """Take a seat's turn at a step. Its order matters only if cards are drawn or taken in turn."""
    if index not in table.waiting:
        report(table, "not-in-turn", f"{table.seats[index].name} can't act now")
        return False
    in_turn = table.stage.kind in THROWING or table.stage.word == "turn"
    if table.waiting[0] != index and in_turn:
        report(table, "out-of-turn", f"{table.seats[index].name} acts out of turn")
    table.waiting.remove(index)
    return True


def done(table: Table) -> None:
    if table.stage.zone == "common" and not table.waiting and not table.common_due:
        table.common_due = any(seat.bought for seat in table.seats)
        table.owed += table.common_due
    if not (table.waiting or table.owed or table.over):
        advance(table)


def take_out(table: Table, seat: Seat, card: int, zones: tuple[str, ...]) -> str:
    """Remove a card, or an unseen card in its place, from a player's hand.

    Return the zone of the card, or an empty string if the player has no such card.
    """
    held = {"down": seat.down, "up": seat.up}
    for wanted in (card, UNSEEN):
        for zone in zones:
            if wanted in held[zone]:
                held[zone].remove(wanted)
                return zone
    if card == UNSEEN:  # an unspecified card can match any of the known cards
        for zone in zones:
            if held[zone]:
                held[zone].pop()
                return zone
    report(table, "no-such-card", f"{seat.name} does not hold this card")
    return ""


# --- discarding, drawing, buying ----------------------------------------------------------------


def throw_away(table: Table, action: Action) -> None:
    index = action.seat
    cards = _required(table, action.cards)
    if cards is None or not arrive(table, THROWING) or not take_part(table, index):
        return
    if table.stage.kind in TAKING:
        seat = table.seats[index]
        if cards or seat.extras < table.stage.least:
            report(table, "wrong-count", f"{seat.name} must follow {table.stage.text!r}")
        seat.stood += table.stage.kind == "hit"
        done(table)
        return
    if cards and table.stage.kind == "buy":
        report(table, "not-paid", f"{table.seats[index].name} discards without buying a card")
    _exchange(table, table.seats[index], cards)
    done(table)


def _exchange(table: Table, seat: Seat, cards: tuple[int, ...]) -> None:
    stage = table.stage
    if stage.table_slots:
        # exactly the cards whose rank is on the board
        due = must_throw(table, seat)
        if due is not None and UNSEEN not in cards and sorted(due) != sorted(cards):
            instead = write_cards(cards) or "nothing"
            text = f"{seat.name} must discard {write_cards(due)}, not {instead}"
            report(table, "wrong-count", text)
    elif not stage.least <= len(cards) <= stage.most:
        text = (
            f"{seat.name} discards {counted(len(cards), 'card')}, "
            f"but the game allows {stage.least}-{stage.most}"
        )
        report(table, "wrong-count", text)
    zones = []
    for card in cards:
        zone = take_out(table, seat, card, zones_of(stage))
        if zone:
            seat.out.append(card)
            zones.append(zone)
    if stage.kind == "discard" or stage.zone == "common":
        return
    if stage.change < 0:
        zones = zones[: stage.change]
    elif zones or stage.least:
        zones += ["down"] * stage.change
    owe(table, seat, tuple(zones))


def buy(table: Table, action: Action) -> None:
    """Handle `buy 2 Kd`: the price, which does not count toward the bet, and the discards."""
    index, words = action.seat, action.words
    price = read_amount(words[0]) if words else None
    thrown = words if price is None else words[1:]
    cards = _cards(table, thrown)
    if cards is None or not arrive(table, BUYING):
        return
    if not take_part(table, index):
        return
    seat, on_top = table.seats[index], table.stage.kind in ON_TOP
    seat.extras += on_top
    if table.stage.kind == "hit":
        table.hit = True
        for table_seat in table.seats:
            table_seat.late = False
    # it stays the player's turn until they are done
    elif on_top and seat.extras < table.stage.most:
        table.waiting.insert(0, index)
    cost = read_amount(table.stage.word)
    if price is None:
        price = cost or 0
    if cost is not None and price != cost:
        report(table, "wrong-size", f"{seat.name} pays {price:,}, but a card costs {cost:,}")
    seat.dead += pay(table, seat, price)
    seat.bought = table.stage.zone == "common"
    if on_top:
        if cards:
            report(
                table, "wrong-count", f"{seat.name} can't discard when buying an additional card"
            )
        owe(table, seat, (table.stage.zone,))
    else:
        _exchange(table, seat, cards)
    done(table)


# --- passing, turning, laying -------------------------------------------------------------------


def pass_on(table: Table, action: Action) -> None:
    index = action.seat
    cards = _required(table, action.cards)
    if cards is None or not arrive(table, PASSING) or not take_part(table, index):
        return
    seat = table.seats[index]
    if len(cards) != table.stage.least:
        report(
            table,
            "wrong-count",
            f"{seat.name} passes {counted(len(cards), 'card')} instead of {table.stage.least}",
        )
    for card in cards:
        if take_out(table, seat, card, ("down",)):
            seat.passed.append(card)
    done(table)


def turn_over(table: Table, action: Action) -> None:
    index = action.seat
    cards = _required(table, action.cards)
    if cards is None or not arrive(table, TURNING):
        return
    if not cards:
        report(table, "bad-cards", "the card that is turned over is required", fatal=True)
        return
    if table.stage.kind == "roll":
        for card in cards:
            turn_one(table, index, card)
    elif take_part(table, index):
        seat = table.seats[index]
        if not table.stage.least <= len(cards) <= table.stage.most:
            report(
                table,
                "wrong-count",
                (
                    f"{seat.name} turns over {counted(len(cards), 'card')}, "
                    f"but the game allows {table.stage.least}-{table.stage.most}"
                ),
            )
        for card in cards:
            if take_out(table, seat, card, ("down",)):
                seat.up.append(card)
        if not table.game.enders.isdisjoint(seat.up):
            end_for_all(table)
    done(table)


def lay(table: Table, action: Action) -> None:
    """Handle `set front 2c3c4c`: put cards of the hand into one pile."""
    index, words = action.seat, action.words
    cards = _cards(table, words[1:])
    if cards is None or not arrive(table, LAYING):
        return
    seat, piles = table.seats[index], dict(table.stage.piles)
    pile = words[0] if words else ""
    if index not in table.waiting or pile not in piles or pile in seat.piles:
        report(table, "no-such-step", f"{seat.name} has no pile {pile[:20]!r} to set now")
        return
    if len(cards) != piles[pile]:
        report(
            table,
            "wrong-count",
            f"{counted(piles[pile], 'card')} must be set in {pile}, not {len(cards)}",
        )
    zones = ("down", "up") if table.stage.zone == "any" else ("down",)
    taken = [card for card in cards if take_out(table, seat, card, zones)]
    seat.piles[pile] = taken
    if len(seat.piles) == len(piles):
        table.waiting.remove(index)
    done(table)


# --- declaring ----------------------------------------------------------------------------------


def stay(table: Table, action: Action) -> None:
    index = action.seat
    if arrive(table, STAYING) and take_part(table, index):
        done(table)


def drop_out(table: Table, action: Action) -> None:
    index = action.seat
    if arrive(table, STAYING) and take_part(table, index):
        fold(table, index)
        done(table)


def declare(table: Table, action: Action) -> None:
    index = action.seat
    declaration = " ".join(action.words)
    seat = table.seats[index]
    if declaration not in declarations(table.game):
        allowed = ", ".join(declarations(table.game)) or "nothing, because cards speak"
        report(table, "bad-declaration", f"{seat.name} can declare {allowed}")
        return
    if arrive(table, DECLARING) and take_part(table, index):
        seat.declared = declaration
        done(table)


# --- showing ------------------------------------------------------------------------------------


def show(table: Table, action: Action) -> None:
    """Handle `sm` (muck), `sm -` (show the known cards) and `sm AhKh` (show the given cards)."""
    cards = _required(table, action.cards)
    if cards is None:
        return
    seat = table.seats[action.seat]
    if not action.words:
        seat.shown = False if seat.shown is None else seat.shown
        return
    seat.shown = True
    if cards and UNSEEN not in cards and [*cards] != seat.down:
        reveal(table, seat, list(cards))


def reveal(table: Table, seat: Seat, shown: list[int]) -> None:
    """Replace unseen cards with the shown cards, which must include all cards already known."""
    for card in [*seat.up, *(c for pile in seat.piles.values() for c in pile)]:
        if card in shown:
            shown.remove(card)
    new = [card for card in shown if card not in seat.down]
    known = [card for card in seat.down if card != UNSEEN]
    if new and len(new) + len(known) > len(seat.down):
        report(table, "shown-differs", f"{seat.name} shows cards other than those dealt")
        return
    for card in new:
        check_new(table, card)
        seat.down[seat.down.index(UNSEEN)] = card


def turn_one(table: Table, index: int, card: int) -> None:
    """Turn over one card, which may kill the hand, earn a further card or beat the best hand."""
    seat = table.seats[index]
    if index not in table.waiting:
        report(table, "not-in-turn", f"{seat.name} can't turn over a card now")
        return
    if card in seat.down:
        seat.down.remove(card)
    elif UNSEEN in seat.down:
        seat.down.remove(UNSEEN)
    else:
        report(table, "no-such-card", f"{seat.name} does not hold this card face down")
        return
    seat.up.append(card)
    table.acted = 0
    if card in table.game.enders:
        end_for_all(table)
        return
    player = Player(seat.name, down=seat.down, up=seat.up)
    if any(killers(player, rule, table.board) for rule in table.game.kill):
        # a record does not contain this fold
        seat.live, seat.killed = False, True
        table.left -= 1
        table.owed -= len(seat.owed)
        seat.owed = ()
        table.waiting = []
        if table.left < 2:
            end(table)
        return
    owe_earned(table, seat, table.stage.ranks)
    here = turned_strength(table.game, seat.up)
    if here > (table.to_beat or NO_STRENGTH):
        table.to_beat, table.holder = here, index
        table.waiting = []
    elif not seat.down and not seat.owed:
        table.waiting = []  # the hand can no longer win, so it is the next player's turn
