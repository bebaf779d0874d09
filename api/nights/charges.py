"""A night's charges, and decided side bets that have not been charged yet."""

from typing import Any
from uuid import UUID

from django.db.models import Prefetch, QuerySet
from django.http import Http404
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.http import paging
from api.http.fields import (
    Id,
    InputSerializer,
    OutputSerializer,
    RowSerializer,
    StrictInteger,
    Text,
    created_field,
    name_field,
)
from api.http.idempotency import idempotent
from api.http.resource import ListResource, Resource, ShortList, status_of
from api.nights.chip_requests import ChipRequestPage, ChipRequestSerializer, require_waiting
from api.openapi.schema import operation
from league.access import Action, find_night, find_night_to_charge
from league.charges import requests, side_bets
from league.charges.charging import MOST_SHARES, NewCharge, Share
from league.common.errors import RefusedError, problem
from league.models import (
    LONGEST_REASON,
    MOST_CHIPS,
    Charge,
    ChargeShare,
    Hand,
    Night,
    Player,
)
from league.nights.nights import hands

PLACES = "in a tournament, the player's place; each place is used once"
EVEN = "total charged equals total credited plus the chips into the fund"


class ChargeShareSerializer(RowSerializer[ChargeShare]):
    """The chips that a charge credits to a player or charges to them."""

    player_name = name_field("player")
    credited = serializers.IntegerField(source="gets", read_only=True)
    charged = serializers.IntegerField(source="owes", read_only=True)

    class Meta:
        model = ChargeShare
        fields = ("player", "player_name", "credited", "charged", "place")


class ChargeSerializer(RowSerializer[Charge]):
    """A charge. `voided` is true if it was a mistake. `fund` chips go into the fund."""

    shares = ChargeShareSerializer(many=True, read_only=True)
    fund_keeper = serializers.UUIDField(source="keeper_id", allow_null=True, read_only=True)
    fund_keeper_name = name_field("keeper", nullable=True)
    voided = serializers.SerializerMethodField()
    created_at = created_field()

    class Meta:
        model = Charge
        fields = (
            "id",
            "night",
            "kind",
            "title",
            "hand",
            "shares",
            "fund",
            "fund_keeper",
            "fund_keeper_name",
            "voided",
            "created_at",
        )

    def get_voided(self, charge: Charge) -> bool:
        return hasattr(charge.posting, "reversal")


class ShareInputSerializer(InputSerializer):
    player = Id()
    credited = StrictInteger(
        source="gets",
        default=0,
        min_value=0,
        max_value=MOST_CHIPS,
        help_text="what the player paid for all, or won",
    )
    charged = StrictInteger(
        source="owes",
        default=0,
        min_value=0,
        max_value=MOST_CHIPS,
        help_text="the player's share of the cost",
    )
    place = StrictInteger(
        default=None, allow_null=True, min_value=1, max_value=MOST_SHARES, help_text=PLACES
    )


class ChargeInputSerializer(InputSerializer):
    id = Id()
    kind = serializers.ChoiceField(Charge.Kind.choices, default=Charge.Kind.COST)
    title = Text(default="", allow_blank=True, max_length=LONGEST_REASON)
    shares = serializers.ListField(
        child=ShareInputSerializer(), min_length=1, max_length=MOST_SHARES, help_text=EVEN
    )
    hand = Id(default=None, allow_null=True, help_text="the hand that won a side bet")
    fund = StrictInteger(
        default=0,
        min_value=-MOST_CHIPS,
        max_value=MOST_CHIPS,
        help_text="chips into the season's fund; negative if they are paid from it",
    )
    fund_keeper = Id(
        source="keeper",
        default=None,
        allow_null=True,
        help_text=("the player who keeps the fund's money"),
    )

    def validate_shares(self, shares: list[dict[str, Any]]) -> list[dict[str, Any]]:
        if len({each["player"] for each in shares}) < len(shares):
            raise serializers.ValidationError("a player has one share")
        return shares


class NightCharges(ListResource[Charge]):
    """A night's charges, in order."""

    operation_id = "list_charges"
    serializer_class = ChargeSerializer
    pagination_class = paging.ByCreation
    queryset = Charge.objects.all()

    def get_queryset(self) -> QuerySet[Charge]:
        night = find_night(self.visitor, Action.VIEW, self.kwargs["night_id"])
        return _rows(night)

    @operation(
        "record_charge",
        "Charge a night with a cost, a tip, a side bet or the fund, once for each id"
        "; 202 if other players have to accept it first, 409 if one of them declined it",
        ChargeSerializer,
        body=ChargeInputSerializer,
        status=(201, 200),
        other_responses={202: ChipRequestPage},
    )
    @idempotent
    def post(self, request: Request, night_id: UUID) -> Response:
        night = find_night(self.visitor, Action.KEEP_SCORE, night_id)
        body = self.validated_body(ChargeInputSerializer)
        wanted = _new_charge(night, body)
        done = requests.charge_or_request(self.visitor, night, wanted, charge_id=body["id"])
        if isinstance(done, list):
            require_waiting(done)
            results = self.serialize(ChipRequestSerializer, done, many=True)
            return Response(paging.single_page(results), status=202)
        row = _rows(night).get(pk=done.pk)
        return Response(self.serialize(ChargeSerializer, row), status=status_of(done))


