"""Buy-ins, cash-outs and chip requests: record, list, void, accept, decline."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import Http404
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.http import paging
from api.http.fields import (
    Id,
    InputSerializer,
    RowSerializer,
    StrictBoolean,
    StrictInteger,
    created_field,
    name_field,
)
from api.http.idempotency import idempotent
from api.http.resource import ListResource, Resource, status_of
from api.leagues.players import league_player
from api.nights.chip_requests import (
    BEYOND,
    ChipRequestSerializer,
    chip_request_url,
    require_waiting,
)
from api.openapi.schema import operation
from league.access import (
    Action,
    find_night,
    require,
    require_to_exceed_limits,
    require_to_undo,
    whose_word,
)
from league.closing.cash_outs import undo_exchange
from league.closing.chip_requests import Exchange, exchange
from league.models import MOST_CHIPS, BuyIn, CashOut, ChipRequest
from league.nights.cash_box import cash_box

NEEDS_CONSENT = "; 202 if the charged player has to accept first, 409 if that was declined"


class ExchangeSerializer(RowSerializer[Any]):
    """A purchase or return of chips. Subclasses for each kind add its fields."""

    player_name = name_field("player")
    banker_name = name_field("banker", nullable=True)
    cash_box = serializers.SerializerMethodField(
        help_text="true if the banker is the league's cash box"
    )
    voided = serializers.SerializerMethodField()
    created_at = created_field()

    class Meta:
        model: type[BuyIn] | type[CashOut]
        fields = (
            *("id", "night", "player", "player_name", "chips", "banker", "banker_name"),
            *("cash_box", "voided", "created_at"),
        )

    def get_cash_box(self, done: BuyIn | CashOut) -> bool:
        return done.banker is not None and done.banker.is_box

    def get_voided(self, done: BuyIn | CashOut) -> bool:
        return hasattr(done.posting, "reversal")


class NightExchanges(ListResource[Any]):
    """A night's exchanges, in order."""

    pagination_class = paging.ByCreation

    def get_queryset(self) -> QuerySet[Any]:
        night = find_night(self.visitor, Action.VIEW, self.kwargs["night_id"])
        rows = super().get_queryset().filter(night=night)
        return rows.select_related("posting__reversal", "player", "banker")


def exchange_chips(
    view: Resource,
    night_id: UUID,
    kind: str,
    body: dict[str, Any],
    serializer: type[ExchangeSerializer],
) -> Response:
    """Move the chips, or request acceptance. `serializer` represents chips that were moved."""
    night = find_night(view.visitor, Action.VIEW, night_id)
    player = league_player(night.league, body["player"], "player")
    banker_id = body.get("banker")
    banker = league_player(night.league, banker_id, "banker") if banker_id else None
    if body.get("cash_box"):
        banker = cash_box(night.league)
    pays = kind == ChipRequest.Kind.CASH_OUT
    word = whose_word(view.visitor, player, banker, night.league, pays=pays)
    if beyond := body.get("beyond_stack", False):
        require(view.visitor, Action.MANAGE, night.league)
    if beyond_limits := body.get("beyond_limits", False):
        require_to_exceed_limits(view.visitor, night.league)
    wanted = Exchange(
        kind=kind,
        id=body["id"],
        night=night,
        player=player,
        chips=body["chips"],
        banker=banker,
        leaves=body.get("leaves", False),
        beyond_stack=beyond,
        beyond_limits=beyond_limits,
    )
    done = exchange(wanted, by=view.user, word=word)
    match done:
        case None:
            return Response(status=204)
        case ChipRequest():
            require_waiting([done])
            at = chip_request_url(done, "chip-request")
            return view.created(ChipRequestSerializer, done, at, status=202)
    return Response(view.serialize(serializer, done), status=status_of(done))


def void_exchange(
    view: Resource, serializer: type[ExchangeSerializer], night_id: UUID, row_id: UUID
) -> Response:
    """Void a buy-in or a cash-out, and return it."""
    night = find_night(view.visitor, Action.VIEW, night_id)
    rows = serializer.Meta.model.objects.filter(night=night, pk=row_id)
    row = rows.select_related("night__season__league", "posting", "banker").first()
    if row is None:
        require(view.visitor, Action.KEEP_SCORE, night.league)
        raise Http404
    require_to_undo(view.visitor, row, night.league)
    undo_exchange(row, by=view.user)
    voided = rows.select_related("posting__reversal", "player", "banker").get()
    return Response(view.serialize(serializer, voided))


