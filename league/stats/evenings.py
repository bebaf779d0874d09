"""Nights as they are counted: what each brought to whom, who was there, streaks and comebacks."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple
from uuid import UUID

from league.models import Night
from league.stats.scopes import Also, Scope, narrowed, rate
from league.stats.statements import query
from ledger.rows import as_uuid


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerNight:
    """What a night's hands brought a player, and all nights up to it together."""

    night: UUID
    night_name: str
    started_at: datetime
    player: UUID
    name: str
    hands: int
    net: int
    total: int


class _Night(NamedTuple):
    """What is told of a night: read and named once, however many were there."""

    id: UUID
    name: str
    started_at: datetime


def player_nights(scope: Scope, *, player: UUID | None = None) -> list[PlayerNight]:
    """Return the nights of each player in order, with the running net; two queries."""
    where, values = narrowed(scope, Also("player_id", player))
    rows = query(
        "SELECT t.night_id, p.id, p.name, sum(t.hands), sum(t.net) FROM league_nighttally t"
        f" JOIN league_player p ON p.id = t.player_id WHERE {where}"
        " GROUP BY t.night_id, p.id, p.name",
        values,
    )
    nights = _nights(scope)
    place = {night.id: at for at, night in enumerate(nights)}
    at = {key: place[as_uuid(key)] for key in {row[0] for row in rows}}
    who = {row[1]: as_uuid(row[1]) for row in rows}
    keyed = sorted(
        (name.lower(), who[key], at[night], name, int(hands), int(net))
        for night, key, name, hands, net in rows
    )
    found = []
    for _, mine in groupby(keyed, key=itemgetter(0, 1)):
        total = 0
        for _, player_id, night_at, name, hands, net in mine:
            total += net
            found.append(_player_night(nights[night_at], player_id, name, hands, net, total))
    return found


def _player_night(
    night: _Night, who: UUID, name: str, hands: int, net: int, total: int
) -> PlayerNight:
    return PlayerNight(
        night=night.id,
        night_name=night.name,
        started_at=night.started_at,
        player=who,
        name=name,
        hands=hands,
        net=net,
        total=total,
    )


def _nights(scope: Scope) -> list[_Night]:
    """Return the nights, first night first."""
    rows = Night.objects.filter(season__league=scope.league)
    if scope.season:
        rows = rows.filter(season=scope.season)
    found = rows.order_by("started_at", "number", "pk").only("number", "name", "started_at")
    return [_Night(night.pk, str(night), night.started_at) for night in found]


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """How a player's nights follow on each other.

    `streak` is how many of the last nights in a row were won (below zero: lost); `won` and `lost`
    are the longest of either. A `comeback` is the deepest that the running net was below zero
    before it came back to zero or above.
    """

    player: UUID
    name: str
    nights: int
    of_nights: int
    nights_won: int
    best: int
    worst: int
    streak: int
    won: int
    lost: int
    comeback: int

    @property
    def attendance(self) -> float | None:
        """The share of nights that the player was there."""
        return rate(self.nights, self.of_nights)


def forms(scope: Scope, *, player: UUID | None = None) -> list[Form]:
    """Return attendance, streaks and comebacks of each player; three queries."""
    return forms_of(player_nights(scope, player=player), scope)


def forms_of(rows: Iterable[PlayerNight], scope: Scope) -> list[Form]:
    """Return the same from the nights of players as they were read; one query."""
    where, values = narrowed(scope)
    [(dealt,)] = query(
        f"SELECT count(DISTINCT t.night_id) FROM league_nighttally t WHERE {where}", values
    )
    return [_form(list(mine), dealt) for _, mine in groupby(rows, key=lambda each: each.player)]


def _form(rows: list[PlayerNight], of_nights: int) -> Form:
    nets = [each.net for each in rows]
    runs = list(_runs(nets))
    return Form(
        player=rows[0].player,
        name=rows[0].name,
        nights=len(nets),
        of_nights=of_nights,
        nights_won=sum(net > 0 for net in nets),
        best=max(nets),
        worst=min(nets),
        streak=runs[-1],
        won=max(0, *runs),
        lost=-min(0, *runs),
        comeback=comeback(each.total for each in rows),
    )


def _runs(nets: Iterable[int]) -> Iterator[int]:
    """Yield how many nights in a row were won, below zero lost; an even night ends both."""
    for sign, some in groupby(nets, key=lambda net: (net > 0) - (net < 0)):
        yield sign * len(list(some))


def comeback(totals: Iterable[int]) -> int:
    """Return the deepest fall below zero from which a running total came back to zero."""
    deepest = low = 0
    for total in totals:
        if total < 0:
            low = min(low, total)
        else:
            deepest, low = min(deepest, low), 0
    return -deepest
