"""Members of a league, invitations, and joining with a code."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import Http404
from django.urls import reverse
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied, Throttled
from rest_framework.request import Request
from rest_framework.response import Response

from api.http import paging
from api.http.fields import (
    Id,
    InputSerializer,
    OutputSerializer,
    RowSerializer,
    StateField,
    StrictBoolean,
    StrictInteger,
    Text,
    created_field,
    name_field,
)
from api.http.idempotency import idempotent
from api.http.resource import ListResource, Resource
from api.leagues.leagues import LeagueSerializer
from api.leagues.players import PlayerSerializer, league_player
from api.openapi.schema import operation
from league.access import Action, Bearer, find_league
from league.common.client_ip import address_of
from league.models import (
    LONGEST_NAME,
    Device,
    Invitation,
    JoinRequest,
    League,
    Membership,
    Player,
    Role,
)
from league.people import devices, joining, members
from league.people.joining import TooManyGuessesError, find_by_code, free_names, join
from league.people.leagues import renew_code
from league.sign_in.rate_limits import WRONG_CODES_HERE

State = JoinRequest.State
# Maps the states to their names in this API.
STATES = {state.value: state.value for state in State} | {State.REFUSED.value: "declined"}
STATE_NAMES = [(name, name) for name in STATES.values()]


class MemberSerializer(RowSerializer[Membership]):
    """A user in a league. `player` is their name at the table, if they have one."""

    name = serializers.CharField(source="user.username", read_only=True)
    player = serializers.SerializerMethodField()
    player_name = serializers.SerializerMethodField()

    class Meta:
        model = Membership
        fields = ("id", "name", "role", "player", "player_name", "joined_at")

    def get_player(self, member: Membership) -> UUID | None:
        player = self._player(member)
        return player.pk if player else None

    def get_player_name(self, member: Membership) -> str | None:
        player = self._player(member)
        return player.name if player else None

    def _player(self, member: Membership) -> Player | None:
        mine = (each for each in member.user.players.all() if each.league_id == member.league_id)
        return next(mine, None)


class MemberRoleInputSerializer(InputSerializer):
    role = serializers.ChoiceField(Role.choices)


class Members(ListResource[Membership]):
    """The users of the league and their roles."""

    operation_id = "list_members"
    serializer_class = MemberSerializer
    pagination_class = paging.ByJoining
    queryset = Membership.objects.none()

    def get_queryset(self) -> QuerySet[Membership]:
        league = find_league(self.visitor, Action.VIEW, self.kwargs["league_id"])
        rows = Membership.objects.filter(league=league).select_related("user")
        return rows.prefetch_related("user__players")


class MemberDetail(Resource):
    needs_fresh_sign_in = frozenset({"PATCH", "DELETE"})

    @operation(
        "update_member",
        "Change a member's role",
        MemberSerializer,
        body=MemberRoleInputSerializer,
    )
    def patch(self, request: Request, league_id: UUID, member_id: int) -> Response:
        member = _member(self, league_id, member_id)
        changed = members.change_role(
            member, Role(self.validated_body(MemberRoleInputSerializer)["role"]), by=self.user
        )
        return Response(self.serialize(MemberSerializer, changed))

    @operation(
        "remove_member", "Remove a member from the league; the name becomes free", None, status=204
    )
    def delete(self, request: Request, league_id: UUID, member_id: int) -> Response:
        members.remove(_member(self, league_id, member_id), by=self.user)
        return Response(status=204)


def _member(view: Resource, league_id: UUID, member_id: int) -> Membership:
    league = find_league(view.visitor, Action.MANAGE, league_id)
    rows = Membership.objects.filter(league=league, pk=member_id)
    member = rows.select_related("league", "user").first()
    if member is None:
        raise Http404
    return member


# Invitations, and join requests waiting for a host's approval.


class InvitationSerializer(RowSerializer[Invitation]):
    """A link for one person. `player` is the player it is reserved for, if any."""

    player_name = name_field("player", nullable=True)
    created_at = created_field()

    class Meta:
        model = Invitation
        fields: tuple[str, ...] = (
            *("id", "name", "player", "player_name", "role", "created_at", "expires_at"),
        )


class InvitationWithTokenSerializer(InvitationSerializer):
    """Only this response contains the token, which lets one person join once."""

    token = serializers.SerializerMethodField()
    address = serializers.SerializerMethodField()

    class Meta(InvitationSerializer.Meta):
        fields = (*InvitationSerializer.Meta.fields, "token", "address")

    def get_token(self, _made: Invitation) -> str:
        return str(self.context["token"])

    def get_address(self, _made: Invitation) -> str:
        at = reverse("invitation", args=[self.context["token"]])
        return str(self.context["request"].build_absolute_uri(at))


class InvitationInputSerializer(InputSerializer):
    name = Text(max_length=LONGEST_NAME)
    player = Id(required=False, allow_null=True)
    role = serializers.ChoiceField(joining.ROLE_CHOICES, default=Role.PLAYER)
    days = StrictInteger(default=joining.USUAL_DAYS, min_value=1, max_value=joining.MOST_DAYS)


class InvitedPlayerSerializer(OutputSerializer):
    id = serializers.UUIDField()
    name = serializers.CharField()


class InvitationPreviewSerializer(OutputSerializer):
    """An invitation's league, and the names available."""

    league = serializers.UUIDField()
    league_name = serializers.CharField()
    role = serializers.CharField()
    players = InvitedPlayerSerializer(many=True)


