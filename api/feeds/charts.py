"""Charts as Vega-Lite documents, with the address of their rows: those that the pages show.

A document has the size and the folding of what is shown, so its rows are those of that size.
"""

from collections.abc import Iterator
from functools import cached_property
from typing import Any, ClassVar
from urllib.parse import urlencode
from uuid import UUID

from django import forms
from django.http import Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.authentication import LINK_KEY
from api.errors import BadQuery
from api.feeds.scoped import SEASON, Asking, Owner, Scoped
from api.feeds.versions import Version
from api.fields import AnyObject, Told
from api.resource import Resource
from league.access import Action
from league.charting import KINDS, Asked, Kind, Of
from league.charts.looks import LOOKS, dressed
from league.charts.shapes import NARROW, WIDE, Document, by_address, rows_of
from league.models import League, Player
from league.refusals import fault

SIZES = {"wide": WIDE, "narrow": NARROW}
PLAIN = "plain"
ROWS = "rows"


class OfRows(Asking):
    """Of which rows a chart is, and in which size: what has no room is summed up."""

    size = forms.ChoiceField(required=False, choices=[(each, each) for each in SIZES])


class OfDocument(OfRows):
    """`look`: its colours; `inline`: with its rows instead of their address."""

    look = forms.ChoiceField(required=False, choices=[(each, each) for each in (*LOOKS, PLAIN)])
    inline = forms.ChoiceField(required=False, choices=[(each, each) for each in ("false", "true")])


OF_ALL = frozenset({Of.LEAGUE, Of.GAME})
OF = {"league": OF_ALL, "season": OF_ALL, "player": frozenset({Of.PLAYER})}


def charts_of(owner: Owner) -> list[Kind]:
    return [each for each in KINDS if each.of in OF[owner.name]]


class ChartTold(Told):
    """A chart that can be asked for; `of` a `game` it wants that parameter."""

    name = serializers.CharField()
    title = serializers.CharField()
    of = serializers.ChoiceField([each.value for each in Of])
    address = serializers.URLField()


class ChartsTold(Told):
    results = ChartTold(many=True)


class ChartRowsTold(Told):
    results = AnyObject(help_text="a row for each mark of the chart")


class Charts(Resource):
    """The charts that there are."""

    feeds = True
    owner: ClassVar[Owner]

    def get(self, request: Request, **which: UUID) -> Response:
        [found] = which.values()
        self.owner.find(self.visitor, Action.LOOK, found)
        rows = [
            {
                "name": each.name,
                "title": str(each.title),
                "of": each.of.value,
                "address": request.build_absolute_uri(f"{request.path}/{each.name}"),
            }
            for each in charts_of(self.owner)
        ]
        return Response({"results": self.told(ChartTold, rows, many=True)})


class Charted(Scoped):
    """One chart."""

    picks = False
    form: ClassVar[type[OfRows]]

    def find(self, **which: Any) -> tuple[League, Version]:
        name = which.pop("name")
        found = super().find(**which)
        kind = next((each for each in charts_of(self.owner) if each.name == name), None)
        if kind is None:
            raise Http404
        self.kind = kind
        return found

    def understand(self, league: League) -> None:
        super().understand(league)
        if self.kind.of == Of.GAME and not self.said["game"]:
            raise BadQuery([fault("game", "missing", "this chart is of a game")])

    def document(self, league: League) -> Document:
        """Return the chart with its rows. Raises BadQuery."""
        player = self.found.pk if isinstance(self.found, Player) else None
        asked = Asked(scope=self.scope(league), player=player, game=self.said["game"])
        return self.kind.drawn(self.kind.rows(asked), SIZES[self.said["size"] or "wide"])


class ChartRows(Charted):
    """The rows of a chart, as it shows them."""

    form = OfRows

    def answer(self, league: League) -> Response:
        return Response({"results": rows_of(self.document(league))})


class ChartDocument(Charted):
    """The chart as a Vega-Lite document."""

    form = OfDocument

    def answer(self, league: League) -> Response:
        told = self.document(league)
        if self.said["inline"] != "true":
            told = by_address(told, self._address)
        look = self.said["look"] or next(iter(LOOKS))
        return Response(told if look == PLAIN else dressed(told, look))

    @cached_property
    def _address(self) -> str:
        """Return where the rows are, for whoever asks as this was asked."""
        kept = {*OfRows.base_fields, LINK_KEY}
        asked = {name: each for name, each in self.request.query_params.items() if name in kept}
        query = f"?{urlencode(asked)}" if asked else ""
        return self.request.build_absolute_uri(f"{self.request.path}/{ROWS}{query}")


NOTES = {
    "season": SEASON,
    "game": OpenApiParameter("game", str, description="For the charts of a game, its slug."),
    "size": OpenApiParameter("size", str, enum=list(SIZES)),
    "look": OpenApiParameter("look", str, enum=[*LOOKS, PLAIN]),
    "inline": OpenApiParameter("inline", bool, description="With its rows, not their address."),
}


def views_of(owner: Owner) -> Iterator[tuple[str, type[Resource]]]:
    """Yield the views of an owner's charts, with what ends their address."""
    title = owner.name.title()
    about = f"of a {owner.name}"
    told = extend_schema(summary=f"The charts {about}", responses=ChartsTold)
    yield "", extend_schema_view(get=told)(type(f"{title}Charts", (Charts,), {"owner": owner}))
    for ending, base, summary, answer in (
        ("", ChartDocument, f"A chart {about}, for Vega-Lite", OpenApiTypes.OBJECT),
        (f"/{ROWS}", ChartRows, f"The rows of a chart {about}", ChartRowsTold),
    ):
        view = type(f"{title}{base.__name__}", (base,), {"owner": owner})
        names = owner.parameters | (set(base.form.base_fields) - set(Asking.base_fields))
        parameters = [each for name, each in NOTES.items() if name in names]
        told = extend_schema(summary=summary, responses=answer, parameters=parameters)
        yield f"/<slug:name>{ending}", extend_schema_view(get=told)(view)
