"""`standings`: where everybody stands in a season."""

from uuid import UUID

from pydantic import Field

from api.mcp.asker import Asker
from api.mcp.meant import season_meant
from api.mcp.tool import Name, Page, Paged, Row, Tool, page_of
from league.closing.standings import standings
from league.people.leagues import latest_season


class Standings(Paged):
    season: Name | None = Field(None, description="a name or an id; the latest unless told")


class Place(Row):
    place: int = Field(description="by net, shared by equals")
    player: UUID
    name: str
    nights: int = Field(description="played and closed")
    net: int = Field(description="chips over the closed nights")
    won: dict[str, int] = Field(description="net in minor units, by currency")
    best: int = Field(description="the best night, in chips")
    tab: int = Field(description="what the table owes the player now; below zero: is owed")


class StandingsFound(Page):
    season: UUID
    season_name: str
    standings: list[Place] = Field(description="the most won first")


def _standings(asker: Asker, asked: Standings) -> StandingsFound:
    league = asker.league
    season = season_meant(league, asked.season) if asked.season else latest_season(league)
    places, after = page_of(standings(season)[asked.window], asked)
    told = [Place.model_validate(each) for each in places]
    return StandingsFound(
        season=season.pk, season_name=season.name, standings=told, next_page=after
    )


STANDINGS = Tool(
    "standings",
    "The table of a season: place, nights played, net in chips and money, best night, and tab.",
    Standings,
    StandingsFound,
    _standings,
)
