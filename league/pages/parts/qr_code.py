"""Draw a URL as a QR code."""

from functools import lru_cache

import segno
from django.utils.safestring import SafeString, mark_safe


# a code takes 3 kB, and drawing it takes a tenth of the time needed to render a night page
@lru_cache(maxsize=512)
def picture(link: str) -> SafeString:
    """Return a QR code for one of our own URLs."""
    return drawn(segno.make(link, error="m", micro=False))


def drawn(code: segno.QRCode) -> SafeString:
    """Return a QR code as SVG without inline styles, which the content security policy forbids."""
    svg = code.svg_inline(border=4, dark="#000", light="#fff", omitsize=True, svgclass="qr")
    return mark_safe(svg)  # noqa: S308 (SVG that segno generates)
