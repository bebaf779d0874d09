"""Pictures for review."""

import os
from pathlib import Path

from tests.helpers.browser.phone import Phone


def look(phone: Phone, name: str) -> None:
    """Take a picture for review, if the environment asks for pictures."""
    if folder := os.environ.get("LOOK"):
        for scheme in ("dark", "light"):
            phone.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            for width, height in ((360, 740), (1280, 900)):
                phone.page.set_viewport_size({"width": width, "height": height})
                path = Path(folder) / f"{name}-{width}-{scheme}.png"
                phone.page.screenshot(path=path, full_page=True)
        phone.page.set_viewport_size({"width": 360, "height": 640})
