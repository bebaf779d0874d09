"""One row per player and night, from the night's closing."""

from functools import lru_cache
from typing import Any, ClassVar
from zoneinfo import ZoneInfo

import django_filters
from django.db.models import (
    BigIntegerField,
    Exists,
    F,
    OuterRef,
    QuerySet,
    Subquery,
    Sum,
    UUIDField,
)
from django_filters.rest_framework.filterset import FilterSet

from api.feeds.columns import (
    NIGHT,
    NIGHT_NUMBER,
    PLAYER,
    PLAYER_NAME,
    SEASON,
    SEASON_NAME,
    Column,
    Kind,
)
from api.feeds.row_feed import (
    CURSOR,
    MOST_STATEMENTS,
    Feed,
    FeedQuery,
    Page,
    filter_placeholders,
    first_rows,
)
from api.feeds.versions import Columns, posted_with_names
from api.http.filters import DateTimeFilter, filtered
from league.closing.standings import last_closings, running_totals
from league.common.statements import Given, Statement
from league.models import Closing, ClosingLine, Night


class NightRows(FilterSet):
    """Filters for closings. `after` and `before` refer to when the nights began."""

    season = django_filters.UUIDFilter("night__season")
    night = django_filters.UUIDFilter("night")
    player = django_filters.UUIDFilter(method="with_player")
    after = DateTimeFilter("night__started_at", "gte")
    before = DateTimeFilter("night__started_at", "lt")

    class Meta:
        model = Closing
        fields = ()

    def with_player(self, rows: QuerySet[Closing], name: str, value: Any) -> QuerySet[Closing]:
        return rows.filter(Exists(ClosingLine.objects.filter(closing=OuterRef("pk"), player=value)))


def _chips(name: str, note: str, example: int, *, empty: bool = False) -> Column:
    return Column(name, Kind.INTEGER, empty=empty, note=note, unit="chips", example=example)


# The league's nights as one group.
_NIGHTS = Night.objects.filter(season__league=OuterRef("pk")).order_by().values("season__league")


class Nights(Feed):
    """Results by night. All rows of a night share a cursor and are replaced together."""

    name = "nights"
    row = "NightRow"
    summary = "A row for each player and closed night"
    columns = (
        Column(
            "cursor",
            Kind.INTEGER,
            note="increases with every closing; keep the rows with the latest cursor of a night",
            unit="cursor",
            example=812,
        ),
        SEASON,
        SEASON_NAME,
        NIGHT,
        NIGHT_NUMBER,
        Column(
            "night_name",
            Kind.TEXT,
            note="name of the night; empty if it has none",
            example="Ann's birthday",
        ),
        Column("date", Kind.DATE, note="date of the start, in the league's time zone"),
        Column("started_at", Kind.TIME, note="when the night started, in UTC"),
        Column("ended_at", Kind.TIME, empty=True, note="when the night was closed, in UTC"),
        Column(
            "reopened",
            Kind.BOOLEAN,
            note="reopened: the rows do not count until the night is closed again",
        ),
        PLAYER,
        PLAYER_NAME,
        Column("played", Kind.BOOLEAN, note="the player bought chips or entered a tournament"),
        _chips("bought", "chips bought during the night", 200),
        _chips("cashed", "chips cashed out before the end", 0),
        _chips("counted", "chips counted at the end; null if not counted", 260, empty=True),
        _chips("chips", "chips at the end: as counted, otherwise as the hands leave them", 260),
        _chips("adjustment", "chips by the rules minus chips that the table paid", 0),
        _chips("difference_share", "share of the count's difference", -5),
        _chips("entered", "paid for tournament entries", 0),
        _chips("prizes", "won in tournaments", 0),
        _chips("net", "chips, cashed, adjustment, difference_share, prizes - bought - entered", 55),
        _chips("total", "net of the season up to this night, by the current closings", 340),
        Column("chip_value", Kind.INTEGER, note="value of a chip", unit="minor units", example=10),
        Column(
            "amount",
            Kind.INTEGER,
            empty=True,
            note="net times chip_value; null if it exceeds 64 bits",
            unit="minor units",
            example=550,
        ),
        Column("currency", Kind.TEXT, note="currency of the minor units (ISO 4217)", example="EUR"),
    )
    filters = NightRows
    counts = "Nights"
    version: ClassVar[Columns] = {
        **posted_with_names(),
        "seen_nights": Subquery(_NIGHTS.annotate(figure=Sum("version")).values("figure")),
        "seen_time_zone": F("time_zone"),
    }

    def page(self, query: FeedQuery, after: int, most: int) -> Page:
        statement = _closings(query.filters)
        closings, more = first_rows(statement, query, after, most, league=query.league.pk)
        cursors = {closing: (cursor, reopened) for closing, _, cursor, reopened in closings}
        totals = running_totals({season for _, season, _, _ in closings})
        lines = ClosingLine.objects.filter(closing__in=cursors, player__is_box=False)
        lines = lines.select_related("closing__night__season", "player")
        if player := query.values.get("player"):
            lines = lines.filter(player=player)
        zone = ZoneInfo(query.league.time_zone)
        order = sorted(lines, key=lambda line: (cursors[line.closing_id], line.position))
        rows = [
            _row(each, *cursors[each.closing_id], totals[each.closing_id, each.player_id], zone)
            for each in order
        ]
        names = [each.name for each in query.columns]
        last = closings[-1][2] if closings else None
        return Page([[row[name] for name in names] for row in rows], last, more)


@lru_cache(maxsize=MOST_STATEMENTS)
def _closings(filters: frozenset[str]) -> Statement:
    """Return the query for closings with their seasons, cursors and reversals."""
    # passed as a dictionary, because mypy does not know about annotations
    later = {"cursor__gt": Given(CURSOR, BigIntegerField())}
    rows = last_closings().filter(league=Given("league", UUIDField()), **later)
    rows = filtered(NightRows, rows, filter_placeholders(NightRows, filters)).order_by("cursor")
    fell = F("posting__reversal__pk")
    return Statement(rows, "pk", "night__season_id", "cursor", fell, limited=True)


def _row(
    line: ClosingLine, cursor: int, fell: int | None, total: int, zone: ZoneInfo
) -> dict[str, Any]:
    night = line.closing.night
    amount = line.net * night.chip_value
    chips = {
        "bought": line.bought,
        "cashed": line.cashed,
        "chips": line.chips,
        "adjustment": line.put_right,
        "difference_share": line.bears,
        "entered": line.entered,
        "prizes": line.prizes,
        "net": line.net,
        "amount": amount if abs(amount) < 2**63 else None,  # the 64 bits of Parquet and DuckDB
    }
    return {
        "cursor": cursor,
        "season": night.season_id,
        "season_name": night.season.name,
        "night": night.pk,
        "night_number": night.number,
        "night_name": night.name,
        "date": night.started_at.astimezone(zone).date(),
        "started_at": night.started_at,
        "ended_at": night.ended_at,
        "reopened": fell is not None,
        "player": line.player_id,
        "player_name": line.player.name,
        "played": line.bought > 0 or line.entered > 0,
        "counted": None if fell else line.counted,
        "total": total,
        "chip_value": night.chip_value,
        "currency": night.currency,
        **(dict.fromkeys(chips, 0) if fell else chips),
    }
