"""Charts as Vega-Lite documents, with the address of their rows: those that the pages show.

A document has the size and the folding of what is shown, so its rows are those of that size.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar
from urllib.parse import urlencode
from uuid import UUID

from django import forms
from django.http import Http404
from django.utils.translation import get_language
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.authentication import LINK_KEY
from api.errors import BadQuery
from api.feeds.versions import Columns, Version, counted, version_of
from api.feeds.views import Fed
from api.fields import AnyObject, Told
from api.resource import Resource
from league.access import Action, find_league, find_player, find_season
from league.charting import KINDS, Asked, Kind, Of
from league.charts.looks import LOOKS, dressed
from league.charts.shapes import NARROW, WIDE, Document, by_address, rows_of
from league.models import LONGEST_GAME_NAME, League, Player, Season
from league.refusals import fault
from league.stats.scopes import Scope

SIZES = {"wide": WIDE, "narrow": NARROW}
PLAIN = "plain"
ROWS = "rows"


class OfRows(forms.Form):
    """Of which rows a chart is, and in which size: what has no room is summed up."""

    season = forms.UUIDField(required=False)
    game = forms.CharField(required=False, max_length=LONGEST_GAME_NAME)
    size = forms.ChoiceField(required=False, choices=[(each, each) for each in SIZES])


class OfDocument(OfRows):
    """`look`: its colours; `inline`: with its rows instead of their address."""

    look = forms.ChoiceField(required=False, choices=[(each, each) for each in (*LOOKS, PLAIN)])
    inline = forms.ChoiceField(required=False, choices=[(each, each) for each in ("false", "true")])


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """Whose charts: how it is found, where its league is, and which parameters say more."""

    name: str
    find: Callable[..., Any]
    at: str
    kinds: frozenset[Of]
    parameters: frozenset[str]

    def kind(self, name: str) -> Kind:
        """Return the chart of this name. Http404 where there is none."""
        for each in self.charts():
            if each.name == name:
                return each
        raise Http404

    def charts(self) -> list[Kind]:
        return [each for each in KINDS if each.of in self.kinds]


OF_ALL = frozenset({Of.LEAGUE, Of.GAME})
OWNERS = (
    Owner(
        name="league",
        find=find_league,
        at="pk",
        kinds=OF_ALL,
        parameters=frozenset({"season", "game"}),
    ),
    Owner(
        name="season",
        find=find_season,
        at="league",
        kinds=OF_ALL,
        parameters=frozenset({"game"}),
    ),
    Owner(
        name="player",
        find=find_player,
        at="league",
        kinds=frozenset({Of.PLAYER}),
        parameters=frozenset({"season"}),
    ),
)


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
            for each in self.owner.charts()
        ]
        return Response({"results": self.told(ChartTold, rows, many=True)})


class Charted(Fed):
    """One chart; what it shows is counted, so the version of that is its version."""

    picks = False
    owner: ClassVar[Owner]
    form: ClassVar[type[OfRows]]

    def version(self, at: str) -> Columns:
        return counted(at)

    def find(self, **which: Any) -> tuple[League, Version]:
        columns = self.version(self.owner.at)
        name, [key] = which.pop("name"), which.values()
        self.found = self.owner.find(self.visitor, Action.LOOK, key, columns)
        self.kind = self.owner.kind(name)
        seen = version_of(self.found, columns)
        league = self.found if isinstance(self.found, League) else self.found.league
        return league, Version(f"{seen.text} {get_language()}")

    def known_parameters(self) -> set[str]:
        own = set(self.form.base_fields) - {"season", "game"}
        return super().known_parameters() | own | self.owner.parameters

    def understand(self, league: League) -> None:
        told = self.form(self.request.query_params)
        faults = [
            fault(name, "wrong-type", str(text))
            for name, texts in told.errors.items()
            for text in texts
        ]
        if not faults and self.kind.of == Of.GAME and not told.cleaned_data["game"]:
            faults = [fault("game", "missing", "this chart is of a game")]
        if faults:
            raise BadQuery(faults)
        self.said: dict[str, Any] = told.cleaned_data

    def document(self, league: League) -> Document:
        """Return the chart with its rows. Raises BadQuery."""
        player = self.found.pk if isinstance(self.found, Player) else None
        asked = Asked(scope=self._scope(league), player=player, game=self.said["game"])
        return self.kind.drawn(self.kind.rows(asked), SIZES[self.said["size"] or "wide"])

    def _scope(self, league: League) -> Scope:
        if isinstance(self.found, Season):
            return Scope(league=league.pk, season=self.found.pk)
        season = self.said["season"]
        if season and not Season.objects.filter(league=league, pk=season).exists():
            raise BadQuery([fault("season", "unknown-season", "the league has no such season")])
        return Scope(league=league.pk, season=season)


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
    "season": OpenApiParameter("season", OpenApiTypes.UUID, description="All time unless told."),
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
        names = owner.parameters | (set(base.form.base_fields) - {"season", "game"})
        parameters = [each for name, each in NOTES.items() if name in names]
        told = extend_schema(summary=summary, responses=answer, parameters=parameters)
        yield f"/<slug:name>{ending}", extend_schema_view(get=told)(view)
