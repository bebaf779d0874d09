"""What the first requests would load, loaded before them."""

import gc

from django.template.loader import get_template
from django.urls import get_resolver

from rules.api import warm_up

PAGES = ("season", "player", "game", "notable_hands")


def preload() -> None:
    """Load the views, the largest pages and how high hands rank, then hide them from the collector.

    The first pages would take half a second longer. To walk what never goes took the collector
    0.1 s now and then.
    """
    _ = get_resolver().url_patterns  # every view
    warm_up()
    for page in PAGES:
        get_template(f"seasons/{page}.html")
    gc.collect()
    gc.freeze()
    gc.enable()  # `manage.py` starts without it
