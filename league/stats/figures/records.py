"""A scope's best hands, biggest pots and worst beats, and the hand search."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from itertools import chain
from typing import Any, Generic, NamedTuple, TypeVar
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet

from league.common.text import name_order
from league.models import HandFact, Result, Revision
from league.stats.figures.games import game_names
from league.stats.recorded_hands import rules_of
from league.stats.scopes import Also, Scope, scope_condition
from ledger.sql import as_uuid, batched, query
from rules.api import ranks_high, strength

MOST = 5
MOST_PARTS = 200  # parts per query; SQLite accepts no more than 500
POT, SCOOP, BEAT, BEST = "pot", "scoop", "beat", "best"
# Record kinds that are fact columns, each with the condition for a fact to have a value.
TOPS = {POT: "f.pot > 0", SCOOP: "f.scoop > 0", BEAT: "f.beat IS NOT NULL"}
T = TypeVar("T")
Part = tuple[str, list[Any]]  # part of a query: its SQL and values


class _Value(NamedTuple):
    """A fact with one of the highest values for a kind of record."""

    kind: str
    fact: int
    value: int
    played_at: Any
    game: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A hand as shown by a player.

    `plays_as` maps wild cards to the cards that they represent.
    """

    player: UUID
    name: str
    way: str
    cards: tuple[str, ...]
    plays_as: dict[str, str]
    called: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Notable:
    """A record hand.

    `chips` are the chips in its pot or scoop, and `shown` are the shown hands that make it notable.
    `strength` is set for a best hand if nothing is wild, which makes games comparable.
    """

    hand: UUID
    night: UUID
    number: int
    played_at: datetime
    game: str
    game_name: str
    chips: int
    winners: tuple[tuple[UUID, str, int], ...]
    shown: tuple[Shown, ...] = ()
    strength: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Kinds(Generic[T]):
    """A value for each kind of record."""

    pots: T
    scoops: T
    beats: T
    best: T


def record_hand_ids(scope: Scope, *, most: int = MOST) -> Kinds[tuple[int, ...]]:
    """Return the record hands' fact ids, whose facts never change. Runs one query for a season."""
    seasons = _seasons(scope)
    tops = [_parts(scope, seasons, top, most) for top in TOPS]
    by_kind = _sorted([*chain.from_iterable(tops), _best_part(scope)])
    pots, scoops, beats = (tuple(each.fact for each in by_kind[top][:most]) for top in TOPS)
    return Kinds(pots=pots, scoops=scoops, beats=beats, best=tuple(_first_of_games(by_kind[BEST])))


def notable_hands(ids: Kinds[tuple[int, ...]]) -> Kinds[list[Notable]]:
    """Return these hands with all data needed to display them, in two queries."""
    all_ids = (*ids.pots, *ids.scoops, *ids.beats, *ids.best)
    by_id = dict(zip(all_ids, _read(all_ids), strict=True))
    return Kinds(
        pots=[_notable(by_id[key]) for key in ids.pots],
        scoops=[_scoop(by_id[key]) for key in ids.scoops],
        beats=[_beat(by_id[key]) for key in ids.beats],
        best=_by_game(by_id[key] for key in ids.best),
    )


def biggest_pots(scope: Scope, *, game: str | None = None) -> list[Notable]:
    """Return the hands with the biggest pots, in all games or in one game."""
    return [_notable(each) for each in _read(_top(scope, POT, game=game))]


def biggest_scoops(scope: Scope) -> list[Notable]:
    """Return the hands with the biggest split pots that one player won whole."""
    return [_scoop(each) for each in _read(_top(scope, SCOOP))]


def worst_beats(scope: Scope) -> list[Notable]:
    """Return the best high hands that won nothing, in games without wild cards."""
    return [_beat(each) for each in _read(_top(scope, BEAT))]


