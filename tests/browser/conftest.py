"""A phone in the hand: the browser that the tests of the pages drive."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect
from pytest_django.live_server_helper import LiveServer

from tests.helpers.browser.chromium import CHROMIUM, PHONE, QUIET
from tests.helpers.browser.phone import Thumb

HERE = Path(__file__).parent
SIZES = {"phone": (360, 640), "desk": (1280, 800)}
# A busy machine takes its time. What a test does itself has half a minute, as Playwright gives it.
expect.set_options(timeout=20_000)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test of this folder, so that `make test` leaves it to `make test-browser`."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker("browser")


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    return browser_type_launch_args | {"executable_path": CHROMIUM, "args": QUIET}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    return browser_context_args | PHONE


@pytest.fixture(autouse=True)
def _nobody_came_before() -> None:
    """Forget what was counted: all tests come from one address, and accounts made there have a
    limit."""
    from django.core.cache import cache  # noqa: PLC0415 (settings come first)

    cache.clear()


@pytest.fixture
def picture(page: Any, tmp_path: Path) -> Callable[[str], Path]:
    """Take a picture of the page: for the documentation under `make pictures`, else to look at."""
    folder = Path(os.environ.get("PICTURES", tmp_path))

    def taken(name: str) -> Path:
        path = folder / f"{name}.png"
        page.screenshot(path=path)
        return path

    return taken


@pytest.fixture
def phones(
    browser: Browser, live_server: LiveServer, browser_context_args: dict[str, Any]
) -> Iterator[Callable[[], Thumb]]:
    """Make a phone: a browser that shares nothing with the others."""
    contexts = []

    def phone() -> Thumb:
        contexts.append(browser.new_context(**browser_context_args))
        return Thumb(contexts[-1].new_page(), live_server.url)

    yield phone
    for context in contexts:
        context.close()


@pytest.fixture(params=SIZES)
def screen(
    browser: Browser,
    live_server: LiveServer,
    browser_context_args: dict[str, Any],
    request: pytest.FixtureRequest,
) -> Iterator[Thumb]:
    """A browser of each size that pages are looked at in, with nobody signed in."""
    width, height = SIZES[request.param]
    look = {"viewport": {"width": width, "height": height}}
    context = browser.new_context(**(browser_context_args | look))
    yield Thumb(context.new_page(), live_server.url)
    context.close()
