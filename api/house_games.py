"""The games that a league wrote: add one, change it, put it out of use."""

from typing import Any
from uuid import UUID, uuid4

from django.db.models import QuerySet
from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api import paging
from api.errors import inside, problem
from api.fields import AnyObject, Id, Text
from api.games import GameAsked, written
from api.once import once
from api.resource import Listing, Resource
from api.schema import operation
from league import house_games
from league.access import Action, find_house_game, find_league
from league.models import HouseGame, HouseGameVersion
from rules import forms, pages


class HouseGameTold(serializers.ModelSerializer[HouseGame]):
    class Meta:
        model = HouseGame
        fields: tuple[str, ...] = ("id", "slug", "name", "made_at", "retired_at")
        read_only_fields = fields


class VersionTold(serializers.ModelSerializer[HouseGameVersion]):
    hash = serializers.CharField(source="document_id", read_only=True)

    class Meta:
        model = HouseGameVersion
        fields = ("number", "hash", "written_by", "written_at")
        read_only_fields = fields


class HouseGameWhole(HouseGameTold):
    """A game as it is played now, with all its versions."""

    version = serializers.SerializerMethodField()
    hash = serializers.SerializerMethodField()
    text = serializers.SerializerMethodField()
    document = serializers.SerializerMethodField()
    form = serializers.SerializerMethodField()
    rules = serializers.SerializerMethodField()
    versions = serializers.SerializerMethodField()

    class Meta(HouseGameTold.Meta):
        fields = (
            *HouseGameTold.Meta.fields,
            "version",
            "hash",
            "text",
            "document",
            "form",
            "rules",
            "versions",
        )
        read_only_fields = fields

    @property
    def played(self) -> HouseGameVersion:
        version: HouseGameVersion = self.context["version"]
        return version

    def get_version(self, game: HouseGame) -> int:
        return self.played.number

    def get_hash(self, game: HouseGame) -> str:
        return self.played.document_id

    def get_text(self, game: HouseGame) -> str:
        return self.played.text

    @extend_schema_field(AnyObject)
    def get_document(self, game: HouseGame) -> Any:
        return self.played.document.document

    @extend_schema_field(AnyObject)
    def get_form(self, game: HouseGame) -> Any:
        return forms.form(self.played.document.document) | {"game": game.slug}

    @extend_schema_field(AnyObject)
    def get_rules(self, game: HouseGame) -> Any:
        return pages.rules_page(self.played.document.document)

    @extend_schema_field(VersionTold(many=True))
    def get_versions(self, game: HouseGame) -> Any:
        return VersionTold(game.versions.order_by("number"), many=True).data


class NewGameAsked(GameAsked):
    """A game to keep: its TOML as `text`, its `document`, or the slug of one to `copy`."""

    id = Id(required=False)
    copy = Text(required=False)


class HouseGames(Listing[HouseGame]):
    """The games that a league wrote, retired ones included."""

    serializer_class = HouseGameTold
    pagination_class = paging.Slugged
    queryset = HouseGame.objects.none()

    def get_queryset(self) -> QuerySet[HouseGame]:
        league = find_league(self.visitor, Action.LOOK, self.kwargs["league_id"])
        return league.house_games.all()

    @operation(
        "Add a game; 200 where it was added before",
        HouseGameWhole,
        asks=NewGameAsked,
        status=(201, 200),
    )
    @once
    def post(self, request: Request, league_id: UUID) -> Response:
        league = find_league(self.visitor, Action.RECORD, league_id)
        asked = self.asked(NewGameAsked)
        told = house_games.text_of(league, asked["copy"]) if "copy" in asked else written(asked)
        game_id = asked.get("id") or uuid4()
        known = HouseGame.objects.filter(pk=game_id).exists()
        with inside(*_place(asked)):
            game = house_games.write(league, told, by=self.user, game_id=game_id)
        answer = _whole(self, game, status=200 if known else 201)
        answer.headers["Location"] = reverse("api:house-game", args=[league.pk, game.slug])
        return answer


class HouseGameDetail(Resource):
    @operation("A game as it is played now, with all its versions", HouseGameWhole)
    def get(self, request: Request, league_id: UUID, slug: str) -> Response:
        return _whole(self, find_house_game(self.visitor, Action.LOOK, league_id, slug))

    @operation("Write its next version", HouseGameWhole, asks=GameAsked)
    def put(self, request: Request, league_id: UUID, slug: str) -> Response:
        game = find_house_game(self.visitor, Action.RECORD, league_id, slug)
        asked = self.asked(GameAsked)
        with inside(*_place(asked)):
            house_games.revise(game, written(asked), by=self.user)
        game.refresh_from_db()
        return _whole(self, game)

    @operation("Delete it; 409 if a hand was dealt under it", None, status=204)
    def delete(self, request: Request, league_id: UUID, slug: str) -> Response:
        game = find_house_game(self.visitor, Action.RECORD, league_id, slug)
        try:
            house_games.delete(game)
        except house_games.InUse:
            return problem(409, "Hands were dealt under it: it can be retired, not deleted.")
        return Response(status=204)


class HouseGameRetire(Resource):
    @operation("Offer it no more; its next version brings it back", HouseGameWhole)
    @once
    def post(self, request: Request, league_id: UUID, slug: str) -> Response:
        game = find_house_game(self.visitor, Action.RECORD, league_id, slug)
        house_games.retire(game)
        game.refresh_from_db()
        return _whole(self, game)


def _whole(view: Resource, game: HouseGame, *, status: int = 200) -> Response:
    version = house_games.current(game)
    return Response(view.told(HouseGameWhole, game, version=version), status=status)


def _place(asked: dict[str, Any]) -> tuple[str, ...]:
    """Return where in the body the game stands: places in a text are its lines."""
    return ("document",) if "document" in asked else ()
