"""Seasons: their standings, and the plan that settles a running tab."""

from dataclasses import replace
from uuid import UUID

from django.db.models import QuerySet
from django.urls import reverse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api import paging
from api.fields import Asked, Id, Text, Told, Truth, Whole
from api.once import once
from api.plans import PlanTold, plans_told
from api.resource import Listing, Resource
from api.schema import operation
from league.access import Action, find_league, find_season
from league.leagues import add_season
from league.models import LONGEST_NAME, Plan, Scoring, Season
from league.plans import settle_season
from league.standings import standings
from league.stats.points import MOST_PLACES, MOST_POINTS, choose, final_table, option_of

MOST_NIGHTS = 10_000


class SeasonTold(serializers.ModelSerializer[Season]):
    """`scoring` by places gives the `points` of a night; the `best_nights` count, null for all."""

    points = serializers.ListField(child=serializers.IntegerField(), read_only=True)

    class Meta:
        model = Season
        fields = (
            "id",
            "league",
            "name",
            "starts_on",
            "ends_on",
            "scoring",
            "points",
            "best_nights",
        )
        read_only_fields = fields


class SeasonAsked(Asked):
    name = Text(default="", allow_blank=True, max_length=LONGEST_NAME)


class ScoringAsked(Asked):
    """What stays away stays as it is."""

    scoring = serializers.ChoiceField(Scoring.choices, required=False)
    points = serializers.ListField(
        child=Whole(min_value=0, max_value=MOST_POINTS), required=False, max_length=MOST_PLACES
    )
    best_nights = Whole(required=False, allow_null=True, min_value=1, max_value=MOST_NIGHTS)


class FinalTold(Told):
    """A place: `score` is chips, or points in hundredths, over the `counted` nights."""

    place = serializers.IntegerField()
    player = serializers.UUIDField()
    name = serializers.CharField()
    score = serializers.IntegerField()
    nights = serializers.IntegerField()
    counted = serializers.IntegerField()
    net = serializers.IntegerField()
    wins = serializers.IntegerField(help_text="nights at which nobody was before")


class FinalsTold(Told):
    results = FinalTold(many=True)


class StandingTold(Told):
    """A player's place: chips won over the closed nights, `won` in minor units by currency."""

    place = serializers.IntegerField()
    player = serializers.UUIDField()
    name = serializers.CharField()
    nights = serializers.IntegerField()
    net = serializers.IntegerField()
    won = serializers.DictField(child=serializers.IntegerField())
    best = serializers.IntegerField()
    tab = serializers.IntegerField()


class StandingsTold(Told):
    results = StandingTold(many=True)


class PlansTold(Told):
    results = PlanTold(many=True)


class SettleAsked(Asked):
    """`end`: the season is over with it."""

    id = Id()
    end = Truth(default=False)


class Seasons(Listing[Season]):
    """The seasons of a league, the latest first."""

    serializer_class = SeasonTold
    pagination_class = paging.Seasons
    queryset = Season.objects.none()
    feeds = True

    def get_queryset(self) -> QuerySet[Season]:
        league = find_league(self.visitor, Action.LOOK, self.kwargs["league_id"])
        return Season.objects.filter(league=league)

    @operation("Begin a season today", SeasonTold, asks=SeasonAsked, status=201)
    @once
    def post(self, request: Request, league_id: UUID) -> Response:
        league = find_league(self.visitor, Action.MANAGE, league_id)
        season = add_season(league, **self.asked(SeasonAsked))
        at = reverse("api:season", args=[season.pk])
        return Response(self.told(SeasonTold, season), status=201, headers={"Location": at})


class SeasonDetail(Resource):
    feeds = True

    @operation("A season", SeasonTold)
    def get(self, request: Request, season_id: UUID) -> Response:
        season = find_season(self.visitor, Action.LOOK, season_id)
        return Response(self.told(SeasonTold, season))

    @operation("Choose how the season is scored", SeasonTold, asks=ScoringAsked)
    def patch(self, request: Request, season_id: UUID) -> Response:
        season = find_season(self.visitor, Action.MANAGE, season_id)
        asked = self.asked(ScoringAsked)
        if "points" in asked:
            asked["points"] = tuple(asked["points"])
        chosen = choose(season, replace(option_of(season), **asked))
        return Response(self.told(SeasonTold, chosen))


class FinalTable(Resource):
    """The table as the season is scored."""

    feeds = True

    @operation("The table as the season is scored, the first place first", FinalsTold)
    def get(self, request: Request, season_id: UUID) -> Response:
        season = find_season(self.visitor, Action.LOOK, season_id)
        return Response({"results": self.told(FinalTold, final_table(season), many=True)})


class Standings(Resource):
    """Where everybody stands, the most won first."""

    feeds = True

    @operation("Where everybody stands", StandingsTold)
    def get(self, request: Request, season_id: UUID) -> Response:
        season = find_season(self.visitor, Action.LOOK, season_id)
        found = self.told(StandingTold, standings(season), many=True)
        return Response({"results": found})


class SeasonPlans(Resource):
    @operation("The plans that settled the season's tab", PlansTold)
    def get(self, request: Request, season_id: UUID) -> Response:
        season = find_season(self.visitor, Action.LOOK, season_id)
        plans = Plan.objects.filter(season=season, closing=None)
        return Response({"results": self.told(PlanTold, plans_told(plans), many=True)})

    @operation("Plan what the closed nights left open", PlanTold, asks=SettleAsked, status=201)
    @once
    def post(self, request: Request, season_id: UUID) -> Response:
        season = find_season(self.visitor, Action.MANAGE, season_id)
        asked = self.asked(SettleAsked)
        plan = settle_season(season, asked["id"], by=self.user, end=asked["end"])
        [told] = plans_told(Plan.objects.filter(pk=plan.pk))
        at = reverse("api:plan", args=[plan.pk])
        return Response(self.told(PlanTold, told), status=201, headers={"Location": at})
