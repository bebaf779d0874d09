"""Planned nights and series: plan, cancel, answer."""

from typing import Any
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.http import paging
from api.http.fields import (
    DateTime,
    Id,
    InputSerializer,
    OutputSerializer,
    RowSerializer,
    StrictInteger,
    Text,
    WallClockTime,
)
from api.http.idempotency import idempotent
from api.http.resource import ListResource, Resource, status_of
from api.leagues.players import league_player
from api.openapi.schema import operation
from league.access import (
    Action,
    find_league,
    find_planned_night,
    find_series,
    player_of,
    require,
    require_for,
)
from league.models import (
    LONGEST_NAME,
    LONGEST_PLACE,
    LONGEST_REASON,
    MOST_SEATS,
    MOST_WEEKS_APART,
    NightAnswer,
    NightSeries,
    PlannedNight,
    Player,
)
from league.planned_nights import planning, series
from league.planned_nights.answers import MOST_GUESTS, answer_for, attendance_of
from league.planned_nights.planning import Details, seed_hash, update_planned
from league.planned_nights.waiting_list import Attendee, attendance

DETAILS = ("name", "place", "note", "seats")


class AttendeeSerializer(OutputSerializer):
    """A person attending. `guest` is the number of this player's guest, or 0 for the player."""

    player = serializers.UUIDField(source="answer.player_id", allow_null=True)
    player_name = serializers.CharField(
        source="answer.__str__", help_text=("name of the player or guest")
    )
    guest = serializers.IntegerField()
    answered_at = serializers.DateTimeField(source="since")


class NightAnswerSerializer(OutputSerializer):
    """An answer. `has_seat` is false while the person is on the waiting list."""

    player = serializers.UUIDField(source="player_id", allow_null=True)
    player_name = serializers.CharField(source="__str__", help_text="name of the player or guest")
    rsvp = serializers.ChoiceField(NightAnswer.Says.choices, source="says")
    guests = serializers.IntegerField()
    brings = serializers.CharField()
    answered_at = serializers.DateTimeField()
    has_seat = serializers.SerializerMethodField()

    def get_has_seat(self, answer: NightAnswer) -> bool:
        return answer.pk in self.context["with_seats"]


class PlannedNightSerializer(RowSerializer[PlannedNight]):
    """A planned night with the people who have a seat, followed by the waiting list.

    `seed_hash` is the SHA-256 hash of the `seed` that draws the seats. The seed is published at the
    start.
    """

    seed_hash = serializers.SerializerMethodField()
    seed = serializers.SerializerMethodField()
    seated = serializers.SerializerMethodField()
    waiting = serializers.SerializerMethodField()
    answers = serializers.SerializerMethodField()

    class Meta:
        model = PlannedNight
        fields = (
            "id",
            "league",
            "series",
            "starts_at",
            "name",
            "place",
            "note",
            "seats",
            "state",
            "night",
            "seed_hash",
            "seed",
            "seated",
            "waiting",
            "answers",
        )

    def get_seed_hash(self, planned: PlannedNight) -> str:
        return seed_hash(planned.seed)

    def get_seed(self, planned: PlannedNight) -> str | None:
        return planned.seed if planned.state == PlannedNight.State.STARTED else None

    @extend_schema_field(AttendeeSerializer(many=True))
    def get_seated(self, planned: PlannedNight) -> Any:
        return _answers_body(attendance(planned.seats, planned.answers.all()).seated)

    @extend_schema_field(AttendeeSerializer(many=True))
    def get_waiting(self, planned: PlannedNight) -> Any:
        return _answers_body(attendance(planned.seats, planned.answers.all()).waiting)

    @extend_schema_field(NightAnswerSerializer(many=True))
    def get_answers(self, planned: PlannedNight) -> Any:
        answers = planned.answers.all()
        context = {"with_seats": attendance(planned.seats, answers).with_seats()}
        return NightAnswerSerializer(answers, many=True, context=context).data


