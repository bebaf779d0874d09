"""The browser that is driven, and the phone that it is."""

import os
import shutil

# The headless shell draws pages with the same engine in two thirds of the processor time.
CHROMIUM = (
    os.environ.get("CHROMIUM") or shutil.which("chromium-headless-shell") or "/usr/bin/chromium"
)
# The last list of features counts, so this one repeats what matters of Playwright's own.
OFF = (
    # Two pages behind the address bar, which no phone of ours shows, and a process kept in reserve:
    # made for every window, they cost more than the page that is tested.
    "WebUIOmniboxPopup,WebUIOmniboxAimPopup,SpareRendererForSitePerProcess,"
    # What asks for hosts of chromium's maker.
    "AimEnabled,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,MediaRouter,"
    "NetworkTimeServiceQuerying,OptimizationHints,PreconnectToSearch,"
    # What Playwright can't drive.
    "AvoidCorsURLLoaderRestartOnRedirect,AvoidUnnecessaryBeforeUnloadCheckSync,"
    "DestroyProfileOnBrowserClose,LensOverlay,PaintHolding,ThirdPartyStoragePartitioning"
)
# Without these flags chromium asks for hosts of its maker at every start.
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
