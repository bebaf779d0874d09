"""Pictures for review and for the start page."""

import os
from base64 import b64decode, b64encode
from pathlib import Path

from playwright.sync_api import Page

from tests.helpers.browser.phone import Phone


def look(phone: Phone, name: str) -> None:
    """Take a picture for review, if an environment variable is set."""
    if folder := os.environ.get("LOOK"):
        for scheme in ("dark", "light"):
            phone.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            for width, height in ((360, 740), (1280, 900)):
                phone.page.set_viewport_size({"width": width, "height": height})
                path = Path(folder) / f"{name}-{width}-{scheme}.png"
                phone.page.screenshot(path=path, full_page=True)
        phone.page.set_viewport_size({"width": 360, "height": 640})


ENCODE = """async ([address, type, quality]) => {
    const picture = await createImageBitmap(await (await fetch(address)).blob());
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    canvas.getContext("2d").drawImage(picture, 0, 0);
    const bytes = new Uint8Array(await (await canvas.convertToBlob({type, quality})).arrayBuffer());
    return btoa(bytes.reduce((text, each) => text + String.fromCharCode(each), ""));
}"""


def compressed(blank: Page, png: bytes, kind: str) -> bytes:
    """Return the screenshot as `image/webp` or `image/jpeg`, encoded by a blank page."""
    address = f"data:image/png;base64,{b64encode(png).decode()}"
    return b64decode(blank.evaluate(ENCODE, [address, kind, 0.85]))
