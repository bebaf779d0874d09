"""Signing in, as a browser does it: passkeys with an authenticator that Chromium plays."""

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
from tests.helpers.browser.phone import PASSWORD, Thumb
from tests.helpers.browser.waiting import wait_until

KEY = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}
# The addresses of all pages that the phone keeps.
KEPT = """async () => {
    const name = (await caches.keys()).find((each) => each.startsWith("pages "));
    return name ? (await (await caches.open(name)).keys()).map(({url}) => url) : [];
}"""
Picture = Callable[[str], Path]


@pytest.fixture
def thumb(page: Page, live_server: LiveServer) -> Thumb:
    cache.clear()
    # A passkey belongs to a host name, and 127.0.0.1 has none.
    return Thumb(page, live_server.url.replace("127.0.0.1", "localhost"))


@pytest.fixture
def finger(page: Page) -> Iterator[CDPSession]:
    """The finger of the phone's owner."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    response = session.send("WebAuthn.addVirtualAuthenticator", {"options": KEY})
    session.number = response["authenticatorId"]  # type: ignore[attr-defined]
    yield session
    session.detach()


def sign_up(thumb: Thumb) -> None:
    thumb.sign_up()
    thumb.page.wait_for_url(f"{thumb.address}/")


def add_passkey(thumb: Thumb) -> None:
    thumb.go("/account/passkeys")
    thumb.press("Add a passkey")
    thumb.page.fill("[name=name]", "Joel's phone")
    thumb.press("Make it on this phone")
    expect(thumb.page.get_by_text("From now on this passkey signs you in.")).to_be_visible()


def sign_out(thumb: Thumb) -> None:
    thumb.page.context.clear_cookies()


def test_passkey_is_created_and_signs_in_without_a_name(
    thumb: Thumb, finger: CDPSession, picture: Picture
) -> None:
    sign_up(thumb)
    add_passkey(thumb)
    expect(thumb.page.get_by_text("Joel's phone")).to_be_visible()
    picture("passkeys")
    assert not hard_to_use(thumb.page)
    sign_out(thumb)
    thumb.go("/sign-in")
    picture("sign-in-passkey")
    thumb.press("Sign in with a passkey")
    thumb.page.wait_for_url(f"{thumb.address}/")
    expect(thumb.page.get_by_role("button", name="Sign out")).to_be_visible()
    kinds = list(LogbookEntry.objects.values_list("kind", flat=True))
    assert kinds == ["passkey-added", "signed-in"]
    sign_out(thumb)
    thumb.go("/sign-in")
    thumb.page.fill("[name=username]", "joel")
    thumb.page.fill("[name=password]", PASSWORD)
    thumb.tap("main .button.main")  # the password alone is still enough
    thumb.page.wait_for_url(f"{thumb.address}/")


def test_early_tap_sends_no_form_without_a_passkey(thumb: Thumb, finger: CDPSession) -> None:
    sign_up(thumb)
    thumb.go("/account/passkeys")
    thumb.page.route("**/passkeys*.js", lambda route: route.abort())
    thumb.press("Add a passkey")
    expect(thumb.page.get_by_role("button", name="Make it on this phone")).to_be_disabled()


def test_finger_of_another_person_opens_nothing(thumb: Thumb, finger: CDPSession) -> None:
    sign_up(thumb)
    add_passkey(thumb)
    sign_out(thumb)
    told = {"authenticatorId": finger.number, "isUserVerified": False}  # type: ignore[attr-defined]
    finger.send("WebAuthn.setUserVerified", told)
    thumb.go("/sign-in")
    thumb.press("Sign in with a passkey")
    expect(thumb.page.locator("[data-passkey-failed]")).to_be_visible()
    thumb.go("/account")
    assert "/sign-in" in thumb.page.url


def test_removed_passkey_opens_nothing(thumb: Thumb, finger: CDPSession) -> None:
    sign_up(thumb)
    add_passkey(thumb)
    thumb.press("Take Joel's phone away")
    expect(thumb.page.get_by_text("opens nothing any more")).to_be_visible()
    assert not Authenticator.objects.exists()
    sign_out(thumb)
    thumb.go("/sign-in")
    thumb.press("Sign in with a passkey")
    expect(thumb.page.get_by_text("No passkey of an account here was taken.")).to_be_visible()


def test_passkey_is_a_fresh_sign_in(
    thumb: Thumb, finger: CDPSession, settings: Settings, picture: Picture
) -> None:
    sign_up(thumb)
    add_passkey(thumb)
    settings.ACCOUNT_REAUTHENTICATION_TIMEOUT = 0
    thumb.press("Add a passkey")
    expect(thumb.page.get_by_role("heading", name="Sign in again")).to_be_visible()
    picture("again")
    thumb.press("Use a passkey")
    expect(thumb.page).to_have_url(re.compile("/account/again/passkey"))
    picture("again-passkey")
    assert not hard_to_use(thumb.page)
    settings.ACCOUNT_REAUTHENTICATION_TIMEOUT = 900
    thumb.press("Use a passkey")
    thumb.page.wait_for_url("**/account/passkeys/add")


def test_passkey_is_renamed(thumb: Thumb, finger: CDPSession, picture: Picture) -> None:
    sign_up(thumb)
    add_passkey(thumb)
    thumb.press("Joel's phone")
    # Chromium takes no picture of a page that is about to go.
    expect(thumb.page.locator("[name=name]")).to_be_visible()
    picture("rename-passkey")
    thumb.page.fill("[name=name]", "The old one")
    thumb.press("Save")
    expect(thumb.page.get_by_text("The old one")).to_be_visible()


def test_missing_passkey_support_is_reported(
    page: Page, live_server: LiveServer, picture: Picture
) -> None:
    thumb = Thumb(page, live_server.url.replace("localhost", "127.0.0.1"))
    sign_up(thumb)
    thumb.go("/account/passkeys")
    expect(page.get_by_text("over HTTPS only")).to_be_visible()
    expect(page.get_by_text("Add a passkey")).to_have_count(0)
    sign_out(thumb)
    thumb.go("/sign-in")
    expect(page.get_by_text("Sign in with a passkey")).to_have_count(0)


@pytest.mark.offline
def test_code_of_an_app_is_required(thumb: Thumb, picture: Picture) -> None:
    sign_up(thumb)
    thumb.page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    thumb.go("/account/two-factor")
    picture("two-factor")
    thumb.press("Set it up")
    secret = thumb.page.locator("#secret").inner_text()
    picture("two-factor-on")
    assert not hard_to_use(thumb.page)
    thumb.page.fill("[name=code]", code_of(secret, 0))
    thumb.press("Ask for codes from now on")
    expect(thumb.page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    picture("recovery-codes")
    thumb.go("/account")
    wait_until(thumb.page, f"({KEPT})().then((kept) => kept.some((at) => at.endsWith('account')))")
    assert not [each for each in thumb.page.evaluate(KEPT) if "/account/" in each]
    thumb.go("/account/two-factor/codes")
    assert not hard_to_use(thumb.page)
    sign_out(thumb)
    thumb.go("/sign-in")
    thumb.page.fill("[name=username]", "joel")
    thumb.page.fill("[name=password]", PASSWORD)
    thumb.tap("main .button.main")
    expect(thumb.page.get_by_role("heading", name="The second step")).to_be_visible()
    picture("second-step")
    assert not hard_to_use(thumb.page)
    thumb.page.fill("[name=code]", code_of(secret, 1))
    thumb.tap("main .button.main")
    thumb.page.wait_for_url(f"{thumb.address}/")


def code_of(secret: str, later: int) -> str:
    """Return the current code, or a later one if it is used up: half a minute may pass
    in between.
    """
    return str(format_hotp_value(hotp_value(secret, int(time.time()) // 30 + later)))


def test_every_page_of_the_account_is_accessible(
    thumb: Thumb, settings: Settings, picture: Picture
) -> None:
    """Those that tests/browser/test_pages.py does not come by, and pictures of all."""
    apps = oidc_apps(name="Acme", server_url="http://127.0.0.1:9", client_id="x", secret="y")
    settings.OIDC_APPS = apps
    settings.SOCIALACCOUNT_PROVIDERS = {"openid_connect": {"APPS": apps}}
    thumb.page.set_viewport_size({"width": 360, "height": 780})
    for path in ("sign-in", "sign-up", "account/password/reset", "sign-in/oidc/failed"):
        looked_at(thumb, path, picture)
    sign_up(thumb)
    User.objects.get().socialaccount_set.create(provider="oidc", uid="7")
    for path in ("", "/password", "/email", "/sessions", "/passkeys", "/oidc", "/again/oidc"):
        looked_at(thumb, f"account{path}", picture)
    User.objects.update(password="!")
    settings.SIGN_UP = "closed"
    sign_out(thumb)
    looked_at(thumb, "sign-up", picture, "closed")


def looked_at(thumb: Thumb, path: str, picture: Picture, *also: str) -> None:
    named = "-".join((path.replace("/", "-"), *also))
    thumb.go(f"/{path}")
    picture(f"{named}-light")
    thumb.page.emulate_media(color_scheme="dark")
    picture(f"{named}-dark")
    thumb.page.emulate_media(color_scheme="light")
    assert not hard_to_use(thumb.page), path
