"""The code of a league as a picture that a phone's camera reads."""

from dataclasses import dataclass
from urllib.parse import urlsplit

import segno
from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from league.models import League

HERE = ("localhost", "127.0.0.1", "[::1]", "::1")


@dataclass(frozen=True, slots=True)
class JoinCode:
    """How to join: the six letters, the address, its picture; `only_here` where no phone gets."""

    code: str
    link: str
    picture: SafeString
    only_here: bool


def join_code(request: HttpRequest, league: League) -> JoinCode:
    """Return the code of the league with the address under which phones reach this service."""
    link = _base(request) + reverse("pick-name", args=[league.code])
    return JoinCode(league.code, link, picture(link), (urlsplit(link).hostname or "") in HERE)


def picture(link: str) -> SafeString:
    """Return the QR code of an address as SVG that carries no style, as our policy wants it."""
    code = segno.make(link, error="m", micro=False)
    drawn = code.svg_inline(border=4, dark="#000", light="#fff", omitsize=True, svgclass="qr")
    return mark_safe(drawn)  # noqa: S308 (drawn by us, of an address of our own)


def _base(request: HttpRequest) -> str:
    """Return where the service is reached: as told, as asked for now, or at home."""
    asked = f"{request.scheme}://{request.get_host()}"
    at_home = str(getattr(settings, "SERVED_AT", ""))
    if settings.SITE_URL or (urlsplit(asked).hostname or "") not in HERE:
        return settings.SITE_URL or asked
    return at_home or asked
