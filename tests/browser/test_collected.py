"""What `make run` serves: scripts without their comments, compressed, and kept for good.

The other tests are served the files as they lie; here an evening begins with what a user gets.
"""

from collections.abc import Iterator
from uuid import uuid4

import pytest
from playwright.sync_api import Page, Response, expect

from tests.helpers.browser.phone import Thumb
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
def thumb(page: Page, service: Service) -> Thumb:
    """On the recording page of a night of three, signed up by hand."""
    thumb = Thumb(page, service.url)
    thumb.sign_up(f"joel{uuid4().hex[:8]}")
    thumb.make_league(("Ann", "Bob", "Cat"))
    thumb.start_night()
    expect(page.get_by_role("heading", name="Night 1")).to_be_visible()
    return thumb


def test_hand_is_recorded_by_the_collected_scripts(thumb: Thumb) -> None:
    wrong: list[str] = []
    thumb.page.on("pageerror", lambda error: wrong.append(str(error)))
    thumb.press("Record a hand")
    thumb.choose("Texas Hold'em")
    thumb.all_paid(10)
    thumb.open_board()
    thumb.cards("2h 7d 9s Jd Qc Ac Ad Kc Kd")
    thumb.fold("Cat")
    thumb.done()
    thumb.save()
    assert wrong == []


def test_recording_page_weighs_at_most_60_kilobytes(thumb: Thumb) -> None:
    """Compressed size without headers, on a phone with an empty cache.

    Scripts that are loaded with the first use of the page are not part of its first load.
    """
    opens = thumb.page.get_by_role("link", name="Record a hand").get_attribute("href")
    browser = thumb.page.context.browser
    assert browser
    fresh = browser.new_context(storage_state=thumb.page.context.storage_state())
    page, seen = fresh.new_page(), list[Response]()
    page.on("response", lambda each: seen.append(each))  # noqa: PLW0108 (a list has no place for it)
    page.goto(f"{thumb.address}{opens}")
    page.wait_for_load_state("load")
    files = [each for each in seen if "/static/" in each.url]
    assert any("/js/record/record-hand." in each.url for each in files)
    for each in files:
        assert "immutable" in each.headers["cache-control"], each.url
    sizes = {each.url: each.request.sizes()["responseBodySize"] for each in seen if each.ok}
    fresh.close()
    assert min(sizes.values()) > 0, sizes
    assert sum(sizes.values()) < 60 * KILOBYTE, sizes
