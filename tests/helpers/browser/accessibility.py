"""Accessibility checks with axe."""

from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, ViewportSize

from league.models import User
from tests.helpers.browser.chromium import PHONE
from tests.helpers.browser.contrast import faint
from tests.helpers.browser.phone import Phone

DESK: ViewportSize = {"width": 1280, "height": 800}
RESULTS = {"resultTypes": ["violations"]}
WCAG = {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}
CONTRAST = {"type": "rule", "values": ["color-contrast"]}
UNFOLD = "document.querySelectorAll('details').forEach((each) => { each.open = true })"
# Visible elements that extend beyond the screen, except in rows that scroll separately.
OUTSIDE = """() => {
    const scrolls = (each) => each && (getComputedStyle(each).overflowX !== 'visible'
        || scrolls(each.parentElement));
    return [...document.querySelectorAll('body *')]
        .filter((each) => each.checkVisibility({visibilityProperty: true}))
        .map((each) => [each, each.getBoundingClientRect()])
        .filter(([, { left, right, width }]) => width > 1 && (left < -1 || right > innerWidth + 1))
        .filter(([each]) => !scrolls(each.parentElement))
        .map(([each]) => each.outerHTML.slice(0, 120));
}"""


def sign_in(phone: Phone) -> None:
    phone.sign_in(User.objects.get(username="joel"))


def hard_to_use(page: Page) -> list[str]:
    """Return the page's accessibility problems in light and dark mode. Leave it in light mode.

    Dark mode only changes colours, so only the contrast is checked again.
    """
    page.emulate_media(color_scheme="dark")
    faults = _violations(page, RESULTS | {"runOnly": CONTRAST}) + faint(page)
    page.emulate_media(color_scheme="light")
    return [f"in the dark, {each}" for each in faults] + hard_to_use_as_shown(page)


def hard_to_use_anywhere(page: Page) -> list[str]:
    """Return accessibility problems on a phone in light and dark mode, and on a desktop."""
    problems = hard_to_use(page)
    page.set_viewport_size(DESK)
    problems += [f"on a desk, {each}" for each in hard_to_use_as_shown(page, colours=False)]
    page.set_viewport_size(PHONE["viewport"])
    return problems


def scale_text(page: Page, size: int) -> None:
    """Set the browser's default font size in pixels (normally 16). Media queries depend on it."""
    page.context.new_cdp_session(page).send(
        "Page.setFontSizes", {"fontSizes": {"standard": size, "fixed": size}}
    )


def outside_at_large_text(page: Page) -> list[str]:
    """Return the elements that are off a phone's screen with text at 200 %."""
    scale_text(page, 32)
    outside: list[str] = page.evaluate(OUTSIDE)
    scale_text(page, 16)
    return [f"at 200 %, off screen: {each}" for each in outside]


def looks_right(phone: Phone) -> None:
    """Check that the page fits the phone's width and that axe finds no problems."""
    phone.page.wait_for_load_state()  # styles change the width
    width = phone.page.evaluate("document.documentElement.scrollWidth")
    assert width <= 360, f"{phone.page.url} is {width} wide"
    assert _violations(phone.page, RESULTS) == []


def _violations(page: Page, options: dict[str, Any]) -> list[str]:
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    violations = page.evaluate("(options) => axe.run(options)", options)["violations"]
    return [f"{each['id']}: {node['html'][:200]}" for each in violations for node in each["nodes"]]


def hard_to_use_as_shown(page: Page, *, colours: bool = True) -> list[str]:
    """Return WCAG 2.2 AA problems, and elements that make the page scroll sideways."""
    rules = {"color-contrast": {"enabled": colours}}
    problems = _violations(page, RESULTS | {"runOnly": WCAG, "rules": rules})
    return problems + too_wide(page) + faint(page)


def too_wide(page: Page) -> list[str]:
    """Return whether the page scrolls sideways."""
    # A phone zooms out to show wide elements, and innerWidth grows accordingly.
    wide = page.evaluate("document.documentElement.scrollWidth")
    return (
        ["it scrolls sideways"] if wide > (page.viewport_size or PHONE["viewport"])["width"] else []
    )
