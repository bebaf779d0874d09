"""Two phones at a table of three."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.helpers.browser.phone import Thumb


@pytest.fixture
def thumb(page: Page, live_server: LiveServer) -> Thumb:
    """The host's phone, at a night of three."""
    thumb = Thumb(page, live_server.url)
    thumb.join_night("Ann", "Bob", "Cat")
    expect(page.get_by_role("link", name="Record a hand")).to_be_visible()
    return thumb


@pytest.fixture
def other(thumb: Thumb, phones: Callable[[], Thumb]) -> Thumb:
    """A phone that joins by the address in the picture, as Bob."""
    phone = phones()
    thumb.tap("summary:has-text('Join with a phone')")
    link = thumb.page.locator(".join a").get_attribute("href")
    thumb.tap("summary:has-text('Join with a phone')")
    phone.page.goto(link or "")
    phone.press("Bob")
    expect(phone.page.get_by_role("heading", name="Hands")).to_be_visible()
    phone.page.wait_for_load_state("load")
    return phone
