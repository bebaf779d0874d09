"""Buy-ins, cash-outs, and requests for chips: record, list, undo, accept, decline."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import Http404
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.http import paging
from api.http.fields import Id, InputSerializer, StrictBoolean, StrictInteger
from api.http.idempotency import idempotent
from api.http.resource import ListResource, Resource
from api.leagues.players import league_player
from api.nights.chip_requests import BEYOND, ChipRequestSerializer, chip_request_url
from api.openapi.schema import operation
from league.access import (
    Action,
    find_night,
    require,
    require_to_undo,
    whose_word,
)
from league.closing.chip_requests import Exchange, exchange
from league.models import MOST_CHIPS, BuyIn, CashOut, ChipRequest
from league.nights.buy_ins import undo

NEEDS_CONSENT = (
    "; 202 where whom it charges has to say yes first, 200 once that was decided otherwise"
)
OTHER_RESPONSES = {202: ChipRequestSerializer, 200: ChipRequestSerializer}


class ExchangeSerializer(serializers.ModelSerializer[Any]):
    """A purchase or return of chips. The class of each kind adds its fields."""

    undone = serializers.SerializerMethodField()

    class Meta:
        model: type[BuyIn] | type[CashOut]
        fields = ("id", "night", "player", "chips", "banker", "undone", "made_at")
        read_only_fields = fields

    def get_undone(self, done: BuyIn | CashOut) -> bool:
        return hasattr(done.posting, "reversal")


class NightExchanges(ListResource[Any]):
    """The exchanges of a night, in order."""

    pagination_class = paging.Made

    def get_queryset(self) -> QuerySet[Any]:
        night = find_night(self.visitor, Action.LOOK, self.kwargs["night_id"])
        return super().get_queryset().filter(night=night).select_related("posting__reversal")


def exchange_chips(
    view: Resource,
    night_id: UUID,
    kind: str,
    body: dict[str, Any],
    serializer: type[ExchangeSerializer],
) -> Response:
    """Move the chips, or request acceptance. `serializer` is for moved chips."""
    night = find_night(view.visitor, Action.LOOK, night_id)
    player = league_player(night.league, body["player"], "player")
    banker_id = body.get("banker")
    banker = league_player(night.league, banker_id, "banker") if banker_id else None
    pays = kind == ChipRequest.Kind.CASH_OUT
    word = whose_word(view.visitor, player, banker, night.league, pays=pays)
    if beyond := body.get("beyond_stack", False):
        require(view.visitor, Action.MANAGE, night.league)
    wanted = Exchange(
        kind=kind,
        id=body["id"],
        night=night,
        player=player,
        chips=body["chips"],
        banker=banker,
        leaves=body.get("leaves", False),
        beyond_stack=beyond,
    )
    done = exchange(wanted, by=view.user, word=word)
    match done:
        case None:
            return Response(status=204)
        case ChipRequest():
            return _requested(view, done)
    return Response(view.serialize(serializer, done), status=201)


def _requested(view: Resource, request: ChipRequest) -> Response:
    status = 202 if request.state == ChipRequest.State.WAITING else 200
    at = chip_request_url(request, "chip-request")
    data = view.serialize(ChipRequestSerializer, request)
    return Response(data, status=status, headers={"Location": at})


def undo_exchange(
    view: Resource, serializer: type[ExchangeSerializer], night_id: UUID, row_id: UUID
) -> Response:
    """Undo a buy-in or a cash-out, and return it."""
    night = find_night(view.visitor, Action.LOOK, night_id)
    rows = serializer.Meta.model.objects.filter(night=night, pk=row_id)
    row = rows.select_related("night__season__league", "posting", "banker").first()
    if row is None:
        require(view.visitor, Action.KEEP_SCORE, night.league)
        raise Http404
    require_to_undo(view.visitor, row, night.league)
    undo(row, by=view.user)
    undone = rows.select_related("posting__reversal").get()
    return Response(view.serialize(serializer, undone))


# Buy-ins: chips that a player buys during a night.


class BuyInSerializer(ExchangeSerializer):
    """A buy-in on the tab or, with a `banker`, for cash. `undone` is true if it was a mistake."""

    class Meta(ExchangeSerializer.Meta):
        model = BuyIn


class BuyInInputSerializer(InputSerializer):
    id = Id()
    player = Id()
    chips = StrictInteger(min_value=1, max_value=MOST_CHIPS)
    banker = Id(required=False, allow_null=True)


class NightBuyIns(NightExchanges):
    """The chips bought during a night, in order."""

    operation_id = "list_buy_ins"
    serializer_class = BuyInSerializer
    queryset = BuyIn.objects.all()

    @operation(
        "record_buy_in",
        f"Sell chips, once for each id{NEEDS_CONSENT}",
        BuyInSerializer,
        body=BuyInInputSerializer,
        status=201,
        other_responses=OTHER_RESPONSES,
    )
    @idempotent
    def post(self, request: Request, night_id: UUID) -> Response:
        body = self.validated_body(BuyInInputSerializer)
        return exchange_chips(self, night_id, ChipRequest.Kind.BUY_IN, body, BuyInSerializer)


class BuyInUndo(Resource):
    @operation(
        "undo_buy_in", "Take back a buy-in that was a mistake; it stays to be seen", BuyInSerializer
    )
    @idempotent
    def post(self, request: Request, night_id: UUID, buy_in_id: UUID) -> Response:
        return undo_exchange(self, BuyInSerializer, night_id, buy_in_id)


# Cash-outs: chips that a player returns during a night.


class CashOutSerializer(ExchangeSerializer):
    """A cash-out to the tab or, with a `banker`, for cash. `undone` is true if it was a mistake."""

    class Meta(ExchangeSerializer.Meta):
        model = CashOut


class CashOutInputSerializer(BuyInInputSerializer):
    """If `leaves` is true, the seat is freed. The player must then have no chips left."""

    chips = StrictInteger(min_value=0, max_value=MOST_CHIPS)
    leaves = StrictBoolean(default=False)
    beyond_stack = StrictBoolean(default=False, help_text=BEYOND)

    def validate(self, attrs: Any) -> Any:
        if attrs["chips"] == 0 and not attrs["leaves"]:
            raise serializers.ValidationError({"chips": "no chips are given back"})
        return attrs


class NightCashOuts(NightExchanges):
    """The chips returned during a night, in order."""

    operation_id = "list_cash_outs"
    serializer_class = CashOutSerializer
    queryset = CashOut.objects.all()

    @operation(
        "record_cash_out",
        f"Take chips back, once for each id; 204 where one leaves with none{NEEDS_CONSENT}",
        CashOutSerializer,
        body=CashOutInputSerializer,
        status=201,
        other_responses=OTHER_RESPONSES,
    )
    @idempotent
    def post(self, request: Request, night_id: UUID) -> Response:
        body = self.validated_body(CashOutInputSerializer)
        return exchange_chips(self, night_id, ChipRequest.Kind.CASH_OUT, body, CashOutSerializer)


class CashOutUndo(Resource):
    @operation(
        "undo_cash_out",
        "Take back a cash-out that was a mistake; it stays to be seen",
        CashOutSerializer,
    )
    @idempotent
    def post(self, request: Request, night_id: UUID, cash_out_id: UUID) -> Response:
        return undo_exchange(self, CashOutSerializer, night_id, cash_out_id)
