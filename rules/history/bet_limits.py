"""How much may be bet: the least and the most under every limit, and what a whole bet is."""

from collections.abc import Callable

from rules.game.steps import Limit
from rules.history.table import Seat, Table

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
