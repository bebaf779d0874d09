"""A night's tournaments: create one, record its events, run its clock, end it."""

from dataclasses import asdict
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.urls import reverse
from rest_framework.request import Request
from rest_framework.response import Response

from api.http import paging
from api.http.idempotency import idempotent
from api.http.resource import ListResource, Resource, status_of
from api.nights.tournament_serializers import (
    ClockInputSerializer,
    DealsSerializer,
    SeatingInputSerializer,
    StacksInputSerializer,
    TournamentDetailSerializer,
    TournamentEndInputSerializer,
    TournamentEventInputSerializer,
    TournamentInputSerializer,
    TournamentSerializer,
    TournamentUpdateInputSerializer,
)
from api.openapi.schema import operation
from league.access import Action, find_night, find_tournament
from league.common.errors import RefusedError, problem, refuse
from league.models import (
    Player,
    Tournament,
)
from league.tournaments import events, finishing, making
from league.tournaments.clock import Level
from league.tournaments.events import (
    NewEvent,
    state_of,
    tournaments_of,
)
from league.tournaments.field import Act
from league.tournaments.seating import Place


class NightTournaments(ListResource[Tournament]):
    """A night's tournaments, in order."""

    operation_id = "list_tournaments"
    serializer_class = TournamentSerializer
    pagination_class = paging.ByCreation
    queryset = Tournament.objects.none()

    def get_queryset(self) -> QuerySet[Tournament]:
        return tournaments_of(find_night(self.visitor, Action.VIEW, self.kwargs["night_id"]))

    @operation(
        "create_tournament",
        "Create a tournament, once for each id",
        TournamentDetailSerializer,
        body=TournamentInputSerializer,
        status=(201, 200),
    )
    @idempotent
    def post(self, request: Request, night_id: UUID) -> Response:
        night = find_night(self.visitor, Action.KEEP_SCORE, night_id)
        body = self.validated_body(TournamentInputSerializer)
        key = body.pop("id")
        made = making.make(night, key, _details(body), by=self.user)
        at = reverse("api:tournament", args=[night.pk, made.pk])
        return _tournament_response(self, made, status=status_of(made), headers={"Location": at})


class TournamentResource(Resource):
    """The base of tournament resources."""

    def find(self, action: Action) -> Tournament:
        return find_tournament(
            self.visitor, action, self.kwargs["night_id"], self.kwargs["tournament_id"]
        )

    def answer(self, tournament: Tournament, status: int = 200) -> Response:
        """Return the tournament's current state."""
        return _tournament_response(self, tournament, status=status)


class TournamentDetail(TournamentResource):
    @operation("get_tournament", "A tournament with its current state", TournamentDetailSerializer)
    def get(self, request: Request, night_id: UUID, tournament_id: UUID) -> Response:
        return self.answer(self.find(Action.VIEW))

    @operation(
        "update_tournament",
        "Change a tournament; prices can't change after the first entry",
        TournamentDetailSerializer,
        body=TournamentUpdateInputSerializer,
    )
    def put(self, request: Request, night_id: UUID, tournament_id: UUID) -> Response:
        tournament = self.find(Action.KEEP_SCORE)
        details = _details(self.validated_body(TournamentUpdateInputSerializer))
        making.change(tournament, details, by=self.user)
        return self.answer(tournament)

    @operation("cancel_tournament", "Cancel a tournament; no player pays", None, status=204)
    def delete(self, request: Request, night_id: UUID, tournament_id: UUID) -> Response:
        making.call_off(self.find(Action.KEEP_SCORE), by=self.user)
        return Response(status=204)


class TournamentEvents(TournamentResource):
    @operation(
        "record_tournament_event",
        "Record an entry, rebuy, add-on, exit or seat, or undo one, once for each id",
        TournamentDetailSerializer,
        body=TournamentEventInputSerializer,
        status=(201, 200),
    )
    @idempotent
    def post(self, request: Request, night_id: UUID, tournament_id: UUID) -> Response:
        tournament = self.find(Action.KEEP_SCORE)
        body = self.validated_body(TournamentEventInputSerializer)
        player, knockers = body.get("player"), body["knocked_out_by"]
        named = [*([player] if player else []), *knockers]
        rows = Player.objects.filter(league=tournament.night.season.league_id, pk__in=named)
        players = {each.pk: each for each in rows}
        wrong = [
            problem("player", "unknown-player", "the league has no such player")
            for each in named
            if each not in players
        ]
        if ("table" in body) != ("seat" in body):
            wrong.append(problem("seat", "required", "table and seat are required together"))
        refuse(wrong)
        new_event = NewEvent(
            kind=Act(body["kind"]),
            player=players[player] if player else None,
            knocked_out_by=[players[each] for each in knockers],
            place=Place(body["table"], body["seat"]) if "table" in body else None,
            undoes=body.get("undoes"),
        )
        event = events.record_event(tournament, body["id"], new_event, by=self.user)
        return self.answer(tournament, status_of(event))


