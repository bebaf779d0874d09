"""Two phones at a table with three players."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.helpers.browser.phone import Phone


@pytest.fixture
def phone(page: Page, live_server: LiveServer) -> Phone:
    """A phone signed in as host, which shows the page of a night with three players."""
    phone = Phone(page, live_server.url)
    phone.join_night("Ann", "Bob", "Cat")
    expect(page.get_by_role("link", name="Record a hand")).to_be_visible()
    return phone


@pytest.fixture
def other(phone: Phone, phones: Callable[[], Phone]) -> Phone:
    """A phone that joins as Bob with the URL from the QR code."""
    device = phones()
    phone.tap("summary:has-text('Join with a phone')")
    link = phone.page.locator(".join a").get_attribute("href")
    phone.tap("summary:has-text('Join with a phone')")
    device.page.goto(link or "")
    device.press("Bob")
    expect(device.page.get_by_role("heading", name="Hands")).to_be_visible()
    device.page.wait_for_load_state("load")
    return device
