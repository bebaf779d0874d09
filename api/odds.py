"""What random deals say of a game: a worker deals them, and whoever asked asks again."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.errors import BadQuery
from api.fields import AnyObject, Told
from api.games import listed_document
from api.resource import Open, Resource
from api.schema import operation
from league import house_games, house_odds
from league.access import Action, find_house_game
from league.models import Odds
from league.refusals import fault
from league.texts import shown
from rules import documents, forms

BUSY = "busy"
WAIT = 5  # seconds
PLAYERS, WITH = "players", "with"
ASKS = (
    OpenApiParameter(PLAYERS, int, description="How many are dealt to; as many as usual if none."),
    OpenApiParameter(WITH, str, description="Modifiers, with commas between them."),
)


class OddsTold(Told):
    """`found` once `state` says so; `wanted` is dealt now, `busy` waits for others: ask again.

    Rates are fractions of all deals. A game whose hands are not compared has `failed`.
    """

    state = serializers.ChoiceField([*Odds.State.values, BUSY])
    players = serializers.IntegerField()
    found = AnyObject(allow_null=True)


class GameOdds(Open):
    parameters = frozenset((PLAYERS, WITH))

    @operation("What random deals say of a game of the catalog", OddsTold, parameters=ASKS)
    def get(self, request: Request, slug: str) -> Response:
        return _told(self, listed_document(slug))


class HouseGameOdds(Resource):
    parameters = frozenset((PLAYERS, WITH))

    @operation("What random deals say of a game of the league", OddsTold, parameters=ASKS)
    def get(self, request: Request, league_id: UUID, slug: str) -> Response:
        game = find_house_game(self.visitor, Action.LOOK, league_id, slug)
        return _told(self, house_games.current(game).document.document)


def _told(view: Resource, document: dict[str, Any]) -> Response:
    players, modifiers = _players(view, document), _modifiers(view, document)
    row = house_odds.ask(document, modifiers, players)
    state = row.state if row else BUSY
    told = {"state": state, "players": players, "found": row.found if row else None}
    waits = {"Retry-After": str(WAIT)} if state in {Odds.State.WANTED, BUSY} else {}
    return Response(view.told(OddsTold, told), headers=waits)


def _players(view: Resource, document: dict[str, Any]) -> int:
    told = view.request.query_params.get(PLAYERS)
    if told is None:
        return house_odds.usual_players(document)
    fit = house_odds.players_of(document)
    known = {str(number): number for number in fit}
    if told not in known:
        text = f"this is a number of players from {fit.start} to {fit.stop - 1}"
        raise BadQuery([fault(PLAYERS, "bad-option", text)])
    return known[told]


def _modifiers(view: Resource, document: dict[str, Any]) -> list[str]:
    names = [each for each in view.request.query_params.get(WITH, "").split(",") if each]
    try:
        forms.document_of(document, names)
    except documents.BadGame as refused:
        raise BadQuery([fault(WITH, "bad-game", shown(str(refused)))]) from refused
    return names
