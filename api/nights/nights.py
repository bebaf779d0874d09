"""Nights: open a night, show its seats and stacks, and seat players."""

from functools import cached_property
from typing import Any
from uuid import UUID, uuid4

from django.db.models import QuerySet
from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.http import paging
from api.http.fields import (
    AnyJson,
    DateTime,
    Id,
    InputSerializer,
    NextDealField,
    OutputSerializer,
    RowSerializer,
    StrictBoolean,
    StrictInteger,
    Text,
)
from api.http.filters import NightFilters
from api.http.idempotency import idempotent
from api.http.resource import ListResource, Resource, status_of
from api.leagues.players import league_player
from api.openapi.schema import operation
from league.access import Action, find_league, find_night, nights_of, require_for
from league.charges.side_games import side_games
from league.deals.table import Table
from league.models import LONGEST_NAME, MOST_CHIPS, Night, Seat
from league.nights import nights
from league.nights.cash_box import box_chips
from league.nights.leave_notice import give_notice, withdraw_notice
from league.nights.opening import USUAL_BUY_IN, open_night

MOST_SEATED = 100


class NightSerializer(RowSerializer[Night]):
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


class SeatSerializer(RowSerializer[Seat]):
    """A seat with its stack. The context contains the night's stacks."""

    player_name = serializers.CharField(source="player.name", read_only=True)
    stack = serializers.SerializerMethodField()

    class Meta:
        model = Seat
        fields = (
            *("player", "player_name", "position", "stack"),
            *("joined_at", "leaving_at", "left_at"),
        )

    def get_stack(self, seat: Seat) -> int:
        chips: int = self.context["stacks"].get(seat.player_id, 0)
        return chips


class NightMatchSerializer(OutputSerializer):
    """A night's unfinished match, after its last deal.

    `next` contains the values that the next deal's record carries over. `match` is the id of this
    match.
    """

    hand = serializers.UUIDField(help_text="the hand of the last deal")
    variant = AnyJson(help_text="the game as in the record of that deal")
    deal = serializers.IntegerField()
    legs = serializers.DictField(child=serializers.IntegerField())
    lives = serializers.DictField(child=serializers.IntegerField())
    carried = serializers.IntegerField()
    next = NextDealField()


class NightSideGamesSerializer(OutputSerializer):
    """The side games of an open night after its last hand.

    `standing_players` are the players still standing in the stand-up game. Before a round begins,
    all seated players are standing. The list is empty if the game is not played.
    """

    standing_players = serializers.ListField(child=serializers.UUIDField())
    bomb_pot_next = serializers.BooleanField()


class NightDetailSerializer(NightSerializer):
    """A night with its seats, stacks and the dealer of the next hand.

    `side_games` is null if the night is closed or its league plays none.
    """

    match = serializers.SerializerMethodField()
    seats = serializers.SerializerMethodField()
    dealer = serializers.SerializerMethodField()
    dealer_name = serializers.SerializerMethodField()
    carry = serializers.SerializerMethodField()
    cash_box = serializers.SerializerMethodField(
        help_text="the cash in the league's cash box now, in chips"
    )
    side_games = serializers.SerializerMethodField()

    class Meta(NightSerializer.Meta):
        fields = (
            *NightSerializer.Meta.fields,
            *("seats", "dealer", "dealer_name", "carry", "cash_box", "match", "side_games"),
        )

    @extend_schema_field(SeatSerializer(many=True))
    def get_seats(self, night: Night) -> Any:
        seats = self._table(night).seats
        chips = nights.stacks(night, [seat.player_id for seat in seats])
        return SeatSerializer(seats, many=True, context={"stacks": chips}).data

    def get_dealer(self, night: Night) -> UUID | None:
        dealer = self._table(night).dealer
        return dealer.player_id if dealer else None

    def get_dealer_name(self, night: Night) -> str | None:
        dealer = self._table(night).dealer
        return dealer.player.name if dealer else None

    def get_carry(self, night: Night) -> int:
        return self._table(night).carry

    def get_cash_box(self, night: Night) -> int:
        return box_chips(night.league)

    @extend_schema_field(NightMatchSerializer(allow_null=True))
    def get_match(self, night: Night) -> Any:
        match = self._table(night).match
        return NightMatchSerializer(match).data if match else None

    @extend_schema_field(NightSideGamesSerializer(allow_null=True))
    def get_side_games(self, night: Night) -> Any:
        table = self._table(night)
        newest_first = nights.hands(night).defer(nights.DOCUMENT).order_by("-hand__number")
        games = side_games(night, newest_first, table.seats, in_match=bool(table.match))
        if games is None:
            return None
        standing = [player.pk for player in games.still_standing]
        state = {"standing_players": standing, "bomb_pot_next": games.bomb_pot_next}
        return NightSideGamesSerializer(state).data

    def _table(self, night: Night) -> Table:
        """Return the night's table, which is read only once."""
        return self._tables.setdefault(night.pk, Table(night))

    @cached_property
    def _tables(self) -> dict[UUID, Table]:
        return {}


