"""Loads modules, templates and tables before the first request or task."""

import gc

from django.conf import settings
from django.template.loader import get_template
from django.urls import reverse

from rules.api import warm_up


def preload() -> None:
    """Load the views, the templates and the hand strength tables.

    Otherwise, the first pages would take half a second longer.
    """
    reverse("home")  # loads all views and compiles their URL patterns
    folder = settings.BASE_DIR / "templates"
    for template in folder.rglob("*.html"):
        get_template(template.relative_to(folder).as_posix())
    freeze_loaded_objects()


def freeze_loaded_objects() -> None:
    """Compute the first strength tables, and exclude loaded objects from garbage collection.

    Scanning these permanent objects would take 0.1 s now and then, and a forked process copies
    every memory page that its collector scans.
    """
    warm_up()
    gc.collect()
    gc.freeze()
    gc.enable()  # `manage.py` starts with the garbage collector disabled
