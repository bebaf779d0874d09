"""A host's taps during a tournament."""

from playwright.sync_api import expect

from tests.helpers.browser.phone import Phone


def enters(phone: Phone, name: str) -> None:
    phone.press(f"+ {name}")
    expect(phone.page.locator(".players b", has_text=name)).to_be_visible()


def goes_out(phone: Phone, name: str, by: str) -> None:
    phone.tap(f"summary[aria-label='Options for {name}']")
    phone.tap(phone.page.locator("details[open] label", has_text=by))
    phone.press(f"Knock out {name}")
    expect(phone.page.locator(".players .out", has_text=name)).to_be_visible()