# Buy-ins: chips that a player buys during a night.


class BuyInSerializer(ExchangeSerializer):
    """A buy-in on the tab or, with a `banker` or the cash box, for cash.

    `voided` is true if it was a mistake.
    """

    class Meta(ExchangeSerializer.Meta):
        model = BuyIn


class ExchangeInputSerializer(InputSerializer):
    id = Id()
    player = Id()
    chips = StrictInteger(min_value=1, max_value=MOST_CHIPS)
    banker = Id(required=False, allow_null=True)
    cash_box = StrictBoolean(
        default=False, help_text="cash goes into or comes from the league's cash box"
    )

    def validate(self, attrs: Any) -> Any:
        if attrs["cash_box"] and attrs.get("banker"):
            text = "either a banker or the cash box takes the cash"
            raise serializers.ValidationError({"cash_box": text})
        return attrs


class BuyInInputSerializer(ExchangeInputSerializer):
    beyond_limits = StrictBoolean(
        default=False, help_text="the caller confirms a buy-in beyond the league's limits"
    )


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
        status=(201, 200),
        other_responses={202: ChipRequestSerializer},
    )
    @idempotent
    def post(self, request: Request, night_id: UUID) -> Response:
        body = self.validated_body(BuyInInputSerializer)
        return exchange_chips(self, night_id, ChipRequest.Kind.BUY_IN, body, BuyInSerializer)


class BuyInVoid(Resource):
    @operation("void_buy_in", "Void a buy-in; it remains in the list", BuyInSerializer)
    @idempotent
    def post(self, request: Request, night_id: UUID, buy_in_id: UUID) -> Response:
        return void_exchange(self, BuyInSerializer, night_id, buy_in_id)


# Cash-outs: chips that a player returns during a night.


class CashOutSerializer(ExchangeSerializer):
    """A cash-out to the tab or, with a `banker` or the cash box, for cash.

    `voided` is true if it was a mistake.
    """

    class Meta(ExchangeSerializer.Meta):
        model = CashOut


class CashOutInputSerializer(ExchangeInputSerializer):
    """If `leaves` is true, the seat is freed. The player must have no chips left."""

    chips = StrictInteger(min_value=0, max_value=MOST_CHIPS)
    leaves = StrictBoolean(default=False)
    beyond_stack = StrictBoolean(default=False, help_text=BEYOND)
    beyond_limits = StrictBoolean(
        default=False,
        help_text="the caller confirms that the player leaves before the notice is over",
    )

    def validate(self, attrs: Any) -> Any:
        attrs = super().validate(attrs)
        if attrs["chips"] == 0 and not attrs["leaves"]:
            raise serializers.ValidationError({"chips": "there are no chips to cash out"})
        return attrs


class NightCashOuts(NightExchanges):
    """The chips returned during a night, in order."""

    operation_id = "list_cash_outs"
    serializer_class = CashOutSerializer
    queryset = CashOut.objects.all()

    @operation(
        "record_cash_out",
        f"Cash out chips, once for each id; 204 if a player without chips leaves{NEEDS_CONSENT}",
        CashOutSerializer,
        body=CashOutInputSerializer,
        status=(201, 200),
        other_responses={202: ChipRequestSerializer},
    )
    @idempotent
    def post(self, request: Request, night_id: UUID) -> Response:
        body = self.validated_body(CashOutInputSerializer)
        return exchange_chips(self, night_id, ChipRequest.Kind.CASH_OUT, body, CashOutSerializer)


class CashOutVoid(Resource):
    @operation("void_cash_out", "Void a cash-out; it remains in the list", CashOutSerializer)
    @idempotent
    def post(self, request: Request, night_id: UUID, cash_out_id: UUID) -> Response:
        return void_exchange(self, CashOutSerializer, night_id, cash_out_id)
