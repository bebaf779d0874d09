"""The charts shown on the pages, as Vega-Lite documents with the URL of their rows.

A document depends on the size of the chart, because small charts combine rows.
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

from api.feeds.stats.scope import SEASON, Owner, ScopedResource, ScopeForm
from api.feeds.versions import Version
from api.http.authentication import LINK_KEY
from api.http.errors import BadQueryError
from api.http.fields import AnyObject, OutputSerializer
from api.http.paging import page_of, page_serializer, short_page
from api.http.resource import Resource, ShortList
from league.charts.catalog import KINDS, ChartKind, ChartScope, ChartSubject
from league.charts.vega.theme import NARROW, THEMES, WIDE, Document, by_address, rows_of, with_theme
from league.common.errors import problem
from league.models import League, Player

SIZES = {"wide": WIDE, "narrow": NARROW}
PLAIN = "plain"
ROWS = "rows"
SUBJECTS = tuple(each.value for each in ChartSubject)


class RowsForm(ScopeForm):
    """The scope and size of a chart. Rows that do not fit are combined."""

    size = forms.ChoiceField(required=False, choices=[(each, each) for each in SIZES])


class DocumentForm(RowsForm):
    """`look` is the color theme. If `inline` is true, the document contains its rows."""

    look = forms.ChoiceField(required=False, choices=[(each, each) for each in (*THEMES, PLAIN)])
    inline = forms.ChoiceField(required=False, choices=[(each, each) for each in ("false", "true")])


OF_ALL = frozenset({ChartSubject.LEAGUE, ChartSubject.GAME})
OF = {"league": OF_ALL, "season": OF_ALL, "player": frozenset({ChartSubject.PLAYER})}


def charts_of(owner: Owner) -> list[ChartKind]:
    return [each for each in KINDS if each.of in OF[owner.name]]


class ChartSerializer(OutputSerializer):
    """An available chart. A chart about a game requires the parameter `game`."""

    name = serializers.CharField()
    title = serializers.CharField()
    of = serializers.ChoiceField(SUBJECTS)
    address = serializers.URLField()


ChartRowPage = page_serializer(
    "ChartRowPageSerializer",
    serializers.ListField(child=AnyObject(), help_text="a row for each mark of the chart"),
)


class Charts(ShortList):
    """The available charts."""

    allows_feed_link = True
    owner: ClassVar[Owner]

    def get(self, request: Request, **which: UUID) -> Response:
        [owner_id] = which.values()
        self.owner.finder.find(self.visitor, owner_id)
        rows = [
            {
                "name": chart.name,
                "title": str(chart.title),
                "of": chart.of.value,
                "address": request.build_absolute_uri(f"{request.path}/{chart.name}"),
            }
            for chart in charts_of(self.owner)
        ]
        return self.page(ChartSerializer, rows)


class ChartResource(ScopedResource):
    """One chart."""

    selects_fields = False
    form: ClassVar[type[RowsForm]]

    def find(self, **which: Any) -> tuple[League, Version]:
        name = which.pop("name")
        league_version = super().find(**which)
        kind = next((each for each in charts_of(self.owner) if each.name == name), None)
        if kind is None:
            raise Http404
        self.kind = kind
        return league_version

    def read_query(self, league: League) -> None:
        super().read_query(league)
        if self.kind.of == ChartSubject.GAME and not self.query_values["game"]:
            raise BadQueryError([problem("game", "missing", "this chart requires a game")])

    def document(self, league: League) -> Document:
        """Return the chart with its rows. Raises BadQueryError."""
        player = self.found.pk if isinstance(self.found, Player) else None
        chart = ChartScope(scope=self.scope(league), player=player, game=self.query_values["game"])
        return self.kind.document(self.kind.rows(chart), SIZES[self.query_values["size"] or "wide"])


class ChartRows(ShortList, ChartResource):
    """The rows of a chart."""

    form = RowsForm

    def answer(self, league: League) -> Response:
        rows, links = short_page(rows_of(self.document(league)), self.request)
        return Response({**links, "results": rows})


class ChartDocument(ChartResource):
    """The chart as a Vega-Lite document."""

    form = DocumentForm

    def answer(self, league: League) -> Response:
        document = self.document(league)
        if self.query_values["inline"] != "true":
            document = by_address(document, self._address)
        look = self.query_values["look"] or next(iter(THEMES))
        return Response(document if look == PLAIN else with_theme(document, look))

    @cached_property
    def _address(self) -> str:
        """Return the URL of the rows, including the key and parameters of this request."""
        parameter_names = {*RowsForm.base_fields, LINK_KEY}
        parameters = {
            name: each
            for name, each in self.request.query_params.items()
            if name in parameter_names
        }
        query = f"?{urlencode(parameters)}" if parameters else ""
        return self.request.build_absolute_uri(f"{self.request.path}/{ROWS}{query}")


NOTES = {
    "season": SEASON,
    "game": OpenApiParameter("game", str, description="The game's slug, for charts of a game."),
    "size": OpenApiParameter("size", str, enum=list(SIZES)),
    "look": OpenApiParameter("look", str, enum=[*THEMES, PLAIN]),
    "inline": OpenApiParameter("inline", bool, description="Include the rows, not only their URL."),
}


def views_of(owner: Owner) -> Iterator[tuple[str, type[Resource]]]:
    """Yield the views for an owner's charts, each with its URL suffix."""
    title = owner.name.title()
    about = f"of a {owner.name}"
    described = extend_schema(
        operation_id=f"list_{owner.name}_charts",
        summary=f"The charts {about}",
        responses=page_of(ChartSerializer),
    )
    yield "", extend_schema_view(get=described)(type(f"{title}Charts", (Charts,), {"owner": owner}))
    for ending, base, summary, answer in (
        ("", ChartDocument, f"A chart {about}, for Vega-Lite", OpenApiTypes.OBJECT),
        (f"/{ROWS}", ChartRows, f"The rows of a chart {about}", ChartRowPage),
    ):
        view = type(f"{title}{base.__name__}", (base,), {"owner": owner})
        names = owner.parameters | (set(base.form.base_fields) - set(ScopeForm.base_fields))
        parameters = [each for name, each in NOTES.items() if name in names]
        described = extend_schema(
            operation_id=f"get_{owner.name}_chart{ending.replace('/', '_')}",
            summary=summary,
            responses=answer,
            parameters=parameters,
        )
        yield f"/<slug:name>{ending}", extend_schema_view(get=described)(view)
