"""Getting to a stage of the deal: by passing over what was not told, or not at all."""

from rules.cards import UNSEEN
from rules.history.script import Stage
from rules.history.stages import advance
from rules.history.table import Table, fold, place, wrong


def arrive(table: Table, kinds: frozenset[str]) -> bool:
    """Be at a stage of one of these kinds, now or by passing over what was not told."""
    if table.stage.kind in kinds:
        return True
    stages = table.script.stages
    target = next((at for at in range(table.at + 1, len(stages)) if stages[at].kind in kinds), None)
    if table.over or target is None:
        what = "the hand is over" if table.over else f"the game is at {table.stage.text!r}"
        wrong(table, "no-such-step", f"this can't be done now: {what}")
        return False
    for _ in range(len(stages)):  # the turning of cards goes round: never for ever
        if table.at >= target:  # the end lies behind every stage
            break
        if not _may_be_missing(table):
            wrong(table, "no-such-step", f"this can't be done before {table.stage.text!r}")
            return False
        force(table)
    return table.stage.kind in kinds


def _may_be_missing(table: Table) -> bool:
    """Cards that nobody was told of may be passed over, cards that nobody was dealt may not."""
    if table.stage.kind in {"board", "replace"}:
        return not table.owed
    if table.stage.kind == "deal" and table.owed and table.rounds:
        wanted = len(table.stage.zones)
        return any(seat.live and len(seat.owed) < wanted for seat in table.seats)
    return True


def force(table: Table) -> None:
    """The table went on although something is missing: it is taken as the plainest thing."""
    stage = table.stage
    if stage.kind == "bet":
        _force_bets(table)
    else:
        _force_cards(table, stage)
        if table.waiting:
            wrong(table, "step-missed", f"{stage.text!r} was not told for everybody")
            table.waiting = []
    if not table.over:
        advance(table)


def _force_bets(table: Table) -> None:
    while table.waiting and not table.over:
        index = table.waiting[0]
        seat = table.seats[index]
        if table.high > seat.bet or table.limit.kind == "mid":
            wrong(table, "fold-missing", f"{seat.name} did not answer the bet and is out")
            fold(table, index)
        else:
            wrong(table, "check-missing", f"{seat.name} is taken to have checked")
            del table.waiting[0]


def _force_cards(table: Table, stage: Stage) -> None:
    if not table.owed:
        return
    wrong(table, "cards-missing", f"not all cards of {stage.text!r} were told")
    for seat in table.seats:
        for zone in seat.owed:
            place(table, seat, zone, UNSEEN)
        seat.owed = ()
    table.slots_due = ()
    table.common_due = False
    table.owed = 0
