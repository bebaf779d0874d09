"""The API reference page."""

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.helpers.browser.accessibility import UNFOLD, hard_to_use_anywhere

pytestmark = pytest.mark.browser
NOTHING_LOADED = 60_000  # milliseconds; the first request generates the document
# All operations have the same parts, and axe would take minutes to check all 183 of them.
KEEP_TWO = "document.querySelectorAll('details:nth-of-type(n + 3)').forEach((e) => e.remove())"


def test_api_reference_is_accessible_with_operations_open(
    page: Page, live_server: LiveServer
) -> None:
    """Swagger UI had low contrast, nested controls and fields without labels."""
    page.goto(f"{live_server.url}/api/v1/reference", timeout=NOTHING_LOADED)
    page.evaluate(KEEP_TWO)
    page.evaluate(UNFOLD)
    assert hard_to_use_anywhere(page) == []


def test_api_reference_shows_an_operation_and_its_data_types(
    page: Page, live_server: LiveServer
) -> None:
    """The expected texts are those of `record_hand` in the OpenAPI document."""
    requested: list[str] = []
    page.on("request", lambda request: requested.append(request.url))
    page.goto(f"{live_server.url}/api/v1/reference", timeout=NOTHING_LOADED)
    hands = page.get_by_role("region", name="nights")
    hands.get_by_text("/api/v1/nights/{night_id}/hands", exact=True).last.tap()
    expect(hands.get_by_text("record_hand", exact=True)).to_be_visible()
    hands.get_by_role("link", name="HandInput", exact=True).first.tap()
    expect(
        page.get_by_text("the number of the last hand that the client has seen").first
    ).to_be_visible()
    assert all(each.startswith((live_server.url, "data:")) for each in requested)