class InvitationAcceptInputSerializer(InputSerializer):
    player = Id()
    email = Text(default="", allow_blank=True, max_length=254)


class JoinRequestSerializer(RowSerializer[JoinRequest]):
    """A device waiting for a host's approval. `browser` is as reported by the device."""

    player_name = name_field("player")
    browser = serializers.CharField(source="kind", read_only=True)
    state = StateField(STATES, read_only=True)
    created_at = created_field()

    class Meta:
        model = JoinRequest
        fields = (
            *("id", "league", "player", "player_name", "browser", "state"),
            *("created_at", "decided_at"),
        )


class Invitations(ListResource[Invitation]):
    """The unused invitations, latest first."""

    operation_id = "list_invitations"
    serializer_class = InvitationSerializer
    pagination_class = paging.NewestFirst
    queryset = Invitation.objects.none()

    def get_queryset(self) -> QuerySet[Invitation]:
        league = find_league(self.visitor, Action.MANAGE, self.kwargs["league_id"])
        return joining.open_invitations(league).select_related("player")

    # Not `idempotent`, because the response containing the token would be stored.
    @operation(
        "create_invitation",
        "Create an invitation link for one person",
        InvitationWithTokenSerializer,
        body=InvitationInputSerializer,
        status=201,
    )
    def post(self, request: Request, league_id: UUID) -> Response:
        league = find_league(self.visitor, Action.MANAGE, league_id)
        body = self.validated_body(InvitationInputSerializer)
        if body["role"] in joining.TRUSTED:
            self.require_fresh_sign_in()
        if body.get("player") is not None:
            body["player"] = league_player(league, body["player"], "player")
        made, token = joining.invite(league, by=self.user, **body)
        return Response(
            self.serialize(InvitationWithTokenSerializer, made, token=token), status=201
        )


class InvitationDetail(Resource):
    @operation("revoke_invitation", "Revoke an invitation", None, status=204)
    def delete(self, request: Request, league_id: UUID, invitation_id: UUID) -> Response:
        league = find_league(self.visitor, Action.MANAGE, league_id)
        if not league.invitations.filter(pk=invitation_id).exists():
            raise Http404
        joining.end(league, invitation_id, by=self.user)
        return Response(status=204)


class Invited(Resource):
    """Requires a session, as does joining with a code."""

    @operation(
        "get_invitation", "The league and player of an invitation", InvitationPreviewSerializer
    )
    def get(self, request: Request, token: str) -> Response:
        invitation = self._invitation(token)
        names = free_names(invitation.league)
        free = names.filter(pk=invitation.player_id) if invitation.player_id else names
        data: dict[str, Any] = {
            "league": invitation.league_id,
            "league_name": invitation.league.name,
            "role": invitation.role,
            "players": [{"id": each.pk, "name": each.name} for each in free],
        }
        return Response(self.serialize(InvitationPreviewSerializer, data))

    @operation(
        "accept_invitation",
        "Accept an invitation, which can be used once",
        PlayerSerializer,
        body=InvitationAcceptInputSerializer,
    )
    @idempotent
    def post(self, request: Request, token: str) -> Response:
        invitation, body = (
            self._invitation(token),
            self.validated_body(InvitationAcceptInputSerializer),
        )
        player = league_player(invitation.league, body["player"], "player")
        joining.use(invitation, player, user=self.user, email=body["email"])
        at = reverse("api:player", args=[player.pk])
        joined = Player.objects.get(pk=player.pk)
        return Response(self.serialize(PlayerSerializer, joined), headers={"Location": at})

    def _invitation(self, token: str) -> Invitation:
        if isinstance(self.visitor, Bearer):
            raise PermissionDenied("A token can only be used for its own league.")
        invitation = joining.invitation_of(token)
        if invitation is None:
            raise Http404
        return invitation


class JoinRequests(ListResource[JoinRequest]):
    """The devices waiting for approval, oldest request first."""

    operation_id = "list_join_requests"
    serializer_class = JoinRequestSerializer
    pagination_class = paging.ByCreation
    queryset = JoinRequest.objects.none()

    def get_queryset(self) -> QuerySet[JoinRequest]:
        league = find_league(self.visitor, Action.MANAGE, self.kwargs["league_id"])
        return joining.waiting(league).select_related("player")


class JoinRequestAccept(Resource):
    @operation("accept_join_request", "Let a device join", JoinRequestSerializer)
    @idempotent
    def post(self, request: Request, league_id: UUID, request_id: UUID) -> Response:
        return _decided(self, league_id, request_id, joining.accept)


