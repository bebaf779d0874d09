"""A round of betting: who is in turn, what may be bet, and what a bet does to the others."""

from collections.abc import Mapping
from functools import lru_cache

from rules.history import limits, opening
from rules.history.actions import Action, read_amount
from rules.history.script import Stage
from rules.history.stages import ENTER, advance, arrive
from rules.history.table import Table, fold, pay, wrong

BETS = frozenset(("bet",))

# --- opening a round ----------------------------------------------------------------------------


def open_round(table: Table) -> None:
    """Who opens, and all who may have something to say in this round."""
    seats = table.seats
    table.limit = limits.limit_of_round(table)
    table.whole = limits.fixed_bet(table)
    table.rounds += 1
    table.high = max([seat.bet for seat in seats])
    table.closed.clear()
    table.raises = table.acted = 0
    table.brought = table.opened = table.anyone = False
    table.astray = None
    table.opener = table.alone = -1
    if table.limit.kind == "none" or table.left < 2:
        table.waiting = []
        return
    first = _first(table)
    stakes = table.stakes
    if table.high and table.stage.round == 0 and not stakes.short_blind:
        table.high = max([table.high, *map(abs, stakes.blinds)])
    table.full = table.high
    table.size = stakes.min or (0 if table.limit.kind == "table" else stakes.big)
    table.size = table.size or max(stakes.blinds, default=0)
    table.waiting = [
        seat for seat in (first, *table.after[first]) if seats[seat].live and seats[seat].stack
    ]
    if len(table.waiting) == 1:
        _nobody_left_to_bet(table)
    if table.waiting:
        table.opener = table.waiting[0]
        if table.calls is not None:
            table.calls.append(opening.opening_words(table, table.opener))


def _enter(table: Table, stage: Stage) -> None:
    open_round(table)


ENTER["bet"] = _enter


def _first(table: Table) -> int:
    word = table.stage.word
    if table.stage.bring_in or word in opening.KEYS:
        found = table.holder if table.stage.back >= 0 else opening.opener_by_cards(table)
        table.anyone = found is None
        return table.order[0] if found is None or found < 0 else found
    if word == "last" and table.raiser >= 0:
        return table.raiser
    if not word and table.stage.round == 0 and table.high:
        return _after_blinds(table)
    return table.order[0]


def _after_blinds(table: Table) -> int:
    """Behind the largest blind or straddle, the last of equal ones."""
    if table.stakes.blinds and not table.own_blinds:
        return _behind_blinds(table.order, table.stakes.blinds)
    return _behind_largest(table.order, {seat: table.seats[seat].blind for seat in table.order})


@lru_cache(maxsize=4096)
def _behind_blinds(order: tuple[int, ...], blinds: tuple[int, ...]) -> int:
    return _behind_largest(order, by_position(order, blinds))


def _behind_largest(order: tuple[int, ...], nominal: Mapping[int, int]) -> int:
    last = max(range(len(order)), key=lambda place: (nominal.get(order[place], 0), place))
    return order[(last + 1) % len(order)]


def by_position(order: tuple[int, ...], amounts: tuple[int, ...]) -> dict[int, int]:
    """Chips by seat from a list from the dealer's left; heads up the dealer is the first."""
    return dict(zip(order if len(order) != 2 else order[::-1], amounts, strict=False))


def _nobody_left_to_bet(table: Table) -> None:
    """The one still waited for: who alone has chips, and owes none, has nobody to bet against."""
    if table.limit.kind == "mid" and table.acted:
        return
    own = table.seats[table.waiting[0]]
    for seat in table.seats:
        if (seat.stack or seat.bet > own.bet) and seat.live and seat is not own:
            return
    table.alone = table.waiting[0]
    table.waiting = []


# --- turns --------------------------------------------------------------------------------------


def take_turn(table: Table, index: int) -> bool:
    """The seat's turn is taken; False when it has none. Those passed over act afterwards."""
    waiting = table.waiting
    if waiting and waiting[0] == index:
        del waiting[0]
        table.acted += 1
        if table.astray is not None:
            _may_stand(table)
        return True
    name = table.seats[index].name
    if index not in waiting:
        wrong(table, "not-in-turn", f"{name} has nothing to say now")
        return False
    place = waiting.index(index)
    if table.anyone and not table.acted:  # the cards that say who opens are not known
        table.waiting = waiting[place + 1 :] + waiting[:place]
        table.opener, table.acted = index, 1
        return True
    expected = table.seats[waiting[0]].name
    code = "out-of-turn" if table.acted else "wrong-opener"
    trouble = wrong(table, code, f"{name} acts before {expected}, who is in turn")
    table.waiting = waiting[place + 1 :] + waiting[:place]
    table.acted += 1
    if code == "wrong-opener" and table.game.betting.out_of_turn:
        table.astray = trouble
        _may_stand(table)
    return True


def _may_stand(table: Table) -> None:
    """So many acts out of turn through the dealer's error let it stand."""
    trouble = table.astray
    if trouble is not None and table.acted >= table.game.betting.out_of_turn:
        trouble.stands = True
        table.astray = None


def _after_act(table: Table) -> None:
    if len(table.waiting) == 1:
        _nobody_left_to_bet(table)
    if not table.waiting and not table.owed:
        advance(table)


