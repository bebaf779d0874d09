"""`league`: what it is, who plays there, and its seasons."""

from datetime import date
from uuid import UUID

from pydantic import Field

from api.mcp.asker import Asker
from api.mcp.tool import Page, Paged, Row, Tool, page_of
from league.models import Player, Season

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
    chip_value: int = Field(description="what the smallest chip is worth, in minor units")
    time_zone: str
    seasons: list[SeasonRow] = Field(description="the latest first")
    players: list[PlayerRow] = Field(description="the names at the table, in pages")


def _league(asker: Asker, asked: Paged) -> League:
    league = asker.league
    names = Player.objects.filter(league=league).order_by("name", "pk")[asked.window]
    players, after = page_of(names, asked)
    seasons = Season.objects.filter(league=league).order_by("-starts_on", "name")[:MOST_SEASONS]
    return League(
        id=league.pk,
        name=league.name,
        currency=league.currency,
        chip_value=league.chip_value,
        time_zone=league.time_zone,
        seasons=[SeasonRow.model_validate(each) for each in seasons],
        players=[PlayerRow.model_validate(each) for each in players],
        next_page=after,
    )


LEAGUE = Tool(
    "league",
    "The league: its currency, what a chip is worth, its seasons, and the names of its players.",
    Paged,
    League,
    _league,
)
