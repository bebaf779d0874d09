"""Joining a league by its code."""

from typing import Any
from uuid import UUID

from django.http import Http404
from django.urls import reverse
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied, Throttled
from rest_framework.request import Request
from rest_framework.response import Response

from api.http.fields import Id, InputSerializer, OutputSerializer, Text
from api.http.idempotency import idempotent
from api.http.resource import Resource
from api.http.schema import operation
from api.leagues.invitations import JoinRequestSerializer
from api.leagues.leagues import LeagueSerializer
from api.leagues.players import PlayerSerializer, league_player
from league.access import Action, Bearer, find_league
from league.common.client_ip import address_of
from league.models import League, Player
from league.people import devices, join_requests
from league.people.joining import TooManyGuesses, find_by_code, free_names, join
from league.people.leagues import renew_code
from league.sign_in.rate_limits import WRONG_CODES_HERE


class JoinablePlayerSerializer(OutputSerializer):
    id = serializers.UUIDField()
    name = serializers.CharField()


class JoinCodeSerializer(OutputSerializer):
    """Where a code leads, and the names that nobody has picked."""

    league = serializers.UUIDField()
    name = serializers.CharField()
    players = JoinablePlayerSerializer(many=True)


class JoinInputSerializer(InputSerializer):
    player = Id()
    email = Text(default="", allow_blank=True, max_length=254)


class LeagueCode(Resource):
    @operation(
        "replace_join_code",
        "Another code to join by; the one before joins nobody any more",
        LeagueSerializer,
    )
    @idempotent
    def post(self, request: Request, league_id: UUID) -> Response:
        league = find_league(self.visitor, Action.MANAGE, league_id)
        return Response(self.serialize(LeagueSerializer, renew_code(league, by=self.user)))


class Join(Resource):
    """By session: a token is for a league that one is in. Whoever guesses codes has to wait."""

    @operation(
        "get_join_code", "The league of a code, and the names that are free", JoinCodeSerializer
    )
    def get(self, request: Request, code: str) -> Response:
        league = self._league(code)
        names = [{"id": each.pk, "name": each.name} for each in free_names(league)]
        data: dict[str, Any] = {"league": league.pk, "name": league.name, "players": names}
        return Response(self.serialize(JoinCodeSerializer, data))

    @operation(
        "join_league",
        "Join under a name that is free; 202 where a host says yes first",
        PlayerSerializer,
        body=JoinInputSerializer,
        other_responses={202: JoinRequestSerializer},
    )
    @idempotent
    def post(self, request: Request, code: str) -> Response:
        league, body = self._league(code), self.validated_body(JoinInputSerializer)
        player = league_player(league, body["player"], "player")
        if league.approves:
            waits, _token = join_requests.ask(league, player, user=self.user, email=body["email"])
            return Response(self.serialize(JoinRequestSerializer, waits), status=202)
        join(league, player, user=self.user, email=body["email"])
        key = request.session.session_key or ""
        devices.remember(league, self.user, player, session_key=key, kind="")
        at = reverse("api:player", args=[player.pk])
        joined = Player.objects.get(pk=player.pk)
        return Response(self.serialize(PlayerSerializer, joined), headers={"Location": at})

    def _league(self, code: str) -> League:
        if isinstance(self.visitor, Bearer):
            raise PermissionDenied("A token is for the league that it was made in.")
        try:
            league = find_by_code(code, address=address_of(self.request))
        except TooManyGuesses:
            raise Throttled(WRONG_CODES_HERE.seconds) from None
        if league is None:
            raise Http404
        return league
