"""Every allauth page uses our own templates, for every visitor."""

from collections.abc import Iterator
from pathlib import Path

import allauth
import pytest
from allauth.mfa.models import Authenticator
from django.core.cache import cache
from django.template.loader import get_template
from django.test import Client
from django.test.signals import template_rendered
from pytest_django import Settings

from config.environment.parsers import oidc_apps
from league.models import User
from league.pages.account.urls import urlpatterns
from tests.helpers.league.leagues import a_night, player
from tests.helpers.security.codes import code_of
from tests.helpers.security.people import PASSWORD, page_text, sign_in, somebody

pytestmark = pytest.mark.django_db

THEIRS = Path(allauth.__file__).parent
# tests/browser/test_sign_in.py tests passkeys in a browser.
WANTS_A_PASSKEY = {"mfa_reauthenticate_webauthn", "mfa_edit_webauthn"}


@pytest.fixture
def drawn() -> Iterator[set[str]]:
    """Collect the template files of all rendered pages."""
    templates: set[str] = set()

    def note(template: object, **_: object) -> None:
        templates.add(str(getattr(template, "origin", "")))

    template_rendered.connect(note)
    yield templates
    template_rendered.disconnect(note)


@pytest.fixture(autouse=True)
def _provider(settings: Settings) -> None:
    cache.clear()
    apps = oidc_apps(name="Acme", server_url="http://127.0.0.1:9", client_id="x", secret="y")
    settings.OIDC_APPS = apps
    settings.SOCIALACCOUNT_PROVIDERS = {"openid_connect": {"APPS": apps}}


def with_codes(name: str) -> Client:
    """A user with an authenticator app."""
    somebody(name)
    client = sign_in(name)
    secret = client.get("/account/two-factor/on").context["form"].secret
    client.post("/account/two-factor/on", {"code": code_of(secret, later=-1)})
    return client


def before_the_code(name: str) -> Client:
    client = Client()
    client.post("/sign-in", {"username": name, "password": PASSWORD})
    return client


def a_phone() -> Client:
    night, client = a_night(), Client()
    client.post(f"/join/{night.league.code}", {"player": player(night, "bob").pk})
    return client


def pages() -> Iterator[tuple[Client, str]]:
    """Yield a client and a URL for each account page, in a state in which the page appears."""
    codes, phone = with_codes("carl"), a_phone()
    user = somebody()
    user.socialaccount_set.create(provider="oidc", uid="7")
    client, nobody = sign_in(), Client()
    Authenticator.objects.filter(type="webauthn").delete()
    for path in ("reset", "reset/sent", "reset/1-key", "link/nothing"):
        yield nobody, f"/account/password/{path}"
    for path in ("sign-in", "sign-up", "sign-in/oidc/failed"):
        yield nobody, f"/{path}"
    yield phone, "/account"
    yield phone, "/account/password/set"
    yield before_the_code("carl"), "/sign-in/code"
    for path in ("again/code", "two-factor", "two-factor/off", "two-factor/codes"):
        yield codes, f"/account/{path}"
    for path in (
        "username",
        "password",
        "email",
        "email/sent",
        "email/x",
        "sessions",
        "again",
        "again/oidc",
    ):
        yield client, f"/account/{path}"
    for path in ("two-factor", "two-factor/on", "passkeys", "passkeys/add", "oidc"):
        yield client, f"/account/{path}"


def test_every_account_page_uses_our_templates(drawn: set[str]) -> None:
    for client, path in pages():
        drawn.clear()
        answer = client.get(path)
        assert answer.status_code in (200, 401, 404), path
        theirs = {template for template in drawn if template.startswith(str(THEIRS))}
        assert not theirs, (path, theirs)
        assert any(template.endswith("/templates/base.html") for template in drawn), path
        assert "script-src 'self'" in answer.headers["Content-Security-Policy"]
        assert "<script>" not in page_text(answer)
        assert "onclick" not in page_text(answer)


def test_these_tests_visit_every_account_page() -> None:
    """Pages are compared by view, so a new URL without a case here fails."""
    shown = {path for _, path in pages()}
    named = {str(each.name): f"/{each.pattern}" for each in urlpatterns}
    others = {
        *("account_logout", "account_inactive"),
        *("mfa_login_webauthn", "openid_connect_login", "openid_connect_callback"),
        *("socialaccount_login_cancelled", "socialaccount_signup", "end-other-sessions"),
        *("account_reset_password_from_key_done", "end-session", "mfa_remove_webauthn"),
        *("mfa_generate_recovery_codes", "account_reset_password_from_key", "password-link"),
        *("account_confirm_email", *WANTS_A_PASSKEY),
    }
    assert {name for name, at in named.items() if at not in shown} == others


def test_every_account_message_has_our_template() -> None:
    ours = [
        path.relative_to(THEIRS / "templates").as_posix()
        for folder in ("account", "mfa", "socialaccount", "usersessions")
        for path in (THEIRS / "templates" / folder / "messages").glob("*.txt")
    ]
    # Messages of disabled sign-in methods.
    never = {"login_code_sent", "phone_verified", "phone_verification_sent"}
    never |= {"webauthn_added", "webauthn_removed"}
    for name in ours:
        if Path(name).stem not in never:
            assert not str(get_template(name).template.origin).startswith(str(THEIRS)), name


def test_rate_limits_are_reported_on_our_page(settings: Settings, drawn: set[str]) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"login": "1/h/ip"}
    somebody()
    form = {"username": "ann", "password": "guess"}
    answers = [Client().post("/sign-in", form) for _ in range(2)]
    assert answers[1].status_code == 429
    assert "Too many attempts" in page_text(answers[1])
    assert not any(each.startswith(str(THEIRS)) for each in drawn)


@pytest.mark.parametrize(
    ("action", "method", "path"),
    [("oidc", "post", "/sign-in/oidc"), ("passkey", "get", "/sign-in/passkey")],
)
def test_number_of_sign_ins_started_from_an_address_is_limited(
    settings: Settings, action: str, method: str, path: str
) -> None:
    """Each request contacts a provider or creates a session in the database."""
    settings.ACCOUNT_RATE_LIMITS = {action: "2/h/ip"}
    answers = [
        getattr(Client(headers={"Accept": "application/json"}), method)(path).status_code
        for _ in range(3)
    ]
    assert answers[2] == 429
    assert 429 not in answers[:2]


def test_rate_limits_use_the_address_reported_by_the_proxy(settings: Settings) -> None:
    """The limit uses neither the address that the client sends nor the proxy's address."""
    settings.ACCOUNT_RATE_LIMITS = {"login": "1/h/ip"}
    settings.BEHIND_HTTPS = True
    form = {"username": "ann", "password": "guess"}
    for said_first, seen, status in (
        ("198.51.100.1", "203.0.113.7", 200),
        ("198.51.100.2", "203.0.113.7", 429),
        ("198.51.100.2", "203.0.113.8", 200),
        ("x", "2001:db8::1", 200),
        ("x", "2001:db8::2", 429),
    ):
        headers = {"X-Forwarded-For": f"{said_first}, {seen}"}
        client = Client(REMOTE_ADDR="10.0.0.2", headers=headers)
        assert client.post("/sign-in", form, secure=True).status_code == status, seen


def test_inactive_user_gets_the_same_response_as_for_a_wrong_password() -> None:
    User.objects.filter(pk=somebody().pk).update(is_active=False)
    answer = Client().post("/sign-in", {"username": "ann", "password": PASSWORD})
    assert answer.status_code == 200
