"""`league` and `standings`: a league with its players and seasons, and a season's standings."""

from datetime import date
from uuid import UUID

from pydantic import Field

from api.mcp.caller import Caller
from api.mcp.lookups import find_season
from api.mcp.tool import Money, Name, Named, Page, Paged, Row, Tool, page_of
from league.closing.standings import standings
from league.models import Player, Season
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
