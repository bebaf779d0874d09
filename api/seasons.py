"""Seasons: standings, achievements, the payment plan for a running tab, and the season file."""

from collections.abc import Mapping
from io import StringIO
from typing import IO, Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import StreamingHttpResponse
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response

from api.feeds.stats.scope import OWNERS, Owner, ScopedResource
from api.http import paging
from api.http.fields import (
    AnyJson,
    Id,
    InputSerializer,
    MoneySerializer,
    OutputSerializer,
    RowSerializer,
    StrictBoolean,
    StrictInteger,
    Text,
)
from api.http.idempotency import idempotent
from api.http.resource import ListResource, Resource, ShortList, status_of
from api.nights.payments import PaymentPlanSerializer, with_payments
from api.openapi.schema import operation
from league.access import Action, find_league, find_season
from league.archive.export_season import export_season, file_name
from league.archive.file_format import MEDIA_TYPE
from league.archive.import_season import import_season
from league.closing.payment_plans import settle_season
from league.closing.standings import standings
from league.models import LONGEST_NAME, League, PaymentPlan, Scoring, Season
from league.people.leagues import add_season
from league.scoring.season_table import (
    MOST_DROPPED,
    MOST_PLACES,
    MOST_POINTS,
    change,
    scored_table,
)
from league.stats.figures.achievements import achievements

MOST_NIGHTS = 10_000


class SeasonSerializer(RowSerializer[Season]):
    """A season. If `scoring` is by places, `points` are the points of each place in a night.

    Only the `best_nights` nights count, or all nights if it is null. The `drop_worst` worst nights
    don't count; a missed night counts as a night with 0. If `scoring` is by a document, `document`
    is the points document.
    """

    points = serializers.ListField(child=serializers.IntegerField(), read_only=True)
    document = AnyJson(read_only=True)

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
            "document",
            "drop_worst",
        )


class SeasonInputSerializer(InputSerializer):
    name = Text(default="", allow_blank=True, max_length=LONGEST_NAME)


class SeasonScoringInputSerializer(InputSerializer):
    """The settings to change. Omitted fields keep their values."""

    scoring = serializers.ChoiceField(Scoring.choices, required=False)
    points = serializers.ListField(
        child=StrictInteger(min_value=0, max_value=MOST_POINTS),
        required=False,
        max_length=MOST_PLACES,
    )
    best_nights = StrictInteger(required=False, allow_null=True, min_value=1, max_value=MOST_NIGHTS)
    document = AnyJson(required=False, allow_null=True)
    drop_worst = StrictInteger(required=False, min_value=0, max_value=MOST_DROPPED)


class SeasonTableRowSerializer(OutputSerializer):
    """A place. `score` is in chips or hundredths of points, for the `counted_nights`."""

    place = serializers.IntegerField()
    player = serializers.UUIDField()
    player_name = serializers.CharField(source="name")
    score = serializers.IntegerField()
    nights = serializers.IntegerField()
    counted_nights = serializers.IntegerField(source="counted")
    net = serializers.IntegerField()
    wins = serializers.IntegerField(help_text="nights in first place")


class StandingSerializer(OutputSerializer):
    """A player's place. `net` is in chips for all closed nights, and in `money` by currency."""

    place = serializers.IntegerField()
    player = serializers.UUIDField()
    player_name = serializers.CharField(source="name")
    nights = serializers.IntegerField()
    net = serializers.IntegerField()
    money = MoneySerializer(many=True)
    best_night = serializers.IntegerField(source="best")
    tab = serializers.IntegerField()


class SeasonSettlementInputSerializer(InputSerializer):
    """If `end` is true, settling also ends the season."""

    id = Id()
    end = StrictBoolean(default=False)


class Seasons(ListResource[Season]):
    """A league's seasons, latest first."""

    operation_id = "list_seasons"
    serializer_class = SeasonSerializer
    pagination_class = paging.Seasons
    queryset = Season.objects.none()
    allows_feed_link = True

    def get_queryset(self) -> QuerySet[Season]:
        league = find_league(self.visitor, Action.VIEW, self.kwargs["league_id"])
        return Season.objects.filter(league=league)

    @operation(
        "create_season",
        "Start a season today",
        SeasonSerializer,
        body=SeasonInputSerializer,
        status=201,
    )
    @idempotent
    def post(self, request: Request, league_id: UUID) -> Response:
        league = find_league(self.visitor, Action.MANAGE, league_id)
        season = add_season(league, **self.validated_body(SeasonInputSerializer))
        at = reverse("api:season", args=[season.pk])
        return self.created(SeasonSerializer, season, at)


class SeasonDetail(Resource):
    allows_feed_link = True

    @operation("get_season", "A season", SeasonSerializer)
    def get(self, request: Request, season_id: UUID) -> Response:
        season = find_season(self.visitor, Action.VIEW, season_id)
        return Response(self.serialize(SeasonSerializer, season))

    @operation(
        "update_season",
        "Change the scoring of a season",
        SeasonSerializer,
        body=SeasonScoringInputSerializer,
    )
    def patch(self, request: Request, season_id: UUID) -> Response:
        season = find_season(self.visitor, Action.MANAGE, season_id)
        body = self.validated_body(SeasonScoringInputSerializer)
        if "points" in body:
            body["points"] = tuple(body["points"])
        chosen = change(season, body, by=self.user)
        return Response(self.serialize(SeasonSerializer, chosen))


