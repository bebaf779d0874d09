"""A player makes the next one swap hands, who may hold a card that refuses it."""

from rules.cards import TEXTS, UNSEEN
from rules.history.actions import Action
from rules.history.setup import arrive
from rules.history.stages import owe
from rules.history.table import DECK, Seat, Table, round_from, wrong
from rules.history.verbs.card_play import done, take_part
from rules.history.verbs.dealer import check_new

SWAPPING = frozenset(("swap hand",))


def swap(table: Table, action: Action) -> None:
    """`swap`; `swap Kd`: that card refused it. Whoever is last swaps with the deck."""
    table.asked, table.refused = None, False
    shown = () if not action.words else action.cards
    if shown is None or len(shown) > 1:
        wrong(table, "bad-cards", "which card refuses it?", fatal=True)
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
        elif index in table.waiting:  # who has refused has had a turn
            table.waiting.remove(index)
    else:
        _draw(table, action.seat, shown)
    done(table)


def _draw(table: Table, index: int, shown: tuple[int, ...]) -> None:
    """The hand is kept until that of the deck is there; see the end of the step."""
    if shown:
        wrong(table, "no-such-card", "nobody is asked who could refuse")
    seat = table.seats[index]
    table.asked, table.drawing = DECK, (index, len(seat.down))
    owe(table, seat, ("down",) * len(seat.down))


def _could_refuse(table: Table, seat: Seat) -> list[int]:
    """The cards of a player among which one may refuse."""
    return {"down": seat.down, "up": seat.up}.get(table.stage.zone, [*seat.down, *seat.up])


def _show(table: Table, seat: Seat, card: int) -> None:
    """A card that refuses is known from now on, if somebody saw it."""
    held, refusing = _could_refuse(table, seat), table.stage.cards
    if card == UNSEEN:
        if UNSEEN not in held and refusing.isdisjoint(held):
            wrong(table, "no-such-card", f"{seat.name} has no card that refuses")
    elif card not in refusing:
        wrong(table, "no-such-card", f"{TEXTS[card]} refuses no swap")
    elif card not in held:
        if UNSEEN in seat.down and table.stage.zone != "up":
            check_new(table, card)
            seat.down[seat.down.index(UNSEEN)] = card
        else:
            wrong(table, "no-such-card", f"{seat.name} has no {TEXTS[card]}")
