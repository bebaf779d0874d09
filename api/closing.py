"""The end of a night: how it was closed, close it, take the closing back; its receipt."""

from typing import Any
from uuid import UUID, uuid4

from django.db import transaction
from django.http import Http404, HttpResponse
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.fields import Asked, Id, Text, Told, Truth, Whole
from api.nights import NightWhole
from api.once import once
from api.resource import Open, Resource, dated
from api.schema import operation
from league import receipts
from league.access import Action, find_night
from league.closing import Decisions, close_night, reopen_night
from league.models import LONGEST_REASON, MOST_CHIPS, Closing, Line, Night, PlannedPayment, Revision
from league.receipts import Paid, Receipt
from league.telling import payments_of, sentence

MOST_BEARERS = 100
SHEET = {(200, "text/csv"): OpenApiTypes.STR}


class LineTold(serializers.ModelSerializer[Line]):
    """A player's line, in chips; `net` is what the night brought, `worth` the same in money."""

    name = serializers.CharField(source="player.name", read_only=True)
    chips = serializers.IntegerField(read_only=True)
    drift = serializers.IntegerField(read_only=True)
    net = serializers.IntegerField(read_only=True)
    worth = serializers.SerializerMethodField()

    class Meta:
        model = Line
        fields = (
            "player",
            "name",
            "bought",
            "cashed",
            "stack",
            "back",
            "counted",
            "chips",
            "drift",
            "put_right",
            "bears",
            "net",
            "worth",
        )
        read_only_fields = fields

    def get_worth(self, line: Line) -> int:
        value: int = self.context["chip_value"]
        return line.net * value


class ClosingTold(serializers.ModelSerializer[Closing]):
    """How a night was closed, sealed by a hash over the closing before it."""

    lines = serializers.SerializerMethodField()
    plan = serializers.SerializerMethodField()

    class Meta:
        model = Closing
        fields = (
            "id",
            "night",
            "number",
            "sequence",
            "by_hands",
            "reason",
            "previous_hash",
            "hash",
            "made_at",
            "plan",
            "lines",
        )
        read_only_fields = fields

    @extend_schema_field(LineTold(many=True))
    def get_lines(self, closing: Closing) -> Any:
        lines = closing.lines.select_related("player").order_by("position", "player__name")
        value = closing.night.chip_value
        return LineTold(lines, many=True, context={"chip_value": value}).data

    def get_plan(self, closing: Closing) -> UUID | None:
        plan = getattr(closing, "plan", None)
        return plan.pk if plan else None


class DecisionsAsked(Asked):
    """What only a host can say. `bears`: who bears the `missing` chips that the count lacks."""

    by_hands = Truth(default=False, help_text="uncounted chips are as the hands say")
    bears = serializers.ListField(child=Id(), default=list, max_length=MOST_BEARERS)
    missing = Whole(required=False, allow_null=True, min_value=-MOST_CHIPS, max_value=MOST_CHIPS)


class CloseAsked(DecisionsAsked):
    """The same, with the closing's id."""

    id = Id()
    reason = Text(default="", allow_blank=True, max_length=LONGEST_REASON)


class WouldPayTold(Told):
    payer = serializers.CharField(source="payer.name")
    payee = serializers.CharField(source="payee.name")
    chips = serializers.IntegerField()
    why = serializers.SerializerMethodField()

    def get_why(self, planned: PlannedPayment) -> str:
        return sentence(planned)


class OutcomeTold(Told):
    """What every line would come to, and who would pay whom."""

    lines = LineTold(many=True)
    payments = WouldPayTold(many=True)


class PaidTold(Told):
    """Who pays whom; `open` chips have not come yet."""

    payer = serializers.CharField(source="planned.payer.name")
    payee = serializers.CharField(source="planned.payee.name")
    chips = serializers.IntegerField(source="planned.chips")
    open = serializers.IntegerField(source="open_chips")
    why = serializers.SerializerMethodField()

    def get_why(self, paid: Paid) -> str:
        return sentence(paid.planned)


class ReceiptHandTold(Told):
    number = serializers.IntegerField(source="hand.number")
    game = serializers.CharField(source="document.name")
    voided = serializers.BooleanField(source="hand.voided")
    depth = serializers.CharField()
    net = serializers.SerializerMethodField()

    def get_net(self, revision: Revision) -> dict[str, int]:
        net: dict[str, int] = revision.answer["net"]
        return net


class ReceiptTold(Told):
    """A closed night, whole: each player's line, every hand, the payments, the seals."""

    league = serializers.CharField(source="night.league.name")
    currency = serializers.CharField(source="night.currency")
    night = serializers.CharField(source="night.__str__")
    started_at = serializers.DateTimeField(source="night.started_at")
    chip_value = serializers.IntegerField(source="night.chip_value")
    hash = serializers.CharField(source="closing.hash")
    closed_at = serializers.DateTimeField(source="closing.made_at")
    lines = serializers.SerializerMethodField()
    hands = ReceiptHandTold(many=True)
    payments = PaidTold(many=True)

    @extend_schema_field(LineTold(many=True))
    def get_lines(self, made: Receipt) -> Any:
        value = made.night.chip_value
        return LineTold(made.lines, many=True, context={"chip_value": value}).data


