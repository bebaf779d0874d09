"""`make run` serves scripts without comments, compressed and cached forever.

All other browser tests use the source files. This module tests the files that users get.
"""

from collections.abc import Iterator
from urllib.parse import urlsplit
from uuid import uuid4

import pytest
from playwright.sync_api import Page, Response, expect

from tests.helpers.browser.phone import Phone
from tests.helpers.config.installations import an_installation
from tests.helpers.config.service_process import Service, served

KILOBYTE = 1_000


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    data = tmp_path_factory.mktemp("data")
    settings = {"DJANGO_SETTINGS_MODULE": "config.settings", "STATIC_ROOT": str(data / "static")}
    with an_installation(data, **settings) as variables, served(variables) as running:
        yield running


@pytest.fixture
def phone(page: Page, service: Service) -> Phone:
    """A phone after sign-up, on the page for a night with three players."""
    phone = Phone(page, service.url)
    phone.sign_up(f"joel{uuid4().hex[:8]}")
    phone.make_league(("Ann", "Bob", "Cat"))
    phone.start_night()
    expect(page.get_by_role("heading", name="Night 1")).to_be_visible()
    return phone


def test_hand_can_be_recorded_with_the_collected_scripts(phone: Phone) -> None:
    errors: list[str] = []
    phone.page.on("pageerror", lambda error: errors.append(str(error)))
    phone.press("Record a hand")
    phone.choose("Texas Hold'em")
    phone.all_paid(10)
    phone.open_board()
    phone.cards("2h 7d 9s Jd Qc Ac Ad Kc Kd")
    phone.fold("Cat")
    phone.done()
    phone.save()
    assert errors == []


def test_recording_page_is_at_most_60_kilobytes(phone: Phone) -> None:
    """The weight is the compressed size without headers, with an empty cache.

    Scripts that load on first use do not count towards the first load. Fonts have their own budget,
    because the page shows system fonts until they arrive. The page names all scripts, so that they
    load in one round trip.
    """
    opens = phone.page.get_by_role("link", name="Record a hand").get_attribute("href")
    browser = phone.page.context.browser
    assert browser
    fresh = browser.new_context(storage_state=phone.page.context.storage_state())
    page, seen = fresh.new_page(), list[Response]()
    page.on("response", lambda response: seen.append(response))  # noqa: PLW0108 (a list takes no attributes)
    page.goto(f"{phone.address}{opens}")
    page.wait_for_load_state("load")
    files = [response for response in seen if "/static/" in response.url]
    assert any("/js/record/record-hand." in response.url for response in files)
    for response in files:
        assert "immutable" in response.headers["cache-control"], response.url
    sizes = {
        response.url: response.request.sizes()["responseBodySize"]
        for response in seen
        if response.ok
    }
    html = seen[0].text()
    fresh.close()
    scripts = [urlsplit(url).path for url in sizes if "/league/js/" in url]
    assert len(scripts) > 10
    assert [path for path in scripts if f'"{path}"' not in html] == []
    assert min(sizes.values()) > 0, sizes
    fonts = sum(size for url, size in sizes.items() if url.endswith(".woff2"))
    assert sum(sizes.values()) - fonts < 60 * KILOBYTE, sizes
    assert fonts < 60 * KILOBYTE, sizes
