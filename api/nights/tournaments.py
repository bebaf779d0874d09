"""Tournaments of a night: create one, record its events, run its clock, end it."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.urls import reverse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.http import paging
from api.http.fields import (
    Id,
    InputSerializer,
    OutputSerializer,
    StrictBoolean,
    StrictInteger,
    Text,
)
from api.http.idempotency import idempotent
from api.http.resource import ListResource, Resource
from api.openapi.schema import operation
from league.access import Action, find_night, find_tournament
from league.common.errors import RefusedError, problem
from league.models import (
    LONGEST_GAME_NAME,
    LONGEST_NAME,
    MOST_CHIPS,
    Player,
    Tournament,
    TournamentEvent,
)
from league.tournaments import events, finishing, making
from league.tournaments.clock import MOST_LEVELS, Level
from league.tournaments.events import (
    MOST_KNOCKERS,
    NewEvent,
    TournamentState,
    state_of,
    tournaments_of,
)
from league.tournaments.field import Act
from league.tournaments.making import MOST_PARTS, MOST_SEATS_AT_A_TABLE
from league.tournaments.seating import MOST_TABLES, Place

# Request and response bodies.


SEATING_METHODS = [("draw", "draw"), ("balance", "balance")]
LONGEST_LEVEL = 240 * 60  # seconds
MOST_PLAYERS = MOST_TABLES * MOST_SEATS_AT_A_TABLE


class LevelSerializer(OutputSerializer):
    """A level, or a break without blinds. `game_name` is empty for dealer's choice."""

    seconds = serializers.IntegerField()
    small = serializers.IntegerField()
    big = serializers.IntegerField()
    ante = serializers.IntegerField()
    game_name = serializers.CharField(source="game")


class TournamentPlayerSerializer(OutputSerializer):
    """A player who has entered. `table` and `seat` are set once they are drawn."""

    player = serializers.UUIDField()
    player_name = serializers.CharField()
    playing = serializers.BooleanField()
    rebuys = serializers.IntegerField()
    add_ons = serializers.IntegerField()
    bounties = serializers.IntegerField()
    table = serializers.IntegerField(allow_null=True)
    seat = serializers.IntegerField(allow_null=True)


class TournamentResultSerializer(OutputSerializer):
    """The chips of the league that a player paid and won."""

    player = serializers.UUIDField()
    place = serializers.IntegerField()
    paid = serializers.IntegerField()
    prize = serializers.IntegerField()
    bounties = serializers.IntegerField()
    net = serializers.IntegerField()


class TournamentEventSerializer(serializers.ModelSerializer[TournamentEvent]):
    class Meta:
        model = TournamentEvent
        fields = (
            "id",
            "number",
            "kind",
            "player",
            "knocked_out_by",
            "table",
            "seat",
            "undoes",
            "made_at",
        )
        read_only_fields = fields


class TournamentSerializer(serializers.ModelSerializer[Tournament]):
    """The settings of a tournament. It has a `charge` once it is over."""

    levels = LevelSerializer(many=True, read_only=True)
    parts = serializers.ListField(child=serializers.IntegerField(), read_only=True)

    class Meta:
        model = Tournament
        fields = (
            "id",
            "night",
            "name",
            "entry",
            "rebuy",
            "add_on",
            "bounty",
            "stack",
            "rebuy_stack",
            "add_on_stack",
            "levels",
            "late_until",
            "parts",
            "round_to",
            "seats",
            "called_off_at",
            "charge",
            "made_at",
        )
        read_only_fields = fields


class TournamentStateSerializer(OutputSerializer):
    """The state of a tournament. The clock has run for `passed` milliseconds.

    `late` is true while players may still enter. `prizes` are by place, from the current pool.
    """

    tournament = TournamentSerializer()
    runs = serializers.BooleanField()
    passed = serializers.IntegerField()
    level = serializers.IntegerField(source="clock.number")
    level_left = serializers.IntegerField(source="clock.left")
    late = serializers.BooleanField(source="may_enter")
    pool = serializers.IntegerField(source="field.pool")
    prizes = serializers.ListField(child=serializers.IntegerField())
    chips_in_play = serializers.IntegerField(source="field.chips_in_play")
    average = serializers.IntegerField(source="field.average")
    players = TournamentPlayerSerializer(many=True)
    events = TournamentEventSerializer(many=True)
    results = TournamentResultSerializer(many=True)


