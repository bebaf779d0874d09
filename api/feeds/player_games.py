"""A row for each player, game and season: sums over the hands."""

from functools import lru_cache

import django_filters
from django.db.models import UUIDField
from django_filters.rest_framework.filterset import FilterSet

from api.feeds.columns import GAME, PLAYER, PLAYER_NAME, SEASON, SEASON_NAME, Column, Kind, sources
from api.feeds.row_feed import (
    CURSOR,
    MOST_STATEMENTS,
    Feed,
    FeedQuery,
    Page,
    first_rows,
    page_of,
    rows_after,
)
from api.feeds.versions import counted
from api.http.filters import BooleanFilter
from league.common.statements import Given, Statement
from league.models import LONGEST_GAME_NAME, PlayerTally


class PlayerGameRows(FilterSet):
    season = django_filters.UUIDFilter("season")
    player = django_filters.UUIDFilter("player")
    game = django_filters.CharFilter("game", max_length=LONGEST_GAME_NAME)
    verified = BooleanFilter("verified")

    class Meta:
        model = PlayerTally
        fields = ()


SUMS = (
    ("hands", "hands", "played", 40),
    ("net", "chips", "won less put", 120),
    ("put", "chips", "paid into pots", 900),
    ("won", "chips", "won of pots", 1020),
    ("showdowns", "hands", "at which a hand was shown", 18),
    ("showdowns_won", "hands", "of those, at which something was won", 9),
    ("highs", "hands", "showdowns at which the high hand was tried", 12),
    ("highs_won", "hands", "of those, won", 6),
    ("lows", "hands", "showdowns at which the low hand was tried", 8),
    ("lows_won", "hands", "of those, won", 4),
    ("splits", "hands", "showdowns at a pot that splits", 18),
    ("scoops", "hands", "taken whole of those", 3),
    ("mistakes", "hands", "at which the table pushed chips wrongly", 1),
    ("moved", "chips", "pushed here wrongly", 0),
)


class PlayerGames(Feed):
    name = "player-games"
    row = "PlayerGameRow"
    summary = "Sums for each player, game and season, hands with known cards apart"
    columns = (
        SEASON,
        SEASON_NAME,
        PLAYER,
        PLAYER_NAME,
        GAME,
        Column("verified", Kind.BOOLEAN, note="of hands whose cards are known, or of the others"),
        *(
            Column(name, Kind.INTEGER, note=note, unit=unit, example=example)
            for name, unit, note, example in SUMS
        ),
    )
    filters = PlayerGameRows
    version = counted("pk")
    goes_on = CURSOR

    def page(self, query: FeedQuery, after: int, most: int) -> Page:
        statement = _tallies(query.columns, query.filters)
        return page_of(*first_rows(statement, query, after, most, league=query.league.pk))


@lru_cache(maxsize=MOST_STATEMENTS)
def _tallies(columns: tuple[Column, ...], filters: frozenset[str]) -> Statement:
    rows = PlayerTally.objects.filter(season__league=Given("league", UUIDField()))
    return Statement(
        rows_after(rows, PlayerGameRows, filters), *sources(columns), "pk", limited=True
    )
