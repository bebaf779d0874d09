"""Series of nights: make one, see those that go on, end one."""

from uuid import UUID

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.http.fields import (
    Id,
    InputSerializer,
    OutputSerializer,
    StrictInteger,
    Text,
    WallClockTime,
)
from api.http.idempotency import idempotent
from api.http.resource import Resource
from api.http.schema import operation
from api.nights.planned_nights import DETAILS
from league.access import Action, find_league, find_series
from league.models import (
    LONGEST_NAME,
    LONGEST_PLACE,
    LONGEST_REASON,
    MOST_SEATS,
    MOST_WEEKS_APART,
    NightSeries,
)
from league.planned_nights import series
from league.planned_nights.planning import Details

DAYS = ("starts_on", "at", "every_weeks", "ends_on")


class NightSeriesSerializer(serializers.ModelSerializer[NightSeries]):
    """Nights on the weekday of `starts_on`, at the wall clock of the league."""

    at = WallClockTime(read_only=True, help_text="on the clocks of the league")

    class Meta:
        model = NightSeries
        fields = ("id", "league", *DAYS, *DETAILS)
        read_only_fields = fields


class NightSeriesListSerializer(OutputSerializer):
    results = NightSeriesSerializer(many=True)


class NightSeriesInputSerializer(InputSerializer):
    id = Id(help_text="with it the series is made once")
    starts_on = serializers.DateField(help_text="its weekday is that of the series")
    at = WallClockTime(help_text="on the clocks of the league")
    every_weeks = StrictInteger(default=1, min_value=1, max_value=MOST_WEEKS_APART)
    ends_on = serializers.DateField(default=None, allow_null=True, help_text="null: it goes on")
    name = Text(default="", allow_blank=True, max_length=LONGEST_NAME)
    place = Text(default="", allow_blank=True, max_length=LONGEST_PLACE)
    note = Text(default="", allow_blank=True, max_length=LONGEST_REASON)
    seats = StrictInteger(default=None, allow_null=True, min_value=1, max_value=MOST_SEATS)


class LeagueNightSeries(Resource):
    @operation(
        "list_night_series", "The series that go on, the oldest first", NightSeriesListSerializer
    )
    def get(self, request: Request, league_id: UUID) -> Response:
        league = find_league(self.visitor, Action.LOOK, league_id)
        rows = series.live_series(league)
        return Response({"results": self.serialize(NightSeriesSerializer, rows, many=True)})

    @operation(
        "create_night_series",
        "Make a series, once for each id; its next nights are planned at once",
        NightSeriesSerializer,
        body=NightSeriesInputSerializer,
        status=201,
    )
    @idempotent
    def post(self, request: Request, league_id: UUID) -> Response:
        league = find_league(self.visitor, Action.KEEP_SCORE, league_id)
        body = self.validated_body(NightSeriesInputSerializer)
        rhythm = series.Rhythm(**{name: body[name] for name in DAYS})
        details = Details(**{name: body[name] for name in DETAILS})
        made = series.make_series(league, body["id"], rhythm, details, by=self.user)
        return Response(self.serialize(NightSeriesSerializer, made), status=201)


class NightSeriesDetail(Resource):
    @operation(
        "end_night_series",
        "End a series; nights that somebody has answered stay planned",
        None,
        status=204,
    )
    def delete(self, request: Request, series_id: UUID) -> Response:
        series.end_series(find_series(self.visitor, Action.KEEP_SCORE, series_id))
        return Response(status=204)
