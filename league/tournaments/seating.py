"""Seat tournament players: draw seats, seat late players and balance tables.

The order of every draw is computed from the seed and the players' ids, so players can verify the
draw (see `league.planned_nights.planning`).
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple
from uuid import UUID

from league.common.errors import RefusedError, problem
from league.planned_nights.planning import drawn_order

MOST_TABLES = 4


class Place(NamedTuple):
    """A seat at a table. Tables and seats count from 1."""

    table: int
    seat: int


class Move(NamedTuple):
    """A player's move to another table."""

    player: UUID
    to: Place


def draw(players: Sequence[UUID], *, seats: int, seed: str) -> dict[UUID, Place]:
    """Return a place for each player, using as few tables as possible. Raises RefusedError.

    In the drawn order, players go to the tables in turn, so table sizes differ by at most one.
    """
    tables = _tables_for(len(players), seats)
    return {
        player: Place(number % tables + 1, number // tables + 1)
        for number, player in enumerate(drawn_order(seed, players))
    }


def seat_for(player: UUID, seated: Mapping[UUID, Place], *, seats: int, seed: str) -> Place:
    """Return a seat for a late player at the smallest table. Raises RefusedError.

    If all tables are full, a new table is opened, up to the limit.
    """
    _tables_for(len(seated) + 1, seats)
    sizes = _sizes(seated)
    table = min(sizes, key=lambda each: (sizes[each], each), default=1)
    if sizes[table] >= seats:
        table = min(set(range(1, MOST_TABLES + 1)) - sizes.keys())
    return Place(table, _free_seat(player, table, seated, seats=seats, seed=seed))


def moves(seated: Mapping[UUID, Place], *, seats: int, seed: str) -> list[Move]:
    """Return the fewest moves that balance the players across as few tables as possible.

    After the moves, table sizes differ by at most one. The smallest tables are broken up. As in the
    rules of the Tournament Directors Association, tables stay balanced, and a player who moves
    takes a free seat. The players who move are drawn.
    """
    now, moved = dict(seated), []
    sizes = _sizes(now)
    keep = sorted(sizes, key=lambda table: (-sizes[table], table))[: _tables_for(len(now), seats)]
    size, odd = divmod(len(now), len(keep)) if keep else (0, 0)
    # The largest tables keep the odd players.
    targets = {table: size + (place < odd) for place, table in enumerate(keep)}
    for player in drawn_order(seed, now):
        table = now[player].table
        if sizes[table] > targets.get(table, 0):
            to = max(targets, key=lambda each: (targets[each] - sizes[each], -each))
            place = Place(to, _free_seat(player, to, now, seats=seats, seed=seed))
            sizes[table] -= 1
            sizes[to] += 1
            now[player] = place
            moved.append(Move(player, place))
    return moved


def _sizes(seated: Mapping[UUID, Place]) -> Counter[int]:
    return Counter(place.table for place in seated.values())


def _tables_for(players: int, seats: int) -> int:
    tables = max(1, -(-players // seats))
    if tables > MOST_TABLES:
        text = f"{MOST_TABLES} tables of {seats} hold {MOST_TABLES * seats} players"
        raise RefusedError([problem("players", "too-many", text)])
    return tables


def _free_seat(
    player: UUID, table: int, seated: Mapping[UUID, Place], *, seats: int, seed: str
) -> int:
    """Return a free seat at the table, drawn by the seed for this player."""
    taken = {place.seat for place in seated.values() if place.table == table}
    free = [seat for seat in range(1, seats + 1) if seat not in taken]
    [first, *_] = drawn_order(f"{seed}{player}", [UUID(int=seat) for seat in free])
    return first.int
