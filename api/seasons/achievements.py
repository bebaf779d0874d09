"""What everybody achieved in a season: a feed of sentences, and the facts that they are made of."""

from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.response import Response

from api.feeds.stats.scope import OWNERS, Owner, ScopedResource
from api.http.fields import OutputSerializer
from league.models import League
from league.stats.figures.achievements import achievements

SEASONS = next(each for each in OWNERS if each.name == "season")
OWNER = Owner(name=SEASONS.name, finder=SEASONS.finder, parameters=frozenset())


class AchievementSerializer(OutputSerializer):
    """What a player achieved: `facts` are what the sentence is made of, chips whole numbers.

    One that is `of_the_table` is there once, shared by those who are equal. `hand` and `cards` are
    those that were shown, if it is about a hand; a correction may take an achievement back.
    """

    code = serializers.CharField()
    title = serializers.CharField()
    sentence = serializers.CharField()
    takes = serializers.CharField()
    player = serializers.UUIDField()
    name = serializers.CharField()
    facts = serializers.DictField()
    of_the_table = serializers.BooleanField()
    hand = serializers.UUIDField(allow_null=True)
    cards = serializers.ListField(child=serializers.CharField())
    plays_as = serializers.DictField(child=serializers.CharField())


class AchievementsSerializer(OutputSerializer):
    achievements = AchievementSerializer(many=True)


class _Achievements(ScopedResource):
    owner = OWNER

    def answer(self, league: League) -> Response:
        found: dict[str, Any] = {"achievements": achievements(self.scope(league))}
        return Response(self.serialize(AchievementsSerializer, found))


Achievements = extend_schema_view(
    get=extend_schema(
        operation_id="list_season_achievements",
        summary="What everybody achieved",
        responses=AchievementsSerializer,
    )
)(_Achievements)
