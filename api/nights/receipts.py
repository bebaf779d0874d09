"""A closed night's receipt as JSON and CSV, and links to receipts."""

from typing import Any
from uuid import UUID

from django.db.models import prefetch_related_objects
from django.http import Http404, HttpResponse
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.hands.objections import ObjectionSerializer
from api.http.fields import CashBoxField, OutputSerializer
from api.http.resource import PublicResource, Resource
from api.nights.closing import ClosingLineSerializer
from api.nights.payments import PlannedPaymentFields
from api.openapi.schema import operation
from league.access import Action, find_night
from league.closing import receipts
from league.closing.notifications import load_earlier
from league.closing.receipts import Receipt
from league.common.text import game_of
from league.models import Night, Revision

SHEET = {(200, "text/csv"): OpenApiTypes.STR}


class ReceiptPaymentSerializer(PlannedPaymentFields, OutputSerializer):
    """A planned payment. `open_chips` have not been paid yet.

    `replaced_chips` were not sent, and a later planned payment contains them instead.
    """

    payer = serializers.UUIDField(source="payer_id")
    payer_name = serializers.CharField(source="payer.name")
    payee = serializers.UUIDField(source="payee_id")
    payee_name = serializers.CharField(source="payee.name")
    cash_box = CashBoxField()
    chips = serializers.IntegerField()
    money = serializers.SerializerMethodField()
    replaced_chips = serializers.IntegerField()
    open_chips = serializers.IntegerField()
    open_money = serializers.SerializerMethodField()
    why = serializers.SerializerMethodField()


class ReceiptHandSerializer(OutputSerializer):
    number = serializers.IntegerField(source="hand.number")
    game = serializers.SerializerMethodField()
    game_name = serializers.CharField(source="document.name")
    voided = serializers.BooleanField(source="hand.voided")
    depth = serializers.CharField()
    net = serializers.SerializerMethodField()

    def get_game(self, revision: Revision) -> str:
        return game_of(revision.record["variant"], revision.document.name)

    def get_net(self, revision: Revision) -> dict[str, int]:
        net: dict[str, int] = revision.answer["net"]
        return net


class ProofSerializer(OutputSerializer):
    """The signed parts of the closing (docs/receipts.md). `names` is "" after an erasure."""

    statement = serializers.CharField()
    signature = serializers.CharField()
    key = serializers.CharField()
    chips = serializers.CharField()
    names = serializers.CharField()


class ReceiptSerializer(OutputSerializer):
    """A closed night with each player's line, all hands, the payments and the seals.

    `cash_box` is the cash left in the cash box by the night, in chips, or null if it was not used.
    """

    league_name = serializers.CharField(source="night.league.name")
    currency = serializers.CharField(source="night.currency")
    night_name = serializers.CharField(source="night.__str__")
    started_at = serializers.DateTimeField(source="night.started_at")
    chip_value = serializers.IntegerField(source="night.chip_value")
    seal = serializers.CharField(source="closing.hash")
    closed_at = serializers.DateTimeField(source="closing.made_at")
    lines = serializers.SerializerMethodField()
    cash_box = serializers.IntegerField(source="box", allow_null=True)
    hands = ReceiptHandSerializer(many=True)
    planned_payments = ReceiptPaymentSerializer(source="payments", many=True)
    objections = ObjectionSerializer(many=True)
    proof = ProofSerializer(allow_null=True)

    @extend_schema_field(ClosingLineSerializer(many=True))
    def get_lines(self, made: Receipt) -> Any:
        return ClosingLineSerializer(made.lines, many=True, context={"night": made.night}).data


class ReceiptLinkSerializer(OutputSerializer):
    """Only this response contains the token. Anyone with the token can read the receipt."""

    token = serializers.CharField()
    address = serializers.CharField()


class NightReceipt(Resource):
    @operation(
        "get_receipt", "The receipt of a closed night; 404 while it is open", ReceiptSerializer
    )
    def get(self, request: Request, night_id: UUID) -> Response:
        return _receipt(self, find_night(self.visitor, Action.VIEW, night_id))


class NightReceiptLinks(Resource):
    # Not `idempotent`, because the response containing the token would be stored.
    @operation(
        "create_receipt_link",
        "Create a public link to the receipt",
        ReceiptLinkSerializer,
        status=201,
    )
    def post(self, request: Request, night_id: UUID) -> Response:
        night = find_night(self.visitor, Action.KEEP_SCORE, night_id)
        token = receipts.share(night, by=self.user)
        address = request.build_absolute_uri(reverse("shared-receipt", args=[token]))
        return Response({"token": token, "address": address}, status=201)

    @operation("revoke_receipt_links", "Revoke all links to the receipt", None, status=204)
    def delete(self, request: Request, night_id: UUID) -> Response:
        receipts.unshare(find_night(self.visitor, Action.KEEP_SCORE, night_id), by=self.user)
        return Response(status=204)


class SharedReceipt(PublicResource):
    @operation("get_shared_receipt", "The receipt of a link", ReceiptSerializer)
    def get(self, request: Request, token: str) -> Response:
        night = receipts.shared_night(token)
        if night is None:
            raise Http404
        answer = _receipt(self, night)
        answer.headers["X-Robots-Tag"] = "noindex, nofollow"
        return answer


class NightReceiptSheet(Resource):
    selects_fields = False

    @extend_schema(
        operation_id="get_receipt_csv",
        summary="The receipt as CSV; 404 while the night is open",
        responses=SHEET,
    )
    def get(self, request: Request, night_id: UUID) -> HttpResponse:
        return _sheet(find_night(self.visitor, Action.VIEW, night_id))


class SharedReceiptSheet(PublicResource):
    selects_fields = False

    @extend_schema(
        operation_id="get_shared_receipt_csv",
        summary="The receipt of a link, as CSV",
        responses=SHEET,
    )
    def get(self, request: Request, token: str) -> HttpResponse:
        night = receipts.shared_night(token)
        if night is None:
            raise Http404
        answer = _sheet(night)
        answer.headers["X-Robots-Tag"] = "noindex, nofollow"
        return answer


def _sheet(night: Night) -> HttpResponse:
    made = receipts.signed_receipt(night)
    if made is None:
        raise Http404
    return HttpResponse(receipts.as_csv(made), content_type="text/csv; charset=utf-8")


def _receipt(view: Resource, night: Night) -> Response:
    made: Any = receipts.receipt(night)
    if made is None:
        raise Http404
    prefetch_related_objects(made.payments, "plan__closing__lines")
    load_earlier(planned.plan for planned in made.payments)
    return Response(view.serialize(ReceiptSerializer, made))