class LevelInputSerializer(InputSerializer):
    seconds = StrictInteger(min_value=60, max_value=LONGEST_LEVEL)
    small = StrictInteger(default=0, min_value=0, max_value=MOST_CHIPS)
    big = StrictInteger(default=0, min_value=0, max_value=MOST_CHIPS, help_text="0: a break")
    ante = StrictInteger(default=0, min_value=0, max_value=MOST_CHIPS)
    game_name = Text(source="game", default="", allow_blank=True, max_length=LONGEST_GAME_NAME)


def _chips(least: int = 0, **options: Any) -> StrictInteger:
    return StrictInteger(min_value=least, max_value=MOST_CHIPS, **options)


class TournamentDetailsSerializer(InputSerializer):
    name = Text(default="", allow_blank=True, max_length=LONGEST_NAME)
    entry = _chips(1, help_text="chips of the league, as all that is paid and won")
    rebuy = _chips(default=0)
    add_on = _chips(default=0)
    bounty = _chips(default=0, help_text="paid beside the entry, to whoever knocks one out")
    stack = _chips(1, help_text="chips of the tournament")
    rebuy_stack = _chips(default=0)
    add_on_stack = _chips(default=0)
    levels = serializers.ListField(
        child=LevelInputSerializer(), min_length=1, max_length=MOST_LEVELS
    )
    late_until = StrictInteger(
        default=0, min_value=0, max_value=MOST_LEVELS, help_text="levels; 0: always"
    )
    parts = serializers.ListField(
        child=StrictInteger(min_value=1, max_value=100),
        default=list,
        max_length=MOST_PARTS,
        help_text="percent of the pool by place; the usual ones where none are told",
    )
    round_to = _chips(1, default=1)
    seats = StrictInteger(default=9, min_value=2, max_value=MOST_SEATS_AT_A_TABLE)


class TournamentInputSerializer(TournamentDetailsSerializer):
    id = Id()


class TournamentEventInputSerializer(InputSerializer):
    """An event. `out` has the players in `knocked_out_by`, `undo` has the event it `undoes`."""

    id = Id()
    kind = serializers.ChoiceField(TournamentEvent.Kind.choices)
    player = Id(required=False)
    knocked_out_by = serializers.ListField(child=Id(), default=list, max_length=MOST_KNOCKERS)
    table = StrictInteger(required=False, min_value=1, max_value=MOST_TABLES)
    seat = StrictInteger(required=False, min_value=1, max_value=MOST_SEATS_AT_A_TABLE)
    undoes = Id(required=False)


class ClockInputSerializer(InputSerializer):
    """`level` sets the clock to the beginning of that level, where 0 is the first level."""

    runs = StrictBoolean(required=False)
    level = StrictInteger(required=False, min_value=0, max_value=MOST_LEVELS)


class SeatingInputSerializer(InputSerializer):
    """`draw` all seats, or `balance` the tables with the fewest moves."""

    id = Id()
    how = serializers.ChoiceField(SEATING_METHODS)


class DealPartSerializer(InputSerializer):
    player = Id()
    chips = _chips()


class TournamentEndInputSerializer(InputSerializer):
    """`deal` is each remaining player's share, first place first. It is empty for one player."""

    deal = serializers.ListField(child=DealPartSerializer(), default=list, max_length=MOST_PLAYERS)


class StacksInputSerializer(InputSerializer):
    stacks = serializers.ListField(
        child=DealPartSerializer(), min_length=2, max_length=MOST_PLAYERS
    )


class DealPartOutputSerializer(OutputSerializer):
    player = serializers.UUIDField()
    chips = serializers.IntegerField()


class DealsSerializer(OutputSerializer):
    """The remaining players' shares of the remaining pool, by chips and by ICM."""

    chips = DealPartOutputSerializer(many=True)
    icm = DealPartOutputSerializer(many=True)


