"""Chips over the counter: bought, given back, counted at the end."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import Http404
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
from league.cashing import cash_out, go_home, undo
from league.counts import Tally, count, tally
from league.explaining import likeliest
from league.models import MOST_CHIPS, BuyIn, CashOut, Count, Night, Player
from league.nights import buy_in

OVER_THE_COUNTER = ("id", "night", "player", "chips", "banker", "undone", "made_at")


class BuyInTold(serializers.ModelSerializer[BuyIn]):
    """On the tab or, with a `banker`, for cash; `undone`: it was a mistake, and is taken back."""

    undone = serializers.SerializerMethodField()

    class Meta:
        model = BuyIn
        fields = OVER_THE_COUNTER
        read_only_fields = fields

    def get_undone(self, bought: BuyIn) -> bool:
        return hasattr(bought.posting, "reversal")


class CashOutTold(serializers.ModelSerializer[CashOut]):
    """Onto the tab or, with a `banker`, for cash; `undone` as of buy-ins."""

    undone = serializers.SerializerMethodField()

    class Meta:
        model = CashOut
        fields = OVER_THE_COUNTER
        read_only_fields = fields

    def get_undone(self, back: CashOut) -> bool:
        return hasattr(back.posting, "reversal")


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
        return BuyIn.objects.filter(night=night).select_related("posting__reversal")

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
        return CashOut.objects.filter(night=night).select_related("posting__reversal")

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


class BuyInUndo(Resource):
    @operation("Take back a buy-in that was a mistake; it stays to be seen", BuyInTold)
    @once
    def post(self, request: Request, night_id: UUID, buy_in_id: UUID) -> Response:
        return Response(self.told(BuyInTold, _undone(self, BuyIn, night_id, buy_in_id)))


class CashOutUndo(Resource):
    @operation("Take back a cash-out that was a mistake; it stays to be seen", CashOutTold)
    @once
    def post(self, request: Request, night_id: UUID, cash_out_id: UUID) -> Response:
        return Response(self.told(CashOutTold, _undone(self, CashOut, night_id, cash_out_id)))


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


def _undone(view: Resource, kind: Any, night_id: UUID, done_id: UUID) -> Any:
    night = find_night(view.visitor, Action.RECORD, night_id)
    rows = kind.objects.filter(night=night, pk=done_id)
    done = rows.select_related("night__season__league", "posting").first()
    if done is None:
        raise Http404
    undo(done, by=view.user)
    return rows.select_related("posting__reversal").get()


def _people(view: Resource, night: Night, asked: dict[str, Any]) -> tuple[Player, Player | None]:
    """Return the player, if one may speak for them, and whoever handles the cash."""
    player = player_called(night.league, asked["player"], "player")
    require_for(view.visitor, player, night.league)
    banker = asked.get("banker")
    return player, player_called(night.league, banker, "banker") if banker else None
