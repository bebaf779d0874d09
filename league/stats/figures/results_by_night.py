"""Players' nights with their results, streaks and comebacks, cached and updated.

The result of a closed night is the net of its closing, as in the standings. While a night is open,
its result is the net of the hands so far. Nights are read once. After that, only nights are read
whose hands have changed, or that were closed or reopened.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from itertools import accumulate, groupby
from typing import Any, NamedTuple
from uuid import UUID

from django.core.cache import cache
from django.utils.translation import gettext as _

from league.closing.standings import CURSOR, NET, valid_lines
from league.common.text import name_order
from league.stats.league_state import LeagueState, league_state
from league.stats.scopes import Scope, rate
from ledger.sql import as_uuid, is_postgresql, query, uuid_text


class Night(NamedTuple):
    """A night.

    `key` and `season` are ids in the database's format. `seconds` is the time from the night's
    start to its last hand, and `dealt` is that hand's number. `closed` is whether the results are
    those of a closing.
    """

    key: str
    season: str
    number: int
    given_name: str
    started_at: str
    seconds: float
    dealt: int
    closed: bool = False

    @property
    def name(self) -> str:
        return self.given_name or _("Night %(number)s") % {"number": self.number}

    @property
    def order(self) -> tuple[str, int, str]:
        return self.started_at, self.number, self.key


# A night's index, its number of hands, the net of these hands, and the night's net.
_Line = tuple[int, int, int, int]
# A column for each number of the lines, in ascending order of the nights. See `Attended`.
Columns = tuple[list[int], list[int], list[int], list[int]]


class NightsRead(NamedTuple):
    """All nights in order, and each player's nights."""

    nights: list[Night]
    players: dict[UUID, Columns]


def joined(before: NightsRead, moved: NightsRead) -> NightsRead | None:
    """Merge `moved` nights into `before`. Return None if a new night began before an old night."""
    nights = list(before.nights)
    place = {night.key: at for at, night in enumerate(nights)}
    for night in moved.nights:
        at = place.setdefault(night.key, len(nights))
        if at < len(nights):
            nights[at] = night
        elif nights and night.order < nights[-1].order:
            return None
        else:
            nights.append(night)
    now = [place[night.key] for night in moved.nights]
    players = {}
    for key in {**before.players, **moved.players}:
        rows = zip(*moved.players.get(key, ((), (), (), ())), strict=True)
        lines = [(now[at], *numbers) for at, *numbers in rows]
        columns = _patched(before.players.get(key, ([], [], [], [])), now, lines)
        if columns[0]:
            players[key] = columns
    return NightsRead(nights, players)


def _patched(before: Columns, places: Sequence[int], lines: Sequence[Sequence[int]]) -> Columns:
    """Return a player's nights, with the nights at `places` replaced by `lines`.

    If the player did not attend any of these nights, the player's nights are returned unchanged.
    """
    there = []
    for at in places:
        spot = bisect_left(before[0], at)
        if spot < len(before[0]) and before[0][spot] == at:
            there.append(at)
    if not there and not lines:
        return before
    columns: Columns = (list(before[0]), list(before[1]), list(before[2]), list(before[3]))
    for at in there:
        spot = bisect_left(columns[0], at)
        for column in columns:
            del column[spot]
    for line in lines:
        spot = bisect_left(columns[0], line[0])
        for column, number in zip(columns, line, strict=True):
            column.insert(spot, number)
    return columns


KEPT_SECONDS = 24 * 3600
MOST_MOVED = 100  # maximum number of nights to reread; if more have changed, all nights are reread


@dataclass(frozen=True)
class Attended:
    """A player's nights, oldest first. `at` contains their indexes among all nights.

    `from_hands` are the nets of the hands, and `nets` are the results of the nights.
    """

    player: UUID
    name: str
    at: list[int]
    hands: list[int]
    from_hands: list[int]
    nets: list[int]

    @cached_property
    def totals(self) -> list[int]:
        """The running total after each night."""
        return list(accumulate(self.nets))


