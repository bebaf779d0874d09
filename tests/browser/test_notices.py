"""The page of notices on a phone: choices kept, a phone listed and ended, a notice that opens."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Worker, expect
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from league.models import User
from league.notices.tell import NoticeKind, ways_of
from tests.helpers.browser.accessibility import hard_to_use
from tests.helpers.browser.phone import Thumb
from tests.helpers.league.push_service import Phone, push_service
from tests.helpers.league.receiver import HERE

Picture = Callable[[str], Path]
# A browser gets messages from its maker's service alone, so a test hands them to the worker.
PUSHED = """(told) => new Promise((resolve) => {
    const event = new PushEvent("push", { data: JSON.stringify(told) });
    const shown = registration.showNotification;
    registration.showNotification = (title, options) => { resolve({ title, ...options }); };
    dispatchEvent(event);
    registration.showNotification = shown;
})"""


@pytest.fixture
def thumb(page: Page, live_server: LiveServer) -> Thumb:
    thumb = Thumb(page, live_server.url)
    thumb.sign_up()
    page.wait_for_url(f"{live_server.url}/")
    return thumb


def add(thumb: Thumb, phone: Phone) -> None:
    """Send what a browser would send with the form of the page."""
    thumb.page.evaluate(
        """(told) => {
            const form = document.querySelector("form[data-push]");
            for (const [name, value] of Object.entries(told)) form.elements[name].value = value;
            form.submit();
        }""",
        phone.form,
    )


def test_choices_and_phones_are_stored(thumb: Thumb, settings: Settings, picture: Picture) -> None:
    settings.WEBHOOK_NETWORKS = [HERE]
    thumb.go("/account")
    thumb.page.get_by_role("link", name="Choose").click()
    with push_service() as service:
        add(thumb, Phone(service, "joel"))
        expect(thumb.page.get_by_text("This phone takes notices.")).to_be_visible()
    expect(thumb.page.get_by_text("this one")).to_be_visible()
    picture("notices")
    assert hard_to_use(thumb.page) == []
    thumb.page.locator("[name=night-closed-mail]").uncheck()
    thumb.page.locator("[name=paid-mail]").check()
    thumb.press("Save")
    expect(thumb.page.get_by_text("Kept.")).to_be_visible()
    expect(thumb.page.locator("[name=night-closed-mail]")).not_to_be_checked()
    ways = ways_of(User.objects.get())
    assert (ways[NoticeKind.NIGHT_CLOSED].mail, ways[NoticeKind.PAID].mail) == (False, True)
    thumb.page.get_by_role("button", name="End notices on").click()
    expect(thumb.page.get_by_text("No notices go there any more.")).to_be_visible()


def test_browser_permission_is_requested_by_a_tap_and_a_refusal_is_shown(thumb: Thumb) -> None:
    thumb.page.add_init_script(
        """window.asked = 0;
        Notification.requestPermission = async () => { asked += 1; return 'denied'; };"""
    )
    thumb.go("/account/notices")
    assert thumb.page.evaluate("window.asked") == 0
    thumb.press("Switch on on this phone")
    expect(thumb.page.get_by_text("its settings say no")).to_be_visible()
    assert thumb.page.evaluate("window.asked") == 1


def test_iphone_is_asked_to_install_the_app_first(thumb: Thumb) -> None:
    thumb.page.add_init_script(
        """Object.defineProperty(navigator, 'userAgent', { get: () => 'iPhone' });
        delete window.PushManager;"""
    )
    thumb.go("/account/notices")
    expect(thumb.page.get_by_text("Add to Home Screen")).to_be_visible()
    expect(thumb.page.get_by_role("button", name="Switch on on this phone")).to_be_hidden()


def worker_of(thumb: Thumb) -> Worker:
    thumb.go("/account/notices")
    thumb.page.evaluate(
        """async () => {
            await navigator.serviceWorker.register('/service-worker.js');
            await navigator.serviceWorker.ready;
        }"""
    )
    return thumb.page.context.service_workers[0]


@pytest.mark.offline
def test_worker_shows_a_push_under_its_tag(thumb: Thumb) -> None:
    told = {"title": "You deal next", "body": "Night 1", "link": "/nights/1/deal", "tag": "x"}
    shown: dict[str, Any] = worker_of(thumb).evaluate(PUSHED, told)
    assert (shown["title"], shown["body"], shown["tag"]) == ("You deal next", "Night 1", "x")
    assert shown["data"] == {"link": "/nights/1/deal"}


OPENED = """(link) => new Promise((resolve) => {
    clients.openWindow = (url) => resolve(url);
    WindowClient.prototype.focus = async function () { resolve("focused"); return this; };
    open(link);
})"""


@pytest.mark.offline
def test_notification_opens_its_page_on_this_site_only(thumb: Thumb) -> None:
    worker = worker_of(thumb)
    for link, path in (
        ("/games/omaha-8", "/games/omaha-8"),
        ("https://elsewhere.example.org/x", "/"),
        ("//elsewhere.example.org/x", "/"),
    ):
        assert worker.evaluate(OPENED, link) == f"{thumb.address}{path}"
    assert worker.evaluate(OPENED, "/account/notices") == "focused"  # it is open already


RENEWED = """async (told) => (await renew({ toJSON: () => told })).status"""


@pytest.mark.offline
def test_renewed_subscription_is_reported_by_the_worker(thumb: Thumb, settings: Settings) -> None:
    """The browser's own event can't be made by a test: what it calls is."""
    settings.WEBHOOK_NETWORKS = [HERE]
    with push_service() as service:
        thumb.go("/account/notices")
        add(thumb, Phone(service, "joel"))
        expect(thumb.page.get_by_text("This phone takes notices.")).to_be_visible()
        new = Phone(service, "joel-again")
        keys = {"p256dh": new.form["p256dh"], "auth": new.form["auth"]}
        told = {"endpoint": new.form["endpoint"], "keys": keys}
        assert worker_of(thumb).evaluate(RENEWED, told) == 204
    thumb.go("/account/notices")
    expect(thumb.page.get_by_text("this one")).to_have_count(1)
