"""The browser that is driven, and the phone that it is."""

import os

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
# Without these flags chromium asks for hosts of its maker at every start.
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PHONE = {
    "viewport": {"width": 360, "height": 640},
    "device_scale_factor": 2,
    "has_touch": True,
    "is_mobile": True,
    "locale": "en-US",
    "reduced_motion": "reduce",
}
