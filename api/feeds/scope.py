"""Whose stats are asked for, of which season and game: what figures and charts have alike."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from django import forms
from django.utils.translation import get_language
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter

from api.feeds.versions import Columns, Version, counted, version_of
from api.feeds.views import FeedResource
from api.http.errors import BadQuery
from league.access import Action, find_league, find_player, find_season
from league.common.errors import problem
from league.models import LONGEST_GAME_NAME, League, Season
from league.stats.scopes import Scope

SEASON = OpenApiParameter("season", OpenApiTypes.UUID, description="All time unless told.")


class ScopeForm(forms.Form):
    """Of which season and game; all unless told."""

    season = forms.UUIDField(required=False)
    game = forms.CharField(required=False, max_length=LONGEST_GAME_NAME)


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """Whose stats: how it is found, where its league is, and which parameters say more."""

    name: str
    find: Callable[..., Any]
    at: str
    parameters: frozenset[str]


OWNERS = (
    Owner(name="league", find=find_league, at="pk", parameters=frozenset({"season", "game"})),
    Owner(name="season", find=find_season, at="league", parameters=frozenset({"game"})),
    Owner(name="player", find=find_player, at="league", parameters=frozenset({"season"})),
)


class ScopedResource(FeedResource):
    """What follows from the hands that are counted: the version of that is its version."""

    owner: ClassVar[Owner]
    form: ClassVar[type[ScopeForm]] = ScopeForm

    def version(self, at: str) -> Columns:
        return counted(at)

    def find(self, **which: Any) -> tuple[League, Version]:
        columns = self.version(self.owner.at)
        [key] = which.values()
        self.found = self.owner.find(self.visitor, Action.LOOK, key, columns)
        seen = version_of(self.found, columns)
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
            raise BadQuery(faults)
        self.asked: dict[str, Any] = form.cleaned_data

    def scope(self, league: League) -> Scope:
        """Return the part of the league's stats that is asked for. Raises BadQuery."""
        if isinstance(self.found, Season):
            return Scope(league=league.pk, season=self.found.pk)
        season = self.asked["season"]
        if season and not Season.objects.filter(league=league, pk=season).exists():
            raise BadQuery([problem("season", "unknown-season", "the league has no such season")])
        return Scope(league=league.pk, season=season)
