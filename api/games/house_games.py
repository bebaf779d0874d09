"""House games: add, change and retire the games that a league has written."""

from typing import Any
from uuid import UUID, uuid4

from django.db.models import QuerySet
from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.games.catalog import GameInputSerializer, source_of
from api.http import paging
from api.http.errors import prefix_errors, problem_response
from api.http.fields import (
    GameDocumentField,
    GameFormField,
    GameRulesField,
    Id,
    RowSerializer,
    Text,
    created_field,
)
from api.http.idempotency import idempotent
from api.http.problems import GAME_IN_USE
from api.http.resource import ListResource, Resource, status_of
from api.openapi.schema import operation
from league.access import Action, find_house_game, find_league
from league.games import house_games
from league.models import HouseGame, HouseGameVersion
from rules.presentation import form as presentation_form
from rules.presentation import rules_page


class HouseGameSerializer(RowSerializer[HouseGame]):
    created_at = created_field()

    class Meta:
        model = HouseGame
        fields: tuple[str, ...] = ("id", "slug", "name", "created_at", "retired_at")


class HouseGameVersionSerializer(RowSerializer[HouseGameVersion]):
    document_hash = serializers.CharField(source="document_id", read_only=True)
    created_by = serializers.IntegerField(source="written_by_id", allow_null=True, read_only=True)
    created_at = created_field("written_at")

    class Meta:
        model = HouseGameVersion
        fields = ("number", "document_hash", "created_by", "created_at")


class HouseGameDetailSerializer(HouseGameSerializer):
    """A game in its current version, with all its versions."""

    version = serializers.SerializerMethodField()
    document_hash = serializers.SerializerMethodField()
    text = serializers.SerializerMethodField()
    document = serializers.SerializerMethodField()
    form = serializers.SerializerMethodField()
    rules = serializers.SerializerMethodField()
    versions = serializers.SerializerMethodField()

    class Meta(HouseGameSerializer.Meta):
        fields = (
            *HouseGameSerializer.Meta.fields,
            "version",
            "document_hash",
            "text",
            "document",
            "form",
            "rules",
            "versions",
        )

    @property
    def played(self) -> HouseGameVersion:
        version: HouseGameVersion = self.context["version"]
        return version

    def get_version(self, game: HouseGame) -> int:
        return self.played.number

    def get_document_hash(self, game: HouseGame) -> str:
        return self.played.document_id

    def get_text(self, game: HouseGame) -> str:
        return self.played.text

    @extend_schema_field(GameDocumentField)
    def get_document(self, game: HouseGame) -> Any:
        return self.played.document.document

    @extend_schema_field(GameFormField)
    def get_form(self, game: HouseGame) -> Any:
        return presentation_form.form(self.played.document.document) | {"game": game.slug}

    @extend_schema_field(GameRulesField)
    def get_rules(self, game: HouseGame) -> Any:
        return rules_page.rules_page(self.played.document.document)

    @extend_schema_field(HouseGameVersionSerializer(many=True))
    def get_versions(self, game: HouseGame) -> Any:
        return HouseGameVersionSerializer(game.versions.order_by("number"), many=True).data


class HouseGameInputSerializer(GameInputSerializer):
    """A game to store: its TOML `text`, its `document`, or the slug of a game to `copy`."""

    id = Id(required=False)
    copy = Text(required=False)


class HouseGames(ListResource[HouseGame]):
    """The games that a league has written, including retired ones."""

    operation_id = "list_house_games"
    serializer_class = HouseGameSerializer
    pagination_class = paging.ByNameAndSlug
    queryset = HouseGame.objects.none()

    def get_queryset(self) -> QuerySet[HouseGame]:
        league = find_league(self.visitor, Action.VIEW, self.kwargs["league_id"])
        return league.house_games.all()

    @operation(
        "create_house_game",
        "Add a game, once for each id",
        HouseGameDetailSerializer,
        body=HouseGameInputSerializer,
        status=(201, 200),
    )
    @idempotent
    def post(self, request: Request, league_id: UUID) -> Response:
        league = find_league(self.visitor, Action.KEEP_SCORE, league_id)
        body = self.validated_body(HouseGameInputSerializer)
        source = house_games.text_of(league, body["copy"]) if "copy" in body else source_of(body)
        game_id = body.get("id") or uuid4()
        with prefix_errors(*_place(body)):
            game = house_games.write(
                league, source, by=self.user, game_id=game_id, is_copy="copy" in body
            )
        answer = _game_response(self, game, status=status_of(game))
        answer.headers["Location"] = reverse("api:house-game", args=[league.pk, game.slug])
        return answer


class HouseGameDetail(Resource):
    @operation(
        "get_house_game",
        "A house game with its current rules and all versions",
        HouseGameDetailSerializer,
    )
    def get(self, request: Request, league_id: UUID, slug: str) -> Response:
        return _game_response(self, find_house_game(self.visitor, Action.VIEW, league_id, slug))

    @operation(
        "update_house_game",
        "Add the next version of a house game",
        HouseGameDetailSerializer,
        body=GameInputSerializer,
    )
    def put(self, request: Request, league_id: UUID, slug: str) -> Response:
        game = find_house_game(self.visitor, Action.KEEP_SCORE, league_id, slug)
        body = self.validated_body(GameInputSerializer)
        with prefix_errors(*_place(body)):
            house_games.revise(game, source_of(body), by=self.user)
        game.refresh_from_db()
        return _game_response(self, game)

    @operation(
        "delete_house_game",
        "Delete a house game; 409 if hands were dealt under it",
        None,
        status=204,
    )
    def delete(self, request: Request, league_id: UUID, slug: str) -> Response:
        game = find_house_game(self.visitor, Action.KEEP_SCORE, league_id, slug)
        try:
            house_games.delete(game)
        except house_games.GameInUseError:
            return problem_response(GAME_IN_USE)
        return Response(status=204)


class HouseGameRetire(Resource):
    @operation(
        "retire_house_game",
        "Retire a house game; a new version restores it",
        HouseGameDetailSerializer,
    )
    @idempotent
    def post(self, request: Request, league_id: UUID, slug: str) -> Response:
        game = find_house_game(self.visitor, Action.KEEP_SCORE, league_id, slug)
        house_games.retire(game)
        game.refresh_from_db()
        return _game_response(self, game)


def _game_response(view: Resource, game: HouseGame, *, status: int = 200) -> Response:
    version = house_games.current(game)
    return Response(view.serialize(HouseGameDetailSerializer, game, version=version), status=status)


def _place(body: dict[str, Any]) -> tuple[str, ...]:
    """Return the path of the game in the body, or () for a TOML `text`, whose errors have lines."""
    return ("document",) if "document" in body else ()
