"""Screenshots as PNG files with a palette, small enough to commit.

https://www.w3.org/TR/png-3/#11PLTE
"""

import struct
import zlib
from base64 import b64decode, b64encode

import numpy as np
from playwright.sync_api import Page

COLOURS = 256
# The browser itself decodes the screenshot.
READ = """async (address) => {
    const picture = await createImageBitmap(await (await fetch(address)).blob());
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    const context = canvas.getContext("2d");
    context.drawImage(picture, 0, 0);
    const {data, width, height} = context.getImageData(0, 0, picture.width, picture.height);
    let text = "";
    for (let at = 0; at < data.length; at += 32768)
        text += String.fromCharCode(...data.subarray(at, at + 32768));
    return {width, height, bytes: btoa(text)};
}"""


def with_palette(page: Page, png: bytes) -> bytes:
    """Return the picture reduced to its most frequent colours. Others become the nearest one."""
    image = page.evaluate(READ, f"data:image/png;base64,{b64encode(png).decode()}")
    width, height = image["width"], image["height"]
    pixels = np.frombuffer(b64decode(image["bytes"]), np.uint8).reshape(-1, 4)[:, :3]
    colours, places, times = np.unique(pixels, axis=0, return_inverse=True, return_counts=True)
    palette = colours[np.argsort(-times, kind="stable")[:COLOURS]]
    apart = colours.astype(int)[:, None] - palette.astype(int)[None]
    nearest = np.square(apart).sum(axis=2).argmin(axis=1).astype(np.uint8)
    lines = nearest[places.reshape(-1)].reshape(height, width)
    data = np.pad(lines, ((0, 0), (1, 0))).tobytes()  # each line begins with its filter type
    chunks = {
        b"IHDR": struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0),
        b"PLTE": palette.tobytes(),
        b"IDAT": zlib.compress(data, 9),
        b"IEND": b"",
    }
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in chunks.items()
    )
