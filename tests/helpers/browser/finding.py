"""The list of games and the draw, as a thumb uses them."""

from playwright.sync_api import expect

from tests.helpers.browser.phone import Thumb


def pill(thumb: Thumb, name: str) -> None:
    thumb.tap(thumb.page.locator(f".traits .pill:has-text('{name}')"))


def proposals(thumb: Thumb) -> list[str]:
    expect(thumb.page.locator("#shall .proposal")).to_have_count(3)
    return thumb.page.locator("#shall .proposal b").all_inner_texts()
