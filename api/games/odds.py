"""The results of random deals of a game. A worker deals them, and clients poll."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.games.catalog import listed_document
from api.http.errors import BadQueryError
from api.http.fields import OddsField, OutputSerializer
from api.http.resource import PublicResource, Resource
from api.openapi.schema import operation
from league.access import Action, find_house_game
from league.common.errors import problem
from league.common.text import shown
from league.games import house_games, odds
from league.models import Odds
from rules.documents import documents
from rules.presentation import form

BUSY = "busy"
STATES = (*Odds.State.values, BUSY)
WAIT = 5  # seconds until clients should retry
PLAYERS, WITH = "players", "with"
ASKS = (
    OpenApiParameter(
        PLAYERS, int, description=("The number of players; the usual number by default.")
    ),
    OpenApiParameter(WITH, str, description="Modifiers, separated by commas."),
)


class OddsSerializer(OutputSerializer):
    """`found` contains the odds once `state` is `found`. Otherwise repeat the request.

    In the state `wanted`, the game is being dealt. In `busy`, it is waiting for others. Rates are
    fractions of all deals. A game whose hands are not compared has the state `failed`.
    """

    state = serializers.ChoiceField(STATES)
    players = serializers.IntegerField()
    found = OddsField(allow_null=True)


class GameOdds(PublicResource):
    parameters = frozenset((PLAYERS, WITH))

    @operation(
        "get_game_odds",
        "Odds of a catalog game, from random deals",
        OddsSerializer,
        parameters=ASKS,
    )
    def get(self, request: Request, slug: str) -> Response:
        return _odds(self, listed_document(slug))


class HouseGameOdds(Resource):
    parameters = frozenset((PLAYERS, WITH))

    @operation(
        "get_house_game_odds",
        "Odds of a house game, from random deals",
        OddsSerializer,
        parameters=ASKS,
    )
    def get(self, request: Request, league_id: UUID, slug: str) -> Response:
        game = find_house_game(self.visitor, Action.VIEW, league_id, slug)
        return _odds(self, house_games.current(game).document.document, league=league_id)


def _odds(view: Resource, document: dict[str, Any], *, league: UUID | None = None) -> Response:
    parameters = view.request.query_params
    players = player_count(document, parameters.get(PLAYERS))
    modifiers = valid_modifiers(document, parameters.get(WITH, "").split(","))
    data = answer_of(document, players, modifiers, league=league)
    waits = {"Retry-After": str(WAIT)} if data["state"] in {Odds.State.WANTED, BUSY} else {}
    return Response(view.serialize(OddsSerializer, data), headers=waits)


def answer_of(
    document: dict[str, Any], players: int, modifiers: list[str], *, league: UUID | None = None
) -> dict[str, Any]:
    """Return the state, and the odds if they are available. Each league has its own queue."""
    row = odds.request_odds(document, modifiers, players, league=league)
    state = row.state if row else BUSY
    return {"state": state, "players": players, "found": row.found if row else None}


def player_count(document: dict[str, Any], number: str | None) -> int:
    """Return the number of players, or the usual number by default. Raises BadQueryError."""
    if number is None:
        return odds.usual_players(document)
    fit = odds.players_of(document)
    numbers = {str(each): each for each in fit}
    if number not in numbers:
        text = f"this must be a number of players from {fit.start} to {fit.stop - 1}"
        raise BadQueryError([problem(PLAYERS, "bad-option", text)])
    return numbers[number]


def valid_modifiers(document: dict[str, Any], texts: Iterable[str]) -> list[str]:
    """Return the modifiers if they fit the game. Raises BadQueryError."""
    names = [each for each in texts if each]
    try:
        form.document_of(document, names)
    except documents.GameError as refused:
        raise BadQueryError([problem(WITH, "bad-game", shown(str(refused)))]) from refused
    return names
