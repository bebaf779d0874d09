"""What part of a league's stats a page shows, as its address says: which season, which game."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count, Exists, OuterRef, Q
from django.http import Http404, HttpRequest
from django.utils.translation import gettext as _

from league.models import Hand, League, Night, Plan, Season
from league.stats.league_state import LeagueState
from league.stats.scopes import Scope, of_all_time, of_season

EVER = "all"


@dataclass(frozen=True, slots=True)
class Counted:
    """How far a league is counted: `waiting` hands are not yet, `begun` whether any is."""

    waiting: int
    begun: bool
    hands: bool

    @property
    def first(self) -> bool:
        """Whether nothing can be shown yet although there is something to count."""
        return self.hands and not self.begun


@dataclass(frozen=True, slots=True)
class Choice:
    """The seasons to choose from, and the one that is chosen; None is all time."""

    seasons: Sequence[Season]
    season: Season | None
    scope: Scope

    @property
    def title(self) -> str:
        return str(self.season) if self.season else _("All time")

    @property
    def asked(self) -> str:
        """Return the season as an address has it."""
        return str(self.season.pk) if self.season else EVER


def chosen(request: HttpRequest, league: League, season: UUID | None = None) -> Choice:
    """Return what the request asks for, all time unless it says so. Raises Http404."""
    closed = Count("nights", filter=Q(nights__state=Night.State.CLOSED))
    own_plans = Exists(Plan.objects.filter(season=OuterRef("pk"), closing=None))
    rows = league.seasons.annotate(closed_nights=closed, has_plans=own_plans)
    seasons = list(rows.order_by("-starts_on", "name"))
    asked = str(season) if season else request.GET.get("season", EVER)
    if asked in ("", EVER):
        return Choice(seasons, None, of_all_time(league))
    found = next((each for each in seasons if str(each.pk) == asked), None)
    if found is None:
        raise Http404
    return Choice(seasons, found, of_season(found))


def counted(state: LeagueState) -> Counted:
    """Tell how far the league is counted."""
    begun = state.version > 0
    hands = begun or Hand.objects.filter(night__season__league=state.league).exists()
    return Counted(state.waiting, begun, hands)
