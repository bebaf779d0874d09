"""What the first requests would load, loaded before them."""

import gc

from django.template.loader import get_template
from django.urls import get_resolver

from rules.ranking import SCALES, table

PAGES = ("season", "player", "game", "memories")


def warm() -> None:
    """Load the views, the largest pages and how high hands rank, then hide them from the collector.

    The first pages would take half a second longer. To walk what never goes took the collector
    0.1 s now and then.
    """
    _ = get_resolver().url_patterns  # every view
    table(SCALES["high"], 5)
    for page in PAGES:
        get_template(f"season/{page}.html")
    gc.collect()
    gc.freeze()
