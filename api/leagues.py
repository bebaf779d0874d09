"""Leagues: those one is in, a new one, what a league has chosen; its members and players."""

from dataclasses import replace
from uuid import UUID

from django.db.models import QuerySet
from django.urls import reverse
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from api import paging
from api.fields import Asked, Id, Text, Truth, Whole
from api.once import once
from api.resource import Listing, Resource
from api.schema import operation
from league.access import Action, Bearer, find_league, find_player, leagues_of
from league.devices import free
from league.leagues import add_player, make_league
from league.models import (
    LONGEST_NAME,
    MOST_CHIPS,
    Joined,
    League,
    Leftover,
    Membership,
    Player,
    Settles,
    Uncounted,
)
from league.options import MOST_DENOMINATIONS, Options, choose, options_of
from league.refusals import Refused, fault


class LeagueTold(serializers.ModelSerializer[League]):
    """`chip_value` is what the smallest chip is worth in minor units of the currency."""

    denominations = serializers.ListField(child=serializers.IntegerField(), read_only=True)

    class Meta:
        model = League
        fields = (
            "id",
            "name",
            "currency",
            "time_zone",
            "chip_value",
            "code",
            "closing_hour",
            "settles",
            "uncounted",
            "leftover",
            "banker",
            "joined",
            "denominations",
            "created_at",
        )
        read_only_fields = fields


class LeagueAsked(Asked):
    name = Text(max_length=LONGEST_NAME)
    currency = serializers.RegexField("^[A-Z]{3}$", default="USD", help_text="three letters")
    time_zone = Text(default="UTC", max_length=64, help_text="as Europe/Berlin")
    chip_value = Whole(default=1, min_value=1, max_value=MOST_CHIPS)


class OptionsAsked(Asked):
    """What stays away stays as it is."""

    closing_hour = Whole(required=False, min_value=0, max_value=23)
    settles = serializers.ChoiceField(Settles.choices, required=False)
    uncounted = serializers.ChoiceField(Uncounted.choices, required=False)
    leftover = serializers.ChoiceField(Leftover.choices, required=False)
    banker = Id(required=False, allow_null=True)
    time_zone = Text(required=False, max_length=64)
    currency = serializers.RegexField("^[A-Z]{3}$", required=False)
    chip_value = Whole(required=False, min_value=1, max_value=MOST_CHIPS)
    joined = serializers.ChoiceField(
        Joined.choices, required=False, help_text="what phones that joined by the code may do"
    )
    denominations = serializers.ListField(
        child=Whole(min_value=1, max_value=MOST_CHIPS),
        required=False,
        min_length=1,
        max_length=MOST_DENOMINATIONS,
        help_text="the chips on the table, in the smallest one",
    )


class MemberTold(serializers.ModelSerializer[Membership]):
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


class PlayerTold(serializers.ModelSerializer[Player]):
    """A name at the table; `joined` says that somebody has claimed it on a phone."""

    joined = serializers.SerializerMethodField()

    class Meta:
        model = Player
        fields = ("id", "league", "name", "is_guest", "joined")
        read_only_fields = fields

    def get_joined(self, player: Player) -> bool:
        return player.user_id is not None


class PlayerAsked(Asked):
    name = Text(max_length=LONGEST_NAME)
    is_guest = Truth(default=False)


class Leagues(Listing[League]):
    """The leagues that one is in."""

    serializer_class = LeagueTold
    pagination_class = paging.Named
    queryset = League.objects.none()

    def get_queryset(self) -> QuerySet[League]:
        return leagues_of(self.visitor)

    @operation("Make a league, with oneself as host", LeagueTold, asks=LeagueAsked, status=201)
    @once
    def post(self, request: Request) -> Response:
        if isinstance(self.visitor, Bearer):
            raise PermissionDenied("A token is for the league that it was made in.")
        league = make_league(self.user, **self.asked(LeagueAsked))
        at = reverse("api:league", args=[league.pk])
        return Response(self.told(LeagueTold, league), status=201, headers={"Location": at})


class LeagueDetail(Resource):
    @operation("A league", LeagueTold)
    def get(self, request: Request, league_id: UUID) -> Response:
        league = find_league(self.visitor, Action.LOOK, league_id)
        return Response(self.told(LeagueTold, league))

    @operation("Choose how the league's nights close and settle", LeagueTold, asks=OptionsAsked)
    def patch(self, request: Request, league_id: UUID) -> Response:
        league = find_league(self.visitor, Action.MANAGE, league_id)
        chosen = choose(league, self._options(league), by=self.user)
        return Response(self.told(LeagueTold, chosen))

    def _options(self, league: League) -> Options:
        asked = self.asked(OptionsAsked)
        if asked.get("banker") is not None:
            asked["banker"] = player_called(league, asked["banker"], "banker")
        return replace(options_of(league), **asked)


class Members(Listing[Membership]):
    """Who signs in to the league, and as what."""

    serializer_class = MemberTold
    pagination_class = paging.Joined
    queryset = Membership.objects.none()

    def get_queryset(self) -> QuerySet[Membership]:
        league = find_league(self.visitor, Action.LOOK, self.kwargs["league_id"])
        rows = Membership.objects.filter(league=league).select_related("user")
        return rows.prefetch_related("user__players")


class Players(Listing[Player]):
    """The names at the table."""

    serializer_class = PlayerTold
    pagination_class = paging.Named
    queryset = Player.objects.none()
    feeds = True

    def get_queryset(self) -> QuerySet[Player]:
        league = find_league(self.visitor, Action.LOOK, self.kwargs["league_id"])
        return Player.objects.filter(league=league)

    @operation("Add a name to the league", PlayerTold, asks=PlayerAsked, status=201)
    @once
    def post(self, request: Request, league_id: UUID) -> Response:
        league = find_league(self.visitor, Action.MANAGE, league_id)
        player = add_player(league, **self.asked(PlayerAsked))
        at = reverse("api:player", args=[player.pk])
        return Response(self.told(PlayerTold, player), status=201, headers={"Location": at})


class PlayerDetail(Resource):
    feeds = True

    @operation("A player", PlayerTold)
    def get(self, request: Request, player_id: UUID) -> Response:
        player = find_player(self.visitor, Action.LOOK, player_id)
        return Response(self.told(PlayerTold, player))


class PlayerRelease(Resource):
    @operation("Take the name back from the phone that has picked it, signed out", PlayerTold)
    @once
    def post(self, request: Request, player_id: UUID) -> Response:
        player = find_player(self.visitor, Action.MANAGE, player_id)
        free(player, by=self.user)
        player.refresh_from_db(fields=["user"])
        return Response(self.told(PlayerTold, player))


def player_called(league: League, player_id: UUID, where: str) -> Player:
    """Return the league's player of this id. Raises Refused, saying where it was sent."""
    player = Player.objects.filter(league=league, pk=player_id).first()
    if player is None:
        raise Refused([fault(where, "unknown-player", "the league has no such player")])
    return player
