"""A league's join code and link, and the URL at which phones can reach this service."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils.safestring import SafeString

from league.access import may_invite
from league.models import League, User
from league.pages.parts.images import qr_code
from league.people.joining import proof_of

PROOF = "k"
HERE = ("localhost", "127.0.0.1", "[::1]", "::1")


@dataclass(frozen=True, slots=True)
class JoinCode:
    """The ways to join a league: the code, the URL and the picture of the URL.

    The picture and the link contain a proof, so phones that scan or tap them are not blocked while
    others guess codes. `only_here` is true if phones can't reach the URL.
    """

    code: str
    link: str
    proved: str
    picture: SafeString
    only_here: bool


def join_code(
    request: HttpRequest, league: League, *, shown_by: User | None = None
) -> JoinCode | None:
    """Return the league's join code, with the URL at which phones reach this service.

    Returns None if the visitor may not invite, or the member who shares the screen may not.
    """
    if not may_invite(shown_by or request.user, league):
        return None
    link = base_address(request) + reverse("pick-name", args=[league.code])
    proved = f"{link}?{PROOF}={proof_of(league)}"
    only_here = (urlsplit(link).hostname or "") in HERE
    return JoinCode(league.code, link, proved, qr_code(proved), only_here)


def base_address(request: HttpRequest) -> str:
    """Return the service's base URL: as configured, as requested, or in the home network."""
    address = f"{request.scheme}://{request.get_host()}"
    at_home = str(getattr(settings, "SERVED_AT", ""))
    if settings.SITE_URL or (urlsplit(address).hostname or "") not in HERE:
        return settings.SITE_URL or address
    return at_home or address