class PlannedNightInputSerializer(InputSerializer):
    id = Id(help_text="chosen by the client, so that a repeated request plans one night")
    starts_at = DateTime(help_text="in the future, within 52 weeks")
    name = Text(default="", allow_blank=True, max_length=LONGEST_NAME)
    place = Text(default="", allow_blank=True, max_length=LONGEST_PLACE)
    note = Text(default="", allow_blank=True, max_length=LONGEST_REASON)
    seats = StrictInteger(
        default=None,
        allow_null=True,
        min_value=1,
        max_value=MOST_SEATS,
        help_text="number of seats; later players go on the waiting list; null for no limit",
    )


class PlannedNightChangeSerializer(InputSerializer):
    """The changes. Omitted fields keep their values."""

    starts_at = DateTime(required=False, help_text="in the future, within 52 weeks")
    name = Text(required=False, allow_blank=True, max_length=LONGEST_NAME)
    place = Text(required=False, allow_blank=True, max_length=LONGEST_PLACE)
    note = Text(required=False, allow_blank=True, max_length=LONGEST_REASON)
    seats = StrictInteger(required=False, allow_null=True, min_value=1, max_value=MOST_SEATS)


class NightAnswerInputSerializer(InputSerializer):
    """An answer for a `player` or a new `guest`, or for the caller by default.

    Omitted `guests` and `brings` keep their values.
    """

    player = Id(required=False)
    guest = Text(required=False, max_length=LONGEST_NAME)
    rsvp = serializers.ChoiceField(NightAnswer.Says.choices, source="says")
    guests = StrictInteger(required=False, min_value=0, max_value=MOST_GUESTS)
    brings = Text(required=False, allow_blank=True, max_length=LONGEST_PLACE)

    def validate(self, attrs: Any) -> Any:
        if "player" in attrs and "guest" in attrs:
            raise serializers.ValidationError("either player or guest", "required")
        return attrs


class PlannedNights(ListResource[PlannedNight]):
    """The planned nights, next one first."""

    operation_id = "list_planned_nights"
    serializer_class = PlannedNightSerializer
    pagination_class = paging.PlannedNights
    queryset = PlannedNight.objects.none()

    def get_queryset(self) -> QuerySet[PlannedNight]:
        league = find_league(self.visitor, Action.VIEW, self.kwargs["league_id"])
        return planning.upcoming(league)

    @operation(
        "plan_night",
        "Plan a night, once for each id",
        PlannedNightSerializer,
        body=PlannedNightInputSerializer,
        status=(201, 200),
    )
    @idempotent
    def post(self, request: Request, league_id: UUID) -> Response:
        league = find_league(self.visitor, Action.KEEP_SCORE, league_id)
        body = self.validated_body(PlannedNightInputSerializer)
        details = {name: body[name] for name in DETAILS}
        planned = planning.plan(
            league, body["id"], body["starts_at"], planning.Details(**details), by=self.user
        )
        at = reverse("api:planned-night", args=[planned.pk])
        return self.created(PlannedNightSerializer, planned, at, status=status_of(planned))


class PlannedNightDetail(Resource):
    @operation("get_planned_night", "A planned night", PlannedNightSerializer)
    def get(self, request: Request, planned_night_id: UUID) -> Response:
        planned = find_planned_night(self.visitor, Action.VIEW, planned_night_id)
        return Response(self.serialize(PlannedNightSerializer, _with_answers(planned)))

    @operation(
        "update_planned_night",
        "Change the time, place or seats of a planned night",
        PlannedNightSerializer,
        body=PlannedNightChangeSerializer,
    )
    def patch(self, request: Request, planned_night_id: UUID) -> Response:
        planned = find_planned_night(self.visitor, Action.KEEP_SCORE, planned_night_id)
        body = self.validated_body(PlannedNightChangeSerializer)
        planned = update_planned(planned, body, by=self.user)
        return Response(self.serialize(PlannedNightSerializer, _with_answers(planned)))

    @operation("cancel_planned_night", "Cancel a planned night", None, status=204)
    def delete(self, request: Request, planned_night_id: UUID) -> Response:
        planned = find_planned_night(self.visitor, Action.KEEP_SCORE, planned_night_id)
        planning.cancel(planned)
        return Response(status=204)


