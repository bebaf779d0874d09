"""Closing a night: close it, show its closing, or reopen it."""

from typing import Any
from uuid import UUID, uuid4

from django.db import transaction
from django.http import Http404
from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.http.fields import (
    CashBoxField,
    Id,
    InputSerializer,
    MoneySerializer,
    OutputSerializer,
    RowSerializer,
    StrictBoolean,
    StrictInteger,
    Text,
    created_field,
    money_of,
    name_field,
)
from api.http.idempotency import idempotent
from api.http.resource import Resource, dated, status_of
from api.leagues.players import league_player
from api.nights.nights import NightDetailSerializer
from api.nights.payments import PlannedPaymentFields
from api.openapi.schema import operation
from league.access import Action, find_night, require, require_for
from league.charges.cash_count import CashCount, close_counted
from league.closing.chip_count import NightCount, count, tally
from league.closing.close import Decisions, reopen_night
from league.closing.count_explanations import likely_explanations
from league.closing.notifications import payments_of
from league.closing.payment_plans import plan_of
from league.closing.receipts import left_in_box, player_lines
from league.models import (
    LONGEST_REASON,
    MOST_CHIPS,
    ChipCount,
    Closing,
    ClosingLine,
    Night,
)

MOST_BEARERS = 100


class ClosingLineSerializer(RowSerializer[ClosingLine]):
    """A player's line in chips. `net` is the night's result, also given as `money`.

    `difference` is the counted chips minus the chips that the hands leave, negative if some are
    missing. `difference_share` is how much the player's share of the night's difference adds to the
    result. `adjustment` is how much more the rules give than the table paid.
    """

    player_name = name_field("player")
    returned = serializers.IntegerField(
        source="back", read_only=True, help_text="the player's share of a carried pot"
    )
    chips = serializers.IntegerField(read_only=True)
    difference = serializers.IntegerField(source="excess", read_only=True)
    adjustment = serializers.IntegerField(source="put_right", read_only=True)
    difference_share = serializers.IntegerField(source="bears", read_only=True)
    net = serializers.IntegerField(read_only=True)
    money = serializers.SerializerMethodField()

    class Meta:
        model = ClosingLine
        fields = (
            "player",
            "player_name",
            "bought",
            "cashed",
            "stack",
            "returned",
            "counted",
            "chips",
            "difference",
            "adjustment",
            "difference_share",
            "entered",
            "prizes",
            "net",
            "money",
        )

    @extend_schema_field(MoneySerializer)
    def get_money(self, line: ClosingLine) -> dict[str, Any]:
        return money_of(line.net, self.context["night"])


class ClosingSerializer(RowSerializer[Closing]):
    """A night's closing. Its `seal` is a hash that includes the previous closing's seal.

    `cash_box` is the cash left in the cash box by the night, in chips, or null if it was not used.
    """

    previous_seal = serializers.CharField(source="previous_hash", read_only=True)
    seal = serializers.CharField(source="hash", read_only=True)
    closed_at = created_field()
    payment_plan = serializers.SerializerMethodField()
    lines = serializers.SerializerMethodField()
    cash_box = serializers.SerializerMethodField()

    class Meta:
        model = Closing
        fields = (
            "id",
            "night",
            "number",
            "sequence",
            "by_hands",
            "reason",
            "previous_seal",
            "seal",
            "closed_at",
            "payment_plan",
            "lines",
            "cash_box",
        )

    @extend_schema_field(ClosingLineSerializer(many=True))
    def get_lines(self, closing: Closing) -> Any:
        lines = player_lines(closing)
        return ClosingLineSerializer(lines, many=True, context={"night": closing.night}).data

    def get_cash_box(self, closing: Closing) -> int | None:
        return left_in_box(closing)

    def get_payment_plan(self, closing: Closing) -> UUID | None:
        plan = getattr(closing, "plan", None)
        return plan.pk if plan else None


