"""Tournaments of a night: make one, say what happens there, run its clock, end it."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.urls import reverse
from rest_framework.request import Request
from rest_framework.response import Response

from api.http import paging
from api.http.idempotency import idempotent
from api.http.resource import ListResource, Resource
from api.http.schema import operation
from api.nights.tournament_serializers import (
    ClockInputSerializer,
    DealsSerializer,
    SeatingInputSerializer,
    StacksInputSerializer,
    TournamentDetailsSerializer,
    TournamentEndInputSerializer,
    TournamentEventInputSerializer,
    TournamentInputSerializer,
    TournamentSerializer,
    TournamentStateSerializer,
)
from league.access import Action, find_night, find_tournament
from league.common.errors import Refused, problem
from league.models import Player, Tournament
from league.tournaments import clock_control, events, finishing, making
from league.tournaments.events import Told
from league.tournaments.field import Act
from league.tournaments.levels import Level
from league.tournaments.reading import State, state_of, tournaments_of
from league.tournaments.seating import Place


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
    """An address below a tournament."""

    def find(self, action: Action) -> Tournament:
        return find_tournament(
            self.visitor, action, self.kwargs["night_id"], self.kwargs["tournament_id"]
        )

    def answer(self, tournament: Tournament, status: int = 200) -> Response:
        """Answer with the tournament as it stands now."""
        fresh = tournaments_of(tournament.night).get(pk=tournament.pk)
        return Response(self.serialize(TournamentStateSerializer, _told(fresh)), status=status)


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
        events.tell(tournament, body["id"], _event(tournament, body), by=self.user)
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
            clock_control.go_to_level(tournament, body["level"])
        if "runs" in body:
            control = clock_control.start_clock if body["runs"] else clock_control.pause_clock
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
        told = {
            name: [{"player": player, "chips": chips} for player, chips in parts.items()]
            for name, parts in ways.items()
        }
        return Response(self.serialize(DealsSerializer, told))


def _details(body: dict[str, Any]) -> making.Details:
    levels = [Level(**each) for each in body.pop("levels")]
    return making.Details(**body, levels=levels)


def _event(tournament: Tournament, body: dict[str, Any]) -> Told:
    """Return what happened. Raises Refused for players of elsewhere and half a place."""
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
        raise Refused(wrong)
    return Told(
        kind=Act(body["kind"]),
        player=players[player] if player else None,
        knocked_out_by=[players[each] for each in body["knocked_out_by"]],
        place=Place(body["table"], body["seat"]) if "table" in body else None,
        undoes=body.get("undoes"),
    )


def _parts(told: list[dict[str, Any]], where: str) -> dict[UUID, int]:
    """Return chips by player, in order. Raises Refused for a player who is told twice."""
    parts = {each["player"]: each["chips"] for each in told}
    if len(parts) < len(told):
        raise Refused([problem(where, "told-twice", "a player stands here twice")])
    return parts


def _told(tournament: Tournament) -> dict[str, Any]:
    state = state_of(tournament)
    return {
        **{name: getattr(state, name) for name in ("tournament", "runs", "passed", "moment")},
        **{name: getattr(state, name) for name in ("may_enter", "field", "prizes")},
        "events": state.events,
        "results": state.results,
        "players": [_player(state, player) for player in state.field.players],
    }


def _player(state: State, player: UUID) -> dict[str, Any]:
    field, place = state.field, state.field.seats.get(player)
    return {
        "player": player,
        "name": state.players[player].name,
        "playing": player in field.playing,
        "rebuys": field.rebuys[player],
        "add_ons": field.add_ons[player],
        "bounties": field.bounties_won.get(player, 0),
        "table": place and place.table,
        "seat": place and place.seat,
    }
