"""The chip count at the end of a night, against what the hands explain."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.http.fields import Id, InputSerializer, OutputSerializer, StrictInteger
from api.http.idempotency import idempotent
from api.http.resource import Resource
from api.http.schema import operation
from api.leagues.players import league_player
from league.access import Action, find_night, require_for
from league.closing.chip_count import Tally, count, likeliest, tally
from league.models import MOST_CHIPS, Count


class ChipCountInputSerializer(InputSerializer):
    """`chips` null takes the count back."""

    id = Id()
    player = Id()
    chips = StrictInteger(min_value=0, max_value=MOST_CHIPS, allow_null=True)


class ChipCountSerializer(serializers.ModelSerializer[Count]):
    class Meta:
        model = Count
        fields = ("id", "night", "player", "number", "chips", "made_at")
        read_only_fields = fields


class ChipCountLineSerializer(OutputSerializer):
    """A player's chips at the end: what the hands explain, what was counted."""

    player = serializers.UUIDField()
    name = serializers.CharField()
    position = serializers.IntegerField()
    stack = serializers.IntegerField()
    back = serializers.IntegerField(help_text="of a pot that nobody won")
    counted = serializers.IntegerField(allow_null=True)
    due = serializers.BooleanField()
    difference = serializers.IntegerField()


class CarriedPotSerializer(OutputSerializer):
    amount = serializers.IntegerField()
    players = serializers.ListField(child=serializers.UUIDField())


class DiscrepancySerializer(OutputSerializer):
    """What would explain the differences; `left` chips it would not."""

    kind = serializers.CharField()
    text = serializers.CharField()
    hand = serializers.UUIDField(allow_null=True)
    left = serializers.IntegerField()


class ChipCountSummarySerializer(OutputSerializer):
    """The count as it stands; `missing` chips were bought and are nowhere."""

    lines = ChipCountLineSerializer(many=True)
    pots = CarriedPotSerializer(many=True)
    missing = serializers.IntegerField()
    explained = serializers.SerializerMethodField()

    @extend_schema_field(DiscrepancySerializer(many=True))
    def get_explained(self, found: Tally) -> Any:
        return DiscrepancySerializer(likeliest(self.context["night"], found), many=True).data


class NightCounts(Resource):
    @operation(
        "get_chip_count", "The count, against what the hands explain", ChipCountSummarySerializer
    )
    def get(self, request: Request, night_id: UUID) -> Response:
        night = find_night(self.visitor, Action.LOOK, night_id)
        return Response(self.serialize(ChipCountSummarySerializer, tally(night), night=night))

    @operation(
        "record_chip_count",
        "Say how many chips a player has, once for each id",
        ChipCountSerializer,
        body=ChipCountInputSerializer,
        status=201,
    )
    @idempotent
    def post(self, request: Request, night_id: UUID) -> Response:
        night = find_night(self.visitor, Action.LOOK, night_id)
        body = self.validated_body(ChipCountInputSerializer)
        player = league_player(night.league, body["player"], "player")
        require_for(self.visitor, player, night.league)
        counted = count(night, player, body["chips"], count_id=body["id"], by=self.user)
        return Response(self.serialize(ChipCountSerializer, counted), status=201)
