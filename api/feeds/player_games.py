"""A row for each player, game and season: sums over the hands."""

from functools import lru_cache

import django_filters
from django.db.models import UUIDField
from django_filters.rest_framework.filterset import FilterSet

from api.feeds.columns import Column, Kind, sources
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
    ("hands", ""),
    ("net", ""),
    ("put", ""),
    ("won", ""),
    ("showdowns", ""),
    ("showdowns_won", ""),
    ("highs", "showdowns at which the high hand was tried"),
    ("highs_won", ""),
    ("lows", "showdowns at which the low hand was tried"),
    ("lows_won", ""),
    ("splits", "showdowns at a pot that splits"),
    ("scoops", "taken whole of those"),
    ("mistakes", "hands at which the table pushed chips wrongly"),
    ("moved", "chips pushed here wrongly"),
)


class PlayerGames(Feed):
    name = "player-games"
    row = "PlayerGameRow"
    summary = "Sums for each player, game and season, hands with known cards apart"
    columns = (
        Column("season", Kind.ID, "season_id"),
        Column("season_name", Kind.TEXT, "season__name"),
        Column("player", Kind.ID, "player_id"),
        Column("player_name", Kind.TEXT, "player__name"),
        Column("game", Kind.TEXT),
        Column("verified", Kind.BOOLEAN, note="of hands whose cards are known, or of the others"),
        *(Column(name, Kind.INTEGER, note=note) for name, note in SUMS),
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
