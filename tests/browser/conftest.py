"""Fixtures for the browser tests: phones, contexts and pictures."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.helpers.browser.chromium import CHROMIUM, PHONE, QUIET, SAVES_DATA
from tests.helpers.browser.phone import Phone

HERE = Path(__file__).parent
# Pages are slow on a busy machine. Actions use Playwright's default timeout of 30 seconds.
expect.set_options(timeout=20_000)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test in this folder, so that only `make test-browser` runs it, not `make test`.

    Tests marked `offline` come first, which keeps them on one worker: each process renders the
    forms of all games once.
    """
    for item in items:
        if HERE in item.path.parents:
            item.add_marker("browser")
    items.sort(key=lambda item: item.get_closest_marker("offline") is None)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    return browser_type_launch_args | {"executable_path": CHROMIUM, "args": QUIET}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    return browser_context_args | PHONE


@pytest.fixture
def new_context(
    new_context: Callable[..., BrowserContext], request: pytest.FixtureRequest
) -> Callable[..., BrowserContext]:
    """Create a browser context without a service worker, except in tests marked `offline`."""
    if request.node.get_closest_marker("offline"):
        return new_context

    def make_context(**options: Any) -> BrowserContext:
        context = new_context(service_workers="block", **options)
        context.add_init_script(SAVES_DATA)
        return context

    return make_context


@pytest.fixture(autouse=True)
def _nobody_came_before() -> None:
    """Reset the counters. All tests share one address, and sign-ups per address are limited."""
    from django.core.cache import cache  # noqa: PLC0415 (settings come first)

    cache.clear()


@pytest.fixture
def picture(page: Any, tmp_path: Path) -> Callable[[str], Path]:
    """Take a picture of the page, for the documentation or for review."""
    folder = Path(os.environ.get("PICTURES", tmp_path))

    def taken(name: str) -> Path:
        path = folder / f"{name}.png"
        page.screenshot(path=path)
        return path

    return taken


@pytest.fixture
def phones(
    new_context: Callable[..., BrowserContext], live_server: LiveServer
) -> Callable[[], Phone]:
    """Create a phone, a browser context that shares nothing with other phones."""
    return lambda: Phone(new_context().new_page(), live_server.url)


@pytest.fixture
def phone(page: Page, live_server: LiveServer) -> Phone:
    """Create a phone without a signed-in user."""
    return Phone(page, live_server.url)
