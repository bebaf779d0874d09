"""Chips put in beside the betting: antes, blinds, dead chips, what the cards of a bank ask."""

from collections.abc import Callable

from rules.history.actions import Action
from rules.history.betting_round import open_round
from rules.history.table import Table, pay, wrong

Verb = Callable[[Table, Action], None]


def posting(into: str, *, posted: bool = False) -> Verb:
    """A verb that puts chips in: as a bet, as dead chips, or as what the cards ask for."""

    def put_in(table: Table, action: Action) -> None:
        amount = action.amount
        if amount is None and into == "ante" and len(action.words) != 1:
            amount = table.stakes.ante
        if amount is None:
            wrong(table, "bad-amount", "how many chips?", fatal=True)
            return
        seat = table.seats[action.seat]
        if into in {"ante", "bet"} and (table.rounds > 1 or table.acted or table.over):
            wrong(table, "too-late", f"{seat.name} posts after the betting began")
        if into == "stake" and not table.game.bank:
            wrong(table, "no-such-step", "chips are put and taken against a bank alone")
        paid = pay(table, seat, amount)
        if paid < amount and into == "dead":
            wrong(table, "wrong-size", f"{seat.name} has only {paid}")
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
        wrong(table, "bad-amount", "how many chips?", fatal=True)
        return
    table.seats[action.seat].took += action.amount
