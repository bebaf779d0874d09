"""The API reference page, rendered by our own files within the Content-Security-Policy."""

import pytest
from playwright.sync_api import ConsoleMessage, Page, expect
from pytest_django.live_server_helper import LiveServer

pytestmark = pytest.mark.browser


def test_api_reference_renders_without_external_requests(
    page: Page, live_server: LiveServer
) -> None:
    """In dark mode, text has enough contrast with the dark background to meet WCAG."""
    requested: list[str] = []
    messages: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        if message.type == "error":
            messages.append(message.text)

    page.on("request", lambda request: requested.append(request.url))
    page.on("console", hear)
    page.emulate_media(color_scheme="dark")
    page.goto(f"{live_server.url}/api/v1/reference")
    # The document is generated on the first request.
    expect(page.locator(".opblock").first).to_be_visible(timeout=60_000)
    assert all(each.startswith((live_server.url, "data:")) for each in requested)
    assert messages == []
    ground, ink = (luminance(page, part) for part in ("backgroundColor", "color"))
    assert ground < 0.1
    assert (ink + 0.05) / (ground + 0.05) > 4.5
    page.emulate_media(color_scheme="light")
    expect(page.locator("html.dark-mode")).to_have_count(0)


def luminance(page: Page, part: str) -> float:
    """Return the luminance of the title's colour, or of the nearest painted background."""
    channels = page.evaluate(
        """(part) => {
            let at = document.querySelector('.info .title');
            const told = () => getComputedStyle(at)[part].match(/[\\d.]+/g).map(Number);
            const clear = () => part === "backgroundColor" && told()[3] === 0;
            while (clear() && at.parentElement) at = at.parentElement;
            return told();
        }""",
        part,
    )
    light = [each / 255 for each in channels[:3]]
    linear = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in light]
    return sum(x * weight for x, weight in zip(linear, (0.2126, 0.7152, 0.0722), strict=True))