@dataclass(frozen=True)
class Evenings:
    """A scope's nights, oldest first, and their players.

    `held` is the number of nights that a player attended, including players who are left out.
    """

    nights: Sequence[Night]
    players: Sequence[Attended]
    held: int

    @cached_property
    def played(self) -> list[int]:
        """The indexes of nights that any of these players attended, in ascending order."""
        return sorted({at for each in self.players for at in each.at})

    @cached_property
    def has_open(self) -> bool:
        """Whether any of these players' nights is still open."""
        return any(not self.nights[at].closed for at in self.played)

    @cached_property
    def counts_more_than_hands(self) -> bool:
        """Whether any result differs from the net of the night's hands."""
        return any(each.nets != each.from_hands for each in self.players)


def of_hands(read: Evenings) -> Evenings:
    """Return only the nights on which the players were dealt hands, with the nets of the hands."""
    players = []
    for player in read.players:
        rows = zip(player.at, player.hands, player.from_hands, strict=True)
        if lines := [(at, hands, net, net) for at, hands, net in rows if hands]:
            columns = map(list, zip(*lines, strict=True))
            players.append(Attended(player.player, player.name, *columns))
    return replace(read, players=players)


class _Seen(NamedTuple):
    """A league's last fact and closing, and when all of its facts were last rebuilt."""

    last: int | None
    last_closing: int | None
    rebuilt_at: str | None


class _CachedNights(NamedTuple):
    """The cached data. `nights` are stored as columns, which load ten times faster than rows."""

    seen: _Seen
    nights: list[tuple[Any, ...]]
    players: dict[UUID, Columns]


def evenings(
    scope: Scope, *, player: UUID | None = None, state: LeagueState | None = None
) -> Evenings:
    """Return the nights of all players, keyed by name, or of one player.

    This takes at most four queries. `state` is the league's state, if the caller has already read
    it.
    """
    state = state or league_state(scope.league)
    nights_read = _cached_nights(scope, state)
    held = len({at for columns in nights_read.players.values() for at in columns[0]})
    names = state.players
    if not names.keys() >= nights_read.players.keys():  # a player has joined in the meantime
        names = league_state(scope.league).players
    attended = [
        Attended(key, names[key], *columns)
        for key, columns in nights_read.players.items()
        if player in (None, key)
    ]
    attended.sort(key=lambda each: (name_order(each.name), each.player))
    return Evenings(nights_read.nights, attended, held)


def _cached_nights(scope: Scope, state: LeagueState) -> NightsRead:
    """Return the cached nights, updated with changed nights, and cache the result."""
    seen = _Seen(state.last_fact, state.last_closing, state.rebuilt_at)
    key = f"results:{scope.league}:{scope.season}:{scope.verified}"
    cached: _CachedNights | None = cache.get(key)
    if cached is None or cached.seen.rebuilt_at != seen.rebuilt_at:
        nights_read = _read(scope)
    elif cached.seen == seen:
        return _unpacked(cached)
    else:
        moved = _changed_nights(scope, cached.seen)
        merged = None if moved is None else joined(_unpacked(cached), moved)
        nights_read = merged or _read(scope)
    nights = list(zip(*nights_read.nights, strict=True))
    cache.set(key, _CachedNights(seen, nights, nights_read.players), KEPT_SECONDS)
    return nights_read


def _unpacked(known: _CachedNights) -> NightsRead:
    return NightsRead([Night(*row) for row in zip(*known.nights, strict=True)], known.players)


