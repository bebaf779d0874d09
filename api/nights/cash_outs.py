"""Cash-outs: chips that a player gives back at a night."""

from typing import Any
from uuid import UUID

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.http.fields import StrictBoolean, StrictInteger
from api.http.idempotency import idempotent
from api.http.resource import Resource
from api.http.schema import operation
from api.nights.buy_ins import BuyInInputSerializer
from api.nights.chip_exchange import (
    NEEDS_CONSENT,
    OTHER_RESPONSES,
    ExchangeSerializer,
    NightExchanges,
    exchange_chips,
    undo_exchange,
)
from api.nights.chip_requests import BEYOND
from league.models import MOST_CHIPS, CashOut, ChipRequest


class CashOutSerializer(ExchangeSerializer):
    """Onto the tab or, with a `banker`, for cash; `undone` as of buy-ins."""

    class Meta(ExchangeSerializer.Meta):
        model = CashOut


class CashOutInputSerializer(BuyInInputSerializer):
    """`leaves`: the seat is freed; who leaves may have no chips left."""

    chips = StrictInteger(min_value=0, max_value=MOST_CHIPS)
    leaves = StrictBoolean(default=False)
    beyond_stack = StrictBoolean(default=False, help_text=BEYOND)

    def validate(self, attrs: Any) -> Any:
        if attrs["chips"] == 0 and not attrs["leaves"]:
            raise serializers.ValidationError({"chips": "no chips are given back"})
        return attrs


class NightCashOuts(NightExchanges):
    """The chips given back during a night, in order."""

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
