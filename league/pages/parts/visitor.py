"""Who is looking at a page, and from what phone."""

from hashlib import sha256
from uuid import UUID

from django.db.models import F, OuterRef, Subquery, Value
from django.db.models.functions import Coalesce, NullIf
from django.http import HttpRequest

from league.models import LONGEST_ORIGIN, Player, User

# What a phone says that it is runs to hundreds of letters; these words are those that people know.
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
    """Return who is signed in, behind `login_required`."""
    if not isinstance(request.user, User):
        raise TypeError("nobody is signed in")
    return request.user


def called(user: User) -> str:
    """Return how a person is called; see ACCOUNT_USER_DISPLAY."""
    return user.first_name or user.username


def table_name(league: UUID, user: str) -> Coalesce:
    """Return the name of a row's `user` as an expression: of their player in the league, if any."""
    player = Player.objects.filter(league=league, user=OuterRef(user)).values("name")[:1]
    first_name = NullIf(F(f"{user}__first_name"), Value(""))
    return Coalesce(Subquery(player), first_name, F(f"{user}__username"))


def origin_of(request: HttpRequest) -> str:
    """Return the name of the phone that asks: one for each session."""
    key = request.session.session_key or ""
    return sha256(f"origin {key}".encode()).hexdigest()[:LONGEST_ORIGIN]


def kind_of(request: HttpRequest) -> str:
    """Return what kind of phone asks, as "Chrome, Android"."""
    return kind_named(request.headers.get("User-Agent", ""))


def kind_named(user_agent: str) -> str:
    """Return what kind of phone calls itself so, in words that people know."""
    browser = next((name for word, name in BROWSERS.items() if f"{word}/" in user_agent), "")
    system = next((name for name in SYSTEMS if name in user_agent), "")
    return ", ".join(name for name in (browser, system.replace("Macintosh", "Mac")) if name)