class FinalTable(ShortList):
    """The table according to the season's scoring."""

    allows_feed_link = True

    @operation(
        "get_season_table",
        "The final table by the season's scoring, first place first",
        paging.page_of(SeasonTableRowSerializer),
    )
    def get(self, request: Request, season_id: UUID) -> Response:
        season = find_season(self.visitor, Action.VIEW, season_id)
        return self.page(SeasonTableRowSerializer, scored_table(season))


class Standings(ShortList):
    """The standings, highest net first."""

    allows_feed_link = True

    @operation("list_season_standings", "The standings by net", paging.page_of(StandingSerializer))
    def get(self, request: Request, season_id: UUID) -> Response:
        season = find_season(self.visitor, Action.VIEW, season_id)
        return self.page(StandingSerializer, standings(season))


class SeasonPlans(ListResource[PaymentPlan]):
    """The payment plans that settled the season's tab, and those of later corrections."""

    operation_id = "list_season_payment_plans"
    serializer_class = PaymentPlanSerializer
    pagination_class = paging.ByCreation
    queryset = PaymentPlan.objects.none()

    def get_queryset(self) -> QuerySet[PaymentPlan]:
        season = find_season(self.visitor, Action.VIEW, self.kwargs["season_id"])
        return with_payments(PaymentPlan.objects.filter(season=season, closing=None))

    @operation(
        "create_season_payment_plan",
        "Settle the season's tabs, once for each id",
        PaymentPlanSerializer,
        body=SeasonSettlementInputSerializer,
        status=(201, 200),
    )
    @idempotent
    def post(self, request: Request, season_id: UUID) -> Response:
        season = find_season(self.visitor, Action.MANAGE, season_id)
        body = self.validated_body(SeasonSettlementInputSerializer)
        plan = settle_season(season, body["id"], by=self.user, end=body["end"])
        at = reverse("api:plan", args=[plan.pk])
        row = with_payments(PaymentPlan.objects.filter(pk=plan.pk)).get()
        return self.created(PaymentPlanSerializer, row, at, status=status_of(plan))


# A season's achievements as sentences, with the underlying facts.


SEASONS = next(each for each in OWNERS if each.name == "season")
OWNER = Owner(name=SEASONS.name, finder=SEASONS.finder, parameters=frozenset())


class AchievementSerializer(OutputSerializer):
    """A player's achievement. `facts` are the values in its sentence. Chips are integers.

    An achievement `of_the_table` exists only once and is shared by tied players. If it is about a
    hand, `hand` and `cards` are that hand and the cards shown. A correction may remove an
    achievement.
    """

    code = serializers.CharField()
    title = serializers.CharField()
    sentence = serializers.CharField()
    requirement = serializers.CharField(source="takes")
    player = serializers.UUIDField()
    player_name = serializers.CharField(source="name")
    facts = serializers.DictField()
    of_the_table = serializers.BooleanField()
    hand = serializers.UUIDField(allow_null=True)
    cards = serializers.ListField(child=serializers.CharField())
    plays_as = serializers.DictField(child=serializers.CharField())


class _Achievements(ShortList, ScopedResource):
    owner = OWNER

    def answer(self, league: League) -> Response:
        return self.page(AchievementSerializer, achievements(self.scope(league)))


Achievements = extend_schema_view(
    get=extend_schema(
        operation_id="list_season_achievements",
        summary="Achievements of all players",
        responses=paging.page_of(AchievementSerializer),
    )
)(_Achievements)


# Exporting a season as one file, and importing it into an empty league.


FILE = {MEDIA_TYPE: OpenApiTypes.STR}


class Lines(BaseParser):
    """Reads the lines of a file as one string. Undecodable text counts as invalid JSON."""

    media_type = MEDIA_TYPE

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        # the middleware has already checked the length
        return stream.read().decode(errors="replace")


class SeasonFile(Resource):
    selects_fields = False

    @extend_schema(
        operation_id="export_season",
        summary="The whole season as a file, one row per line",
        request=None,
        responses={(200, MEDIA_TYPE): OpenApiTypes.STR},
    )
    def get(self, request: Request, season_id: UUID) -> StreamingHttpResponse:
        season = find_season(self.visitor, Action.MANAGE, season_id)
        lines = (f"{line}\n" for line in export_season(season))
        headers = {"Content-Disposition": f'attachment; filename="{file_name(season)}"'}
        return StreamingHttpResponse(lines, content_type=MEDIA_TYPE, headers=headers)


class LeagueSeasonFile(Resource):
    parser_classes = (Lines,)

    @extend_schema(
        operation_id="import_season",
        summary="Import a season file into an empty league",
        request=FILE,
        responses={201: SeasonSerializer},
    )
    @idempotent
    def post(self, request: Request, league_id: UUID) -> Response:
        league = find_league(self.visitor, Action.MANAGE, league_id)
        # read line by line, because a list of short lines would take forty times the file's size in
        # memory
        lines = StringIO(str(request.data))
        season = import_season(league, lines, by=self.user)
        at = reverse("api:season", args=[season.pk])
        return self.created(SeasonSerializer, season, at)