def _changed_nights(scope: Scope, seen: _Seen) -> NightsRead | None:
    """Return the nights with newer facts, closings or reopenings, or None if there are too many.

    Runs two queries.
    """
    verified = "" if scope.verified is None else " AND t.verified = %s"
    sums = (
        f"(SELECT {_joined_by_space('CAST(t.player_id AS text)')} FROM league_nighttally t"
        f" WHERE t.night_id = n.id{verified})"
    )
    touched = (
        "SELECT f.night_id FROM league_handfact f WHERE f.league_id = %s AND f.id > %s"
        f" UNION SELECT c.night_id FROM league_closing c WHERE c.league_id = %s AND {CURSOR} > %s"
    )
    league = uuid_text(scope.league)
    rows = query(
        f"SELECT {_NIGHT}, {sums} FROM league_night n WHERE {scope.seasons('n')}"
        f" AND n.id IN ({touched}) {_IN_ORDER} LIMIT {MOST_MOVED + 1}",
        [
            *(*scope.values[1:], *scope.values[:1]),
            *(league, seen.last or 0, league, seen.last_closing or 0),
        ],
    )
    if len(rows) > MOST_MOVED:
        return None
    sums_of: _Sums = {}
    for at, row in enumerate(rows):
        numbers = (row[-1] or "").split()
        for player, hands, net in zip(numbers[::3], numbers[1::3], numbers[2::3], strict=True):
            _add(sums_of.setdefault(as_uuid(player), {}), at, int(hands), int(net))
    nights = [_night(row[:-1]) for row in rows]
    return _with_closings(nights, sums_of, _results(scope, [as_uuid(each.key) for each in nights]))


def _read(scope: Scope) -> NightsRead:
    """Return all nights in the scope, oldest first, in three queries."""
    # Each player's nights in a season are one string of number, hands and net per night. A night's
    # number is shorter than its id.
    rows = query(
        "SELECT CAST(n.season_id AS text), t.player_id,"
        f" {_joined_by_space('CAST(n.number AS text)')}"
        " FROM league_nighttally t JOIN league_night n ON n.id = t.night_id"
        f" WHERE {scope.where('t')} GROUP BY n.season_id, t.player_id",
        scope.values,
    )
    results = _results(scope)
    # read after the sums and results, which ensures that all of their nights are included
    night_rows = query(
        f"SELECT {_NIGHT} FROM league_night n WHERE {scope.seasons('n')} {_IN_ORDER}",
        scope.values[:1],
    )
    nights = list(map(_night, night_rows))
    at = {(night.season, night.number): at for at, night in enumerate(nights)}
    sums: _Sums = {}
    for season, player, text in rows:
        mine = sums.setdefault(as_uuid(player), {})
        numbers = list(map(int, text.split()))
        for number, hands, net in zip(numbers[::3], numbers[1::3], numbers[2::3], strict=True):
            _add(mine, at[season, number], hands, net)
    return _with_closings(nights, sums, results)


_Sums = dict[UUID, dict[int, list[int]]]  # hands, their net and the night's net, by player, night
_Result = tuple[UUID, UUID, int, int, int]  # night, player, net, chips bought, paid in tournaments


def _add(mine: dict[int, list[int]], at: int, hands: int, net: int) -> None:
    """Add hands and net to a player's night.

    Verified hands and results without cards have separate sums.
    """
    line = mine.setdefault(at, [0, 0, 0])
    line[0] += hands
    line[1] += net
    line[2] += net


def _results(scope: Scope, nights: Iterable[UUID] | None = None) -> list[_Result]:
    """Return the results in the closings of these nights, or of all nights, in one query.

    A closing doesn't separate verified hands from others, so their scopes count only hands.
    """
    if scope.verified is not None:
        return []
    of: dict[str, Any] = {"closing__league": scope.league}
    if scope.season:
        of["closing__night__season"] = scope.season
    if nights is not None:
        of["closing__night__in"] = nights
    lines = valid_lines(**of)
    return list(lines.values_list("closing__night", "player", NET, "bought", "entered"))


def _with_closings(nights: list[Night], sums: _Sums, results: Iterable[_Result]) -> NightsRead:
    """Return the nights, with the results of closed nights in place of the nets of their hands.

    Players who bought chips, entered a tournament or won or lost chips attended a closed night,
    with or without hands.
    """
    place = {as_uuid(night.key): at for at, night in enumerate(nights)}
    for night, player, net, bought, entered in results:
        at = place[night]
        nights[at] = nights[at]._replace(closed=True)
        if bought or entered or net or at in sums.get(player, ()):
            sums.setdefault(player, {}).setdefault(at, [0, 0, 0])[2] = net
    columns: dict[UUID, Columns] = {}
    for player, mine in sums.items():
        attended = sorted(mine)
        hands, from_hands, nets = zip(*(mine[each] for each in attended), strict=True)
        columns[player] = attended, list(hands), list(from_hands), list(nets)
    return NightsRead(nights, columns)


