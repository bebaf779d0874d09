"""Betting actions: turns, bet sizes, and the effect of a bet on other players."""

from rules.history import betting_round
from rules.history.actions import Action, read_amount
from rules.history.betting_round import nobody_left_to_bet
from rules.history.setup import arrive
from rules.history.stages import advance
from rules.history.table import Table, fold, pay, report
from rules.history.verbs.table_play import fold_for_toll
from rules.showdown.evaluation import meets_qualifier

BETS = frozenset(("bet",))

# --- turns --------------------------------------------------------------------------------------


def take_turn(table: Table, index: int) -> bool:
    """Take a seat's turn. Return false if the seat can't act now. Skipped players act later."""
    waiting = table.waiting
    if waiting and waiting[0] == index:
        del waiting[0]
        table.acted += 1
        if table.wrong_opener is not None:
            _may_stand(table)
        return True
    name = table.seats[index].name
    if index not in waiting:
        report(table, "not-in-turn", f"{name} can't act now")
        return False
    place = waiting.index(index)
    # any player may open, because the cards that would determine the opener are unknown
    if table.anyone and not table.acted:
        table.waiting = waiting[place + 1 :] + waiting[:place]
        table.opener, table.acted = index, 1
        return True
    expected = table.seats[waiting[0]].name
    code = "out-of-turn" if table.acted else "wrong-opener"
    irregularity = report(table, code, f"{name} acts out of turn: it is {expected}'s turn")
    table.waiting = waiting[place + 1 :] + waiting[:place]
    table.acted += 1
    if code == "wrong-opener" and table.game.betting.out_of_turn:
        table.wrong_opener = irregularity
        _may_stand(table)
    return True


def _may_stand(table: Table) -> None:
    """Accept a wrong opener if enough actions have followed (`out_of_turn`)."""
    irregularity = table.wrong_opener
    if irregularity is not None and table.acted >= table.game.betting.out_of_turn:
        irregularity.stands = True
        table.wrong_opener = None


def _after_act(table: Table) -> None:
    """Advance if no other player may act."""
    if len(table.waiting) == 1:
        nobody_left_to_bet(table)
    if not table.waiting and not table.owed:
        advance(table)


# --- verbs --------------------------------------------------------------------------------------


def check_or_call(table: Table, action: Action) -> None:
    index = action.seat
    # a record may contain a check even though there is no opponent left to bet against
    if index == table.alone:
        table.alone = -1
        return
    if not (table.stage.kind == "bet" or arrive(table, BETS)) or not take_turn(table, index):
        return
    seat = table.seats[index]
    due = table.high - seat.bet
    if due > 0:
        seat.bet += pay(table, seat, due)
    elif table.acted == 1 and table.stage.forced:
        report(table, "must-open", f"{seat.name} must open and can't check")
    if table.limit.kind == "mid":
        report(table, "wrong-size", f"{seat.name} can only put in a mid or fold")
    if len(table.waiting) < 2:
        _after_act(table)


def bet_or_raise(table: Table, action: Action) -> None:
    index, amount = action.seat, action.amount
    if not amount:
        report(table, "bad-amount", "a bet must state the amount that it comes to", fatal=True)
        return
    if table.stage.kind != "bet" and not arrive(table, BETS):
        return
    seat = table.seats[index]
    if index not in table.waiting:
        if not seat.live or not seat.stack or amount <= table.high:
            take_turn(table, index)
            return
        table.waiting.append(index)
    else:
        allowed = betting_round.sizes(table, index)
        if allowed is None:
            why = (
                "the betting is not reopened"
                if index in table.closed
                else "the stack or the limit allows no raise"
            )
            report(table, "no-raise", f"{seat.name} can't raise: {why}")
        elif not allowed[0] <= amount <= allowed[1]:
            between = " to ".join(f"{chips:,}" for chips in sorted(set(allowed)))
            report(table, "wrong-size", f"{seat.name} bets {amount:,}; allowed is {between}")
        bar = table.stage.bar
        if bar and not table.opened and not meets_qualifier(table.game, seat.down, bar):
            report(table, "no-openers", f"{seat.name} opens without {bar}")
    take_turn(table, index)
    raise_to(table, index, amount)


def raise_to(table: Table, index: int, amount: int) -> None:
    """Raise the bet, limited to the stack. The other players must act again."""
    seats, before = table.seats, table.waiting
    seat, high = seats[index], table.high
    seat.bet += pay(table, seat, amount - seat.bet)
    if seat.bet <= high:  # if the stack can't cover the bet, the call is all in
        _after_act(table)
        return
    raised = seat.bet - high
    whole = betting_round.is_full(table, raised)
    table.high = seat.bet
    table.raises += 1
    table.raiser = index
    table.opened = True
    waiting = table.waiting = [
        other for other in table.after[index] if seats[other].live and seats[other].stack
    ]
    if whole:
        table.size = max(raised, table.size)
        table.full = seat.bet
        table.closed.clear()
    else:  # after a short all-in, players who have already acted may call but not raise
        table.closed.update(set(waiting) - set(before))
    table.brought = False
    if len(waiting) < 2:
        _after_act(table)


def bring_in(table: Table, action: Action) -> None:
    index = action.seat
    amount = read_amount(action.words[0]) if action.words else table.stakes.bring_in
    if amount is None:
        report(table, "bad-amount", "a bring-in must be a number of chips", fatal=True)
        return
    if not arrive(table, BETS) or not take_turn(table, index):
        return
    seat = table.seats[index]
    if not table.stage.bring_in or table.acted > 1:
        report(table, "no-bring-in", f"{seat.name} has no bring-in to post")
    seat.bet += pay(table, seat, amount)
    if seat.bet > table.high:
        table.high = seat.bet
        table.brought = True
        seats = table.seats
        table.waiting = [o for o in table.after[index] if seats[o].live and seats[o].stack]
    _after_act(table)


def put_mid(table: Table, action: Action) -> None:
    """Put in a forced bet as large as the ante in the middle of the hand (High Noon)."""
    usual = table.stakes.mid or table.stakes.ante
    index = action.seat
    amount = read_amount(action.words[0]) if action.words else usual
    if amount is None:
        report(table, "bad-amount", "a mid must be a number of chips", fatal=True)
        return
    if not arrive(table, BETS) or not take_turn(table, index):
        return
    seat = table.seats[index]
    if table.limit.kind != "mid":
        report(table, "wrong-size", f"{seat.name} puts in a mid, but this round has none")
    elif usual and amount != usual:
        report(table, "wrong-size", f"{seat.name} puts in {amount:,}, but a mid is {usual:,}")
    pay(table, seat, amount)
    _after_act(table)


def give_up(table: Table, action: Action) -> None:
    index = action.seat
    seat = table.seats[index]
    if not seat.live:
        report(table, "is-out", f"{seat.name} has folded already")
        return
    if fold_for_toll(table, index):
        return
    if table.stage.kind != "bet" or not take_turn(table, index):
        if table.stage.kind != "bet":
            report(table, "not-in-turn", f"{seat.name} folds outside a round of betting")
        if table.over:
            return
    fold(table, index)
    if not table.over:
        _after_act(table)
