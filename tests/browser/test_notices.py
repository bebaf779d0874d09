"""Notification settings on a phone: choices, registered devices, and opening a notification."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Worker, expect
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from league.models import User
from league.notices.queueing import NoticeKind, channels_of
from tests.helpers.browser.accessibility import hard_to_use
from tests.helpers.browser.phone import Phone
from tests.helpers.league.push_service import PushPhone, push_service
from tests.helpers.league.receiver import HERE

Picture = Callable[[str], Path]
# Browsers receive pushes only from their vendor's service, so tests pass them directly to the
# service worker.
PUSHED = """(told) => new Promise((resolve) => {
    const event = new PushEvent("push", { data: JSON.stringify(told) });
    const shown = registration.showNotification;
    registration.showNotification = (title, options) => { resolve({ title, ...options }); };
    dispatchEvent(event);
    registration.showNotification = shown;
})"""


@pytest.fixture
def phone(page: Page, live_server: LiveServer) -> Phone:
    phone = Phone(page, live_server.url)
    phone.sign_up()
    page.wait_for_url(f"{live_server.url}/")
    return phone


def add(phone: Phone, push: PushPhone) -> None:
    """Submit the page's form as a browser would."""
    phone.page.evaluate(
        """(told) => {
            const form = document.querySelector("form[data-push]");
            for (const [name, value] of Object.entries(told)) form.elements[name].value = value;
            form.submit();
        }""",
        push.form,
    )


def test_notification_choices_and_devices_are_saved(
    phone: Phone, settings: Settings, picture: Picture
) -> None:
    settings.WEBHOOK_NETWORKS = [HERE]
    User.objects.update(email="ann@example.org")
    phone.go("/account")
    phone.page.get_by_role("link", name="Notifications").click()
    with push_service() as service:
        add(phone, PushPhone(service, "joel"))
        expect(phone.page.get_by_text("Notifications are on for this device.")).to_be_visible()
    expect(phone.page.get_by_text("this device ·")).to_be_visible()
    picture("notices")
    assert hard_to_use(phone.page) == []
    phone.page.locator("[name=night-closed-mail]").uncheck()
    phone.page.locator("[name=paid-mail]").check()
    phone.press("Save")
    expect(phone.page.get_by_text("Saved.")).to_be_visible()
    expect(phone.page.locator("[name=night-closed-mail]")).not_to_be_checked()
    ways = channels_of(User.objects.get())
    assert (ways[NoticeKind.NIGHT_CLOSED].mail, ways[NoticeKind.PAID].mail) == (False, True)
    phone.page.get_by_role("button", name="Turn off notifications on").click()
    expect(phone.page.get_by_text("Notifications are off for that device.")).to_be_visible()


def test_permission_for_notifications_is_requested_only_after_a_tap(phone: Phone) -> None:
    phone.page.add_init_script(
        """window.asked = 0;
        Notification.requestPermission = async () => { asked += 1; return 'denied'; };"""
    )
    phone.go("/account/notices")
    assert phone.page.evaluate("window.asked") == 0
    phone.press("Turn on for this device")
    expect(phone.page.get_by_text("Your browser blocks notifications")).to_be_visible()
    assert phone.page.evaluate("window.asked") == 1


def test_iphone_user_is_asked_to_install_the_app_first(phone: Phone) -> None:
    phone.page.add_init_script(
        """Object.defineProperty(navigator, 'userAgent', { get: () => 'iPhone' });
        delete window.PushManager;"""
    )
    phone.go("/account/notices")
    expect(phone.page.get_by_text("Add to Home Screen")).to_be_visible()
    expect(phone.page.get_by_role("button", name="Turn on for this device")).to_be_hidden()


def worker_of(phone: Phone) -> Worker:
    phone.go("/account/notices")
    phone.page.evaluate(
        """async () => {
            await navigator.serviceWorker.register('/service-worker.js');
            await navigator.serviceWorker.ready;
        }"""
    )
    return phone.page.context.service_workers[0]


@pytest.mark.offline
def test_service_worker_shows_a_push_message_under_its_tag(phone: Phone) -> None:
    message = {"title": "You deal next", "body": "Night 1", "link": "/nights/1/deal", "tag": "x"}
    shown: dict[str, Any] = worker_of(phone).evaluate(PUSHED, message)
    assert (shown["title"], shown["body"], shown["tag"]) == ("You deal next", "Night 1", "x")
    assert shown["data"] == {"link": "/nights/1/deal"}


OPENED = """(link) => new Promise((resolve) => {
    clients.openWindow = (url) => resolve(url);
    WindowClient.prototype.focus = async function () { resolve("focused"); return this; };
    open(link);
})"""


@pytest.mark.offline
def test_notification_opens_pages_on_this_site_only(phone: Phone) -> None:
    worker = worker_of(phone)
    for link, path in (
        ("/games/omaha-8", "/games/omaha-8"),
        ("https://elsewhere.example.org/x", "/"),
        ("//elsewhere.example.org/x", "/"),
    ):
        assert worker.evaluate(OPENED, link) == f"{phone.address}{path}"
    assert worker.evaluate(OPENED, "/account/notices") == "focused"  # a window is already open


RENEWED = """async (told) => (await renew({ toJSON: () => told })).status"""


@pytest.mark.offline
def test_service_worker_reports_a_renewed_push_subscription(
    phone: Phone, settings: Settings
) -> None:
    """A test can't trigger this browser event, so it calls the handler instead."""
    settings.WEBHOOK_NETWORKS = [HERE]
    with push_service() as service:
        phone.go("/account/notices")
        add(phone, PushPhone(service, "joel"))
        expect(phone.page.get_by_text("Notifications are on for this device.")).to_be_visible()
        new = PushPhone(service, "joel-again")
        keys = {"p256dh": new.form["p256dh"], "auth": new.form["auth"]}
        subscription = {"endpoint": new.form["endpoint"], "keys": keys}
        assert worker_of(phone).evaluate(RENEWED, subscription) == 204
    phone.go("/account/notices")
    expect(phone.page.get_by_text("this device ·")).to_have_count(1)