class JoinRequestDecline(Resource):
    @operation("decline_join_request", "Decline a device", JoinRequestSerializer)
    @idempotent
    def post(self, request: Request, league_id: UUID, request_id: UUID) -> Response:
        return _decided(self, league_id, request_id, joining.decline)


def _decided(
    view: Resource, league_id: UUID, request_id: UUID, decide: Callable[..., JoinRequest]
) -> Response:
    league = find_league(view.visitor, Action.MANAGE, league_id)
    join_request = league.join_requests.filter(pk=request_id).first()
    if join_request is None:
        raise Http404
    return Response(view.serialize(JoinRequestSerializer, decide(join_request, by=view.user)))


# Joining a league with its code.


class JoinablePlayerSerializer(OutputSerializer):
    id = serializers.UUIDField()
    name = serializers.CharField()


class JoinCodeSerializer(OutputSerializer):
    """A join code's league, and the names available."""

    league = serializers.UUIDField()
    league_name = serializers.CharField()
    players = JoinablePlayerSerializer(many=True)


class JoinInputSerializer(InputSerializer):
    player = Id()
    email = Text(default="", allow_blank=True, max_length=254)


class LeagueCode(Resource):
    @operation(
        "replace_join_code",
        "Replace the join code; the old code stops working",
        LeagueSerializer,
    )
    @idempotent
    def post(self, request: Request, league_id: UUID) -> Response:
        league = find_league(self.visitor, Action.MANAGE, league_id)
        return Response(self.serialize(LeagueSerializer, renew_code(league, by=self.user)))


class Join(Resource):
    """Requires a session, since a token belongs to a league. Attempts are rate limited."""

    @operation("get_join_code", "The league of a join code and its free names", JoinCodeSerializer)
    def get(self, request: Request, code: str) -> Response:
        league = self._league(code)
        names = [{"id": each.pk, "name": each.name} for each in free_names(league)]
        data: dict[str, Any] = {"league": league.pk, "league_name": league.name, "players": names}
        return Response(self.serialize(JoinCodeSerializer, data))

    @operation(
        "join_league",
        "Join under a free name; 202 if a host has to approve it",
        PlayerSerializer,
        body=JoinInputSerializer,
        other_responses={202: JoinRequestSerializer},
    )
    @idempotent
    def post(self, request: Request, code: str) -> Response:
        league, body = self._league(code), self.validated_body(JoinInputSerializer)
        player = league_player(league, body["player"], "player")
        if league.approves:
            waits, _token = joining.request_to_join(
                league, player, user=self.user, email=body["email"]
            )
            return Response(self.serialize(JoinRequestSerializer, waits), status=202)
        join(league, player, user=self.user, email=body["email"])
        key = request.session.session_key or ""
        devices.remember(league, self.user, player, session_key=key, kind="")
        at = reverse("api:player", args=[player.pk])
        joined = Player.objects.get(pk=player.pk)
        return Response(self.serialize(PlayerSerializer, joined), headers={"Location": at})

    def _league(self, code: str) -> League:
        if isinstance(self.visitor, Bearer):
            raise PermissionDenied("A token can only be used for its own league.")
        try:
            league = find_by_code(code, address=address_of(self.request))
        except TooManyGuessesError:
            raise Throttled(WRONG_CODES_HERE.seconds) from None
        if league is None:
            raise Http404
        return league


class DeviceSignOutInputSerializer(InputSerializer):
    new_code = StrictBoolean(default=False, help_text="Also issue another code to join by")


class DeviceSerializer(RowSerializer[Device]):
    """A device that joined with a code. `browser` is as reported by the device."""

    player_name = name_field("player", nullable=True)
    browser = serializers.CharField(source="kind", read_only=True)

    class Meta:
        model = Device
        fields = (
            *("id", "player", "player_name", "browser"),
            *("joined_at", "seen_at", "signed_out_at"),
        )


class Devices(ListResource[Device]):
    """The devices that joined with a code, most recently seen first."""

    operation_id = "list_devices"
    serializer_class = DeviceSerializer
    pagination_class = paging.ByLastSeen
    queryset = Device.objects.none()

    def get_queryset(self) -> QuerySet[Device]:
        league = find_league(self.visitor, Action.MANAGE, self.kwargs["league_id"])
        return devices.joined(league).select_related("player")


class DeviceSignOut(Resource):
    @operation(
        "sign_out_device",
        "Sign a device out: end its session, its name, tokens and links",
        DeviceSerializer,
        body=DeviceSignOutInputSerializer,
    )
    @idempotent
    def post(self, request: Request, league_id: UUID, device_id: int) -> Response:
        league = find_league(self.visitor, Action.MANAGE, league_id)
        rows = league.devices.select_related("player", "user", "league")
        device = rows.filter(pk=device_id).first()
        if device is None:
            raise Http404
        new_code = self.validated_body(DeviceSignOutInputSerializer)["new_code"]
        if device.signed_out_at is None:
            devices.sign_out(device, by=self.user)
        if new_code:
            renew_code(league, by=self.user)
        return Response(self.serialize(DeviceSerializer, device))
