"""Who comes in: people whom a host invites, and phones that wait for a host's yes."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.http import Http404
from django.urls import reverse
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from api.http.fields import Id, InputSerializer, OutputSerializer, StrictInteger, Text
from api.http.idempotency import idempotent
from api.http.resource import Resource
from api.http.schema import operation
from api.leagues.players import PlayerSerializer, league_player
from league.access import Action, Bearer, find_league
from league.models import LONGEST_NAME, Invitation, JoinRequest, Player, Role
from league.people import invitations, join_requests
from league.people.joining import free_names


class InvitationSerializer(serializers.ModelSerializer[Invitation]):
    """A link for one person; `player` is the name that it is for, if it is for one."""

    class Meta:
        model = Invitation
        fields: tuple[str, ...] = ("id", "name", "player", "role", "made_at", "expires_at")
        read_only_fields = fields


class InvitationListSerializer(OutputSerializer):
    results = InvitationSerializer(many=True)


class InvitationWithTokenSerializer(InvitationSerializer):
    """The token is told this once; whoever has it comes in, once."""

    token = serializers.SerializerMethodField()
    address = serializers.SerializerMethodField()

    class Meta(InvitationSerializer.Meta):
        fields = (*InvitationSerializer.Meta.fields, "token", "address")
        read_only_fields = fields

    def get_token(self, _made: Invitation) -> str:
        return str(self.context["token"])

    def get_address(self, _made: Invitation) -> str:
        at = reverse("invitation", args=[self.context["token"]])
        return str(self.context["request"].build_absolute_uri(at))


class InvitationInputSerializer(InputSerializer):
    name = Text(max_length=LONGEST_NAME)
    player = Id(required=False, allow_null=True)
    role = serializers.ChoiceField(invitations.ROLE_CHOICES, default=Role.PLAYER)
    days = StrictInteger(
        default=invitations.USUAL_DAYS, min_value=1, max_value=invitations.MOST_DAYS
    )


class InvitedPlayerSerializer(OutputSerializer):
    id = serializers.UUIDField()
    name = serializers.CharField()


class InvitationPreviewSerializer(OutputSerializer):
    """Where an invitation leads, and the names that may be picked."""

    league = serializers.UUIDField()
    name = serializers.CharField()
    role = serializers.CharField()
    players = InvitedPlayerSerializer(many=True)


class InvitationAcceptInputSerializer(InputSerializer):
    player = Id()
    email = Text(default="", allow_blank=True, max_length=254)


class JoinRequestSerializer(serializers.ModelSerializer[JoinRequest]):
    """A phone that waits for a host's yes."""

    class Meta:
        model = JoinRequest
        fields = ("id", "league", "player", "kind", "state", "made_at", "decided_at")
        read_only_fields = fields


class JoinRequestListSerializer(OutputSerializer):
    results = JoinRequestSerializer(many=True)


class Invitations(Resource):
    @operation(
        "list_invitations", "The invitations that nobody has used yet", InvitationListSerializer
    )
    def get(self, request: Request, league_id: UUID) -> Response:
        league = find_league(self.visitor, Action.MANAGE, league_id)
        rows = invitations.standing(league)
        return Response({"results": self.serialize(InvitationSerializer, rows, many=True)})

    # Not `idempotent`: the answer would be kept, and with it the token.
    @operation(
        "create_invitation",
        "Invite one person by a link",
        InvitationWithTokenSerializer,
        body=InvitationInputSerializer,
        status=201,
    )
    def post(self, request: Request, league_id: UUID) -> Response:
        league = find_league(self.visitor, Action.MANAGE, league_id)
        body = self.validated_body(InvitationInputSerializer)
        if body["role"] in invitations.TRUSTED:
            self.require_fresh_sign_in()
        if body.get("player") is not None:
            body["player"] = league_player(league, body["player"], "player")
        made, token = invitations.invite(league, by=self.user, **body)
        return Response(
            self.serialize(InvitationWithTokenSerializer, made, token=token), status=201
        )


class InvitationDetail(Resource):
    @operation("revoke_invitation", "End an invitation", None, status=204)
    def delete(self, request: Request, league_id: UUID, invitation_id: UUID) -> Response:
        league = find_league(self.visitor, Action.MANAGE, league_id)
        if not league.invitations.filter(pk=invitation_id).exists():
            raise Http404
        invitations.end(league, invitation_id, by=self.user)
        return Response(status=204)


class Invited(Resource):
    """By session, as joining by the code."""

    @operation("get_invitation", "Where an invitation leads", InvitationPreviewSerializer)
    def get(self, request: Request, token: str) -> Response:
        found = self._invitation(token)
        names = free_names(found.league)
        free = names.filter(pk=found.player_id) if found.player_id else names
        data: dict[str, Any] = {
            "league": found.league_id,
            "name": found.league.name,
            "role": found.role,
            "players": [{"id": each.pk, "name": each.name} for each in free],
        }
        return Response(self.serialize(InvitationPreviewSerializer, data))

    @operation(
        "accept_invitation",
        "Come in by an invitation, which is used then",
        PlayerSerializer,
        body=InvitationAcceptInputSerializer,
    )
    @idempotent
    def post(self, request: Request, token: str) -> Response:
        found, body = self._invitation(token), self.validated_body(InvitationAcceptInputSerializer)
        player = league_player(found.league, body["player"], "player")
        invitations.use(found, player, user=self.user, email=body["email"])
        at = reverse("api:player", args=[player.pk])
        joined = Player.objects.get(pk=player.pk)
        return Response(self.serialize(PlayerSerializer, joined), headers={"Location": at})

    def _invitation(self, token: str) -> Invitation:
        if isinstance(self.visitor, Bearer):
            raise PermissionDenied("A token is for the league that it was made in.")
        found = invitations.invitation_of(token)
        if found is None:
            raise Http404
        return found


class JoinRequests(Resource):
    @operation(
        "list_join_requests",
        "The phones that wait for a host's yes, first come first",
        JoinRequestListSerializer,
    )
    def get(self, request: Request, league_id: UUID) -> Response:
        league = find_league(self.visitor, Action.MANAGE, league_id)
        rows = join_requests.waiting(league)
        return Response({"results": self.serialize(JoinRequestSerializer, rows, many=True)})


class JoinRequestAccept(Resource):
    @operation("accept_join_request", "Let a phone in", JoinRequestSerializer)
    @idempotent
    def post(self, request: Request, league_id: UUID, request_id: UUID) -> Response:
        return _decided(self, league_id, request_id, join_requests.accept)


class JoinRequestDecline(Resource):
    @operation("decline_join_request", "Let a phone not in", JoinRequestSerializer)
    @idempotent
    def post(self, request: Request, league_id: UUID, request_id: UUID) -> Response:
        return _decided(self, league_id, request_id, join_requests.decline)


def _decided(
    view: Resource, league_id: UUID, request_id: UUID, decide: Callable[..., JoinRequest]
) -> Response:
    league = find_league(view.visitor, Action.MANAGE, league_id)
    join_request = league.join_requests.filter(pk=request_id).first()
    if join_request is None:
        raise Http404
    return Response(view.serialize(JoinRequestSerializer, decide(join_request, by=view.user)))
