"""The data dictionary: the meaning and unit of every feed column, with an example.

It is generated from the same columns as the rows, the schema and the Parquet files.
"""

from functools import cache
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.feeds.columns import Kind
from api.feeds.hands import Hands
from api.feeds.nights import Nights
from api.feeds.player_games import Betting, PlayerGames
from api.feeds.results import Results, Standings
from api.feeds.row_feed import Feed
from api.feeds.transfers import Transfers
from api.http.fields import AnyJson, OutputSerializer
from api.http.paging import page_of
from api.http.resource import PublicResource, ShortList
from api.openapi.schema import operation

FEEDS: tuple[Feed, ...] = (
    Hands(),
    Results(),
    Nights(),
    Transfers(),
    Standings(),
    PlayerGames(),
    Betting(),
)
TYPES = tuple(each.name.lower() for each in Kind)


@extend_schema_field({"type": ["string", "integer", "boolean"]})
class ExampleField(AnyJson):
    """An example value of a column."""


class FeedColumnSerializer(OutputSerializer):
    """A feed column. `nullable` is true if its values can be null."""

    name = serializers.CharField()
    type = serializers.ChoiceField(TYPES)
    unit = serializers.CharField(help_text="unit of a number; empty for other types")
    meaning = serializers.CharField()
    nullable = serializers.BooleanField()
    example = ExampleField()


class FeedSerializer(OutputSerializer):
    """A feed. If it is `incremental`, a stored `cursor` can be used to request only newer rows."""

    name = serializers.CharField()
    summary = serializers.CharField()
    incremental = serializers.BooleanField()
    columns = FeedColumnSerializer(many=True)


class Feeds(ShortList, PublicResource):
    """The feeds and their columns."""

    @operation("list_feeds", "The feeds and the meaning of their columns", page_of(FeedSerializer))
    def get(self, request: Request) -> Response:
        return self.page(FeedSerializer, dictionary())


@cache
def dictionary() -> list[dict[str, Any]]:
    """Return the feeds with their columns."""
    return [
        {
            "name": feed.name,
            "summary": feed.summary,
            "incremental": feed.incremental,
            "columns": [
                {
                    "name": column.name,
                    "type": column.kind.name.lower(),
                    "unit": column.unit,
                    "meaning": column.note,
                    "nullable": column.empty,
                    "example": column.shown,
                }
                for column in feed.columns
            ],
        }
        for feed in FEEDS
    ]
