"""A row for each hand, with its current revision."""

from functools import lru_cache
from typing import Any

import django_filters
from django.db.models import Exists, OuterRef, QuerySet, UUIDField
from django_filters.rest_framework.filterset import FilterSet

from api.feeds.columns import GAME, NIGHT, NIGHT_NUMBER, SEASON, SEASON_NAME, Column, Kind, sources
from api.feeds.row_feed import (
    MOST_STATEMENTS,
    Feed,
    FeedQuery,
    Page,
    first_rows,
    page_of,
    rows_after,
)
from api.feeds.versions import counted
from api.http.filters import BooleanFilter, DateTimeFilter
from league.common.statements import Given, Statement
from league.models import LONGEST_GAME_NAME, HandFact, Result


class HandRows(FilterSet):
    """Filters for the facts of hands. `after` and `before` are times at which they were played."""

    season = django_filters.UUIDFilter("season")
    night = django_filters.UUIDFilter("night")
    player = django_filters.UUIDFilter(method="with_player")
    dealer = django_filters.UUIDFilter("dealer")
    game = django_filters.CharFilter("game", max_length=LONGEST_GAME_NAME)
    verified = BooleanFilter("verified")
    voided = BooleanFilter("voided")
    after = DateTimeFilter("played_at", "gte")
    before = DateTimeFilter("played_at", "lt")

    class Meta:
        model = HandFact
        fields = ()

    def with_player(self, rows: QuerySet[HandFact], name: str, value: Any) -> QuerySet[HandFact]:
        return rows.filter(Exists(Result.objects.filter(fact=OuterRef("pk"), player=value)))


CURSOR = Column(
    "cursor",
    Kind.INTEGER,
    "pk",
    note="grows with every row; of a hand, keep the last",
    unit="cursor",
    example=4711,
)
OF_HAND = (
    Column("hand", Kind.ID, "hand_id", note="the hand"),
    Column("revision", Kind.INTEGER, "revised", note="counts from 1", unit="number", example=1),
    Column("played_at", Kind.TIME, note="when it was played, in UTC"),
    SEASON,
    SEASON_NAME,
    NIGHT,
    NIGHT_NUMBER,
    Column("number", Kind.INTEGER, note="of the hand, in its night", unit="number", example=12),
    GAME,
    Column(
        "game_name",
        Kind.TEXT,
        "revision__document__name",
        note="as in the rules of the hand",
        example="Middlemost",
    ),
    Column("dealer", Kind.ID, "dealer_id", note="who dealt, and so named the game"),
    Column("dealer_name", Kind.TEXT, "dealer__name", note="the name now", example="Bob"),
    Column("verified", Kind.BOOLEAN, note="its cards are known"),
    Column("voided", Kind.BOOLEAN, note="voided: it does not count"),
    Column("pot", Kind.INTEGER, note="all that was in it", unit="chips", example=90),
)


@lru_cache(maxsize=2 * MOST_STATEMENTS)
def facts(columns: tuple[Column, ...], filters: frozenset[str]) -> Statement:
    """Return the query for a league's hands with these columns. Each row ends with the id."""
    rows = HandFact.objects.filter(league=Given("league", UUIDField()))
    return Statement(rows_after(rows, HandRows, filters), *sources(columns), "pk", limited=True)


class Hands(Feed):
    name = "hands"
    row = "HandRow"
    summary = "A row for each hand, as it is counted now"
    columns = (
        CURSOR,
        *OF_HAND,
        Column(
            "carried",
            Kind.INTEGER,
            note="in the pot from the hands before",
            unit="chips",
            example=0,
        ),
        Column("carry", Kind.INTEGER, note="chips that no player won", unit="chips", example=0),
        Column("showdown", Kind.BOOLEAN, note="hands were shown"),
        Column(
            "scoop",
            Kind.INTEGER,
            note="what somebody took whole of a pot that splits",
            unit="chips",
            example=90,
        ),
        Column("mistaken", Kind.BOOLEAN, note="the table pushed the chips otherwise"),
        Column("moved", Kind.INTEGER, note="what it pushed wrongly", unit="chips", example=0),
    )
    filters = HandRows
    counts = "Hands"
    version = counted("pk")

    def page(self, query: FeedQuery, after: int, most: int) -> Page:
        statement = facts(query.columns, query.filters)
        return page_of(*first_rows(statement, query, after, most, league=query.league.pk))
