"""The visitor of a page, and the visitor's phone."""

from collections.abc import Iterable
from hashlib import sha256
from uuid import UUID

from django.db.models import Case, Exists, F, OuterRef, Subquery, Value, When
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce, NullIf
from django.http import HttpRequest
from django.utils.translation import gettext as _

from league.models import LONGEST_ORIGIN, League, Membership, Player, Role, User

# User agents are hundreds of characters long. These words are the ones that people recognize.
SYSTEMS = ("iPhone", "iPad", "Android", "Windows", "Macintosh", "Linux")
BROWSERS = {
    "Edg": "Edge",
    "OPR": "Opera",
    "Firefox": "Firefox",
    "FxiOS": "Firefox",
    "CriOS": "Chrome",
    "Chrome": "Chrome",
    "Safari": "Safari",
}


def signed_in(request: HttpRequest) -> User:
    """Return the signed-in user. Raises TypeError if no user is signed in."""
    if not isinstance(request.user, User):
        raise TypeError("you are not signed in")
    return request.user


def called(user: User) -> str:
    """Return the user's display name. See ACCOUNT_USER_DISPLAY."""
    return user.first_name or user.username


def table_name(league: UUID | Combinable, user: str) -> Coalesce:
    """Return an expression for how a league's page names a user.

    This is the user's player, or else the display name, or else the role. A username is private.
    """
    player = Player.objects.filter(league=league, user=OuterRef(user)).values("name")[:1]
    first_name = NullIf(F(f"{user}__first_name"), Value(""))
    hosts = Membership.objects.filter(league=league, user=OuterRef(user), role=Role.HOST)
    role = Case(
        When(Exists(hosts), then=Value(_("the host"))),
        When(**{f"{user}__isnull": False}, then=Value(_("another member"))),
    )
    return Coalesce(Subquery(player), first_name, role)


def player_names(league: League, users: Iterable[User]) -> dict[object, str]:
    """Return the names of the users' players in the league, for users who have one."""
    players = league.players.filter(user__in=users).select_related("user")
    return {player.user: player.name for player in players}


def origin_of(request: HttpRequest) -> str:
    """Return an identifier for the phone. Each session has its own identifier."""
    key = request.session.session_key or ""
    return sha256(f"origin {key}".encode()).hexdigest()[:LONGEST_ORIGIN]


def kind_of(request: HttpRequest) -> str:
    """Return the kind of phone that sent the request, such as "Chrome, Android"."""
    return kind_named(request.headers.get("User-Agent", ""))


def kind_named(user_agent: str) -> str:
    """Return the kind of phone for a user agent, in words that people recognize."""
    browser = next((name for word, name in BROWSERS.items() if f"{word}/" in user_agent), "")
    system = next((name for name in SYSTEMS if name in user_agent), "")
    return ", ".join(name for name in (browser, system.replace("Macintosh", "Mac")) if name)
