"""Parts of responses that several pages share: pages of lists, QR codes and pictures."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import Any
from urllib.parse import urlsplit

import segno
import vl_convert
from django.conf import settings
from django.core.cache import cache
from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.utils.safestring import SafeString, mark_safe

from league.access import may_invite
from league.models import League, User
from league.people.joining import proof_of

ROWS = 100


def page_of(
    request: HttpRequest, rows: Sequence[Any] | QuerySet[Any], *, name: str, size: int = ROWS
) -> Page[Any]:
    """Return the page of the rows that the parameter `name` asks for; any other text is page 1."""
    return Paginator(rows, size).get_page(request.GET.get(name))


KEPT_SECONDS = 24 * 3600


def picture_answer(request: HttpRequest, svg: str) -> HttpResponse:
    """Return a drawing as PNG, or 304 if the client has the same one."""
    digest = sha256(svg.encode()).hexdigest()[:32]
    etag = f'"{digest}"'
    known = get_conditional_response(request, etag=etag)
    answer = known or HttpResponse(_png(svg, digest), content_type="image/png")
    answer["Cache-Control"] = "private, no-cache"
    answer["ETag"] = etag
    return answer


def _png(svg: str, digest: str) -> bytes:
    key = f"recap-picture:{digest}"
    png: bytes | None = cache.get(key)
    if png is None:
        png = vl_convert.svg_to_png(svg)
        cache.set(key, png, KEPT_SECONDS)
    return png


PROOF = "k"
HERE = ("localhost", "127.0.0.1", "[::1]", "::1")


@dataclass(frozen=True, slots=True)
class JoinCode:
    """How to join: the letters, the address, its picture; `only_here` where no phone gets.

    The picture and a tap bring a proof along, so that who scans the code never waits for others who
    guess codes.
    """

    code: str
    link: str
    proved: str
    picture: SafeString
    only_here: bool


def join_code(
    request: HttpRequest, league: League, *, shown_by: User | None = None
) -> JoinCode | None:
    """Return the code of the league with the address under which phones reach this service.

    Returns None if the visitor, or the member who shares the screen, may not invite.
    """
    if not may_invite(shown_by or request.user, league):
        return None
    link = base_address(request) + reverse("pick-name", args=[league.code])
    proved = f"{link}?{PROOF}={proof_of(league)}"
    only_here = (urlsplit(link).hostname or "") in HERE
    return JoinCode(league.code, link, proved, picture(proved), only_here)


@lru_cache(maxsize=512)  # 3 kB each; to draw one is a tenth of a night's page, which shows it
def picture(link: str) -> SafeString:
    """Return the QR code of an address of our own."""
    return drawn(segno.make(link, error="m", micro=False))


def drawn(code: segno.QRCode) -> SafeString:
    """Return a QR code as SVG without inline styles, which the content policy forbids."""
    svg = code.svg_inline(border=4, dark="#000", light="#fff", omitsize=True, svgclass="qr")
    return mark_safe(svg)  # noqa: S308 (squares, whatever they say)


def base_address(request: HttpRequest) -> str:
    """Return the address of the service: configured, of this request, or in the home network."""
    address = f"{request.scheme}://{request.get_host()}"
    at_home = str(getattr(settings, "SERVED_AT", ""))
    if settings.SITE_URL or (urlsplit(address).hostname or "") not in HERE:
        return settings.SITE_URL or address
    return at_home or address
