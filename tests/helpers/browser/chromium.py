"""Chromium's flags, and the phone that it emulates."""

import os
import shutil

# The headless shell uses the same engine and takes a third less processor time.
CHROMIUM = (
    os.environ.get("CHROMIUM") or shutil.which("chromium-headless-shell") or "/usr/bin/chromium"
)
# Only the last list of features takes effect, so the relevant features from Playwright's list are
# repeated here.
OFF = (
    # Two hidden pages, for the address bar and for a spare process, are created for every window.
    # They cost more than the page being tested.
    "WebUIOmniboxPopup,WebUIOmniboxAimPopup,SpareRendererForSitePerProcess,"
    # Features that send requests to the browser vendor's hosts.
    "AimEnabled,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,MediaRouter,"
    "NetworkTimeServiceQuerying,OptimizationHints,PreconnectToSearch,"
    # Features that Playwright doesn't support.
    "AvoidCorsURLLoaderRestartOnRedirect,AvoidUnnecessaryBeforeUnloadCheckSync,"
    "DestroyProfileOnBrowserClose,LensOverlay,PaintHolding,ThirdPartyStoragePartitioning"
)
# Without these flags, Chromium sends requests to its vendor at every start.
QUIET = [
    f"--disable-features={OFF}",
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
SAVES_DATA = "Object.defineProperty(navigator.connection, 'saveData', { value: true })"
