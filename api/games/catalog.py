"""The games in the catalog, the schema of documents, and the check of a document."""

from typing import Any

from django.http import Http404
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.http.errors import is_too_much, too_much_work
from api.http.fields import (
    FaultField,
    GameDocumentField,
    GameFormField,
    GameRulesField,
    InputSerializer,
    OutputSerializer,
    Text,
)
from api.http.paging import page_of
from api.http.resource import PublicResource, ShortList
from api.openapi.schema import OBJECT, operation
from league.common.errors import RefusedError, problem
from league.games import house_games
from rules.api import json_schema
from rules.documents import catalog
from rules.presentation import form as presentation_form
from rules.presentation import rules_page


class GameSerializer(OutputSerializer):
    slug = serializers.CharField()
    name = serializers.CharField()
    by = serializers.CharField(allow_null=True)
    source = serializers.CharField(allow_null=True)  # type: ignore[assignment]
    players = serializers.ListField(child=serializers.IntegerField(), allow_null=True)


class GameDetailSerializer(GameSerializer):
    """A game with its document, the form for recording it, and its rules in sentences."""

    document = GameDocumentField()
    form = GameFormField()
    rules = GameRulesField()


class GameInputSerializer(InputSerializer):
    """A game as either its TOML `text` or its `document`."""

    text = Text(required=False, allow_blank=True)
    document = GameDocumentField(required=False)

    def validate(self, attrs: Any) -> Any:
        wanted = [each for each in ("text", "document", "copy") if each in self.fields]
        if sum(each in attrs for each in wanted) != 1:
            raise RefusedError(
                [problem("", "missing", f"exactly one of {', '.join(wanted)} is needed")]
            )
        return attrs


class GameCheckSerializer(OutputSerializer):
    """The errors in a game, or the document, form and rules of a valid game."""

    errors = serializers.ListField(child=FaultField())  # type: ignore[assignment]
    document = GameDocumentField(required=False)
    text = serializers.CharField(required=False)
    form = GameFormField(required=False)
    rules = GameRulesField(required=False)


class Games(ShortList, PublicResource):
    @operation("list_games", "The games of the catalog", page_of(GameSerializer))
    def get(self, request: Request) -> Response:
        return self.page(GameSerializer, [_line(slug) for slug in catalog.slugs()])


class GameDetail(PublicResource):
    @operation("get_game", "A game of the catalog", GameDetailSerializer)
    def get(self, request: Request, slug: str) -> Response:
        whole = {
            "document": listed_document(slug),
            "form": presentation_form.form(slug),
            "rules": rules_page.rules_page(slug),
        }
        return Response(self.serialize(GameDetailSerializer, _line(slug) | whole))


class GameSchema(PublicResource):
    """The schema of game documents, for editors and other programs."""

    selects_fields = False

    @operation("get_game_schema", "The JSON schema of a game's document", OBJECT)
    def get(self, request: Request) -> Response:
        return Response(json_schema())


class GameCheck(PublicResource):
    throttle_scope = "settle"

    @operation(
        "check_game",
        "Check a game document and list its errors; nothing is stored",
        GameCheckSerializer,
        body=GameInputSerializer,
    )
    def post(self, request: Request) -> Response:
        reading = house_games.read(source_of(self.validated_body(GameInputSerializer)))
        faults = [house_games.fault_of(each) for each in reading.faults]
        if is_too_much(faults):
            return too_much_work(faults)
        if faults:
            return Response({"errors": faults})
        shown = {"form": reading.form, "rules": reading.rules}
        return Response({"errors": [], "document": reading.document, "text": reading.text, **shown})


def source_of(body: dict[str, Any]) -> object:
    return body.get("text", body.get("document"))


def _line(slug: str) -> dict[str, Any]:
    document = catalog.document(slug)
    fields = ("name", "by", "source", "players")
    return {"slug": slug, **{key: document.get(key) for key in fields}}


def listed_document(slug: str) -> dict[str, Any]:
    """Return the document of a catalog game. Raises Http404."""
    if slug not in catalog.slugs():
        raise Http404
    return dict(catalog.document(slug))