class ClosingCheckInputSerializer(InputSerializer):
    """A host's decisions. The players in `charge_difference_to` share the `difference`.

    `difference` is the value that the host saw, as in `chip-counts`. If it has changed since, the
    night is not closed. The same applies to `cash_counted` and `cash_expected`.
    """

    by_hands = StrictBoolean(
        default=False, help_text=("use the expected chips of players who were not counted")
    )
    charge_difference_to = serializers.ListField(
        source="bears", child=Id(), default=list, max_length=MOST_BEARERS
    )
    difference = StrictInteger(
        required=False, allow_null=True, min_value=-MOST_CHIPS, max_value=MOST_CHIPS
    )
    cash_counted = StrictInteger(
        default=None,
        allow_null=True,
        min_value=0,
        max_value=MOST_CHIPS,
        help_text="the cash found in the cash box, in chips; null if it was not counted",
    )
    cash_expected = StrictInteger(
        default=None,
        allow_null=True,
        min_value=0,
        max_value=MOST_CHIPS,
        help_text="`cash_box` of the night, as the host saw it",
    )
    charge_cash_difference_to = serializers.ListField(
        source="cash_bears",
        child=Id(),
        default=list,
        max_length=MOST_BEARERS,
        help_text="the players who pay for missing cash or get surplus cash",
    )


class ClosingInputSerializer(ClosingCheckInputSerializer):
    """The decisions, and the id of the closing."""

    id = Id()
    reason = Text(default="", allow_blank=True, max_length=LONGEST_REASON)


class ProposedPaymentSerializer(PlannedPaymentFields, OutputSerializer):
    payer = serializers.UUIDField(source="payer_id")
    payer_name = serializers.CharField(source="payer.name")
    payee = serializers.UUIDField(source="payee_id")
    payee_name = serializers.CharField(source="payee.name")
    cash_box = CashBoxField()
    chips = serializers.IntegerField()
    money = serializers.SerializerMethodField()
    why = serializers.SerializerMethodField()


class ClosingCheckSerializer(OutputSerializer):
    """The closing's lines, planned payments and cash left in the cash box, in chips."""

    lines = ClosingLineSerializer(many=True)
    cash_box = serializers.IntegerField(allow_null=True)
    planned_payments = ProposedPaymentSerializer(many=True)


class NightClosing(Resource):
    @operation("get_closing", "The closing of a night; 404 while it is open", ClosingSerializer)
    def get(self, request: Request, night_id: UUID) -> Response:
        night = find_night(self.visitor, Action.VIEW, night_id)
        closing = night.closings.filter(posting__reversal=None).first()
        if closing is None:
            raise Http404
        return dated(Response(self.serialize(ClosingSerializer, closing)), closing.made_at)

    @operation(
        "close_night",
        "Close the night; 200 with its closing if it is closed already",
        ClosingSerializer,
        body=ClosingInputSerializer,
        status=(201, 200),
    )
    @idempotent
    def post(self, request: Request, night_id: UUID) -> Response:
        night = find_night(self.visitor, Action.KEEP_SCORE, night_id)
        body = self.validated_body(ClosingInputSerializer)
        options = {"decisions": _decisions(self, night, body), "reason": body["reason"]}
        cash = _cash_count(self, night, body)
        closing = close_counted(night, body["id"], by=self.user, cash=cash, **options)
        at = reverse("api:night-closing", args=[night.pk])
        return self.created(ClosingSerializer, closing, at, status=status_of(closing))


class ClosingCheck(Resource):
    @operation(
        "check_closing",
        "Preview the closing; nothing is stored",
        ClosingCheckSerializer,
        body=ClosingCheckInputSerializer,
    )
    def post(self, request: Request, night_id: UUID) -> Response:
        night = find_night(self.visitor, Action.KEEP_SCORE, night_id)
        body = self.validated_body(ClosingCheckInputSerializer)
        decisions, cash = _decisions(self, night, body), _cash_count(self, night, body)
        with transaction.atomic():
            closing = close_counted(night, uuid4(), by=None, cash=cash, decisions=decisions)
            preview = self._preview(closing)
            transaction.set_rollback(True)
        return Response(preview)

    def _preview(self, closing: Closing) -> Any:
        plan = plan_of(closing)
        lines = player_lines(closing)
        return {
            "lines": self.serialize(ClosingLineSerializer, lines, many=True, night=closing.night),
            "cash_box": left_in_box(closing),
            "planned_payments": self.serialize(
                ProposedPaymentSerializer, payments_of(plan) if plan else (), many=True
            ),
        }


class NightReopen(Resource):
    @operation("reopen_night", "Reopen the night by reversing its closing", NightDetailSerializer)
    @idempotent
    def post(self, request: Request, night_id: UUID) -> Response:
        night = find_night(self.visitor, Action.MANAGE, night_id)
        reopened = reopen_night(night, by=self.user)
        reopened.refresh_from_db(fields=["state", "ended_at"])
        return Response(self.serialize(NightDetailSerializer, reopened))


