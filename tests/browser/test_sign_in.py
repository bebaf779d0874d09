"""Signing in with a browser, including passkeys from Chromium's virtual authenticator."""

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from django.core.cache import cache
from playwright.sync_api import CDPSession, Page, expect
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from config.environment.parsers import oidc_apps
from league.models import LogbookEntry, User
from tests.helpers.browser.accessibility import hard_to_use
from tests.helpers.browser.phone import PASSWORD, Phone
from tests.helpers.browser.waiting import wait_until

KEY = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}
# The URLs of all pages in the phone's cache.
KEPT = """async () => {
    const name = (await caches.keys()).find((each) => each.startsWith("pages "));
    return name ? (await (await caches.open(name)).keys()).map(({url}) => url) : [];
}"""
Picture = Callable[[str], Path]


@pytest.fixture
def phone(page: Page, live_server: LiveServer) -> Phone:
    cache.clear()
    # Passkeys require a host name, and 127.0.0.1 is not one.
    return Phone(page, live_server.url.replace("127.0.0.1", "localhost"))


@pytest.fixture
def finger(page: Page) -> Iterator[CDPSession]:
    """The phone's virtual fingerprint reader."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    response = session.send("WebAuthn.addVirtualAuthenticator", {"options": KEY})
    session.number = response["authenticatorId"]  # type: ignore[attr-defined]
    yield session
    session.detach()


def sign_up(phone: Phone) -> None:
    phone.sign_up()
    phone.page.wait_for_url(f"{phone.address}/")


def add_passkey(phone: Phone) -> None:
    phone.go("/account/passkeys")
    phone.press("Add a passkey")
    phone.page.fill("[name=name]", "Joel's phone")
    phone.press("Create passkey")
    expect(phone.page.get_by_text("Passkey added.")).to_be_visible()


def sign_out(phone: Phone) -> None:
    phone.page.context.clear_cookies()


def test_passkey_signs_in_without_a_username(
    phone: Phone, finger: CDPSession, picture: Picture
) -> None:
    sign_up(phone)
    add_passkey(phone)
    expect(phone.page.get_by_text("Joel's phone")).to_be_visible()
    picture("passkeys")
    assert not hard_to_use(phone.page)
    sign_out(phone)
    phone.go("/sign-in")
    picture("sign-in-passkey")
    phone.press("Sign in with a passkey")
    phone.page.wait_for_url(f"{phone.address}/")
    expect(phone.page.get_by_role("button", name="Sign out")).to_be_visible()
    kinds = list(LogbookEntry.objects.values_list("kind", flat=True))
    assert kinds == ["passkey-added", "signed-in"]
    sign_out(phone)
    phone.go("/sign-in")
    phone.page.fill("[name=username]", "joel")
    phone.page.fill("[name=password]", PASSWORD)
    phone.tap("main .button.main")  # the password alone is still sufficient
    phone.page.wait_for_url(f"{phone.address}/")


def test_unverified_passkey_does_not_sign_in(phone: Phone, finger: CDPSession) -> None:
    sign_up(phone)
    add_passkey(phone)
    sign_out(phone)
    told = {"authenticatorId": finger.number, "isUserVerified": False}  # type: ignore[attr-defined]
    finger.send("WebAuthn.setUserVerified", told)
    phone.go("/sign-in")
    phone.press("Sign in with a passkey")
    expect(phone.page.locator("[data-passkey-failed]")).to_be_visible()
    phone.go("/account")
    assert "/sign-in" in phone.page.url


def test_passkey_counts_as_a_fresh_sign_in(
    phone: Phone, finger: CDPSession, settings: Settings, picture: Picture
) -> None:
    sign_up(phone)
    add_passkey(phone)
    settings.ACCOUNT_REAUTHENTICATION_TIMEOUT = 0
    phone.press("Add a passkey")
    expect(phone.page.get_by_role("heading", name="Sign in again")).to_be_visible()
    picture("again")
    phone.press("Use passkey")
    expect(phone.page).to_have_url(re.compile("/account/again/passkey"))
    picture("again-passkey")
    assert not hard_to_use(phone.page)
    settings.ACCOUNT_REAUTHENTICATION_TIMEOUT = 900
    phone.press("Use passkey")
    phone.page.wait_for_url("**/account/passkeys/add")


def test_passkey_can_be_renamed_and_removed(
    phone: Phone, finger: CDPSession, picture: Picture
) -> None:
    """Until its script has loaded, the button that creates a passkey is disabled."""
    sign_up(phone)
    phone.go("/account/passkeys")
    phone.page.route("**/passkeys*.js", lambda route: route.abort())
    phone.press("Add a passkey")
    expect(phone.page.get_by_role("button", name="Create passkey")).to_be_disabled()
    phone.page.unroute("**/passkeys*.js")
    add_passkey(phone)
    phone.press("Joel's phone")
    # Chromium can't take a screenshot while a page is changing.
    expect(phone.page.locator("[name=name]")).to_be_visible()
    picture("rename-passkey")
    phone.page.fill("[name=name]", "The old one")
    phone.press("Save")
    expect(phone.page.get_by_text("The old one")).to_be_visible()
    phone.press("Remove The old one")
    expect(phone.page.get_by_text("Passkey removed.")).to_be_visible()
    assert not Authenticator.objects.exists()
    sign_out(phone)
    phone.go("/sign-in")
    phone.press("Sign in with a passkey")
    expect(
        phone.page.get_by_text("That passkey doesn't belong to an account here.")
    ).to_be_visible()


def test_missing_passkey_support_is_reported(
    page: Page, live_server: LiveServer, picture: Picture
) -> None:
    phone = Phone(page, live_server.url.replace("localhost", "127.0.0.1"))
    sign_up(phone)
    phone.go("/account/passkeys")
    expect(page.get_by_text("Passkeys need HTTPS.")).to_be_visible()
    expect(page.get_by_text("Add a passkey")).to_have_count(0)
    sign_out(phone)
    phone.go("/sign-in")
    expect(page.get_by_text("Sign in with a passkey")).to_have_count(0)


@pytest.mark.offline
def test_authenticator_code_is_required_at_sign_in(phone: Phone, picture: Picture) -> None:
    sign_up(phone)
    phone.page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    phone.go("/account/two-factor")
    picture("two-factor")
    phone.press("Set up")
    secret = phone.page.locator("#secret").inner_text()
    picture("two-factor-on")
    assert not hard_to_use(phone.page)
    phone.page.fill("[name=code]", code_of(secret, 0))
    phone.press("Turn on")
    expect(phone.page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    picture("recovery-codes")
    phone.go("/account")
    wait_until(phone.page, f"({KEPT})().then((kept) => kept.some((at) => at.endsWith('account')))")
    assert not [each for each in phone.page.evaluate(KEPT) if "/account/" in each]
    phone.go("/account/two-factor/codes")
    assert not hard_to_use(phone.page)
    sign_out(phone)
    phone.go("/sign-in")
    phone.page.fill("[name=username]", "joel")
    phone.page.fill("[name=password]", PASSWORD)
    phone.tap("main .button.main")
    expect(phone.page.get_by_role("heading", name="Enter your code")).to_be_visible()
    picture("second-step")
    assert not hard_to_use(phone.page)
    phone.page.fill("[name=code]", code_of(secret, 1))
    phone.tap("main .button.main")
    phone.page.wait_for_url(f"{phone.address}/")


def code_of(secret: str, later: int) -> str:
    """Return the current code. If it is already used, wait up to 30 seconds for the next one."""
    return str(format_hotp_value(hotp_value(secret, int(time.time()) // 30 + later)))


@pytest.mark.scheduled
def test_all_account_pages_are_accessible(
    phone: Phone, settings: Settings, picture: Picture
) -> None:
    """Covers the pages that tests/browser/test_pages.py does not visit. Takes a picture of each."""
    apps = oidc_apps(name="Acme", server_url="http://127.0.0.1:9", client_id="x", secret="y")
    settings.OIDC_APPS = apps
    settings.SOCIALACCOUNT_PROVIDERS = {"openid_connect": {"APPS": apps}}
    phone.page.set_viewport_size({"width": 360, "height": 780})
    for path in ("sign-in", "sign-up", "account/password/reset", "sign-in/oidc/failed"):
        looked_at(phone, path, picture)
    sign_up(phone)
    User.objects.get().socialaccount_set.create(provider="oidc", uid="7")
    for path in ("", "/password", "/email", "/sessions", "/passkeys", "/oidc", "/again/oidc"):
        looked_at(phone, f"account{path}", picture)
    User.objects.update(password="!")
    settings.SIGN_UP = "closed"
    sign_out(phone)
    looked_at(phone, "sign-up", picture, "closed")


def looked_at(phone: Phone, path: str, picture: Picture, *also: str) -> None:
    named = "-".join((path.replace("/", "-"), *also))
    phone.go(f"/{path}")
    picture(f"{named}-light")
    phone.page.emulate_media(color_scheme="dark")
    picture(f"{named}-dark")
    phone.page.emulate_media(color_scheme="light")
    assert not hard_to_use(phone.page), path


@pytest.mark.offline
def test_two_factor_key_stays_valid_while_its_page_is_open(phone: Phone) -> None:
    """The service worker used to fetch the page again, which replaced the key."""
    sign_up(phone)
    phone.page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    phone.go("/account/two-factor/on")
    secret = phone.page.locator("#secret").inner_text()
    phone.page.wait_for_timeout(3000)  # 1.5 seconds after loading, pages are stored for offline use
    phone.page.fill("[name=code]", code_of(secret, 0))
    phone.press("Turn on")
    expect(phone.page.get_by_role("heading", name="Recovery codes")).to_be_visible()
