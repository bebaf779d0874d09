"""Chips over the counter: bought, given back, counted at the end."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api import paging
from api.fields import Asked, Id, Told, Truth, Whole
from api.leagues import player_called
from api.once import once
from api.resource import Listing, Resource
from api.schema import operation
from league.access import Action, find_night, require_for
from league.cashing import cash_out, go_home
from league.counts import Tally, count, tally
from league.explaining import likeliest
from league.models import MOST_CHIPS, BuyIn, CashOut, Count, Night, Player
from league.nights import buy_in


class BuyInTold(serializers.ModelSerializer[BuyIn]):
    """On the tab or, with a `banker`, for cash."""

    class Meta:
        model = BuyIn
        fields = ("id", "night", "player", "chips", "banker", "made_at")
        read_only_fields = fields


class CashOutTold(serializers.ModelSerializer[CashOut]):
    """Onto the tab or, with a `banker`, for cash."""

    class Meta:
        model = CashOut
        fields = ("id", "night", "player", "chips", "banker", "made_at")
        read_only_fields = fields


class BuyInAsked(Asked):
    id = Id()
    player = Id()
    chips = Whole(min_value=1, max_value=MOST_CHIPS)
    banker = Id(required=False, allow_null=True)


class CashOutAsked(BuyInAsked):
    """`leaves`: the seat is freed; who leaves may have no chips left."""

    chips = Whole(min_value=0, max_value=MOST_CHIPS)
    leaves = Truth(default=False)

    def validate(self, attrs: Any) -> Any:
        if attrs["chips"] == 0 and not attrs["leaves"]:
            raise serializers.ValidationError({"chips": "no chips are given back"})
        return attrs


class CountAsked(Asked):
    """`chips` null takes the count back."""

    id = Id()
    player = Id()
    chips = Whole(min_value=0, max_value=MOST_CHIPS, allow_null=True)


class CountTold(serializers.ModelSerializer[Count]):
    class Meta:
        model = Count
        fields = ("id", "night", "player", "number", "chips", "made_at")
        read_only_fields = fields


class CountedTold(Told):
    """A player's chips at the end: what the hands explain, what was counted."""

    player = serializers.UUIDField()
    name = serializers.CharField()
    position = serializers.IntegerField()
    stack = serializers.IntegerField()
    back = serializers.IntegerField(help_text="of a pot that nobody won")
    counted = serializers.IntegerField(allow_null=True)
    due = serializers.BooleanField()
    difference = serializers.IntegerField()


class PotTold(Told):
    amount = serializers.IntegerField()
    players = serializers.ListField(child=serializers.UUIDField())


class SuspicionTold(Told):
    """What would explain the differences; `left` chips it would not."""

    kind = serializers.CharField()
    text = serializers.CharField()
    hand = serializers.UUIDField(allow_null=True)
    left = serializers.IntegerField()


class TallyTold(Told):
    """The count as it stands; `missing` chips were bought and are nowhere."""

    lines = CountedTold(many=True)
    pots = PotTold(many=True)
    missing = serializers.IntegerField()
    explained = serializers.SerializerMethodField()

    @extend_schema_field(SuspicionTold(many=True))
    def get_explained(self, found: Tally) -> Any:
        return SuspicionTold(likeliest(self.context["night"], found), many=True).data


class NightBuyIns(Listing[BuyIn]):
    """The chips bought at a night, in order."""

    serializer_class = BuyInTold
    pagination_class = paging.Made
    queryset = BuyIn.objects.none()

    def get_queryset(self) -> QuerySet[BuyIn]:
        night = find_night(self.visitor, Action.LOOK, self.kwargs["night_id"])
        return BuyIn.objects.filter(night=night)

    @operation("Sell chips, once for each id", BuyInTold, asks=BuyInAsked, status=201)
    @once
    def post(self, request: Request, night_id: UUID) -> Response:
        night = find_night(self.visitor, Action.LOOK, night_id)
        asked = self.asked(BuyInAsked)
        player, banker = _people(self, night, asked)
        bought = buy_in(
            night, player, asked["chips"], buy_in_id=asked["id"], by=self.user, banker=banker
        )
        return Response(self.told(BuyInTold, bought), status=201)


class NightCashOuts(Listing[CashOut]):
    """The chips given back during a night, in order."""

    serializer_class = CashOutTold
    pagination_class = paging.Made
    queryset = CashOut.objects.none()

    def get_queryset(self) -> QuerySet[CashOut]:
        night = find_night(self.visitor, Action.LOOK, self.kwargs["night_id"])
        return CashOut.objects.filter(night=night)

    @operation(
        "Take chips back, once for each id; who leaves with none is answered with 204",
        CashOutTold,
        asks=CashOutAsked,
        status=201,
    )
    @once
    def post(self, request: Request, night_id: UUID) -> Response:
        night = find_night(self.visitor, Action.LOOK, night_id)
        asked = self.asked(CashOutAsked)
        player, banker = _people(self, night, asked)
        back = go_home if asked["leaves"] else cash_out
        back(night, player, asked["chips"], cash_out_id=asked["id"], by=self.user, banker=banker)
        out = CashOut.objects.filter(pk=asked["id"]).first()
        return Response(self.told(CashOutTold, out), status=201) if out else Response(status=204)


class NightCounts(Resource):
    @operation("The count, against what the hands explain", TallyTold)
    def get(self, request: Request, night_id: UUID) -> Response:
        night = find_night(self.visitor, Action.LOOK, night_id)
        return Response(self.told(TallyTold, tally(night), night=night))

    @operation(
        "Say how many chips a player has, once for each id", CountTold, asks=CountAsked, status=201
    )
    @once
    def post(self, request: Request, night_id: UUID) -> Response:
        night = find_night(self.visitor, Action.LOOK, night_id)
        asked = self.asked(CountAsked)
        player, _ = _people(self, night, asked)
        counted = count(night, player, asked["chips"], count_id=asked["id"], by=self.user)
        return Response(self.told(CountTold, counted), status=201)


def _people(view: Resource, night: Night, asked: dict[str, Any]) -> tuple[Player, Player | None]:
    """Return the player, if one may speak for them, and whoever handles the cash."""
    player = player_called(night.league, asked["player"], "player")
    require_for(view.visitor, player, night.league)
    banker = asked.get("banker")
    return player, player_called(night.league, banker, "banker") if banker else None