class PlannedNightAnswers(Resource):
    @operation(
        "answer_planned_night",
        "Answer for a player or a guest; the latest answer counts",
        NightAnswerSerializer,
        body=NightAnswerInputSerializer,
    )
    @idempotent
    def post(self, request: Request, planned_night_id: UUID) -> Response:
        planned = find_planned_night(self.visitor, Action.VIEW, planned_night_id)
        body = self.validated_body(NightAnswerInputSerializer)
        who = self._who(planned, body)
        brought = {"guests": body.get("guests"), "brings": body.get("brings")}
        answer = answer_for(planned, who, body["says"], **brought)
        seated = attendance_of(planned).with_seats()
        return Response(self.serialize(NightAnswerSerializer, answer, with_seats=seated))

    def _who(self, planned: PlannedNight, body: dict[str, Any]) -> Player | str:
        """Return the player or guest that the answer is for. Raises PermissionDenied."""
        if "guest" in body:
            require(self.visitor, Action.KEEP_SCORE, planned.league)
            return str(body["guest"])
        if "player" in body:
            player = league_player(planned.league, body["player"], "player")
        elif (own := player_of(self.visitor, planned.league)) is not None:
            player = own
        else:
            raise PermissionDenied("You have no player in this league. Name the player.")
        require_for(self.visitor, player, planned.league)
        return player


def _answers_body(comers: list[Attendee]) -> Any:
    return AttendeeSerializer(comers, many=True).data


def _with_answers(planned: PlannedNight) -> PlannedNight:
    return planning.with_answers(PlannedNight.objects.all()).get(pk=planned.pk)


# Series of nights.


DAYS = ("starts_on", "at", "every_weeks", "ends_on")


class NightSeriesSerializer(RowSerializer[NightSeries]):
    """Nights on the same weekday as `starts_on`, at a time in the league's time zone."""

    time = WallClockTime(source="at", read_only=True, help_text="in the league's time zone")

    class Meta:
        model = NightSeries
        fields = ("id", "league", "starts_on", "time", "every_weeks", "ends_on", *DETAILS)


class NightSeriesInputSerializer(InputSerializer):
    id = Id(help_text="chosen by the client, so that a repeated request creates one series")
    starts_on = serializers.DateField(help_text="the weekday of this date is that of the series")
    time = WallClockTime(source="at", help_text="in the league's time zone")
    every_weeks = StrictInteger(default=1, min_value=1, max_value=MOST_WEEKS_APART)
    ends_on = serializers.DateField(default=None, allow_null=True, help_text="null for no end")
    name = Text(default="", allow_blank=True, max_length=LONGEST_NAME)
    place = Text(default="", allow_blank=True, max_length=LONGEST_PLACE)
    note = Text(default="", allow_blank=True, max_length=LONGEST_REASON)
    seats = StrictInteger(default=None, allow_null=True, min_value=1, max_value=MOST_SEATS)


class LeagueNightSeries(ListResource[NightSeries]):
    """The active series, oldest first."""

    operation_id = "list_night_series"
    serializer_class = NightSeriesSerializer
    pagination_class = paging.ByCreation
    queryset = NightSeries.objects.none()

    def get_queryset(self) -> QuerySet[NightSeries]:
        league = find_league(self.visitor, Action.VIEW, self.kwargs["league_id"])
        return series.live_series(league)

    @operation(
        "create_night_series",
        "Create a series, once for each id; its next nights are planned immediately",
        NightSeriesSerializer,
        body=NightSeriesInputSerializer,
        status=(201, 200),
    )
    @idempotent
    def post(self, request: Request, league_id: UUID) -> Response:
        league = find_league(self.visitor, Action.KEEP_SCORE, league_id)
        body = self.validated_body(NightSeriesInputSerializer)
        rhythm = series.Rhythm(**{name: body[name] for name in DAYS})
        details = Details(**{name: body[name] for name in DETAILS})
        made = series.make_series(league, body["id"], rhythm, details, by=self.user)
        return Response(self.serialize(NightSeriesSerializer, made), status=status_of(made))


class NightSeriesDetail(Resource):
    @operation(
        "end_night_series",
        "End a series; nights with answers stay planned",
        None,
        status=204,
    )
    def delete(self, request: Request, series_id: UUID) -> Response:
        series.end_series(find_series(self.visitor, Action.KEEP_SCORE, series_id))
        return Response(status=204)
