"""A betting round: who opens, who can act, and the limits of a bet."""

from collections.abc import Callable, Mapping
from functools import lru_cache

from rules.game.game import Limit
from rules.history import opener
from rules.history.script import Stage
from rules.history.table import Seat, Table

# How much may be bet: the least and the most under every limit, and what a whole bet is.


NOTHING_TO_SAY = frozenset(("mid", "none"))
FIXED = frozenset(("small", "big"))
Sizes = tuple[int, int]


def _least(table: Table) -> int:
    """The last raise again, and at least the least bet; a bring-in is completed to that."""
    least, above = (0 if table.brought else table.high) + table.size, table.high + 1
    return max(above, least)


def _no_limit(table: Table, seat: Seat, top: int) -> Sizes:
    return _least(table), top


def _pot_limit(table: Table, seat: Seat, top: int) -> Sizes:
    """Up to the pot as it would be after the call."""
    return _least(table), 2 * table.high - seat.bet + table.pot


def _half_pot(table: Table, seat: Seat, top: int) -> Sizes:
    after_call = table.pot + table.high - seat.bet
    return _least(table), table.high + after_call // 2


def _fixed(table: Table, seat: Seat, top: int) -> Sizes:
    """The bet of the round. An all-in of less than half a bet is completed, not raised."""
    bet = table.whole
    short = table.brought or 2 * (table.high - table.full) < bet
    to = (0 if table.brought else table.full if short else table.high) + bet
    return (to, to) if to > table.high else (table.high + 1, table.high + 1)


def _spread(table: Table, seat: Seat, top: int) -> Sizes:
    unit = table.stakes.unit
    high = 0 if table.brought else table.high
    return high + table.limit.least * unit, high + table.limit.most * unit


SIZES: dict[str, Callable[[Table, Seat, int], Sizes]] = {
    "no-limit": _no_limit,
    "table": _no_limit,
    "pot-limit": _pot_limit,
    "half-pot": _half_pot,
    "small": _fixed,
    "big": _fixed,
    "spread": _spread,
}


def fixed_bet(table: Table) -> int:
    """The bet of the round under a fixed limit."""
    stakes = table.stakes
    small = stakes.small or stakes.min or 1
    return small if table.limit.kind == "small" else stakes.big or 2 * small


def sizes(table: Table, index: int) -> Sizes | None:
    """The least and the most that a seat may bet or raise to; None when it may not."""
    seats, kind, cap = table.seats, table.limit.kind, table.stakes.cap
    seat = seats[index]
    top = seat.bet + seat.stack
    if kind in NOTHING_TO_SAY or top <= table.high or index in table.closed:
        return None
    if cap and table.raises >= cap:
        return None
    for other in seats:
        if other.stack and other.live and other is not seat:
            break
    else:
        return None  # nobody could call
    least, most = SIZES[kind](table, seat, top)
    if least <= most <= top:  # the usual case
        return least, most
    return min(least, top), min(max(least, most), top)  # a small pot allows the least bet


def limit_of_round(table: Table) -> Limit:
    """The limit of a round: the game's, or what the table plays where the game leaves it open."""
    limit = table.stage.limit
    betting = table.stakes.betting
    if betting is None and not table.game.betting.open_pair:
        return limit
    if limit.kind == "table" and betting:
        limit = betting.limit(table.stage.round) or limit
    else:
        betting = table.game.betting
    if betting.open_pair and betting.limits and _pair_shows(table):
        limit = betting.limits[-1]
    return limit


def _pair_shows(table: Table) -> bool:
    return any(
        seat.live and len({card // 4 for card in seat.up}) < len(seat.up) for seat in table.seats
    )


def is_full(table: Table, raised: int) -> bool:
    """Whether a bet or raise is a whole one, so that all may raise again."""
    if table.limit.kind in FIXED:
        return table.brought or 2 * (table.high + raised - table.full) >= table.whole
    if table.limit.kind == "spread":
        return raised >= table.limit.least * table.stakes.unit
    return raised >= table.size


def open_round(table: Table, stage: Stage) -> None:
    """Who opens, and all who may have something to say in this round."""
    seats, stakes = table.seats, table.stakes
    limit = table.limit = limit_of_round(table)
    if limit.kind in FIXED:
        table.whole = fixed_bet(table)
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