class ChargeVoid(Resource):
    @operation(
        "void_charge",
        "Void a charge; it remains in the list",
        ChargeSerializer,
    )
    @idempotent
    def post(self, request: Request, night_id: UUID, charge_id: UUID) -> Response:
        night = find_night_to_charge(self.visitor, Action.KEEP_SCORE, night_id)
        matching = _rows(night).filter(pk=charge_id).select_related("night__season__league__book")
        if (done := matching.first()) is None:
            raise Http404
        requests.undo(self.visitor, done)
        return Response(self.serialize(ChargeSerializer, _rows(night).get(pk=charge_id)))


class SideBetShareSerializer(OutputSerializer):
    player = serializers.UUIDField()
    credited = serializers.IntegerField()
    charged = serializers.IntegerField()
    place = serializers.IntegerField(allow_null=True)


class SideBetChargeSerializer(OutputSerializer):
    """The body to send to `charges`."""

    id = serializers.UUIDField()
    kind = serializers.ChoiceField(Charge.Kind.choices)
    title = serializers.CharField()
    shares = SideBetShareSerializer(many=True)
    hand = serializers.UUIDField(allow_null=True)
    fund = serializers.IntegerField()
    fund_keeper = serializers.UUIDField(allow_null=True)


class SideBetSerializer(OutputSerializer):
    """A side bet that has been decided. `text` is the reason, and `charge` is the body to send."""

    text = serializers.CharField()
    charge = SideBetChargeSerializer()


class SideBets(ShortList):
    @operation(
        "list_side_bets",
        "Side bets that hands have decided and that are not charged yet",
        paging.page_of(SideBetSerializer),
    )
    def get(self, request: Request, night_id: UUID) -> Response:
        night = find_night(self.visitor, Action.VIEW, night_id)
        waiting = side_bets.of_night(night, hands(night), side_bets.charges_of(night))
        rows = []
        for bet in waiting:
            wanted = bet.new_charge
            shares = [
                {
                    "player": player.pk,
                    "credited": share.gets,
                    "charged": share.owes,
                    "place": share.place,
                }
                for player, share in wanted.shares.items()
            ]
            new_charge = {
                "id": bet.id,
                "kind": wanted.kind,
                "title": wanted.title,
                "shares": shares,
                "hand": wanted.hand and wanted.hand.pk,
                "fund": wanted.fund,
                "fund_keeper": wanted.keeper and wanted.keeper.pk,
            }
            rows.append({"text": bet.text, "charge": new_charge})
        return self.page(SideBetSerializer, rows)


def _rows(night: Night) -> QuerySet[Charge]:
    rows = Charge.objects.filter(night=night).select_related("posting__reversal", "keeper")
    shares = ChargeShare.objects.select_related("player").order_by("pk")
    return rows.prefetch_related(Prefetch("shares", shares))


def _new_charge(night: Night, body: dict[str, Any]) -> NewCharge:
    """Return the charge. Raises RefusedError for players and hands from other leagues."""
    ids = {each["player"] for each in body["shares"]} | {body["keeper"]} - {None}
    players = {each.pk: each for each in Player.objects.filter(league=night.league, pk__in=ids)}
    hand = None
    if body["hand"]:
        rows = Hand.objects.filter(pk=body["hand"])
        if body["kind"] == Charge.Kind.SEASON_HIGH_HAND:
            rows = rows.filter(night__season=night.season_id).select_related("night")
        else:
            rows = rows.filter(night=night)
        hand = rows.first()
    wrong = [
        problem(f"shares/{place}/player", "unknown-player", "the league has no such player")
        for place, each in enumerate(body["shares"])
        if each["player"] not in players
    ]
    if body["keeper"] and body["keeper"] not in players:
        wrong.append(problem("keeper", "unknown-player", "the league has no such player"))
    if body["hand"] and hand is None:
        wrong.append(problem("hand", "unknown-hand", "the night has no such hand"))
    if wrong:
        raise RefusedError(wrong)
    return NewCharge(
        kind=body["kind"],
        title=body["title"],
        shares={
            players[each["player"]]: Share(each["gets"], each["owes"], each["place"])
            for each in body["shares"]
        },
        hand=hand,
        fund=body["fund"],
        keeper=players.get(body["keeper"]),
    )
