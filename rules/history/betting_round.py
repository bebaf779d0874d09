"""How a round of betting begins: who opens, who may have something to say, what can be bet."""

from collections.abc import Mapping
from functools import lru_cache

from rules.history import bet_limits, opener
from rules.history.script import Stage
from rules.history.table import Table


def open_round(table: Table, stage: Stage) -> None:
    """Who opens, and all who may have something to say in this round."""
    seats, stakes = table.seats, table.stakes
    limit = table.limit = bet_limits.limit_of_round(table)
    if limit.kind in bet_limits.FIXED:
        table.whole = bet_limits.fixed_bet(table)
    table.rounds += 1
    high = table.high = max([seat.bet for seat in seats])
    table.closed.clear()
    table.raises = table.acted = 0
    table.brought = table.opened = table.anyone = False
    table.wrong_opener = None
    table.opener = table.alone = -1
    if limit.kind == "none" or table.left < 2:
        table.waiting = []
        return
    first = _first(table, stage)
    if high and stage.round == 0 and not stakes.short_blind:
        high = table.high = max(high, stakes.largest_blind)
    table.full = high
    size = stakes.min or (0 if limit.kind == "table" else stakes.big)
    table.size = size or max(stakes.blinds, default=0)
    behind = table.order if first == table.order[0] else (first, *table.after[first])
    waiting = table.waiting = [at for at in behind if seats[at].live and seats[at].stack]
    if len(waiting) == 1:
        nobody_left_to_bet(table)
    if table.waiting:
        table.opener = table.waiting[0]
        if table.calls is not None:
            table.calls.append(opener.opening_words(table, table.opener))


def _first(table: Table, stage: Stage) -> int:
    word = stage.word
    if not word:  # the usual case: no bring-in is without one
        return _after_blinds(table) if stage.round == 0 and table.high else table.order[0]
    if stage.bring_in or word in opener.KEYS:
        turned = stage.back >= 0 and table.script.stages[stage.back].kind == "roll"
        found = table.holder if turned else opener.opener_by_cards(table)
        table.anyone = found is None
        return table.order[0] if found is None or found < 0 else found
    if word == "last" and table.raiser >= 0:
        return table.raiser
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


def nobody_left_to_bet(table: Table) -> None:
    """The one still waited for: who alone has chips, and owes none, has nobody to bet against."""
    if table.limit.kind == "mid" and table.acted:
        return
    own = table.seats[table.waiting[0]]
    for seat in table.seats:
        if (seat.stack or seat.bet > own.bet) and seat.live and seat is not own:
            return
    table.alone = table.waiting[0]
    table.waiting = []
