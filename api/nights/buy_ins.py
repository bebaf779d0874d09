"""Buy-ins: chips that a player buys at a night."""

from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from api.http.fields import Id, InputSerializer, StrictInteger
from api.http.idempotency import idempotent
from api.http.resource import Resource
from api.http.schema import operation
from api.nights.chip_exchange import (
    NEEDS_CONSENT,
    OTHER_RESPONSES,
    ExchangeSerializer,
    NightExchanges,
    exchange_chips,
    undo_exchange,
)
from league.models import MOST_CHIPS, BuyIn, ChipRequest


class BuyInSerializer(ExchangeSerializer):
    """On the tab or, with a `banker`, for cash; `undone`: it was a mistake, and is taken back."""

    class Meta(ExchangeSerializer.Meta):
        model = BuyIn


class BuyInInputSerializer(InputSerializer):
    id = Id()
    player = Id()
    chips = StrictInteger(min_value=1, max_value=MOST_CHIPS)
    banker = Id(required=False, allow_null=True)


class NightBuyIns(NightExchanges):
    """The chips bought at a night, in order."""

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
