"""The results of hands and the standings of seasons, one row per player."""

from dataclasses import replace
from functools import lru_cache

import django_filters
from django.db.models import UUIDField
from django_filters.rest_framework.filterset import FilterSet

from api.feeds.columns import PLAYER, PLAYER_NAME, SEASON, SEASON_NAME, Column, Kind, sources
from api.feeds.hands import CURSOR, OF_HAND, HandRows, facts
from api.feeds.row_feed import MOST_STATEMENTS, Feed, FeedQuery, Page, first_rows
from api.feeds.versions import counted, posted_with_names
from league.closing.standings import standings
from league.common.statements import AnyOf, Given, Statement
from league.models import Result, Season

OF_ITS_HAND = (
    replace(CURSOR, note="cursor of the hand; keep the rows with its latest cursor"),
    *OF_HAND,
)


class Results(Feed):
    """Results of hands. All rows of a hand share a cursor and are replaced together."""

    name = "results"
    row = "ResultRow"
    summary = "A row for each player and hand, from the current revision"
    columns = (
        *OF_ITS_HAND,
        PLAYER,
        PLAYER_NAME,
        Column(
            "position",
            Kind.INTEGER,
            note="seats after the dealer, who has 0",
            unit="number",
            example=2,
        ),
        Column("put", Kind.INTEGER, note="chips put into the pot", unit="chips", example=30),
        Column("won", Kind.INTEGER, note="chips won from the pot", unit="chips", example=45),
        Column("net", Kind.INTEGER, note="won minus put, by the rules", unit="chips", example=15),
        Column("showdown", Kind.BOOLEAN, note="showed a hand"),
        Column(
            "won_high",
            Kind.BOOLEAN,
            empty=True,
            note="won the high; null if the player did not compete for it",
        ),
        Column(
            "won_low",
            Kind.BOOLEAN,
            empty=True,
            note="won the low; null if the player did not compete for it",
        ),
        Column(
            "scooped",
            Kind.BOOLEAN,
            empty=True,
            note="scooped the pot; null if it was not split",
        ),
        Column(
            "declared", Kind.TEXT, note="the declaration; empty if there was none", example="high"
        ),
        Column(
            "was_right",
            Kind.BOOLEAN,
            empty=True,
            note="won what was declared; null without a declaration",
        ),
        Column(
            "overpaid_chips",
            Kind.INTEGER,
            "moved",
            note="chips paid to the player by mistake; negative: not paid by mistake",
            unit="chips",
            example=0,
        ),
    )
    filters = HandRows
    counts = "Hands"
    version = counted("pk")

    def page(self, query: FeedQuery, after: int, most: int) -> Page:
        shared = tuple(each for each in query.columns if each in OF_ITS_HAND)
        statement = facts(shared, query.filters)
        hands, more = first_rows(statement, query, after, most, league=query.league.pk)
        keys = [row[-1] for row in hands]
        player = query.values.get("player")
        own = query.columns[len(shared) :]
        rows = _results(own, of_player=player is not None).rows(hands=keys, player=player)
        place = {key: at for at, key in enumerate(keys)}
        return Page(
            rows,
            keys[-1] if keys else None,
            more,
            shared=len(shared),
            heads=hands,
            places=[place[row[-1]] for row in rows],
        )


@lru_cache(maxsize=MOST_STATEMENTS)
def _results(columns: tuple[Column, ...], *, of_player: bool) -> Statement:
    """Return the query for the results of hands with these columns.

    Each row ends with the id of its hand. If `of_player` is true, only the results of one player
    are read.
    """
    rows = Result.objects.filter(AnyOf("fact_id", "hands")).order_by("fact", "position")
    if of_player:
        rows = rows.filter(player=Given("player", UUIDField()))
    return Statement(rows, *sources(columns), "fact_id")


class StandingRows(FilterSet):
    season = django_filters.UUIDFilter()
    player = django_filters.UUIDFilter()

    class Meta:
        model = Season
        fields = ()


class Standings(Feed):
    name = "standings"
    row = "StandingRow"
    summary = "The standings of each season, highest net first"
    columns = (
        SEASON,
        SEASON_NAME,
        Column("starts_on", Kind.DATE, note="the first day of the season"),
        Column(
            "place",
            Kind.INTEGER,
            note="rank by net, for every scoring; equal nets share a rank",
            unit="number",
            example=1,
        ),
        PLAYER,
        PLAYER_NAME,
        Column(
            "nights",
            Kind.INTEGER,
            note="closed nights that the player took part in",
            unit="nights",
            example=6,
        ),
        Column(
            "net",
            Kind.INTEGER,
            note="net of the closed nights",
            unit="chips",
            example=340,
        ),
        Column("best_night", Kind.INTEGER, note="net of the best night", unit="chips", example=210),
        Column(
            "tab",
            Kind.INTEGER,
            note="balance of the tab; negative if the player owes chips",
            unit="chips",
            example=-50,
        ),
    )
    filters = StandingRows
    version = posted_with_names()
    incremental = False
    is_single_page = True

    def page(self, query: FeedQuery, after: int, most: int) -> Page:
        only, player = query.values.get("season"), query.values.get("player")
        seasons = Season.objects.filter(league=query.league).order_by("starts_on", "name")
        if only:
            seasons = seasons.filter(pk=only)
        rows = [
            {
                "season": season.pk,
                "season_name": season.name,
                "starts_on": season.starts_on,
                "place": each.place,
                "player": each.player,
                "player_name": each.name,
                "nights": each.nights,
                "net": each.net,
                "best_night": each.best,
                "tab": each.tab,
            }
            for season in seasons.select_related("league__book")
            for each in standings(season)
            if player in {None, each.player}
        ]
        names = [each.name for each in query.columns]
        end = after + most  # the cursor is the number of rows before this page
        page = [[row[name] for name in names] for row in rows[after:end]]
        return Page(page, end, more=end < len(rows))
