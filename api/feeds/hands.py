"""One row per hand, with the hand's current revision."""

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
    """Filters for hand facts. `after` and `before` refer to when the hands were played."""

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
    note="increases with every row; keep the latest row of a hand",
    unit="cursor",
    example=4711,
)
OF_HAND = (
    Column("hand", Kind.ID, "hand_id", note="the hand"),
    Column(
        "revision",
        Kind.INTEGER,
        "revised",
        note="revision of the hand, from 1",
        unit="number",
        example=1,
    ),
    Column("played_at", Kind.TIME, note="when the hand was played, in UTC"),
    SEASON,
    SEASON_NAME,
    NIGHT,
    NIGHT_NUMBER,
    Column(
        "number", Kind.INTEGER, note="number of the hand in its night", unit="number", example=12
    ),
    GAME,
    Column(
        "game_name",
        Kind.TEXT,
        "revision__document__name",
        note="title of the game when it was dealt",
        example="Middlemost",
    ),
    Column("dealer", Kind.ID, "dealer_id", note="the player who dealt and chose the game"),
    Column("dealer_name", Kind.TEXT, "dealer__name", note="current name", example="Bob"),
    Column("verified", Kind.BOOLEAN, note="the cards of the hand are known"),
    Column("voided", Kind.BOOLEAN, note="voided: the hand does not count"),
    Column("pot", Kind.INTEGER, note="chips in the pot", unit="chips", example=90),
)


@lru_cache(maxsize=2 * MOST_STATEMENTS)
def facts(columns: tuple[Column, ...], filters: frozenset[str]) -> Statement:
    """Return the query for a league's hands with these columns. Each row ends with its id."""
    rows = HandFact.objects.filter(league=Given("league", UUIDField()))
    return Statement(rows_after(rows, HandRows, filters), *sources(columns), "pk", limited=True)


class Hands(Feed):
    name = "hands"
    row = "HandRow"
    summary = "A row for each hand, from its current revision"
    columns = (
        CURSOR,
        *OF_HAND,
        Column(
            "carried",
            Kind.INTEGER,
            note="chips carried over from earlier hands",
            unit="chips",
            example=0,
        ),
        Column("carry", Kind.INTEGER, note="chips that no player won", unit="chips", example=0),
        Column("showdown", Kind.BOOLEAN, note="there was a showdown"),
        Column(
            "scoop",
            Kind.INTEGER,
            note="chips of a split pot that one player scooped; 0 if none",
            unit="chips",
            example=90,
        ),
        Column(
            "wrong_payout",
            Kind.BOOLEAN,
            "mistaken",
            note="the table paid the pot to the wrong player",
        ),
        Column(
            "mispaid_chips",
            Kind.INTEGER,
            "moved",
            note="paid to the wrong players",
            unit="chips",
            example=0,
        ),
    )
    filters = HandRows
    counts = "Hands"
    version = counted("pk")

    def page(self, query: FeedQuery, after: int, most: int) -> Page:
        statement = facts(query.columns, query.filters)
        return page_of(*first_rows(statement, query, after, most, league=query.league.pk))