class NightTournaments(ListResource[Tournament]):
    """The tournaments of a night, in order."""

    operation_id = "list_tournaments"
    serializer_class = TournamentSerializer
    pagination_class = paging.Made
    queryset = Tournament.objects.none()

    def get_queryset(self) -> QuerySet[Tournament]:
        return tournaments_of(find_night(self.visitor, Action.LOOK, self.kwargs["night_id"]))

    @operation(
        "create_tournament",
        "Make a tournament, once for each id",
        TournamentSerializer,
        body=TournamentInputSerializer,
        status=201,
    )
    @idempotent
    def post(self, request: Request, night_id: UUID) -> Response:
        night = find_night(self.visitor, Action.KEEP_SCORE, night_id)
        body = self.validated_body(TournamentInputSerializer)
        key = body.pop("id")
        made = making.make(night, key, _details(body), by=self.user)
        at = reverse("api:tournament", args=[night.pk, made.pk])
        answer = self.serialize(TournamentSerializer, made)
        return Response(answer, status=201, headers={"Location": at})


class TournamentResource(Resource):
    """A resource of a tournament."""

    def find(self, action: Action) -> Tournament:
        return find_tournament(
            self.visitor, action, self.kwargs["night_id"], self.kwargs["tournament_id"]
        )

    def answer(self, tournament: Tournament, status: int = 200) -> Response:
        """Return the current state of the tournament."""
        fresh = tournaments_of(tournament.night).get(pk=tournament.pk)
        return Response(
            self.serialize(TournamentStateSerializer, _state_body(fresh)), status=status
        )


class TournamentDetail(TournamentResource):
    @operation("get_tournament", "A tournament as it stands", TournamentStateSerializer)
    def get(self, request: Request, night_id: UUID, tournament_id: UUID) -> Response:
        return self.answer(self.find(Action.LOOK))

    @operation(
        "update_tournament",
        "Change a tournament; what is paid stays once somebody has entered",
        TournamentStateSerializer,
        body=TournamentDetailsSerializer,
    )
    def put(self, request: Request, night_id: UUID, tournament_id: UUID) -> Response:
        tournament = self.find(Action.KEEP_SCORE)
        making.change(tournament, _details(self.validated_body(TournamentDetailsSerializer)))
        return self.answer(tournament)

    @operation("cancel_tournament", "Call a tournament off: nobody pays anything", None, status=204)
    def delete(self, request: Request, night_id: UUID, tournament_id: UUID) -> Response:
        making.call_off(self.find(Action.KEEP_SCORE))
        return Response(status=204)


class TournamentEvents(TournamentResource):
    @operation(
        "record_tournament_event",
        "Say what happened: who entered, bought again, went out; what was wrong is undone",
        TournamentStateSerializer,
        body=TournamentEventInputSerializer,
        status=201,
    )
    @idempotent
    def post(self, request: Request, night_id: UUID, tournament_id: UUID) -> Response:
        tournament = self.find(Action.KEEP_SCORE)
        body = self.validated_body(TournamentEventInputSerializer)
        events.record_event(tournament, body["id"], _event(tournament, body), by=self.user)
        return self.answer(tournament, 201)


class TournamentSeats(TournamentResource):
    @operation(
        "seat_tournament",
        "Draw the seats, or balance the tables",
        TournamentStateSerializer,
        body=SeatingInputSerializer,
        status=201,
    )
    @idempotent
    def post(self, request: Request, night_id: UUID, tournament_id: UUID) -> Response:
        tournament = self.find(Action.KEEP_SCORE)
        body = self.validated_body(SeatingInputSerializer)
        seat = events.draw_seats if body["how"] == "draw" else events.balance_tables
        seat(tournament, body["id"], by=self.user)
        return self.answer(tournament, 201)


class TournamentClock(TournamentResource):
    @operation(
        "set_tournament_clock",
        "Run the clock, let it rest, set it to a level",
        TournamentStateSerializer,
        body=ClockInputSerializer,
        status=201,
    )
    @idempotent
    def post(self, request: Request, night_id: UUID, tournament_id: UUID) -> Response:
        tournament = self.find(Action.KEEP_SCORE)
        body = self.validated_body(ClockInputSerializer)
        if "level" in body:
            events.go_to_level(tournament, body["level"])
        if "runs" in body:
            control = events.start_clock if body["runs"] else events.pause_clock
            control(tournament)
        return self.answer(tournament, 201)


