"""Template tags for icons, player avatars and a league's navigation."""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from django import template
from django.db.models import BigIntegerField, F, OuterRef, Subquery, UUIDField
from django.templatetags.static import static
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from league.closing.payments import LIVE, unpaid
from league.common.statements import Given, Statement
from league.common.text import name_order
from league.models import League, Night, Season, User
from league.people.leagues import colour_of

register = template.Library()


@register.simple_tag
def icon(name: str) -> SafeString:
    """Return a Lucide icon from `lucide.svg`."""
    return format_html(
        '<svg class="icon line-icon" aria-hidden="true"><use href="{}#{}"></use></svg>',
        static("league/lucide.svg"),
        name,
    )


@register.simple_tag
def avatar(player: UUID, name: str) -> SafeString:
    """Return a player's initials on a colour that is the same on every page.

    The style sheet draws the initials, so they are neither read aloud nor copied.
    """
    return format_html(
        '<i class="avatar p{}" data-initials="{}" aria-hidden="true"></i>',
        colour_of(player),
        initials(name),
    )


@register.simple_tag(takes_context=True)
def avatar_of(context: template.Context, name: str) -> SafeString | str:
    """Return the avatar of a player in a recorded hand, using the ids in `player_ids`.

    Return "" if the page doesn't know the player because the name has changed since.
    """
    ids: Mapping[str, UUID] = context.get("player_ids") or {}
    return avatar(ids[name], name) if name in ids else ""


def initials(name: str) -> str:
    """Return one or two capital letters."""
    words = name.split()
    letters = words[0][:1] + words[-1][:1] if len(words) > 1 else name.strip()[:1]
    return letters.upper()


@dataclass(frozen=True, slots=True)
class Place:
    """A link in a league's navigation. `count` is shown as a badge unless it is 0."""

    name: str
    label: str
    icon: str
    url: str
    count: int = 0
    live: bool = False


@dataclass(frozen=True, slots=True)
class Places:
    """A league's navigation: its sections, and the visitor's other leagues."""

    league: League
    others: list[tuple[UUID, str]]
    places: list[Place]
    current: str


# The section each page belongs to, keyed by route name. All pages of a night, such as its payments
# and its receipt, belong to "tonight" while it is open, and then to "season".
PLACE_OF = {
    "games": "game house-games house-game write-game rewrite-game",
    "season": "season season-scoring stats recap player game-stats",
    "money": "money",
    "tonight": "tonight new-night plan-night planned-night change-planned-night plan-series"
    " start-planned-night",
}
_PLACES = {route: place for place, routes in PLACE_OF.items() for route in routes.split()}
MOST_OTHERS = 50
_USER, _LEAGUE = Given("user", BigIntegerField()), Given("league", UUIDField())
_LEAGUES = Statement(
    League.objects.filter(memberships__user=_USER).order_by("name"), "pk", "name", limited=True
)
_RUNNING = Night.objects.filter(
    season__league=OuterRef("league"), state=Night.State.OPEN, imported=False
)
_SEASON = Statement(
    Season.objects.filter(league=_LEAGUE).order_by(
        "-starts_on", F("ends_on").desc(nulls_first=True), "-name"
    ),
    "pk",
    Subquery(_RUNNING.order_by("-started_at").values("pk")[:1]),
    limited=True,
)
_OWED = Statement(
    unpaid(states=LIVE).filter(payer__user=_USER, plan__season__league=_LEAGUE).order_by(), "pk"
)


@register.simple_tag(takes_context=True)
def league_places(context: template.Context) -> Places | None:
    """Return the navigation for the page's league, or None if the visitor is not a member.

    Runs three small queries.
    """
    request, league = context.get("request"), context.get("league")
    user = getattr(request, "user", None)
    if request is None or not isinstance(user, User) or not isinstance(league, League):
        return None
    mine = _LEAGUES.rows(user=user.pk, most=MOST_OTHERS)
    if league.pk not in {pk for pk, _name in mine}:
        return None
    others = sorted(
        (row for row in mine if row[0] != league.pk), key=lambda row: name_order(row[1])
    )
    [(season, open_night)] = _SEASON.rows(league=league.pk, most=1)
    owed = len(_OWED.rows(user=user.pk, league=league.pk))
    key = [league.pk]
    tonight = reverse("night", args=[open_night]) if open_night else reverse("tonight", args=key)
    places = [
        Place("tonight", _("Tonight"), "club", tonight, live=bool(open_night)),
        Place("games", _("Games"), "dices", reverse("house-games", args=key)),
        Place("season", _("Season"), "trophy", reverse("season", args=[season])),
        Place("money", _("Money"), "wallet", reverse("money", args=key), count=owed),
        Place("league", _("League"), "users", reverse("league", args=key)),
    ]
    match, night = request.resolver_match, context.get("night")
    current = _PLACES.get(match.url_name or "", "") if match else ""
    if not current and isinstance(night, Night):
        current = "tonight" if night.is_live else "season"
    return Places(league, others, places, current or "league")
