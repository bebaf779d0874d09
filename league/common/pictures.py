"""Pictures in the fonts of the pages.

A picture is a document of its own and can't use the fonts of the page that shows it. Figtree and
Bricolage are in `fonts/` as static TrueType fonts, since the renderer reads neither WOFF2 nor
weights of variable fonts. Letters that they lack are drawn in a font of the machine.
"""

from base64 import b64encode
from functools import cache
from pathlib import Path

import vl_convert

FONTS = Path(__file__).parent / "fonts"
vl_convert.register_font_directory(str(FONTS))


def png_of(svg: str) -> bytes:
    """Render an SVG as PNG."""
    return vl_convert.svg_to_png(svg)


def with_font(svg: str) -> str:
    """Return an SVG with the font embedded that its text is shown in."""
    head, end, rest = svg.partition(">")
    return head + end + _style() + rest


@cache
def _style() -> str:
    font = b64encode((FONTS / "Figtree-chart.woff2").read_bytes()).decode()
    return (
        "<style>@font-face{font-family:Figtree;font-weight:400 700;"
        f"src:url(data:font/woff2;base64,{font})}}"
        "text{font-family:Figtree,Liberation Sans,Arial,sans-serif}</style>"
    )
