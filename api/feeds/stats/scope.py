"""The owner, season and game to which figures and charts are limited."""

from dataclasses import dataclass
from typing import Any, ClassVar

from django import forms
from django.db.models import QuerySet
from django.utils.translation import get_language
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter

from api.feeds.versions import Version, VersionedFinder, counted_and_closed
from api.feeds.views import FeedResource
from api.http.errors import BadQueryError
from api.http.filters import require_existing
from league.common.errors import problem
from league.models import LONGEST_GAME_NAME, League, Player, Season
from league.stats.scopes import Scope

SEASON = OpenApiParameter("season", OpenApiTypes.UUID, description="All time by default.")


class ScopeForm(forms.Form):
    """The season and game. By default, the scope is all time and all games."""

    season = forms.UUIDField(required=False)
    game = forms.CharField(required=False, max_length=LONGEST_GAME_NAME)


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """A kind of object that has statistics.

    `finder` returns the row and the versions of the statistics and closings. `parameters` are the
    query parameters that narrow the scope.
    """

    name: str
    finder: VersionedFinder[Any]
    parameters: frozenset[str]


def _in_league(rows: QuerySet[Any]) -> VersionedFinder[Any]:
    return VersionedFinder(rows.select_related("league"), "league", counted_and_closed("league"))


OWNERS = (
    Owner(
        name="league",
        finder=VersionedFinder(League.objects.all(), "pk", counted_and_closed("pk")),
        parameters=frozenset({"season", "game"}),
    ),
    Owner(name="season", finder=_in_league(Season.objects.all()), parameters=frozenset({"game"})),
    Owner(name="player", finder=_in_league(Player.objects.all()), parameters=frozenset({"season"})),
)


class ScopedResource(FeedResource):
    """A resource computed from counted hands and closed nights, whose versions are its version."""

    owner: ClassVar[Owner]
    form: ClassVar[type[ScopeForm]] = ScopeForm

    def find(self, **which: Any) -> tuple[League, Version]:
        [key] = which.values()
        self.found, seen = self.owner.finder.find(self.visitor, key)
        league = self.found if isinstance(self.found, League) else self.found.league
        return league, Version(f"{seen.text} {get_language()}")

    def known_parameters(self) -> set[str]:
        own = set(self.form.base_fields) - set(ScopeForm.base_fields)
        return super().known_parameters() | own | self.owner.parameters

    def read_query(self, league: League) -> None:
        form = self.form(self.request.query_params)
        faults = [
            problem(name, "wrong-type", str(text))
            for name, texts in form.errors.items()
            for text in texts
        ]
        if faults:
            raise BadQueryError(faults)
        self.query_values: dict[str, Any] = form.cleaned_data
        named = {
            name: self.query_values[name] for name in ("season", "game") if self.query_values[name]
        }
        require_existing(named, League.objects.filter(pk=league.pk))

    def scope(self, league: League) -> Scope:
        """Return the part of the league's statistics that was requested."""
        if isinstance(self.found, Season):
            return Scope(league=league.pk, season=self.found.pk)
        return Scope(league=league.pk, season=self.query_values["season"])
