"""What is hard to use of a page."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.helpers.browser.contrast import faint
from tests.helpers.browser.phone import PASSWORD, Thumb

AXE = Axe()


def sign_in(thumb: Thumb) -> None:
    thumb.go("/sign-in")
    thumb.page.fill("[name=username]", "joel")
    thumb.page.fill("[name=password]", PASSWORD)
    thumb.tap("main .button.main")
    thumb.page.wait_for_url(f"{thumb.address}/")


def hard_to_use(page: Page) -> list[str]:
    """Return what is hard to use of the page in the dark and in the light; it ends in the light."""
    page.emulate_media(color_scheme="dark")
    told = [f"in the dark, {each}" for each in _hard_to_use(page)]
    page.emulate_media(color_scheme="light")
    return told + _hard_to_use(page)


def _hard_to_use(page: Page) -> list[str]:
    """Return what axe finds against WCAG 2.2 AA, and whatever makes the page scroll sideways."""
    tags = {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}
    found = AXE.run(page, options={"runOnly": tags}).response["violations"]
    told = [f"{each['id']}: {node['html'][:200]}" for each in found for node in each["nodes"]]
    # A phone zooms out for what is too wide, and innerWidth grows with it.
    wide = page.evaluate("document.documentElement.scrollWidth")
    if page.viewport_size and wide > page.viewport_size["width"]:
        told.append("it scrolls sideways")
    return told + faint(page)
