"""Pictures to look at."""

import os
from pathlib import Path

from tests.helpers.browser.phone import Thumb


def look(thumb: Thumb, name: str) -> None:
    """Take a picture to look at, where somebody asks for it."""
    if folder := os.environ.get("LOOK"):
        for scheme in ("dark", "light"):
            thumb.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            for width, height in ((360, 740), (1280, 900)):
                thumb.page.set_viewport_size({"width": width, "height": height})
                path = Path(folder) / f"{name}-{width}-{scheme}.png"
                thumb.page.screenshot(path=path, full_page=True)
        thumb.page.set_viewport_size({"width": 360, "height": 640})
