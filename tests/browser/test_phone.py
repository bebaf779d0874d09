"""The tests' browser works, independently of the pages."""

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer


def test_browser_can_open_a_page(
    page: Page, live_server: LiveServer, picture: Callable[[str], Path]
) -> None:
    page.goto(f"{live_server}/health")
    assert page.inner_text("body") == "ok"
    assert page.evaluate("screen.width") == 360
    assert picture("health").stat().st_size > 0
