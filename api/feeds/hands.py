"""A row for each hand, as it stands now."""

from functools import lru_cache
from typing import Any

import django_filters
from django.db.models import Exists, OuterRef, QuerySet, UUIDField
from django_filters.rest_framework.filterset import FilterSet

from api.feeds.columns import Column, Kind, sources
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
    """Of hands as they are counted; `after` and `before` are times at which they were played."""

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


CURSOR = Column("cursor", Kind.INTEGER, "pk", note="grows with every row; of a hand, keep the last")
OF_HAND = (
    Column("hand", Kind.ID, "hand_id"),
    Column("revision", Kind.INTEGER, "revised", note="counts from 1"),
    Column("played_at", Kind.TIME),
    Column("season", Kind.ID, "season_id"),
    Column("season_name", Kind.TEXT, "season__name"),
    Column("night", Kind.ID, "night_id"),
    Column("night_number", Kind.INTEGER, "night__number"),
    Column("number", Kind.INTEGER, note="of the hand, in its night"),
    Column("game", Kind.TEXT),
    Column("dealer", Kind.ID, "dealer_id"),
    Column("dealer_name", Kind.TEXT, "dealer__name"),
    Column("verified", Kind.BOOLEAN, note="its cards are known"),
    Column("voided", Kind.BOOLEAN, note="taken back: it counts for nothing"),
    Column("pot", Kind.INTEGER),
)


@lru_cache(maxsize=2 * MOST_STATEMENTS)
def facts(columns: tuple[Column, ...], filters: frozenset[str]) -> Statement:
    """Return how hands of a league are asked for: these columns, and their ids at the end."""
    rows = HandFact.objects.filter(league=Given("league", UUIDField()))
    return Statement(rows_after(rows, HandRows, filters), *sources(columns), "pk", limited=True)


class Hands(Feed):
    name = "hands"
    row = "HandRow"
    summary = "A row for each hand, as it is counted now"
    columns = (
        CURSOR,
        *OF_HAND,
        Column("carried", Kind.INTEGER, note="chips in the pot from the hands before"),
        Column("carry", Kind.INTEGER, note="chips that nobody won"),
        Column("showdown", Kind.BOOLEAN),
        Column("scoop", Kind.INTEGER, note="chips that somebody took whole of a pot that splits"),
        Column("mistaken", Kind.BOOLEAN, note="the table pushed the chips otherwise"),
        Column("moved", Kind.INTEGER, note="chips that it pushed wrongly"),
    )
    filters = HandRows
    version = counted("pk")

    def page(self, query: FeedQuery, after: int, most: int) -> Page:
        statement = facts(query.columns, query.filters)
        return page_of(*first_rows(statement, query, after, most, league=query.league.pk))
