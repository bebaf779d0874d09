"""What the first requests and tasks would load, loaded before them."""

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
    """Load the views, the largest pages and how high hands rank, then hide them from the collector.

    The first pages would take half a second longer.
    """
    _ = get_resolver().url_patterns  # every view
    for page in PAGES:
        get_template(f"{page}.html")
    share_what_is_loaded()


def share_what_is_loaded() -> None:
    """Make the first tables of strengths, and hide all that is there from the collector.

    To walk what never goes took it 0.1 s now and then, and a process that was forked copies
    whatever it walks.
    """
    warm_up()
    gc.collect()
    gc.freeze()
    gc.enable()  # `manage.py` starts without it