def _joined_by_space(name: str) -> str:
    """Return SQL that joins rows `t` of sums into one string of `name`, hands and net per row."""
    function = "string_agg" if is_postgresql() else "group_concat"
    return f"{function}({name} || ' ' || t.hands || ' ' || t.net, ' ')"


_PLAYED = "SELECT CAST({}(f.played_at) AS text) FROM league_handfact f WHERE f.night_id = n.id"
_NIGHT = (
    "CAST(n.id AS text), CAST(n.season_id AS text), n.number, n.name,"
    f" CAST(n.started_at AS text), ({_PLAYED.format('min')}), ({_PLAYED.format('max')}),"
    " (SELECT max(h.number) FROM league_hand h WHERE h.night_id = n.id)"
)
_IN_ORDER = "ORDER BY n.started_at, n.number, n.id"


def _night(row: Sequence[Any]) -> Night:
    key, season, number, name, started, first, last, dealt = row
    seconds = 0.0  # of a night without hands
    if first is not None and last is not None:
        begun, ended = map(datetime.fromisoformat, (min(started, first), last))
        seconds = (ended - begun).total_seconds()
    return Night(key, season, number, name, started, seconds, dealt or 0)


# Hours played. Each player is credited with a share of each night's duration, in proportion to the
# hands dealt to the player.
#
# A night lasts from its start to its last hand. Players who sat out half of the hands count as
# having played half of the time, because their exact times of joining and leaving are not recorded.


HOUR = 3600


def hours(scope: Scope, *, player: UUID | None = None) -> dict[UUID, float]:
    """Return each player's hours, in at most six queries."""
    return hours_of(evenings(scope, player=player))


def hours_of(read: Evenings) -> dict[UUID, float]:
    """Return each player's hours, computed from nights that were already read."""
    hours = {}
    for player in read.players:
        seconds = 0.0
        for at, hands in zip(player.at, player.hands, strict=True):
            night = read.nights[at]
            all_hands = hands >= night.dealt
            seconds += night.seconds if all_hands else night.seconds * (hands / night.dealt)
        hours[player.player] = seconds / HOUR
    return hours


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """A player's attendance, streaks and comebacks.

    `streak` is the number of nights won in a row up to now, or negative for nights lost. `won` and
    `lost` are the longest such streaks. `comeback` is the deepest point below zero from which the
    running net returned to zero or above.
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
        """The share of nights that the player attended."""
        return rate(self.nights, self.of_nights)


def forms(scope: Scope, *, player: UUID | None = None) -> list[Form]:
    """Return each player's attendance, streaks and comebacks, in at most six queries."""
    return forms_of(evenings(scope, player=player))


def forms_of(read: Evenings) -> list[Form]:
    """Return attendance, streaks and comebacks, computed from nights that were already read."""
    forms = []
    for player in read.players:
        signs = [(net > 0) - (net < 0) for net in player.nets]
        # a losing streak is negative; a break-even night ends a streak
        streaks = [sign * len(list(nights)) for sign, nights in groupby(signs)]
        forms.append(
            Form(
                player=player.player,
                name=player.name,
                nights=len(player.nets),
                of_nights=read.held,
                nights_won=sum(net > 0 for net in player.nets),
                best=max(player.nets),
                worst=min(player.nets),
                streak=streaks[-1],
                won=max(0, *streaks),
                lost=-min(0, *streaks),
                comeback=comeback(player.totals),
            )
        )
    return forms


def comeback(totals: Iterable[int]) -> int:
    """Return the deepest point below zero from which the running total returned to zero."""
    deepest = low = 0
    for total in totals:
        if total < low:
            low = total
        elif low and total >= 0:
            deepest = min(deepest, low)
            low = 0
    return -deepest
