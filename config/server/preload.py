"""Load modules, templates and tables before the first request or task needs them."""

import gc

from django.template.loader import get_template
from django.urls import get_resolver

from rules.api import warm_up

PAGES = (
    "nights/night",
    "seasons/season",
    "seasons/player",
    "seasons/game",
    "seasons/notable_hands",
)


def preload() -> None:
    """Load the views, the largest templates and the strengths of hands.

    Otherwise the first pages would take half a second longer.
    """
    _ = get_resolver().url_patterns  # every view
    for page in PAGES:
        get_template(f"{page}.html")
    share_what_is_loaded()


def share_what_is_loaded() -> None:
    """Compute the first tables of strengths, and exclude all loaded objects from collection.

    Scanning these permanent objects took 0.1 s now and then, and a forked process copies every
    page of memory that its collector scans.
    """
    warm_up()
    gc.collect()
    gc.freeze()
    gc.enable()  # `manage.py` starts without it
