"""Players: names at the table, with or without a user."""

from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.http import paging
from api.http.fields import InputSerializer, RowSerializer, StrictBoolean, Text
from api.http.idempotency import idempotent
from api.http.resource import ListResource, Resource
from api.openapi.schema import operation
from league.access import Action, find_league, find_player
from league.audit_log import Kind, log_action
from league.common.errors import RefusedError, problem
from league.models import LONGEST_NAME, League, Player
from league.people.devices import free
from league.people.leagues import add_player


class PlayerSerializer(RowSerializer[Player]):
    """A name at the table. `joined` is true if a user has claimed it on a device."""

    joined = serializers.SerializerMethodField()

    class Meta:
        model = Player
        fields = ("id", "league", "name", "is_guest", "joined")

    def get_joined(self, player: Player) -> bool:
        return player.user_id is not None


class PlayerInputSerializer(InputSerializer):
    name = Text(max_length=LONGEST_NAME)
    is_guest = StrictBoolean(default=False)


class Players(ListResource[Player]):
    """The names at the table."""

    operation_id = "list_players"
    serializer_class = PlayerSerializer
    pagination_class = paging.ByName
    queryset = Player.objects.none()
    allows_feed_link = True

    def get_queryset(self) -> QuerySet[Player]:
        league = find_league(self.visitor, Action.VIEW, self.kwargs["league_id"])
        return Player.objects.filter(league=league)

    @operation(
        "create_player",
        "Add a name to the league",
        PlayerSerializer,
        body=PlayerInputSerializer,
        status=201,
    )
    @idempotent
    def post(self, request: Request, league_id: UUID) -> Response:
        league = find_league(self.visitor, Action.MANAGE, league_id)
        with transaction.atomic():
            player = add_player(league, **self.validated_body(PlayerInputSerializer))
            added = [str(player.pk)]
            log_action(Kind.PLAYER_ADDED, by=self.user, league=league, players=added)
        at = reverse("api:player", args=[player.pk])
        return self.created(PlayerSerializer, player, at)


class PlayerDetail(Resource):
    allows_feed_link = True

    @operation("get_player", "A player", PlayerSerializer)
    def get(self, request: Request, player_id: UUID) -> Response:
        player = find_player(self.visitor, Action.VIEW, player_id)
        return Response(self.serialize(PlayerSerializer, player))


class PlayerRelease(Resource):
    @operation(
        "release_player",
        "Release the name from the device that claimed it, and sign the device out",
        PlayerSerializer,
    )
    @idempotent
    def post(self, request: Request, player_id: UUID) -> Response:
        player = find_player(self.visitor, Action.MANAGE, player_id)
        free(player, by=self.user)
        player.refresh_from_db(fields=["user"])
        return Response(self.serialize(PlayerSerializer, player))


def league_player(league: League, player_id: UUID, where: str) -> Player:
    """Return the league's player with this id. Raises RefusedError with the place `where`."""
    player = Player.objects.filter(league=league, pk=player_id).first()
    if player is None:
        raise RefusedError([problem(where, "unknown-player", "the league has no such player")])
    return player
