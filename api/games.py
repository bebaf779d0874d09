"""The games of a league, and the check of a game that anyone writes."""

from typing import Any
from uuid import UUID, uuid4

from django.urls import reverse
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.errors import problem
from api.serializers import AnyJson
from league import house_games
from league.access import Action, find_house_game, find_league, signed_in
from league.models import HouseGame, HouseGameVersion
from league.refusals import Refused, fault
from rules import forms, pages
from rules.schema import json_schema


class GameIn(serializers.Serializer[Any]):
    """A game to keep: its TOML as `text`, its `document`, or the slug of one to `copy`."""

    id = serializers.UUIDField(required=False)
    text = serializers.CharField(required=False, trim_whitespace=False, allow_blank=True)
    document = AnyJson(required=False)
    copy = serializers.CharField(required=False)


class GameSchema(APIView):
    """The JSON schema of a game's document, for editors and other programs."""

    authentication_classes = ()
    permission_classes = (AllowAny,)

    def get(self, request: Request) -> Response:
        return Response(json_schema())


class HouseGames(APIView):
    """The games that a league wrote; a new one is added here."""

    def get(self, request: Request, league_id: UUID) -> Response:
        league = find_league(request.user, Action.LOOK, league_id)
        rows = league.house_games.order_by("name", "slug")
        return Response({"results": [_line(game) for game in rows]})

    def post(self, request: Request, league_id: UUID) -> Response:
        league = find_league(request.user, Action.RECORD, league_id)
        sent = _sent(request, "text", "document", "copy")
        written = _written(sent)
        if "copy" in sent:
            written = house_games.text_of(league, sent["copy"])
        game_id = sent.get("id") or uuid4()
        known = HouseGame.objects.filter(pk=game_id).exists()
        game = house_games.write(league, written, by=signed_in(request.user), game_id=game_id)
        return Response(
            _whole(game),
            status=200 if known else 201,
            headers={"Location": reverse("api:house-game", args=[league.pk, game.slug])},
        )


class HouseGameDetail(APIView):
    """A game of the league: how it stands, its next version, its end if it was never dealt."""

    def get(self, request: Request, league_id: UUID, slug: str) -> Response:
        return Response(_whole(find_house_game(request.user, Action.LOOK, league_id, slug)))

    def put(self, request: Request, league_id: UUID, slug: str) -> Response:
        game = find_house_game(request.user, Action.RECORD, league_id, slug)
        written = _written(_sent(request, "text", "document"))
        house_games.revise(game, written, by=signed_in(request.user))
        game.refresh_from_db()
        return Response(_whole(game))

    def delete(self, request: Request, league_id: UUID, slug: str) -> Response:
        game = find_house_game(request.user, Action.RECORD, league_id, slug)
        try:
            house_games.delete(game)
        except house_games.InUse:
            return problem(409, "Hands were dealt under it: it can be retired, not deleted.")
        return Response(status=204)


class HouseGameRetire(APIView):
    """Offer a game no more; a new version brings it back."""

    def post(self, request: Request, league_id: UUID, slug: str) -> Response:
        game = find_house_game(request.user, Action.RECORD, league_id, slug)
        house_games.retire(game)
        game.refresh_from_db()
        return Response(_whole(game))


class GameCheck(APIView):
    """What is wrong with a game, and how it would be recorded; nothing is stored."""

    authentication_classes = ()
    permission_classes = (AllowAny,)
    throttle_scope = "settle"

    def post(self, request: Request) -> Response:
        reading = house_games.read(_written(_sent(request, "text", "document")))
        faults = [house_games.fault_of(each) for each in reading.faults]
        if faults:
            return Response({"faults": faults})
        document = reading.document
        told = {"form": forms.form(document), "rules": pages.rules_page(document)}
        return Response({"faults": [], "document": document, "text": reading.text, **told})


def _sent(request: Request, *one_of: str) -> dict[str, Any]:
    """Return what the body says: exactly one of these keys, and perhaps an id."""
    sent = GameIn(data=request.data)
    sent.is_valid(raise_exception=True)
    unknown = [key for key in request.data if key not in {*one_of, "id"}]
    told = [key for key in one_of if key in sent.validated_data]
    if unknown:
        raise Refused([fault(key, "unknown-key", "there is no such key here") for key in unknown])
    if len(told) != 1:
        raise Refused([fault("", "missing", f"exactly one of {', '.join(one_of)} is needed")])
    found: dict[str, Any] = sent.validated_data
    return found


def _written(sent: dict[str, Any]) -> object:
    return sent.get("text", sent.get("document"))


def _line(game: HouseGame) -> dict[str, Any]:
    return {
        "id": str(game.pk),
        "slug": game.slug,
        "name": game.name,
        "made_at": game.made_at,
        "retired_at": game.retired_at,
    }


def _whole(game: HouseGame) -> dict[str, Any]:
    version = house_games.current(game)
    document = version.document.document
    return {
        **_line(game),
        "version": version.number,
        "hash": version.document_id,
        "text": version.text,
        "document": document,
        "form": forms.form(document) | {"game": game.slug},
        "rules": pages.rules_page(document),
        "versions": [_version(each) for each in game.versions.order_by("number")],
    }


def _version(version: HouseGameVersion) -> dict[str, Any]:
    return {
        "number": version.number,
        "hash": version.document_id,
        "written_by": version.written_by_id,
        "written_at": version.written_at,
    }
