"""The second factor: a code after the password, valid once, from an encrypted secret."""

import base64
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.core.cache import cache
from django.core.exceptions import PermissionDenied
from django.test import Client
from pytest_django import Settings

from league.models import User
from league.pages.account.allauth_adapters import SecondFactor
from tests.helpers.security.codes import code_of
from tests.helpers.security.people import (
    PASSWORD,
    is_in,
    noted,
    page_text,
    sign_in,
    somebody,
    stale,
)

pytestmark = pytest.mark.django_db(transaction=True)

IN = {"username": "ann", "password": PASSWORD}


@pytest.fixture
def ann() -> User:
    cache.clear()
    return somebody()


@pytest.fixture
def client(ann: User) -> Client:
    return sign_in()


@pytest.fixture
def secret(client: Client) -> str:
    """Set up an authenticator app and return its secret."""
    text = str(client.get("/account/two-factor/on").context["form"].secret)
    turned_on = client.post("/account/two-factor/on", {"code": code_of(text, later=-1)})
    assert turned_on.headers["Location"] == "/account/two-factor/codes"
    return text


def recovery_codes(client: Client) -> list[str]:
    return list(client.get("/account/two-factor/codes").context["unused_codes"])


def test_password_alone_does_not_sign_in(secret: str) -> None:
    client = Client()
    assert client.post("/sign-in", IN).headers["Location"] == "/sign-in/code"
    assert not is_in(client)
    assert client.post("/sign-in/code", {"code": "000000"}).status_code == 200
    assert not is_in(client)
    assert client.post("/sign-in/code", {"code": code_of(secret)}).headers["Location"] == "/"
    assert is_in(client)
    assert noted().count("signed-in") == 2


def test_authenticator_code_works_only_once(secret: str) -> None:
    code = code_of(secret)
    for worked in (True, False):
        client = Client()
        client.post("/sign-in", IN)
        client.post("/sign-in/code", {"code": code})
        assert is_in(client) is worked


def test_number_of_authenticator_code_guesses_is_limited(secret: str) -> None:
    client = Client()
    client.post("/sign-in", IN)
    for number in range(5):
        client.post("/sign-in/code", {"code": f"{number:06}"})
    client.post("/sign-in/code", {"code": code_of(secret)})
    assert not is_in(client)


def test_recovery_code_works_only_once(client: Client, secret: str) -> None:
    code = recovery_codes(client)[0]
    for worked in (True, False):
        other = Client()
        other.post("/sign-in", IN)
        other.post("/sign-in/code", {"code": code})
        assert is_in(other) is worked
    assert len(recovery_codes(client)) == 9


def test_new_recovery_codes_replace_the_old_ones(client: Client, secret: str) -> None:
    old = recovery_codes(client)
    assert client.post("/account/two-factor/codes/new").status_code == 302
    assert not set(old) & set(recovery_codes(client))
    assert "recovery-codes-made" in noted()


def test_code_page_requires_the_password_first() -> None:
    assert Client().get("/sign-in/code").headers["Location"].startswith("/sign-in")


def test_password_alone_signs_in_when_two_factor_is_turned_off(client: Client, secret: str) -> None:
    assert client.post("/account/two-factor/off").headers["Location"] == "/account/two-factor"
    assert is_in(sign_in())
    assert not Authenticator.objects.exists()
    assert {"second-factor-added", "second-factor-removed"} <= set(noted())


@pytest.mark.parametrize("path", ["on", "off", "codes", "codes/new"])
def test_stale_session_cannot_see_or_change_two_factor_settings(
    client: Client, ann: User, secret: str, path: str
) -> None:
    stale(client, ann)
    ask = client.post if path == "codes/new" else client.get
    at: Any = ask(f"/account/two-factor/{path}")
    assert at.headers["Location"].startswith("/account/again")


def test_authenticator_code_counts_as_a_fresh_sign_in(
    client: Client, ann: User, secret: str
) -> None:
    stale(client, ann)
    at = "/account/two-factor/codes"
    answer = client.post("/account/again/code", {"code": code_of(secret), "next": at})
    assert answer.headers["Location"] == at
    assert client.get(at).status_code == 200


def test_two_factor_secrets_are_encrypted_with_the_secret_key(
    client: Client, secret: str, settings: Settings
) -> None:
    stored = str(list(Authenticator.objects.values_list("data", flat=True)))
    assert secret not in stored
    assert base64.b32decode(secret).hex() not in stored
    assert not any(code in stored for code in recovery_codes(client))
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another one that nobody knows, and that is long enough for this"
    encrypted = Authenticator.objects.get(type="totp").data["secret"]
    assert SecondFactor().decrypt(encrypted) == secret


def test_codes_are_refused_after_the_secret_key_is_replaced(
    secret: str, settings: Settings
) -> None:
    """No code works, not even a predictable one such as an empty secret's code."""
    stored = Authenticator.objects.get(type="totp").data["secret"]
    settings.SECRET_KEY = "another one that nobody knows, and that is long enough for this"
    with pytest.raises(PermissionDenied, match="password_link"):
        SecondFactor().decrypt(stored)


def test_page_shows_the_secret_as_a_qr_code_and_as_text(client: Client) -> None:
    page = client.get("/account/two-factor/on")
    assert page.context["form"].secret in page_text(page)
    assert "data:image/svg+xml;base64," in page_text(page)
    assert "no-store" in page.headers["Cache-Control"]
