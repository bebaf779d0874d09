"""Nights as they are counted: what each brought to whom, who was there, streaks and comebacks.

A player's nights are read as one row and held as columns: a season of a thousand nights has six
thousand lines, which took ten times as long one by one.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, groupby
from typing import NamedTuple
from uuid import UUID

from django.utils.translation import gettext as _

from league.stats.rows import native, query
from league.stats.scopes import Also, Scope, narrowed, rate
from ledger.rows import as_uuid


class Night(NamedTuple):
    """What is told of a night; `key` is its id as the database keeps it."""

    key: str
    season: str
    number: int
    given_name: str

    @property
    def name(self) -> str:
        return self.given_name or _("Night %(number)s") % {"number": self.number}


@dataclass(frozen=True)
class Attended:
    """The nights of a player, first night first: `at` are their places among all nights."""

    player: UUID
    name: str
    at: list[int]
    hands: list[int]
    nets: list[int]

    @cached_property
    def totals(self) -> list[int]:
        """What each night and all before it brought."""
        return list(accumulate(self.nets))


@dataclass(frozen=True)
class Evenings:
    """All nights of a scope, first night first, and who was there."""

    nights: Sequence[Night]
    players: Sequence[Attended]

    @cached_property
    def played(self) -> list[int]:
        """The places of the nights at which any of these players was, ascending."""
        return sorted({at for each in self.players for at in each.at})


def evenings(scope: Scope, *, player: UUID | None = None) -> Evenings:
    """Return the nights of each player by name; two queries."""
    where, values = narrowed(scope, Also("player_id", player))
    # a night goes by its number within the season, which takes less room than its id
    line = _joined("CAST(n.number AS text) || ' ' || t.hands || ' ' || t.net")
    rows = query(
        f"SELECT CAST(t.season_id AS text), p.id, p.name, {line} FROM league_nighttally t"
        " JOIN league_night n ON n.id = t.night_id JOIN league_player p ON p.id = t.player_id"
        f" WHERE {where} GROUP BY t.season_id, p.id, p.name",
        values,
    )
    nights = _nights(scope)
    places: dict[str, dict[int, int]] = {}
    for at, night in enumerate(nights):
        places.setdefault(night.season, {})[night.number] = at
    found: dict[UUID, _Sums] = {}
    for season, key, name, told in rows:
        mine = found.setdefault(as_uuid(key), _Sums(name, [0] * len(nights), [0] * len(nights)))
        mine.add(told, places[season])
    attended = (mine.of(player) for player, mine in found.items())
    return Evenings(nights, sorted(attended, key=lambda each: (each.name.lower(), each.player)))


class _Sums(NamedTuple):
    """What is added up of a player, by the place of the night."""

    name: str
    hands: list[int]
    nets: list[int]

    def add(self, told: str, places: Mapping[int, int]) -> None:
        numbers = list(map(int, told.split()))
        for number, hands, net in zip(numbers[::3], numbers[1::3], numbers[2::3], strict=True):
            at = places[number]
            self.hands[at] += hands
            self.nets[at] += net

    def of(self, player: UUID) -> Attended:
        at = [place for place, hands in enumerate(self.hands) if hands]
        hands, nets = ([each[place] for place in at] for each in (self.hands, self.nets))
        return Attended(player, self.name, at, hands, nets)


def _joined(told: str) -> str:
    """Return SQL for all values of a group as one text, with blanks between, in no order."""
    return f"{'string_agg' if native() else 'group_concat'}({told}, ' ')"


def _nights(scope: Scope) -> list[Night]:
    """Return the nights, first night first."""
    whole = replace(scope, verified=None)
    rows = query(
        "SELECT CAST(n.id AS text), CAST(n.season_id AS text), n.number, n.name"
        f" FROM league_night n WHERE {whole.where('n')} ORDER BY n.started_at, n.number, n.id",
        whole.values,
    )
    return [Night(*row) for row in rows]


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
    return forms_of(evenings(scope, player=player), scope)


def forms_of(read: Evenings, scope: Scope) -> list[Form]:
    """Return the same from the nights as they were read; one query."""
    where, values = narrowed(scope)
    [(dealt,)] = query(
        "SELECT count(*) FROM (SELECT DISTINCT t.night_id FROM league_nighttally t"
        f" WHERE {where}) dealt",
        values,
    )
    return [_form(each, dealt) for each in read.players]


def _form(mine: Attended, of_nights: int) -> Form:
    runs = list(_runs(mine.nets))
    return Form(
        player=mine.player,
        name=mine.name,
        nights=len(mine.nets),
        of_nights=of_nights,
        nights_won=sum(net > 0 for net in mine.nets),
        best=max(mine.nets),
        worst=min(mine.nets),
        streak=runs[-1],
        won=max(0, *runs),
        lost=-min(0, *runs),
        comeback=comeback(mine.totals),
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