# --- verbs --------------------------------------------------------------------------------------


def check_or_call(table: Table, action: Action) -> None:
    index = action.seat
    if index == table.alone:  # some say that they check though nobody is left to bet against
        table.alone = -1
        return
    if not (table.stage.kind == "bet" or arrive(table, BETS)) or not take_turn(table, index):
        return
    seat = table.seats[index]
    due = table.high - seat.bet
    if due > 0:
        seat.bet += pay(table, seat, due)
    elif table.acted == 1 and table.stage.forced:
        wrong(table, "must-open", f"{seat.name} must open and can't check")
    if table.limit.kind == "mid":
        wrong(table, "wrong-size", f"{seat.name} puts in a mid or folds, nothing else")
    _after_act(table)


def bet_or_raise(table: Table, action: Action) -> None:
    index, amount = action.seat, action.amount
    if not amount:
        wrong(table, "bad-amount", "a bet says how many chips it comes to", fatal=True)
        return
    if table.stage.kind != "bet" and not arrive(table, BETS):
        return
    seat = table.seats[index]
    if index in table.waiting:
        _check_size(table, index, amount)
    elif not seat.live or not seat.stack or amount <= table.high:
        take_turn(table, index)
        return
    else:
        table.waiting.append(index)
    take_turn(table, index)
    raise_to(table, index, amount)


def _check_size(table: Table, index: int, amount: int) -> None:
    seat = table.seats[index]
    allowed = limits.sizes(table, index)
    if allowed is not None and allowed[0] <= amount <= allowed[1]:
        pass
    elif allowed is None:
        why = "betting is not open again" if index in table.closed else "no more can be bet"
        wrong(table, "no-raise", f"{seat.name} can't raise: {why}")
    else:
        between = " to ".join(str(chips) for chips in sorted(set(allowed)))
        wrong(table, "wrong-size", f"{seat.name} bets {amount}; it may be {between}")
    if table.stage.bar and not table.opened:
        opening_bar(table, index)


def opening_bar(table: Table, index: int) -> bool:
    """Whether a hand may open where openers are needed; noted when it may not."""
    from rules.history.rolling import holds_bar  # noqa: PLC0415 - the array code is rarely needed

    seat = table.seats[index]
    may = holds_bar(table.game, seat.down, table.stage.bar)
    if not may:
        wrong(table, "no-openers", f"{seat.name} opens without {table.stage.bar}")
    return may


def raise_to(table: Table, index: int, amount: int) -> None:
    """The bet goes up; the others have to answer it. What is too much is what there is."""
    seat = table.seats[index]
    seat.bet += pay(table, seat, amount - seat.bet)
    if seat.bet <= table.high:  # a short stack called
        _after_act(table)
        return
    raised = seat.bet - table.high
    before = table.waiting
    whole = limits.is_full(table, raised)
    table.high = seat.bet
    table.raises += 1
    table.raiser = index
    table.opened = True
    seats = table.seats
    table.waiting = [o for o in table.after[index] if seats[o].live and seats[o].stack]
    if whole:
        table.size = max(raised, table.size)
        table.full = seat.bet
        table.closed.clear()
    else:  # an all-in that is short: who has acted may call it, not raise
        table.closed.update(set(table.waiting) - set(before))
    table.brought = False
    _after_act(table)


def bring_in(table: Table, action: Action) -> None:
    index = action.seat
    amount = read_amount(action.words[0]) if action.words else table.stakes.bring_in
    if amount is None:
        wrong(table, "bad-amount", "a bring-in is a number of chips", fatal=True)
        return
    if not arrive(table, BETS) or not take_turn(table, index):
        return
    seat = table.seats[index]
    if not table.stage.bring_in or table.acted > 1:
        wrong(table, "no-bring-in", f"{seat.name} has nothing to bring in")
    seat.bet += pay(table, seat, amount)
    if seat.bet > table.high:
        table.high = seat.bet
        table.brought = True
        seats = table.seats
        table.waiting = [o for o in table.after[index] if seats[o].live and seats[o].stack]
    _after_act(table)


def put_mid(table: Table, action: Action) -> None:
    """A forced bet of the size of the ante, in the middle of the hand (High Noon)."""
    usual = table.stakes.mid or table.stakes.ante
    index = action.seat
    amount = read_amount(action.words[0]) if action.words else usual
    if amount is None:
        wrong(table, "bad-amount", "a mid is a number of chips", fatal=True)
        return
    if not arrive(table, BETS) or not take_turn(table, index):
        return
    seat = table.seats[index]
    if table.limit.kind != "mid":
        wrong(table, "wrong-size", f"{seat.name} puts in a mid, and there are none in this round")
    elif usual and amount != usual:
        wrong(table, "wrong-size", f"{seat.name} puts in {amount}, a mid is {usual}")
    pay(table, seat, amount)
    _after_act(table)


def give_up(table: Table, action: Action) -> None:
    index = action.seat
    seat = table.seats[index]
    if not seat.live:
        wrong(table, "is-out", f"{seat.name} is out already")
        return
    if table.stage.kind != "bet" or not take_turn(table, index):
        if table.stage.kind != "bet":
            wrong(table, "not-in-turn", f"{seat.name} folds while nobody is betting")
        if table.over:
            return
    fold(table, index)
    if not table.over:
        _after_act(table)
