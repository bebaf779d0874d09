"""The pages' colours, as defined in `tokens.css`."""

import re
from pathlib import Path

TOKENS = Path(__file__).parents[2] / "league" / "static" / "league" / "tokens.css"


def tokens(theme: str) -> dict[str, str]:
    """Return the colours in the `light` or `dark` theme as `#rrggbb`, by name."""
    light, dark = TOKENS.read_text().split(":root.dark {")
    colours = _colours(light.split("@media")[0])
    return colours | _colours(dark) if theme == "dark" else colours


def _colours(css: str) -> dict[str, str]:
    return dict(re.findall(r"(--[\w-]+): (#[0-9a-f]{6});", css))