class TournamentEnd(TournamentResource):
    @operation(
        "end_tournament",
        "End the tournament: what everybody paid and won is charged to the night",
        TournamentStateSerializer,
        body=TournamentEndInputSerializer,
        status=201,
    )
    @idempotent
    def post(self, request: Request, night_id: UUID, tournament_id: UUID) -> Response:
        tournament = self.find(Action.KEEP_SCORE)
        deal = _parts(self.validated_body(TournamentEndInputSerializer)["deal"], "deal")
        finishing.finish(tournament, deal=deal or None, by=self.user)
        return self.answer(tournament, 201)

    @operation(
        "resume_tournament",
        "Take the result back, so that the tournament goes on",
        None,
        status=204,
    )
    def delete(self, request: Request, night_id: UUID, tournament_id: UUID) -> Response:
        finishing.go_on(self.find(Action.KEEP_SCORE), by=self.user)
        return Response(status=204)


class TournamentDeals(TournamentResource):
    @operation(
        "check_tournament_deal",
        "What a deal would give those who are still in; nothing is stored",
        DealsSerializer,
        body=StacksInputSerializer,
    )
    def post(self, request: Request, night_id: UUID, tournament_id: UUID) -> Response:
        tournament = self.find(Action.LOOK)
        stacks = _parts(self.validated_body(StacksInputSerializer)["stacks"], "stacks")
        ways = finishing.deals(state_of(tournament), stacks)
        deals = {
            name: [{"player": player, "chips": chips} for player, chips in parts.items()]
            for name, parts in ways.items()
        }
        return Response(self.serialize(DealsSerializer, deals))


def _details(body: dict[str, Any]) -> making.Details:
    levels = [Level(**each) for each in body.pop("levels")]
    return making.Details(**body, levels=levels)


def _event(tournament: Tournament, body: dict[str, Any]) -> NewEvent:
    """Return the event. Raises RefusedError for unknown players and incomplete seats."""
    player = body.get("player")
    named = [*([player] if player else []), *body["knocked_out_by"]]
    rows = Player.objects.filter(league=tournament.night.season.league_id, pk__in=named)
    players = {each.pk: each for each in rows}
    wrong = [
        problem("player", "unknown-player", "the league has no such player")
        for each in named
        if each not in players
    ]
    if ("table" in body) != ("seat" in body):
        wrong.append(problem("seat", "required", "table and seat are told together"))
    if wrong:
        raise RefusedError(wrong)
    return NewEvent(
        kind=Act(body["kind"]),
        player=players[player] if player else None,
        knocked_out_by=[players[each] for each in body["knocked_out_by"]],
        place=Place(body["table"], body["seat"]) if "table" in body else None,
        undoes=body.get("undoes"),
    )


def _parts(rows: list[dict[str, Any]], where: str) -> dict[UUID, int]:
    """Return chips by player, in order. Raises RefusedError for a repeated player."""
    parts = {row["player"]: row["chips"] for row in rows}
    if len(parts) < len(rows):
        raise RefusedError([problem(where, "told-twice", "a player stands here twice")])
    return parts


def _state_body(tournament: Tournament) -> dict[str, Any]:
    state = state_of(tournament)
    return {
        **{name: getattr(state, name) for name in ("tournament", "runs", "passed", "clock")},
        **{name: getattr(state, name) for name in ("may_enter", "field", "prizes")},
        "events": state.events,
        "results": state.results,
        "players": [_player(state, player) for player in state.field.players],
    }


def _player(state: TournamentState, player: UUID) -> dict[str, Any]:
    field, place = state.field, state.field.seats.get(player)
    return {
        "player": player,
        "player_name": state.players[player].name,
        "playing": player in field.playing,
        "rebuys": field.rebuys[player],
        "add_ons": field.add_ons[player],
        "bounties": field.bounties_won.get(player, 0),
        "table": place and place.table,
        "seat": place and place.seat,
    }
