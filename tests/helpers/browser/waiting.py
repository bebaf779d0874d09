"""Waiting for a page state.

Playwright's `wait_for_function` polls with `eval`, which the pages' Content-Security-Policy
forbids. It works only if its first check succeeds.
"""

import time
from re import Pattern
from typing import Any

from playwright.sync_api import Page, Route

SECONDS = 20.0
PAUSE = 50  # milliseconds


def wait_until(page: Page, expression: str, value: Any = None) -> None:
    """Return once the expression, or the promise that it returns, is true.

    Raises TimeoutError.
    """
    deadline = time.monotonic() + SECONDS
    while not page.evaluate(expression, value):
        if time.monotonic() > deadline:
            raise TimeoutError(expression)
        page.wait_for_timeout(PAUSE)


def hold(page: Page, url: str | Pattern[str]) -> list[Route]:
    """Hold the requests for this URL in the returned list. `continue_` sends them."""
    held: list[Route] = []

    def keep(route: Route) -> None:
        held.append(route)

    page.route(url, keep)
    return held