class LinkTold(Told):
    """The token is told this once; whoever has it reads the receipt."""

    token = serializers.CharField()
    address = serializers.CharField()


class NightClosing(Resource):
    @operation("How the night is closed; 404 while it is open", ClosingTold)
    def get(self, request: Request, night_id: UUID) -> Response:
        night = find_night(self.visitor, Action.LOOK, night_id)
        standing = night.closings.filter(posting__reversal=None).first()
        if standing is None:
            raise Http404
        return dated(Response(self.told(ClosingTold, standing)), standing.made_at)

    @operation(
        "Close the night; closed already, it says how", ClosingTold, asks=CloseAsked, status=201
    )
    @once
    def post(self, request: Request, night_id: UUID) -> Response:
        night = find_night(self.visitor, Action.RECORD, night_id)
        asked = self.asked(CloseAsked)
        closing = close_night(
            night, asked["id"], by=self.user, decisions=_decisions(asked), reason=asked["reason"]
        )
        at = reverse("api:night-closing", args=[night.pk])
        return Response(self.told(ClosingTold, closing), status=201, headers={"Location": at})


class ClosingCheck(Resource):
    @operation("What closing would do; nothing is stored", OutcomeTold, asks=DecisionsAsked)
    def post(self, request: Request, night_id: UUID) -> Response:
        night = find_night(self.visitor, Action.RECORD, night_id)
        decisions = _decisions(self.asked(DecisionsAsked))
        with transaction.atomic():
            told = self._outcome(close_night(night, uuid4(), by=None, decisions=decisions))
            transaction.set_rollback(True)
        return Response(told)

    def _outcome(self, closing: Closing) -> Any:
        plan = getattr(closing, "plan", None)
        lines = closing.lines.select_related("player").order_by("position", "player__name")
        value = {"chip_value": closing.night.chip_value}
        return {
            "lines": self.told(LineTold, lines, many=True, **value),
            "payments": self.told(WouldPayTold, payments_of(plan) if plan else (), many=True),
        }


class NightReopen(Resource):
    @operation("Take the closing back, so that the night goes on", NightWhole)
    @once
    def post(self, request: Request, night_id: UUID) -> Response:
        night = find_night(self.visitor, Action.MANAGE, night_id)
        reopened = reopen_night(night, by=self.user)
        reopened.refresh_from_db(fields=["state", "ended_at"])
        return Response(self.told(NightWhole, reopened))


class NightReceipt(Resource):
    @operation("The receipt of a closed night; 404 while it is open", ReceiptTold)
    def get(self, request: Request, night_id: UUID) -> Response:
        return _receipt(self, find_night(self.visitor, Action.LOOK, night_id))


class NightReceiptLinks(Resource):
    # Not `once`: the answer would be kept, and with it the token.
    @operation("Make a link that anyone reads the receipt by", LinkTold, status=201)
    def post(self, request: Request, night_id: UUID) -> Response:
        night = find_night(self.visitor, Action.RECORD, night_id)
        token = receipts.share(night, by=self.user)
        address = request.build_absolute_uri(reverse("shared-receipt", args=[token]))
        return Response({"token": token, "address": address}, status=201)

    @operation("End all links to the receipt", None, status=204)
    def delete(self, request: Request, night_id: UUID) -> Response:
        receipts.unshare(find_night(self.visitor, Action.RECORD, night_id), by=self.user)
        return Response(status=204)


class SharedReceipt(Open):
    @operation("The receipt that a link leads to", ReceiptTold)
    def get(self, request: Request, token: str) -> Response:
        night = receipts.shared_night(token)
        if night is None:
            raise Http404
        answer = _receipt(self, night)
        answer.headers["X-Robots-Tag"] = "noindex, nofollow"
        return answer


class NightReceiptSheet(Resource):
    picks = False

    @extend_schema(summary="The receipt as CSV; 404 while the night is open", responses=SHEET)
    def get(self, request: Request, night_id: UUID) -> HttpResponse:
        return _sheet(find_night(self.visitor, Action.LOOK, night_id))


class SharedReceiptSheet(Open):
    picks = False

    @extend_schema(summary="The receipt that a link leads to, as CSV", responses=SHEET)
    def get(self, request: Request, token: str) -> HttpResponse:
        night = receipts.shared_night(token)
        if night is None:
            raise Http404
        answer = _sheet(night)
        answer.headers["X-Robots-Tag"] = "noindex, nofollow"
        return answer


def _decisions(asked: dict[str, Any]) -> Decisions:
    return Decisions(
        by_hands=asked["by_hands"], bears=tuple(asked["bears"]), missing=asked.get("missing")
    )


def _sheet(night: Night) -> HttpResponse:
    made = receipts.receipt(night)
    if made is None:
        raise Http404
    return HttpResponse(receipts.as_csv(made), content_type="text/csv; charset=utf-8")


def _receipt(view: Resource, night: Night) -> Response:
    made: Any = receipts.receipt(night)
    if made is None:
        raise Http404
    return Response(view.told(ReceiptTold, made))
