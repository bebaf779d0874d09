"""The facts behind achievements and recaps: winning runs, comebacks and other feats.

They are computed for each night.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple
from uuid import UUID

from django.core.cache import cache

from league.stats.figures.games import AtGame, game_names, sums_at_games
from league.stats.figures.players import (
    DeclarationFigures,
    Flow,
    SeatFigures,
    declaration_figures,
    flows,
    seats,
)
from league.stats.figures.records import Kinds, Notable, notable_hands, record_hand_ids
from league.stats.figures.results_by_night import Evenings, evenings
from league.stats.league_state import LeagueState
from league.stats.scopes import Scope
from ledger.sql import as_uuid, query, uuid_text

KEPT_SECONDS = 24 * 3600
MOST_MOVED = 100  # maximum number of nights to reread; if more have changed, all nights are reread
BOTH = "both"
FEWEST_PLAYERS = 3  # with two players, each is either highest or lowest


class Dealt(NamedTuple):
    """A player's part in a hand. IDs are text in the database's format."""

    number: int
    hand: str
    game: str
    player: str
    net: int
    won: int
    scooped: bool
    declared: str


class Scoop(NamedTuple):
    """A pot that a player won whole after declaring both ways."""

    chips: int
    hand: str
    game: str


class Feats(NamedTuple):
    """A player's feats in a night's hands. `run` is the longest run of hands won.

    `climbed_from` is how far below zero the player was while in last place in the second half of
    the night, if the player finished first. Otherwise, it is 0.
    """

    player: str
    hands: int
    net: int
    run: int
    games_won: tuple[str, ...]
    climbed_from: int
    scoops: tuple[Scoop, ...]


Nights = Mapping[str, Sequence[Feats]]  # keyed by night
_Kept = tuple[int | None, str | None, Nights]


def feats_of(dealt: Iterable[Dealt]) -> list[Feats]:
    """Return the players' feats in a night. The order of the hands doesn't matter."""
    ordered = sorted(dealt, key=attrgetter("number", "hand"))
    hands = [list(hand) for _, hand in groupby(ordered, key=attrgetter("hand"))]
    mine: dict[str, list[Dealt]] = {}
    ends: dict[str, int] = {}  # the running net, which ends as the net of the night
    lows: dict[str, int] = {}  # how low the net was while the player was last in the second half
    for at, hand in enumerate(hands, start=1):
        for row in hand:
            mine.setdefault(row.player, []).append(row)
            ends[row.player] = ends.get(row.player, 0) + row.net
        lowest = min(ends.values())
        if 2 * at >= len(hands) and lowest < 0 and len(ends) >= FEWEST_PLAYERS:
            for player, net in ends.items():
                if net == lowest:
                    lows[player] = min(lowest, lows.get(player, 0))
    highest = max(ends.values(), default=0)
    feats = []
    for player, rows in mine.items():
        runs = groupby(rows, key=lambda row: row.net > 0)
        both_ways = [row for row in rows if row.declared == BOTH and row.scooped]
        feats.append(
            Feats(
                player=player,
                hands=len(rows),
                net=ends[player],
                run=max((len(list(run)) for won, run in runs if won), default=0),
                games_won=tuple(sorted({row.game for row in rows if row.net > 0})),
                climbed_from=-lows.get(player, 0) if ends[player] == highest > 0 else 0,
                scoops=tuple(Scoop(row.won, row.hand, row.game) for row in both_ways),
            )
        )
    return feats


def night_feats(scope: Scope, state: LeagueState) -> Nights:
    """Return the players' feats in each night of the scope, in at most two queries."""
    key = f"feats:{scope.league}:{scope.season}:{scope.verified}"
    cached: _Kept | None = cache.get(key)
    if cached is None or cached[1] != state.rebuilt_at:
        nights = _read(scope)
    elif cached[0] == state.last_fact:
        return cached[2]
    else:
        moved = query(
            "SELECT DISTINCT CAST(f.night_id AS text) FROM league_handfact f WHERE f.league_id = %s"
            f" AND f.id > %s AND {scope.where_facts()} LIMIT {MOST_MOVED + 1}",
            [uuid_text(scope.league), cached[0] or 0, *scope.values],
        )
        changed = [night for (night,) in moved]
        if len(changed) > MOST_MOVED:
            nights = _read(scope)
        else:
            unchanged = {night: feats for night, feats in cached[2].items() if night not in changed}
            nights = {**unchanged, **_read(scope, changed)} if changed else unchanged
    cache.set(key, (state.last_fact, state.rebuilt_at, nights), KEPT_SECONDS)
    return nights


def _read(scope: Scope, nights: Sequence[str] = ()) -> Nights:
    """Return all nights in the scope, or only `nights`, in one query."""
    also = f" AND f.night_id IN ({', '.join(['%s'] * len(nights))})" if nights else ""
    rows: list[tuple[Any, ...]] = query(
        "SELECT CAST(f.night_id AS text), f.number, CAST(f.hand_id AS text), f.game,"
        " CAST(r.player_id AS text), r.net, r.won, r.scooped, r.declared"
        " FROM league_handfact f JOIN league_result r ON r.fact_id = f.id"
        f" WHERE {scope.where_facts()} AND NOT f.voided{also}",
        [*scope.values, *nights],
    )
    dealt: dict[str, list[Dealt]] = {}
    for night, *columns in rows:
        dealt.setdefault(night, []).append(Dealt(*columns))
    return {night: feats_of(hands) for night, hands in dealt.items()}


@dataclass(frozen=True, kw_only=True)
class SeasonFacts:
    """The facts about a season or all time. Names are the current names."""

    names: Mapping[UUID, str]
    games: Mapping[str, str]
    evenings: Evenings
    feats: Nights
    at_games: Sequence[AtGame]
    declares: Sequence[DeclarationFigures]
    seats: Sequence[SeatFigures]
    flows: Sequence[Flow]
    records: Kinds[list[Notable]]

    @cached_property
    def feats_in_order(self) -> list[tuple[str, Feats]]:
        """The players' feats in each night, with the night's name, oldest night first."""
        return [
            (night.name, feats)
            for night in self.evenings.nights
            for feats in self.feats.get(night.key, ())
        ]

    @cached_property
    def net_at(self) -> dict[tuple[UUID, UUID], int]:
        """A player's net in a night, keyed by (night id, player id)."""
        nights = [as_uuid(night.key) for night in self.evenings.nights]
        return {
            (nights[at], attended.player): net
            for attended in self.evenings.players
            for at, net in zip(attended.at, attended.nets, strict=True)
        }


def season_facts(scope: Scope, state: LeagueState) -> SeasonFacts:
    """Return a scope's facts, in at most 15 queries, or fewer if nights are cached."""
    read = evenings(scope, state=state)
    at_games = sums_at_games(scope)
    return SeasonFacts(
        names={**state.players, **{each.player: each.name for each in read.players}},
        games=game_names(scope.league, {each.game for each in at_games}),
        evenings=read,
        feats=night_feats(scope, state),
        at_games=at_games,
        declares=declaration_figures(scope),
        seats=seats(scope),
        flows=flows(scope),
        records=notable_hands(record_hand_ids(scope)),
    )
