"""Nights: open one, look at its seats and stacks, seat people."""

from typing import Any
from uuid import UUID, uuid4

from django.db.models import QuerySet
from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api import paging
from api.fields import Asked, Id, Text, Whole
from api.filters import NightFilters
from api.leagues import player_called
from api.once import once
from api.resource import Listing, Resource
from api.schema import operation
from league import nights
from league.access import Action, find_league, find_night, nights_of, require_for
from league.models import LONGEST_NAME, MOST_CHIPS, Night, Seat
from league.nights import USUAL_BUY_IN

MOST_SEATED = 100


class NightTold(serializers.ModelSerializer[Night]):
    league = serializers.UUIDField(source="season.league_id", read_only=True)

    class Meta:
        model = Night
        fields: tuple[str, ...] = (
            "id",
            "league",
            "season",
            "number",
            "name",
            "state",
            "started_at",
            "ended_at",
            "chip_value",
            "currency",
            "usual_buy_in",
        )
        read_only_fields = fields


class SeatTold(serializers.ModelSerializer[Seat]):
    """A seat with the chips before it; the context has the stacks of the night."""

    name = serializers.CharField(source="player.name", read_only=True)
    stack = serializers.SerializerMethodField()

    class Meta:
        model = Seat
        fields = ("player", "name", "position", "stack", "joined_at", "left_at")
        read_only_fields = fields

    def get_stack(self, seat: Seat) -> int:
        chips: int = self.context["stacks"].get(seat.player_id, 0)
        return chips


class NightWhole(NightTold):
    """A night with its seats, the chips before each and the dealer of the next hand."""

    seats = serializers.SerializerMethodField()
    dealer = serializers.SerializerMethodField()
    carry = serializers.SerializerMethodField()

    class Meta(NightTold.Meta):
        fields = (*NightTold.Meta.fields, "seats", "dealer", "carry")
        read_only_fields = fields

    @extend_schema_field(SeatTold(many=True))
    def get_seats(self, night: Night) -> Any:
        seats = night.seats.select_related("player").order_by("position")
        return SeatTold(seats, many=True, context={"stacks": nights.stacks(night)}).data

    def get_dealer(self, night: Night) -> UUID | None:
        dealer = nights.dealer(night)
        return dealer.player_id if dealer else None

    def get_carry(self, night: Night) -> int:
        return nights.carry(night)


class NightAsked(Asked):
    """`players` sit down in this order; chips are bought afterwards."""

    id = Id(required=False, help_text="with it the night is opened once")
    name = Text(default="", allow_blank=True, max_length=LONGEST_NAME)
    usual_buy_in = Whole(default=USUAL_BUY_IN, min_value=1, max_value=MOST_CHIPS)
    players = serializers.ListField(child=Id(), default=list, max_length=MOST_SEATED)


class SeatAsked(Asked):
    """Either a `player` of the league, or the name of a `guest` who is new, as a player `id`."""

    id = Id(required=False)
    player = Id(required=False)
    guest = Text(required=False, max_length=LONGEST_NAME)

    def validate(self, attrs: Any) -> Any:
        if ("player" in attrs) == ("guest" in attrs):
            raise serializers.ValidationError("either player or guest is needed", "required")
        return attrs


class Nights(Listing[Night]):
    """The nights of the leagues that one is in, the latest first."""

    serializer_class = NightTold
    pagination_class = paging.Nights
    filterset_class = NightFilters
    queryset = Night.objects.none()
    feeds = True

    def get_queryset(self) -> QuerySet[Night]:
        return nights_of(self.visitor)


class LeagueNights(Resource):
    @operation("Open a night", NightWhole, asks=NightAsked, status=201)
    @once
    def post(self, request: Request, league_id: UUID) -> Response:
        league = find_league(self.visitor, Action.RECORD, league_id)
        asked = self.asked(NightAsked)
        night = nights.open_night(
            league,
            night_id=asked.get("id"),
            name=asked["name"],
            usual_buy_in=asked["usual_buy_in"],
            players=[
                player_called(league, each, f"players/{place}")
                for place, each in enumerate(dict.fromkeys(asked["players"]))
            ],
        )
        at = reverse("api:night", args=[night.pk])
        return Response(self.told(NightWhole, night), status=201, headers={"Location": at})


class NightDetail(Resource):
    feeds = True

    @operation("A night", NightWhole)
    def get(self, request: Request, night_id: UUID) -> Response:
        night = find_night(self.visitor, Action.LOOK, night_id)
        return Response(self.told(NightWhole, night))


class NightSeats(Resource):
    @operation("Seat a player, or a guest who is new", SeatTold, asks=SeatAsked, status=201)
    @once
    def post(self, request: Request, night_id: UUID) -> Response:
        night = find_night(self.visitor, Action.LOOK, night_id)
        seat = self._seat(night, self.asked(SeatAsked))
        stacks = nights.stacks(night)
        return Response(self.told(SeatTold, seat, stacks=stacks), status=201)

    def _seat(self, night: Night, asked: dict[str, Any]) -> Seat:
        if "guest" in asked:
            find_night(self.visitor, Action.RECORD, night.pk)
            return nights.seat_guest(night, asked.get("id") or uuid4(), asked["guest"])
        player = player_called(night.league, asked["player"], "player")
        require_for(self.visitor, player, night.league)
        return nights.seat(night, player)
