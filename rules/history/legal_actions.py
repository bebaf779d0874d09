"""The legal actions at a table, for recording hands and for tests."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from rules.history import betting_round
from rules.history.actions import DEALER
from rules.history.table import Table, must_throw, toll_of
from rules.settlement.checks import declarations
from rules.showdown.evaluation import meets_qualifier


@dataclass(frozen=True, slots=True)
class Choice:
    """A legal action: the actor, the verb and the range of the number in the action.

    `least` and `most` are chips (for cbr, pb, mid and buy) or cards. All numbers in between are
    legal. `to` is the player dealt to. `words` are the possible words.
    """

    seat: int
    verb: str
    least: int = 0
    most: int = 0
    to: int = -1
    words: tuple[str, ...] = ()


def choices(table: Table) -> list[Choice]:
    """Return all actions that are legal now. After the end of a hand, only showing is legal."""
    if table.over:
        may_show = not table.game.bank and (table.left > 1 or table.game.must_show)
        return [
            Choice(index, "sm", most=len(seat.down) + len(seat.up))
            for index, seat in enumerate(table.seats)
            if may_show and seat.live and seat.shown is None
        ]
    legal = [
        Choice(DEALER, "dh", 1, len(seat.owed), to=index)
        for index, seat in enumerate(table.seats)
        if seat.owed
    ]
    if table.common_due:
        legal.append(Choice(DEALER, "dc", 1, 1))
    if table.slots_due:
        legal.append(Choice(DEALER, "db", 1, len(table.slots_due)))
    elif table.stage.kind == "replace" and table.owed:
        legal.append(Choice(DEALER, "rb", 1, 1, words=tuple(table.board)))
    if table.waiting and table.stage.kind in ACTING:
        legal += ACTING[table.stage.kind](table)
    return legal


def _betting(table: Table) -> Iterator[Choice]:
    index = table.waiting[0]
    seat = table.seats[index]
    if table.limit.kind == "mid":
        usual = table.stakes.mid or table.stakes.ante
        yield Choice(index, "mid", usual, usual)
        yield Choice(index, "f")
        return
    first = not table.acted
    forced = first and (table.stage.must or table.stage.bring_in) and not table.anyone
    if first and table.stage.bring_in:
        usual = min(table.stakes.bring_in, seat.stack)
        yield Choice(index, "pb", usual, usual)
    if not forced:
        yield Choice(index, "f")
        yield Choice(index, "cc")
    allowed, bar = betting_round.sizes(table, index), table.stage.bar
    may_open = not bar or table.opened or meets_qualifier(table.game, seat.down, bar)
    if allowed is not None and may_open:
        yield Choice(index, "cbr", *allowed)
    elif forced and not table.stage.bring_in:
        yield Choice(index, "cc")


def _throwing(table: Table) -> Iterator[Choice]:
    stage, index = table.stage, table.waiting[0]
    seat = table.seats[index]
    held = len(seat.up) if stage.zone == "up" else len(seat.down)
    held += len(seat.up) if stage.zone == "any" else 0
    most = min(stage.most, held)
    if stage.kind == "buy":
        yield Choice(index, "sd")
        yield Choice(index, "buy", min(max(stage.least, 1), most), most, words=(stage.word,))
    elif stage.table_slots:
        due = must_throw(table, seat)
        yield (
            Choice(index, "sd", 0, held) if due is None else Choice(index, "sd", len(due), len(due))
        )
    else:
        yield Choice(index, "sd", min(stage.least, most), most)


def _picking(table: Table) -> Iterator[Choice]:
    index, stage = table.waiting[0], table.stage
    lying = tuple(slot for slot in stage.table_slots if slot in table.board)
    if lying:
        yield Choice(index, "pick", max(1, stage.least), min(stage.most, len(lying)), words=lying)
    if not (lying and stage.least):
        yield Choice(index, "sd")


def _swapping_hands(table: Table) -> Iterator[Choice]:
    yield Choice(table.waiting[0], "swap")
    yield Choice(table.waiting[0], "sd")


def _taking_more(table: Table) -> Iterator[Choice]:
    index, stage = table.waiting[0], table.stage
    yield Choice(index, "buy", words=(stage.word,))
    if table.seats[index].extras >= stage.least:
        yield Choice(index, "sd")


def _paying(table: Table) -> Iterator[Choice]:
    for index in table.waiting:
        due = toll_of(table, table.seats[index])
        yield Choice(index, "penalty", due, due)
        yield Choice(index, "f")


def _pushing(table: Table) -> Iterator[Choice]:
    if not table.seats[table.waiting[0]].owed:
        yield Choice(table.waiting[0], "keep")
        yield Choice(table.waiting[0], "push")


def _bidding(table: Table) -> Iterator[Choice]:
    for index in table.waiting:
        yield Choice(index, "bid", 0, table.seats[index].stack)


def _all_at_once(verb: str) -> Callable[[Table], Iterator[Choice]]:
    def of(table: Table) -> Iterator[Choice]:
        for index in table.waiting:
            yield Choice(index, verb, table.stage.least, table.stage.most)

    return of


def _turning(table: Table) -> Iterator[Choice]:
    index = table.waiting[0]
    if table.seats[index].down:
        yield Choice(index, "tu", 1, 1)


def _laying(table: Table) -> Iterator[Choice]:
    for index in table.waiting:
        for pile, number in table.stage.piles:
            if pile not in table.seats[index].piles:
                yield Choice(index, "set", number, number, words=(pile,))


def _declaring(table: Table) -> Iterator[Choice]:
    for index in table.waiting[:1] if table.stage.word else table.waiting:
        yield Choice(index, "declare", words=declarations(table.game))


def _staying(table: Table) -> Iterator[Choice]:
    for index in table.waiting:
        yield Choice(index, "in")
        yield Choice(index, "out")


ACTING: dict[str, Callable[[Table], Iterator[Choice]]] = {
    "bet": _betting,
    "draw": _throwing,
    "discard": _throwing,
    "buy": _throwing,
    **dict.fromkeys(("take", "swap"), _picking),
    "swap hand": _swapping_hands,
    "extra": _taking_more,
    "hit": _taking_more,
    "toll": _paying,
    "push": _pushing,
    "bid": _bidding,
    "pass": _all_at_once("pass"),
    "turn": _all_at_once("tu"),
    "roll": _turning,
    "set": _laying,
    "declare": _declaring,
    "in-or-out": _staying,
}