class TournamentSeats(TournamentResource):
    @operation(
        "seat_tournament",
        "Draw the seats or balance the tables, once for each id; 200 if no player moves",
        TournamentDetailSerializer,
        body=SeatingInputSerializer,
        status=(201, 200),
    )
    @idempotent
    def post(self, request: Request, night_id: UUID, tournament_id: UUID) -> Response:
        tournament = self.find(Action.KEEP_SCORE)
        body = self.validated_body(SeatingInputSerializer)
        seat = events.draw_seats if body["method"] == "draw" else events.balance_tables
        moved = seat(tournament, body["id"], by=self.user)
        return self.answer(tournament, 201 if moved else 200)


class TournamentClock(TournamentResource):
    @operation(
        "set_tournament_clock",
        "Start or pause the clock, or set it to a level",
        TournamentDetailSerializer,
        body=ClockInputSerializer,
    )
    @idempotent
    def post(self, request: Request, night_id: UUID, tournament_id: UUID) -> Response:
        tournament = self.find(Action.KEEP_SCORE)
        body = self.validated_body(ClockInputSerializer)
        if "level" in body:
            events.go_to_level(tournament, body["level"])
        if "running" in body:
            if body["running"]:
                events.start_clock(tournament, by=self.user)
            else:
                events.pause_clock(tournament)
        return self.answer(tournament)


class TournamentEnd(TournamentResource):
    @operation(
        "end_tournament",
        "End the tournament and charge all entries and prizes to the night",
        TournamentDetailSerializer,
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
        "Undo the result, so that the tournament continues",
        None,
        status=204,
    )
    def delete(self, request: Request, night_id: UUID, tournament_id: UUID) -> Response:
        finishing.resume(self.find(Action.KEEP_SCORE), by=self.user)
        return Response(status=204)


class TournamentDeals(TournamentResource):
    @operation(
        "check_tournament_deal",
        "Preview a deal between the remaining players; nothing is stored",
        DealsSerializer,
        body=StacksInputSerializer,
    )
    def post(self, request: Request, night_id: UUID, tournament_id: UUID) -> Response:
        tournament = self.find(Action.VIEW)
        stacks = _parts(self.validated_body(StacksInputSerializer)["stacks"], "stacks")
        state = state_of(tournament)
        deals = {
            name: [{"player": player, "chips": chips} for player, chips in parts.items()]
            for name, parts in finishing.deals(state, stacks).items()
        }
        return Response(self.serialize(DealsSerializer, deals))


def _details(body: dict[str, Any]) -> making.Details:
    levels = [Level(**each) for each in body.pop("levels")]
    return making.Details(**body, levels=levels)


def _parts(rows: list[dict[str, Any]], where: str) -> dict[UUID, int]:
    """Return the chips keyed by player, in order.

    Raises RefusedError if a player is repeated.
    """
    parts = {row["player"]: row["chips"] for row in rows}
    if len(parts) < len(rows):
        raise RefusedError([problem(where, "told-twice", "a player is listed twice")])
    return parts


# The tournament attributes that its serializer reads.
SETTINGS = tuple(str(field.source) for field in TournamentSerializer().fields.values())


def _tournament_response(view: Resource, tournament: Tournament, **options: Any) -> Response:
    """Return the tournament's current state."""
    fresh = tournaments_of(tournament.night).get(pk=tournament.pk)
    state = state_of(fresh)
    field, clock, players = state.field, state.clock, []
    for player in field.players:
        place = field.seats.get(player)
        players.append(
            {
                "player": player,
                "player_name": state.players[player].name,
                "playing": player in field.playing,
                "rebuys": field.rebuys[player],
                "add_ons": field.add_ons[player],
                "bounties": field.bounties_won.get(player, 0),
                "table": place and place.table,
                "seat": place and place.seat,
            }
        )
    results = [
        {"player_name": state.players[each.player].name, "net": each.net, **asdict(each)}
        for each in state.results
    ]
    body = {name: getattr(fresh, name) for name in SETTINGS} | {
        "running": state.runs,
        "elapsed_seconds": state.passed // 1000,
        "level": clock.number,
        "level_left_seconds": -(-clock.left // 1000),
        "late_entry": state.may_enter,
        "pool": field.pool,
        "prizes": state.prizes,
        "chips_in_play": field.chips_in_play,
        "average_stack": field.average,
        "players": players,
        "events": state.events,
        "results": results,
    }
    return Response(view.serialize(TournamentDetailSerializer, body), **options)
