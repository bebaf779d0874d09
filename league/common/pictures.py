"""Pictures in the pages' fonts.

A picture is a separate document and can't use the fonts of the page that shows it. Figtree and
Bricolage are in `fonts/` as static TrueType fonts, because the renderer can't read WOFF2 or the
weights of variable fonts. Characters missing in both are drawn in a system font.
"""

import zlib
from base64 import b64encode
from functools import cache
from pathlib import Path

import vl_convert

FONTS = Path(__file__).parent / "fonts"
vl_convert.register_font_directory(str(FONTS))


def png_of(svg: str) -> bytes:
    """Render an SVG as PNG.

    The library compresses for speed. Compressing the picture again reduces it to a third of its
    size without changing any pixel. https://www.w3.org/TR/png-3/#5Chunk-layout
    """
    png = vl_convert.svg_to_png(svg)
    chunks: list[tuple[bytes, bytes]] = []
    at = 8
    while at < len(png):
        size = int.from_bytes(png[at : at + 4])
        chunks.append((png[at + 4 : at + 8], png[at + 8 : at + 8 + size]))
        at += 12 + size
    pixels = zlib.decompress(b"".join(body for kind, body in chunks if kind == b"IDAT"))
    head, *_, end = ((kind, body) for kind, body in chunks if kind != b"IDAT")
    return png[:8] + b"".join(
        len(body).to_bytes(4) + kind + body + zlib.crc32(kind + body).to_bytes(4)
        for kind, body in (head, (b"IDAT", zlib.compress(pixels)), end)
    )


def with_font(svg: str) -> str:
    """Return the SVG with the font of its text embedded."""
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
