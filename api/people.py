"""Who is in a league: roles, phones that joined, the code that they join by."""

from typing import Any
from uuid import UUID

from django.http import Http404
from django.urls import reverse
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied, Throttled
from rest_framework.request import Request
from rest_framework.response import Response

from api.fields import Asked, Id, Text, Told
from api.leagues import LeagueTold, MemberTold, PlayerTold, player_called
from api.once import once
from api.resource import Resource
from api.schema import operation
from league import devices, members
from league.access import Action, Bearer, find_league
from league.callers import address_of
from league.joining import (
    FORGOTTEN_AFTER,
    free_names,
    guesses_too_much,
    join,
    league_of_code,
    note_wrong_code,
)
from league.leagues import renew_code
from league.models import Device, League, Membership, Player, Role


class RoleAsked(Asked):
    role = serializers.ChoiceField(Role.choices)


class PhoneTold(serializers.ModelSerializer[Device]):
    """A phone that joined by the code; `kind` is what it says it is."""

    class Meta:
        model = Device
        fields = ("id", "player", "kind", "joined_at", "seen_at", "signed_out_at")
        read_only_fields = fields


class PhonesTold(Told):
    results = PhoneTold(many=True)


class FreeName(Told):
    id = serializers.UUIDField()
    name = serializers.CharField()


class CodeTold(Told):
    """Where a code leads, and the names that nobody has picked."""

    league = serializers.UUIDField()
    name = serializers.CharField()
    players = FreeName(many=True)


class JoinAsked(Asked):
    player = Id()
    email = Text(default="", allow_blank=True, max_length=254)


class MemberDetail(Resource):
    @operation("Give a member another role", MemberTold, asks=RoleAsked)
    def patch(self, request: Request, league_id: UUID, member_id: int) -> Response:
        member = _member(self, league_id, member_id)
        changed = members.change_role(member, Role(self.asked(RoleAsked)["role"]), by=self.user)
        return Response(self.told(MemberTold, changed))

    @operation("Take a member out of the league; the name is free again", None, status=204)
    def delete(self, request: Request, league_id: UUID, member_id: int) -> Response:
        members.remove(_member(self, league_id, member_id), by=self.user)
        return Response(status=204)


class Phones(Resource):
    @operation("The phones that joined by the code, those last seen first", PhonesTold)
    def get(self, request: Request, league_id: UUID) -> Response:
        league = find_league(self.visitor, Action.MANAGE, league_id)
        return Response({"results": self.told(PhoneTold, devices.joined(league), many=True)})


class PhoneSignOut(Resource):
    @operation("End the phone's session, and free the name that it had picked", PhoneTold)
    @once
    def post(self, request: Request, league_id: UUID, phone_id: int) -> Response:
        league = find_league(self.visitor, Action.MANAGE, league_id)
        phone = league.devices.filter(pk=phone_id).select_related("player").first()
        if phone is None:
            raise Http404
        if phone.signed_out_at is None:
            devices.sign_out(phone, by=self.user)
        return Response(self.told(PhoneTold, phone))


class LeagueCode(Resource):
    @operation("Another code to join by; the one before joins nobody any more", LeagueTold)
    @once
    def post(self, request: Request, league_id: UUID) -> Response:
        league = find_league(self.visitor, Action.MANAGE, league_id)
        return Response(self.told(LeagueTold, renew_code(league, by=self.user)))


class Join(Resource):
    """By session: a token is for a league that one is in. Whoever guesses codes has to wait."""

    @operation("The league of a code, and the names that are free", CodeTold)
    def get(self, request: Request, code: str) -> Response:
        league = self._league(code)
        names = [{"id": each.pk, "name": each.name} for each in free_names(league)]
        told: dict[str, Any] = {"league": league.pk, "name": league.name, "players": names}
        return Response(self.told(CodeTold, told))

    @operation("Join under a name that is free", PlayerTold, asks=JoinAsked)
    @once
    def post(self, request: Request, code: str) -> Response:
        league, asked = self._league(code), self.asked(JoinAsked)
        player = player_called(league, asked["player"], "player")
        join(league, player, user=self.user, email=asked["email"])
        key = request.session.session_key or ""
        devices.remember(league, self.user, player, session_key=key, kind="")
        at = reverse("api:player", args=[player.pk])
        joined = Player.objects.get(pk=player.pk)
        return Response(self.told(PlayerTold, joined), headers={"Location": at})

    def _league(self, code: str) -> League:
        if isinstance(self.visitor, Bearer):
            raise PermissionDenied("A token is for the league that it was made in.")
        address = address_of(self.request)
        if guesses_too_much(address):
            raise Throttled(FORGOTTEN_AFTER)
        league = league_of_code(code)
        if league is None:
            note_wrong_code(address)
            raise Http404
        return league


def _member(view: Resource, league_id: UUID, member_id: int) -> Membership:
    league = find_league(view.visitor, Action.MANAGE, league_id)
    rows = Membership.objects.filter(league=league, pk=member_id)
    member = rows.select_related("league", "user").first()
    if member is None:
        raise Http404
    return member