def best_hands(scope: Scope, *, game: str | None = None) -> list[Notable]:
    """Return the best hand of each game or of one game, keyed by game name."""
    best = _sorted([_best_part(scope, game=game)])[BEST]
    return _by_game(_read(_first_of_games(best)))


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A hand with the data needed to display it."""

    fact: HandFact
    revision: Revision
    game_name: str


def _top(scope: Scope, column: str, *, game: str | None = None) -> list[int]:
    """Return the fact ids with the highest values. If values tie, earlier facts come first."""
    values = _sorted(_parts(scope, _seasons(scope), column, MOST, game=game))
    return [each.fact for each in values[column][:MOST]]


def _parts(
    scope: Scope, seasons: Sequence[Any], column: str, most: int, *, game: str | None = None
) -> list[Part]:
    """Return the queries for the highest values.

    An index contains these values in order for each season.
    """
    also, more = (" AND f.game = %s", [game]) if game else ("", [])
    # a hand with only a result has no scoop or beat
    both = (True, False) if column == POT else (True,)
    sql = (
        f"SELECT '{column}' AS kind, f.id, f.{column} AS value, f.played_at, f.game"
        f" FROM league_handfact f WHERE f.season_id = %s AND f.verified = %s AND {TOPS[column]}"
        f"{also} ORDER BY f.{column} DESC, f.played_at, f.id LIMIT %s"
    )
    return [
        (sql, [season, verified, *more, most])
        for season in seasons
        for verified in (both if scope.verified is None else (scope.verified,))
    ]


def _best_part(scope: Scope, *, game: str | None = None) -> Part:
    """Return the query for the best hand of each game in each season."""
    where, values = scope_condition(scope, Also("game", game))
    sql = (
        f"SELECT '{BEST}' AS kind, b.id, b.best AS value, b.played_at, b.game"
        " FROM league_handfact b WHERE b.id IN (SELECT (SELECT f.id"
        " FROM league_handfact f WHERE f.season_id = d.season_id AND f.game = d.game"
        " AND f.best IS NOT NULL ORDER BY f.best DESC, f.played_at, f.id LIMIT 1)"
        " FROM (SELECT DISTINCT n.season_id, t.game FROM league_dealertally t"
        " JOIN league_night n ON n.id = t.night_id"
        f" WHERE {where} AND t.showdowns > 0) d)"
    )
    return sql, values


def _sorted(parts: Sequence[Part]) -> dict[str, list[_Value]]:
    """Run the queries and return their values, keyed by kind.

    The highest values come first, then the earliest.
    """
    values = []
    for group in batched(parts, MOST_PARTS):
        union = " UNION ALL ".join(
            f"SELECT * FROM ({sql}) part{at}" for at, (sql, _) in enumerate(group)
        )
        rows = query(union, [each for _, arguments in group for each in arguments])
        values += [_Value(*row) for row in rows]
    by_kind: dict[str, list[_Value]] = {BEST: [], **{top: [] for top in TOPS}}
    for each in sorted(values, key=lambda each: (-each.value, each.played_at, each.fact)):
        by_kind[each.kind].append(each)
    return by_kind


def _first_of_games(rows: Iterable[_Value]) -> list[int]:
    best: dict[str, int] = {}
    for each in rows:
        best.setdefault(each.game, each.fact)
    return list(best.values())


def _seasons(scope: Scope) -> list[Any]:
    if scope.season:
        return scope.values[:1]
    return [
        row[0]
        for row in query("SELECT id FROM league_season WHERE league_id = %s", scope.values[:1])
    ]


def _read(ids: Sequence[int]) -> list[_Candidate]:
    """Return these hands in the given order, in two queries."""
    rows = HandFact.objects.filter(pk__in=ids).select_related("revision__document")
    by_id = {fact.pk: fact for fact in rows}
    facts = [by_id[key] for key in ids]
    names = game_names(facts[0].league_id, {fact.game for fact in facts}) if facts else {}
    return [_Candidate(fact, fact.revision, names[fact.game]) for fact in facts]


def _scoop(candidate: _Candidate) -> Notable:
    return _notable(candidate, chips=candidate.fact.scoop)


def _beat(candidate: _Candidate) -> Notable:
    """Return the hand that lost, followed by a hand that beat it."""
    won = candidate.revision.answer["won"]
    hands = _strong_as(candidate, candidate.fact.beat)
    lost = [each for each in hands if not won.get(each.name)][:1]
    best = [each for each in _strong_as(candidate, candidate.fact.best) if each not in lost]
    return _notable(candidate, shown=lost + best[:1])


def _by_game(rows: Iterable[_Candidate]) -> list[Notable]:
    hands = []
    for row in rows:
        game = rules_of(row.revision.record, row.revision.document.hash)
        # other hands can't be compared between games
        comparable = game is not None and ranks_high(game, game.share_names[0])
        notable = _notable(row, shown=_strong_as(row, row.fact.best))
        hands.append(replace(notable, strength=row.fact.best if comparable else None))
    return sorted(hands, key=lambda each: name_order(each.game_name))


def _notable(
    candidate: _Candidate, *, chips: int | None = None, shown: Sequence[Shown] = ()
) -> Notable:
    fact, names = candidate.fact, candidate.revision.names
    won = candidate.revision.answer["won"]
    return Notable(
        hand=fact.hand_id,
        night=fact.night_id,
        number=fact.number,
        played_at=fact.played_at,
        game=fact.game,
        game_name=candidate.game_name,
        chips=fact.pot if chips is None else chips,
        winners=tuple((as_uuid(names[name]), name, n) for name, n in won.items() if n),
        shown=tuple(shown),
    )


def _strong_as(candidate: _Candidate, wanted: int | None) -> list[Shown]:
    """Return the hands for the first share that have the strength `wanted`."""
    revision = candidate.revision
    document = revision.document
    game = rules_of(revision.record, document.hash)
    if game is None:
        return []
    way = game.share_names[0]
    hands = revision.answer["hands"]
    return [
        Shown(
            player=as_uuid(revision.names[name]),
            name=name,
            way=way,
            cards=tuple(ways[way]["cards"]),
            plays_as=dict(ways[way]["plays_as"]),
            called=ways[way]["name"],
        )
        for name, ways in hands.items()
        if way in ways and strength(game, way, ways[way]) == wanted
    ]


class Outcome(StrEnum):
    """How a hand turned out for a player."""

    WON = "won"
    LOST = "lost"
    SCOOPED = "scooped"
    WON_HIGH = "won-high"
    WON_LOW = "won-low"
    DECLARED_RIGHT = "declared-right"
    DECLARED_WRONG = "declared-wrong"


_CONDITIONS = {
    Outcome.WON: Q(net__gt=0),
    Outcome.LOST: Q(net__lt=0),
    Outcome.SCOOPED: Q(scooped=True),
    Outcome.WON_HIGH: Q(won_high=True),
    Outcome.WON_LOW: Q(won_low=True),
    Outcome.DECLARED_RIGHT: Q(was_right=True),
    Outcome.DECLARED_WRONG: Q(was_right=False),
}


class Order(StrEnum):
    """The sort order of the hand search."""

    LATEST = "latest"
    EARLIEST = "earliest"
    BIGGEST_POT = "biggest-pot"


_ORDERS = {
    Order.LATEST: ("-played_at", "-pk"),
    Order.EARLIEST: ("played_at", "pk"),
    Order.BIGGEST_POT: ("-pot", "played_at", "pk"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class HandFilter:
    """The filters for a search. Unused filters are None.

    `came` and `declared` apply to `player`, or to any player if `player` is None. `after` is
    inclusive, and `before` is exclusive.
    """

    league: UUID
    season: UUID | None = None
    night: UUID | None = None
    game: str | None = None
    dealer: UUID | None = None
    player: UUID | None = None
    came: Outcome | None = None
    declared: str | None = None
    mistaken: bool | None = None
    verified: bool | None = None
    after: datetime | None = None
    before: datetime | None = None


def filtered_hands(filters: HandFilter, order: Order = Order.LATEST) -> QuerySet[HandFact]:
    """Return the matching hands in order, without removed hands."""
    wanted: dict[str, Any] = {"league": filters.league}
    for name in ("season", "night", "game", "dealer", "mistaken", "verified"):
        if (value := getattr(filters, name)) is not None:
            wanted[name] = value
    if filters.after is not None:
        wanted["played_at__gte"] = filters.after
    if filters.before is not None:
        wanted["played_at__lt"] = filters.before
    rows = HandFact.objects.filter(voided=False, **wanted)
    of_player: list[Q] = []
    if filters.player is not None:
        of_player.append(Q(player=filters.player))
    if filters.came is not None:
        of_player.append(_CONDITIONS[filters.came])
    if filters.declared is not None:
        of_player.append(Q(declared=filters.declared))
    if of_player:
        rows = rows.filter(Exists(Result.objects.filter(*of_player, fact=OuterRef("pk"))))
    return rows.order_by(*_ORDERS[order])
