"""Members: who signs in to a league, and as what."""

from uuid import UUID

from django.db.models import QuerySet
from django.http import Http404
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.http import paging
from api.http.fields import InputSerializer
from api.http.resource import ListResource, Resource
from api.http.schema import operation
from league.access import Action, find_league
from league.models import Membership, Role
from league.people import members


class MemberSerializer(serializers.ModelSerializer[Membership]):
    """Someone who signs in; `player` is their name at the table, if they have one."""

    name = serializers.CharField(source="user.username", read_only=True)
    player = serializers.SerializerMethodField()

    class Meta:
        model = Membership
        fields = ("id", "name", "role", "player", "joined_at")
        read_only_fields = fields

    def get_player(self, member: Membership) -> UUID | None:
        mine = (each.pk for each in member.user.players.all() if each.league_id == member.league_id)
        return next(mine, None)


class MemberRoleInputSerializer(InputSerializer):
    role = serializers.ChoiceField(Role.choices)


class Members(ListResource[Membership]):
    """Who signs in to the league, and as what."""

    operation_id = "list_members"
    serializer_class = MemberSerializer
    pagination_class = paging.Joined
    queryset = Membership.objects.none()

    def get_queryset(self) -> QuerySet[Membership]:
        league = find_league(self.visitor, Action.LOOK, self.kwargs["league_id"])
        rows = Membership.objects.filter(league=league).select_related("user")
        return rows.prefetch_related("user__players")


class MemberDetail(Resource):
    needs_fresh_sign_in = frozenset({"PATCH", "DELETE"})

    @operation(
        "update_member",
        "Give a member another role",
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
        "remove_member", "Take a member out of the league; the name is free again", None, status=204
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