def _decisions(view: Resource, night: Night, body: dict[str, Any]) -> Decisions:
    """Return the decisions. Only hosts can decide which players share missing chips."""
    if body["bears"]:
        require(view.visitor, Action.MANAGE, night.league)
    difference = body.get("difference")
    return Decisions(
        by_hands=body["by_hands"],
        shared_by=tuple(body["bears"]),
        missing=None if difference is None else -difference,
    )


def _cash_count(view: Resource, night: Night, body: dict[str, Any]) -> CashCount | None:
    """Return the count of the cash box. Only hosts can decide which players share a difference."""
    if body["cash_bears"]:
        require(view.visitor, Action.MANAGE, night.league)
    if body["cash_counted"] is None:
        return None
    return CashCount(
        counted=body["cash_counted"],
        expected=body["cash_expected"],
        shared_by=tuple(body["cash_bears"]),
    )


class ChipCountInputSerializer(InputSerializer):
    """If `chips` is null, the count is removed."""

    id = Id()
    player = Id()
    chips = StrictInteger(min_value=0, max_value=MOST_CHIPS, allow_null=True)


class ChipCountSerializer(RowSerializer[ChipCount]):
    player_name = name_field("player")
    created_at = created_field()

    class Meta:
        model = ChipCount
        fields = ("id", "night", "player", "player_name", "number", "chips", "created_at")


class ChipCountLineSerializer(OutputSerializer):
    """A player's chips at the end: as computed from the hands, and as counted.

    `difference` is the counted chips minus the chips that the hands leave. `due` is true if the
    player's chips must be counted.
    """

    player = serializers.UUIDField()
    player_name = serializers.CharField(source="name")
    position = serializers.IntegerField()
    stack = serializers.IntegerField()
    returned = serializers.IntegerField(
        source="back", help_text=("the player's share of a carried pot")
    )
    counted = serializers.IntegerField(allow_null=True)
    due = serializers.BooleanField()
    difference = serializers.IntegerField()


class CarriedPotSerializer(OutputSerializer):
    chips = serializers.IntegerField(source="amount")
    players = serializers.ListField(child=serializers.UUIDField())


class DiscrepancySerializer(OutputSerializer):
    """A possible explanation for the differences. `unexplained` chips remain."""

    kind = serializers.CharField()
    text = serializers.CharField()
    hand = serializers.UUIDField(allow_null=True)
    unexplained = serializers.IntegerField(source="left")


class ChipCountSummarySerializer(OutputSerializer):
    """The current chip counts. `difference` is the night's total, negative if chips are missing."""

    lines = ChipCountLineSerializer(many=True)
    unclaimed_pots = CarriedPotSerializer(source="pots", many=True)
    difference = serializers.SerializerMethodField()
    explanations = serializers.SerializerMethodField()

    def get_difference(self, count: NightCount) -> int:
        return -count.missing

    @extend_schema_field(DiscrepancySerializer(many=True))
    def get_explanations(self, count: NightCount) -> Any:
        return DiscrepancySerializer(
            likely_explanations(self.context["night"], count), many=True
        ).data


class NightCounts(Resource):
    @operation(
        "get_chip_count",
        "The chip counts, compared with the expected chips",
        ChipCountSummarySerializer,
    )
    def get(self, request: Request, night_id: UUID) -> Response:
        night = find_night(self.visitor, Action.VIEW, night_id)
        return Response(self.serialize(ChipCountSummarySerializer, tally(night), night=night))

    @operation(
        "record_chip_count",
        "Count the chips of a player, once for each id",
        ChipCountSerializer,
        body=ChipCountInputSerializer,
        status=(201, 200),
    )
    @idempotent
    def post(self, request: Request, night_id: UUID) -> Response:
        night = find_night(self.visitor, Action.VIEW, night_id)
        body = self.validated_body(ChipCountInputSerializer)
        player = league_player(night.league, body["player"], "player")
        require_for(self.visitor, player, night.league)
        counted = count(night, player, body["chips"], count_id=body["id"], by=self.user)
        return Response(self.serialize(ChipCountSerializer, counted), status=status_of(counted))
