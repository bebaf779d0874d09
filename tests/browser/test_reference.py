"""The page of the API's document: drawn by our own files, within the policy of all pages."""

import pytest
from playwright.sync_api import ConsoleMessage, Page, expect
from pytest_django.live_server_helper import LiveServer

pytestmark = pytest.mark.browser


def test_the_reference_is_drawn_and_nothing_comes_from_elsewhere(
    page: Page, live_server: LiveServer
) -> None:
    asked: list[str] = []
    said: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        if message.type == "error":
            said.append(message.text)

    page.on("request", lambda request: asked.append(request.url))
    page.on("console", hear)
    page.goto(f"{live_server.url}/api/v1/reference")
    # The document is made when it is first asked for.
    expect(page.locator(".opblock").first).to_be_visible(timeout=60_000)
    assert all(each.startswith((live_server.url, "data:")) for each in asked)
    assert said == []