class NightInputSerializer(InputSerializer):
    """`players` are seated in this order and buy chips later."""

    id = Id(
        required=False,
        help_text=("chosen by the client, so that a repeated request opens one night"),
    )
    name = Text(default="", allow_blank=True, max_length=LONGEST_NAME)
    started_at = DateTime(
        required=False, help_text="start of a past night, for hosts; now by default"
    )
    usual_buy_in = StrictInteger(default=USUAL_BUY_IN, min_value=1, max_value=MOST_CHIPS)
    players = serializers.ListField(child=Id(), default=list, max_length=MOST_SEATED)


class SeatInputSerializer(InputSerializer):
    """Either a `player` in the league, or the name of a new `guest` with a new player's `id`."""

    id = Id(required=False)
    player = Id(required=False)
    guest = Text(required=False, max_length=LONGEST_NAME)

    def validate(self, attrs: Any) -> Any:
        if ("player" in attrs) == ("guest" in attrs):
            raise serializers.ValidationError("either player or guest is needed", "required")
        return attrs


class LeaveNoticeInputSerializer(InputSerializer):
    player = Id()
    leaving = StrictBoolean(default=True, help_text="false to take the notice back")


class Nights(ListResource[Night]):
    """The nights of the caller's leagues, latest first."""

    operation_id = "list_nights"
    serializer_class = NightSerializer
    pagination_class = paging.Nights
    filterset_class = NightFilters
    queryset = Night.objects.none()
    allows_feed_link = True

    def get_queryset(self) -> QuerySet[Night]:
        return nights_of(self.visitor)


class LeagueNights(Resource):
    @operation(
        "open_night",
        "Open a night, once for each id",
        NightDetailSerializer,
        body=NightInputSerializer,
        status=(201, 200),
    )
    @idempotent
    def post(self, request: Request, league_id: UUID) -> Response:
        league = find_league(self.visitor, Action.KEEP_SCORE, league_id)
        body = self.validated_body(NightInputSerializer)
        if "started_at" in body:
            find_league(self.visitor, Action.MANAGE, league_id)
        night = open_night(
            league,
            night_id=body.get("id"),
            name=body["name"],
            usual_buy_in=body["usual_buy_in"],
            started_at=body.get("started_at"),
            players=[
                league_player(league, each, f"players/{place}")
                for place, each in enumerate(dict.fromkeys(body["players"]))
            ],
        )
        at = reverse("api:night", args=[night.pk])
        return self.created(NightDetailSerializer, night, at, status=status_of(night))


class NightDetail(Resource):
    allows_feed_link = True

    @operation("get_night", "A night", NightDetailSerializer)
    def get(self, request: Request, night_id: UUID) -> Response:
        night = find_night(self.visitor, Action.VIEW, night_id)
        return Response(self.serialize(NightDetailSerializer, night))


class NightSeats(Resource):
    @operation(
        "seat_player",
        "Seat a player or a new guest; 200 if the player already has a seat",
        SeatSerializer,
        body=SeatInputSerializer,
        status=(201, 200),
    )
    @idempotent
    def post(self, request: Request, night_id: UUID) -> Response:
        night = find_night(self.visitor, Action.VIEW, night_id)
        body = self.validated_body(SeatInputSerializer)
        player = body.get("player", body.get("id"))
        seated = night.seats.filter(player=player, left_at=None).exists()
        seat = self._seat(night, body)
        answer = self.serialize(SeatSerializer, seat, stacks=nights.stacks(night))
        return Response(answer, status=200 if seated else 201)

    def _seat(self, night: Night, body: dict[str, Any]) -> Seat:
        if "guest" in body:
            find_night(self.visitor, Action.KEEP_SCORE, night.pk)
            return nights.seat_guest(night, body.get("id") or uuid4(), body["guest"])
        player = league_player(night.league, body["player"], "player")
        require_for(self.visitor, player, night.league)
        return nights.seat(night, player)


class LeaveNotice(Resource):
    @operation(
        "set_leave_notice",
        "Announce that a player leaves after the league's notice, or stays",
        SeatSerializer,
        body=LeaveNoticeInputSerializer,
    )
    @idempotent
    def post(self, request: Request, night_id: UUID) -> Response:
        night = find_night(self.visitor, Action.VIEW, night_id)
        body = self.validated_body(LeaveNoticeInputSerializer)
        player = league_player(night.league, body["player"], "player")
        require_for(self.visitor, player, night.league)
        seat = (give_notice if body["leaving"] else withdraw_notice)(night, player)
        return Response(self.serialize(SeatSerializer, seat, stacks=nights.stacks(night)))
