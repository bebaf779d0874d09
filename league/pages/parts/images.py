"""QR codes, and pictures that are drawn on request and cached for a day."""

from functools import lru_cache
from hashlib import sha256

import segno
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response
from django.utils.safestring import SafeString, mark_safe

from league.common.pictures import png_of


# a code takes 3 kB, and drawing it takes a tenth of the time needed to render a night page
@lru_cache(maxsize=512)
def qr_code(link: str) -> SafeString:
    """Return a QR code for one of our own URLs."""
    return qr_svg(segno.make(link, error="m", micro=False))


def qr_svg(code: segno.QRCode) -> SafeString:
    """Return a QR code as SVG without inline styles, which the content security policy forbids."""
    svg = code.svg_inline(border=4, dark="#000", light="#fff", omitsize=True, svgclass="qr")
    return mark_safe(svg)  # noqa: S308 (SVG that segno generates)


KEPT_SECONDS = 24 * 3600


def picture_answer(request: HttpRequest, svg: str) -> HttpResponse:
    """Return a drawing as PNG, or 304 if the client already has it."""
    digest = sha256(svg.encode()).hexdigest()[:32]
    etag = f'"{digest}"'
    answer = get_conditional_response(request, etag=etag)
    if answer is None:
        key = f"recap-picture:{digest}"
        png: bytes | None = cache.get(key)
        if png is None:
            png = png_of(svg)
            cache.set(key, png, KEPT_SECONDS)
        answer = HttpResponse(png, content_type="image/png")
    answer["Cache-Control"] = "private, no-cache"
    answer["ETag"] = etag
    return answer
