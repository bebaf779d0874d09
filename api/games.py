"""The games of the catalog, what a document may say, and the check of one that anyone writes."""

from typing import Any

from django.http import Http404
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.fields import AnyJson, AnyObject, Asked, Text, Told
from api.resource import Open
from api.schema import OBJECT, operation
from league import house_games
from league.refusals import Refused, fault
from rules import catalog, forms, pages
from rules.schema import json_schema


class GameTold(Told):
    slug = serializers.CharField()
    name = serializers.CharField()
    by = serializers.CharField(allow_null=True)
    source = serializers.CharField(allow_null=True)  # type: ignore[assignment]
    players = serializers.ListField(child=serializers.IntegerField(), allow_null=True)


class GamesTold(Told):
    results = GameTold(many=True)


class GameWhole(GameTold):
    """A game: its document, what a form for recording it asks, and its rules in sentences."""

    document = AnyObject()
    form = AnyObject()
    rules = AnyObject()


class GameAsked(Asked):
    """A game, as its TOML `text` or as its `document`: exactly one of them."""

    text = Text(required=False, allow_blank=True)
    document = AnyJson(required=False)

    def validate(self, attrs: Any) -> Any:
        wanted = [each for each in ("text", "document", "copy") if each in self.fields]
        if sum(each in attrs for each in wanted) != 1:
            raise Refused([fault("", "missing", f"exactly one of {', '.join(wanted)} is needed")])
        return attrs


class CheckTold(Told):
    """What is wrong with it; without any, how it would be recorded and told."""

    faults = serializers.ListField(child=AnyObject())
    document = AnyObject(required=False)
    text = serializers.CharField(required=False)
    form = AnyObject(required=False)
    rules = AnyObject(required=False)


class Games(Open):
    @operation("The games of the catalog", GamesTold)
    def get(self, request: Request) -> Response:
        lines = [_line(slug) for slug in catalog.slugs()]
        return Response({"results": self.told(GameTold, lines, many=True)})


class GameDetail(Open):
    @operation("A game of the catalog", GameWhole)
    def get(self, request: Request, slug: str) -> Response:
        whole = {
            "document": listed_document(slug),
            "form": forms.form(slug),
            "rules": pages.rules_page(slug),
        }
        return Response(self.told(GameWhole, _line(slug) | whole))


class GameSchema(Open):
    """For editors and other programs."""

    @operation("The JSON schema of a game's document", OBJECT)
    def get(self, request: Request) -> Response:
        return Response(json_schema())


class GameCheck(Open):
    throttle_scope = "settle"

    @operation(
        "What is wrong with a game that anyone writes; nothing is stored", CheckTold, asks=GameAsked
    )
    def post(self, request: Request) -> Response:
        reading = house_games.read(written(self.asked(GameAsked)))
        faults = [house_games.fault_of(each) for each in reading.faults]
        if faults:
            return Response({"faults": faults})
        document = reading.document
        told = {"form": forms.form(document), "rules": pages.rules_page(document)}
        return Response({"faults": [], "document": document, "text": reading.text, **told})


def written(asked: dict[str, Any]) -> object:
    return asked.get("text", asked.get("document"))


def _line(slug: str) -> dict[str, Any]:
    document = catalog.document(slug)
    kept = ("name", "by", "source", "players")
    return {"slug": slug, **{key: document.get(key) for key in kept}}


def listed_document(slug: str) -> dict[str, Any]:
    """Return the document of a game of the catalog. Raises Http404."""
    if slug not in catalog.slugs():
        raise Http404
    return dict(catalog.document(slug))
