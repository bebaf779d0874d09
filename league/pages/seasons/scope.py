"""What part of a league's stats a page shows, as its address says: which season, which game."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count, Exists, OuterRef, Q, UUIDField
from django.http import Http404, HttpRequest
from django.utils.translation import gettext as _

from league.common.statements import Given, Statement
from league.models import Hand, League, Night, PaymentPlan, Season
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
    def parameter(self) -> str:
        """Return the value of the parameter `season` in addresses."""
        return str(self.season.pk) if self.season else EVER


def chosen(request: HttpRequest, league: League, season: UUID | None = None) -> Choice:
    """Return what the request asks for, all time unless it says so. Raises Http404."""
    seasons = list(_seasons(league))
    asked = str(season) if season else request.GET.get("season", EVER)
    if asked in ("", EVER):
        return Choice(seasons, None, of_all_time(league))
    found = next((each for each in seasons if str(each.pk) == asked), None)
    if found is None:
        raise Http404
    return Choice(seasons, found, of_season(found))


_FIELDS = tuple(
    field.attname
    for field in Season._meta.concrete_fields  # noqa: SLF001 (made to be read)
)
_BESIDE = {
    "closed_nights": Count("nights", filter=Q(nights__state=Night.State.CLOSED)),
    "has_plans": Exists(PaymentPlan.objects.filter(season=OuterRef("pk"), closing=None)),
}
_SEASONS = Statement(
    Season.objects.filter(league=Given("league", UUIDField()))
    .annotate(**_BESIDE)
    .order_by("-starts_on", "name"),
    *_FIELDS,
    *_BESIDE,
)


def _seasons(league: League) -> Iterator[Season]:
    """Yield the seasons, the latest first, each with what is said beside it."""
    for row in _SEASONS.rows(league=league.pk):
        season = Season.from_db(_SEASONS.query.db, _FIELDS, row[: len(_FIELDS)])
        season.league = league
        vars(season).update(zip(_BESIDE, row[len(_FIELDS) :], strict=True))
        yield season


def counted(state: LeagueState) -> Counted:
    """Tell how far the league is counted."""
    begun = state.version > 0
    hands = begun or Hand.objects.filter(night__season__league=state.league).exists()
    return Counted(state.waiting, begun, hands)
