"""Taps on the list of games and on the suggestions."""

from playwright.sync_api import expect

from tests.helpers.browser.phone import Phone


def pill(phone: Phone, name: str) -> None:
    phone.tap(phone.page.locator(f".traits .pill:has-text('{name}')"))


def proposals(phone: Phone) -> list[str]:
    expect(phone.page.locator("#shall .proposal")).to_have_count(3)
    return phone.page.locator("#shall .proposal b").all_inner_texts()
