"""A row for each player and season: where everybody stands now."""

from typing import Any

import django_filters
from django_filters.rest_framework.filterset import FilterSet

from api.feeds.columns import PLAYER, PLAYER_NAME, SEASON, SEASON_NAME, Column, Kind
from api.feeds.row_feed import Feed, FeedQuery, Page
from api.feeds.versions import posted_with_names
from league.closing.standings import Standing, standings
from league.models import Season


class StandingRows(FilterSet):
    season = django_filters.UUIDFilter()
    player = django_filters.UUIDFilter()

    class Meta:
        model = Season
        fields = ()


class Standings(Feed):
    name = "standings"
    row = "StandingRow"
    summary = "Where everybody stands in each season, the most won first"
    columns = (
        SEASON,
        SEASON_NAME,
        Column("starts_on", Kind.DATE, note="the first day of the season"),
        Column("place", Kind.INTEGER, note="by net, shared by equals", unit="number", example=1),
        PLAYER,
        PLAYER_NAME,
        Column("nights", Kind.INTEGER, note="played and closed", unit="nights", example=6),
        Column(
            "net",
            Kind.INTEGER,
            note="over the nights that are closed",
            unit="chips",
            example=340,
        ),
        Column("best", Kind.INTEGER, note="the best night", unit="chips", example=210),
        Column(
            "tab",
            Kind.INTEGER,
            note="what the table owes now, below zero what the player owes",
            unit="chips",
            example=-50,
        ),
    )
    filters = StandingRows
    version = posted_with_names("pk")
    goes_on = None

    def page(self, query: FeedQuery, after: int, most: int) -> Page:
        only, player = query.values.get("season"), query.values.get("player")
        seasons = Season.objects.filter(league=query.league).order_by("starts_on", "name")
        if only:
            seasons = seasons.filter(pk=only)
        rows = [
            _row(season, each)
            for season in seasons.select_related("league__book")
            for each in standings(season)
            if player in {None, each.player}
        ]
        names = [each.name for each in query.columns]
        return Page([[row[name] for name in names] for row in rows], None, more=False)


def _row(season: Season, standing: Standing) -> dict[str, Any]:
    return {
        "season": season.pk,
        "season_name": season.name,
        "starts_on": season.starts_on,
        "place": standing.place,
        "player": standing.player,
        "player_name": standing.name,
        "nights": standing.nights,
        "net": standing.net,
        "best": standing.best,
        "tab": standing.tab,
    }
