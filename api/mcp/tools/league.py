"""A league's players and seasons, its standings and its nights: `league`, `standings`, `nights`."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any, Literal
from uuid import UUID
from zoneinfo import ZoneInfo

from django.db.models import Count, Exists, OuterRef, QuerySet
from pydantic import AwareDatetime, Field

from api.http.filters import NightFilters, filtered
from api.mcp.caller import Caller
from api.mcp.lookups import find_player, find_row, find_season
from api.mcp.tool import Money, Name, Named, Page, Paged, Row, Tool, page_of
from league.access import find_night, nights_of
from league.closing.standings import last_closings, standings
from league.models import ClosingLine, Hand, Night, Player, Season, Seat
from league.nights.nights import stacks
from league.people.leagues import latest_season

MOST_SEASONS = 50


class SeasonRow(Row):
    id: UUID
    name: str
    starts_on: date
    ends_on: date | None
    scoring: str = Field(description="net, or places where points are given by place")


class PlayerRow(Row):
    id: UUID
    name: str
    is_guest: bool


class League(Page):
    id: UUID
    name: str
    currency: str
    chip_value: int = Field(description="value of the smallest chip in minor units")
    time_zone: str
    seasons: list[SeasonRow] = Field(description="latest first")
    players: list[PlayerRow] = Field(description="players of the league, in pages")


def _league(caller: Caller, query: Paged) -> League:
    league = caller.league
    names = Player.objects.filter(league=league).order_by("name", "pk")[query.window]
    players, after = page_of(names, query)
    seasons = Season.objects.filter(league=league).order_by("-starts_on", "name")[:MOST_SEASONS]
    return League(
        id=league.pk,
        name=league.name,
        currency=league.currency,
        chip_value=league.chip_value,
        time_zone=league.time_zone,
        seasons=[SeasonRow.model_validate(each) for each in seasons],
        players=[PlayerRow.model_validate(each) for each in players],
        next_cursor=after,
    )


LEAGUE = Tool(
    "league",
    "The league: its currency, the value of a chip, its seasons and its players.",
    Paged,
    League,
    _league,
)


class Standings(Paged):
    season: Name | None = Field(None, description="a name or an id; the latest season by default")


class Place(Row):
    place: int = Field(description="rank by net; equal nets share a rank")
    player: UUID
    player_name: Named
    nights: int = Field(description="closed nights that the player took part in")
    net: int = Field(description="chips over the closed nights")
    money: list[Money] = Field(description="net, by currency")
    best_night: int = Field(validation_alias="best", description="net of the best night, in chips")
    tab: int = Field(description="balance of the player's tab; negative if the player owes chips")


class StandingsResult(Page):
    season: UUID
    season_name: str
    standings: list[Place] = Field(description="highest net first")


def _standings(caller: Caller, query: Standings) -> StandingsResult:
    league = caller.league
    season = find_season(league, query.season) if query.season else latest_season(league)
    places, after = page_of(standings(season)[query.window], query)
    table = [Place.model_validate(each) for each in places]
    return StandingsResult(
        season=season.pk, season_name=season.name, standings=table, next_cursor=after
    )


STANDINGS = Tool(
    "standings",
    "The table of a season: place, nights played, net in chips and money, best night, and tab.",
    Standings,
    StandingsResult,
    _standings,
)


class Nights(Paged):
    """`after` is inclusive, `before` exclusive."""

    night: UUID | None = Field(None, description="only this night")
    season: Name | None = Field(None, description="a name or an id")
    player: Name | None = Field(None, description="player who had a seat: a name or an id")
    state: Literal["open", "closed"] | None = None
    after: AwareDatetime | None = Field(
        None, description=("started at or after this time (with a time zone)")
    )
    before: AwareDatetime | None = Field(None, description="started before this time")


class NightResult(Row):
    """Amounts in chips. Open nights have only stacks."""

    player: UUID
    player_name: str
    net: int | None = Field(description="net of the night; null while it is open")
    money: Money | None = Field(description="net as money")
    bought: int | None
    cashed: int | None = Field(description="chips cashed out before the end")
    chips: int = Field(description="chips at the end, or the current stack")


class NightRow(Row):
    id: UUID
    season: UUID
    season_name: str
    number: int = Field(description="number of the night in its season")
    name: str
    date: date
    started_at: datetime
    ended_at: datetime | None
    state: str
    hands: int = Field(description="number of hands that are not voided")
    results: list[NightResult] = Field(description="highest net first")


class NightsPage(Page):
    nights: list[NightRow] = Field(description="latest first")


def _nights(caller: Caller, query: Nights) -> NightsPage:
    league = caller.league
    values: dict[str, Any] = {"league": league.pk, "state": query.state}
    values |= {"after": query.after, "before": query.before}
    if query.season is not None:
        values["season"] = find_season(league, query.season).pk
    known = {name: value for name, value in values.items() if value is not None}
    rows: QuerySet[Night] = filtered(NightFilters, nights_of(caller.visitor), known)
    if query.night is not None:
        rows = rows.filter(pk=find_row(find_night, caller, "night", query.night).pk)
    if query.player is not None:
        sat = Seat.objects.filter(night=OuterRef("pk"), player=find_player(league, query.player))
        rows = rows.filter(Exists(sat))
    rows = rows.select_related("season").order_by("-started_at", "pk")
    nights, after = page_of(rows[query.window], query)
    played = Hand.objects.filter(night__in=nights, voided=False).values("night")
    hands = dict(played.annotate(number=Count("pk")).values_list("night", "number"))
    results = _results(nights)
    zone = ZoneInfo(league.time_zone)
    night_rows = [
        NightRow(
            id=night.pk,
            season=night.season_id,
            season_name=night.season.name,
            number=night.number,
            name=night.name,
            date=night.started_at.astimezone(zone).date(),
            started_at=night.started_at,
            ended_at=night.ended_at,
            state=night.state,
            hands=hands.get(night.pk, 0),
            results=results.get(night.pk, []),
        )
        for night in nights
    ]
    return NightsPage(nights=night_rows, next_cursor=after)


def _results(nights: Sequence[Night]) -> dict[UUID, list[NightResult]]:
    """Return each night's results from its closing, or its stacks if it is open."""
    results: dict[UUID, list[NightResult]] = {}
    stand = last_closings().filter(night__in=nights, posting__reversal=None)
    lines = ClosingLine.objects.filter(closing__in=stand, player__is_box=False)
    for line in lines.select_related("closing__night", "player"):
        night = line.closing.night
        result = NightResult(
            player=line.player_id,
            player_name=line.player.name,
            net=line.net,
            money=Money(amount=line.net * night.chip_value, currency=night.currency),
            bought=line.bought,
            cashed=line.cashed,
            chips=line.chips,
        )
        results.setdefault(night.pk, []).append(result)
    for night in nights:
        if night.state == Night.State.OPEN:
            chips = stacks(night)
            results[night.pk] = [
                NightResult(
                    player=seat.player_id,
                    player_name=seat.player.name,
                    net=None,
                    money=None,
                    bought=None,
                    cashed=None,
                    chips=chips.get(seat.player_id, 0),
                )
                for seat in night.seats.select_related("player")
            ]
    for night_results in results.values():
        night_results.sort(key=lambda row: (-(row.net or 0), -row.chips, row.player_name))
    return results


NIGHTS = Tool(
    "nights",
    (
        "Nights of the league, latest first: dates, number of hands, and each "
        "player's result. Filter by season, player, state and time, or request "
        "one night by id."
    ),
    Nights,
    NightsPage,
    _nights,
)
