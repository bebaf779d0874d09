"""One row per player, game and season, with totals of results and betting."""

from dataclasses import replace
from functools import lru_cache

import django_filters
from django.db.models import BigIntegerField, Min, Sum, UUIDField
from django_filters.rest_framework.filterset import FilterSet

from api.feeds.columns import (
    GAME,
    GAME_TITLE,
    PLAYER,
    PLAYER_NAME,
    SEASON,
    SEASON_NAME,
    Column,
    Kind,
    sources,
)
from api.feeds.row_feed import (
    CURSOR,
    MOST_STATEMENTS,
    Feed,
    FeedQuery,
    Page,
    filter_placeholders,
    first_rows,
    page_of,
)
from api.feeds.versions import counted
from api.http.filters import BooleanFilter, filtered
from league.common.statements import Given, Statement
from league.models import LONGEST_GAME_NAME, BettingTally, PlayerTally
from league.stats.figures.games import dealt_names


class PlayerGameRows(FilterSet):
    season = django_filters.UUIDFilter("night__season")
    player = django_filters.UUIDFilter("player")
    game = django_filters.CharFilter("game", max_length=LONGEST_GAME_NAME)
    verified = BooleanFilter("verified")

    class Meta:
        model = PlayerTally
        fields = ()


class BettingRows(PlayerGameRows):
    class Meta:
        model = BettingTally
        fields = ()


SOURCES = {"overpaid_chips": "moved"}  # columns that have a different name in the tables
Sums = tuple[tuple[str, str, str, int], ...]  # name, unit, meaning and example of each column
SUMS: Sums = (
    ("hands", "hands", "hands played", 40),
    ("net", "chips", "won minus put", 120),
    ("put", "chips", "chips put into pots", 900),
    ("won", "chips", "chips won from pots", 1020),
    ("showdowns", "hands", "showdowns", 18),
    ("showdowns_won", "hands", "showdowns with chips won", 9),
    ("highs", "hands", "showdowns in which the player competed for the high", 12),
    ("highs_won", "hands", "highs won", 6),
    ("lows", "hands", "showdowns in which the player competed for the low", 8),
    ("lows_won", "hands", "lows won", 4),
    ("splits", "hands", "showdowns for a split pot", 18),
    ("scoops", "hands", "split pots scooped", 3),
    ("mistakes", "hands", "in which the table paid a pot to the wrong player", 1),
    (
        "overpaid_chips",
        "chips",
        "chips paid to the player by mistake; negative: not paid by mistake",
        0,
    ),
)


BETS: Sums = (
    ("hands", "hands", "hands in which all bets are known", 40),
    ("choices", "hands", "hands with a choice in the first round", 38),
    (
        "entered",
        "hands",
        "hands with voluntary chips in the first round (VPIP = entered / choices)",
        15,
    ),
    ("raised", "hands", "hands raised in the first round (PFR = raised / choices)", 6),
    ("three_bet_choices", "hands", "hands with one raise before the player", 9),
    ("three_bets", "hands", "hands with a 3-bet (rate = three_bets / three_bet_choices)", 1),
    ("saw_second", "hands", "hands in which the player saw the second round", 17),
    ("stayed", "hands", "hands that went to showdown (WTSD = stayed / saw_second)", 8),
    ("stayed_won", "hands", "showdowns with chips won (W$SD = stayed_won / stayed)", 4),
    ("bets", "actions", "bets and raises of later rounds", 12),
    ("calls", "actions", "calls of later rounds", 10),
)
_SUMMED = frozenset(name for name, *_ in (*SUMS, *BETS))
_SEASON = replace(SEASON, source="night__season_id")
_SEASON_NAME = replace(SEASON_NAME, source="night__season__name")
_OF_PLAYERS = (_SEASON, _SEASON_NAME, PLAYER, PLAYER_NAME, GAME, GAME_TITLE)
_VERIFIED = Column(
    "verified", Kind.BOOLEAN, note="true: hands with known cards; false: the other hands"
)
_POSITION = Column(
    "position", Kind.INTEGER, note="seats after the dealer, who has 0", unit="number", example=2
)


def _columns(sums: Sums) -> tuple[Column, ...]:
    return tuple(
        Column(name, Kind.INTEGER, SOURCES.get(name, ""), note=note, unit=unit, example=example)
        for name, unit, note, example in sums
    )


class _Tallies(Feed):
    """Totals per night, added up by season and the other columns in `by`."""

    model: type[PlayerTally | BettingTally]
    by: tuple[str, ...] = ("night__season", "player", "game", "verified")
    version = counted("pk")
    incremental = False

    def page(self, query: FeedQuery, after: int, most: int) -> Page:
        statement = _tallies(self.model, self.by, self.filters, query.columns, query.filters)
        rows, more = first_rows(statement, query, after, most, league=query.league.pk)
        if rows and GAME_TITLE in query.columns:  # replace the slug with the game's title
            at, titles = query.columns.index(GAME_TITLE), dealt_names(query.league.pk)
            rows = [(*row[:at], titles.get(row[at], row[at]), *row[at + 1 :]) for row in rows]
        return page_of(rows, more)


class PlayerGames(_Tallies):
    model = PlayerTally
    name = "player-games"
    row = "PlayerGameRow"
    summary = (
        "Totals for each player, game and season, with separate rows for hands with known cards"
    )
    columns = (*_OF_PLAYERS, _VERIFIED, *_columns(SUMS))
    filters = PlayerGameRows


class Betting(_Tallies):
    model = BettingTally
    name = "betting"
    row = "BettingRow"
    summary = "Betting by player, game and seat, for hands in which all bets are known"
    by = (*_Tallies.by, "position")
    columns = (*_OF_PLAYERS, _POSITION, _VERIFIED, *_columns(BETS))
    filters = BettingRows


@lru_cache(maxsize=MOST_STATEMENTS)
def _tallies(
    model: type[PlayerTally | BettingTally],
    by: tuple[str, ...],
    of: type[FilterSet],
    columns: tuple[Column, ...],
    filters: frozenset[str],
) -> Statement:
    """Return the query for the rows after a cursor.

    A row's cursor is the lowest id of the tallies that it adds up. A recount replaces tallies with
    tallies that have higher ids. A client that reads pages during a recount may get a row twice,
    but never misses one.
    """
    rows = model.objects.filter(night__season__league=Given("league", UUIDField()))
    rows = filtered(of, rows, filter_placeholders(of, filters))
    sums = rows.values(*by).annotate(cursor=Min("pk"))
    after = sums.filter(cursor__gt=Given(CURSOR, BigIntegerField())).order_by("cursor")
    read = (
        Sum(column.source or column.name) if column.name in _SUMMED else source
        for column, source in zip(columns, sources(columns), strict=True)
    )
    return Statement(after, *read, "cursor", limited=True)
