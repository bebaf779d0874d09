"""What is hard to use of a page."""

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.helpers.browser.contrast import faint
from tests.helpers.browser.phone import PASSWORD, Thumb

AXE = Axe()
WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]


def sign_in(thumb: Thumb) -> None:
    thumb.go("/sign-in")
    thumb.page.fill("[name=username]", "joel")
    thumb.page.fill("[name=password]", PASSWORD)
    thumb.tap("main .button.main")
    thumb.page.wait_for_url(f"{thumb.address}/")


def hard_to_use(page: Page) -> list[str]:
    """Return what axe finds against WCAG 2.2 AA, and whatever makes the page scroll sideways.

    In a dark room only colours are others, so there only what is hard to read is looked for.
    """
    told = _violations(page, {"type": "tag", "values": WCAG}) + faint(page)
    # A phone zooms out for what is too wide, and innerWidth grows with it.
    wide = page.evaluate("document.documentElement.scrollWidth")
    if page.viewport_size and wide > page.viewport_size["width"]:
        told.append("it scrolls sideways")
    page.emulate_media(color_scheme="dark")
    dark = _violations(page, {"type": "rule", "values": ["color-contrast"]}) + faint(page)
    page.emulate_media(color_scheme="light")
    return told + [f"in the dark, {each}" for each in dark]


def _violations(page: Page, rules: dict[str, Any]) -> list[str]:
    found = AXE.run(page, options={"runOnly": rules}).response["violations"]
    return [f"{each['id']}: {node['html'][:200]}" for each in found for node in each["nodes"]]
