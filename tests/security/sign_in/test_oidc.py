"""Sign-in with a local OpenID Connect provider, up to the last redirect."""

import re
from collections.abc import Iterator
from html import unescape
from typing import Any
from urllib.parse import urlsplit

import pytest
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount, SocialToken
from django.core.cache import cache
from django.test import Client
from pytest_django import Settings

from config.environment.parsers import oidc_apps
from league.models import User
from league.sign_in import rate_limits
from league.sign_in.rate_limits import SIGN_UPS_HERE
from tests.helpers.security.oidc_provider import CLIENT, SECRET, Provider, running
from tests.helpers.security.people import is_in, noted, page_text, prove, sign_in, somebody, stale

pytestmark = pytest.mark.django_db


@pytest.fixture
def provider(settings: Settings) -> Iterator[Provider]:
    cache.clear()
    with running() as provider:
        apps = oidc_apps(name="Acme", server_url=provider.url, client_id=CLIENT, secret=SECRET)
        settings.OIDC_APPS = apps
        providers = {"openid_connect": {"OAUTH_PKCE_ENABLED": True, "APPS": apps}}
        settings.SOCIALACCOUNT_PROVIDERS = providers
        yield provider


def leave(client: Client, **form: str) -> str:
    """Tap the sign-in button. Return the URL that the page redirects to."""
    page = page_text(client.post("/sign-in/oidc", form))
    match = re.search(r'http-equiv="refresh" content="0; url=([^"]+)"', page)
    assert match, page
    return unescape(match[1])


def through(provider: Provider, client: Client, **form: str) -> Any:
    """Go to the provider, sign in there, and return to the service."""
    back = urlsplit(provider.approve(leave(client, **form)))
    return client.get(f"{back.path}?{back.query}")


def linked(user: User) -> SocialAccount:
    return SocialAccount.objects.create(user=user, provider="oidc", uid="7")


def test_sign_in_button_is_hidden_without_a_provider() -> None:
    assert "oidc" not in page_text(Client().get("/sign-in"))
    assert Client().post("/sign-in/oidc").status_code == 404


def test_linked_user_can_sign_in_through_the_provider(provider: Provider) -> None:
    linked(somebody())
    client = Client()
    assert "Continue with Acme" in page_text(client.get("/sign-in"))
    assert through(provider, client).headers["Location"] == "/"
    assert client.session["_auth_user_id"] == str(User.objects.get().pk)
    assert noted() == ["signed-in"]


def test_new_provider_user_chooses_a_username_and_has_no_email_address(provider: Provider) -> None:
    provider.person |= {"email": "ann@example.org", "email_verified": True}
    client = Client()
    assert through(provider, client).headers["Location"] == "/sign-up/oidc"
    assert client.post("/sign-up/oidc", {"username": "annie"}).headers["Location"] == "/"
    user = User.objects.get()
    assert (user.username, user.email, user.has_usable_password()) == ("annie", "", False)
    assert not EmailAddress.objects.exists()
    assert SocialAccount.objects.get().extra_data == {}
    assert not SocialToken.objects.exists()
    assert is_in(client)


def test_accounts_created_through_a_provider_count_against_the_limit(provider: Provider) -> None:
    client, home = Client(), "127.0.0.1"
    through(provider, client)
    for _ in range(SIGN_UPS_HERE.most):
        rate_limits.count_sign_up(home)
    assert client.post("/sign-up/oidc", {"username": "annie"}).status_code == 429
    assert not User.objects.exists()
    cache.clear()
    for _ in range(SIGN_UPS_HERE.most - 1):
        rate_limits.count_sign_up(home)
    assert client.post("/sign-up/oidc", {"username": "annie"}).status_code == 302
    assert not rate_limits.may_sign_up(home)


def test_email_address_is_not_accepted_as_a_username_for_a_provider(provider: Provider) -> None:
    client = Client()
    through(provider, client)
    assert "A username can&#x27;t contain @" in page_text(
        client.post("/sign-up/oidc", {"username": "a@example.org"})
    )
    assert not User.objects.exists()


def test_matching_email_address_does_not_link_an_account(provider: Provider) -> None:
    """An attacker could enter a user's address at the provider and take over the account here."""
    prove(somebody(), "ann@example.org")
    provider.person |= {"email": "ann@example.org", "email_verified": True}
    client = Client()
    assert through(provider, client).headers["Location"] == "/sign-up/oidc"
    assert not is_in(client)
    client.post("/sign-up/oidc", {"username": "ann"})
    assert User.objects.count() == 1


def test_closed_sign_up_also_applies_to_provider_users(
    provider: Provider, settings: Settings
) -> None:
    settings.SIGN_UP = "closed"
    client = Client()
    assert "New accounts are by invitation" in page_text(through(provider, client))
    assert not User.objects.exists()


def test_signed_in_user_can_link_and_unlink_the_provider(provider: Provider) -> None:
    user = somebody()
    client = sign_in()
    assert through(provider, client, process="connect").headers["Location"] == "/account/oidc"
    assert SocialAccount.objects.get().user == user
    assert "You can sign in with Acme" in page_text(client.get("/account/oidc"))
    assert client.post("/account/oidc").headers["Location"] == "/account/oidc"
    assert not SocialAccount.objects.exists()
    assert {"sign-in-linked", "sign-in-unlinked"} <= set(noted())


def test_stale_session_cannot_link_or_unlink_the_provider(provider: Provider) -> None:
    user = somebody()
    client = stale(sign_in(), user)
    through(provider, client, process="connect")
    assert not SocialAccount.objects.exists()
    linked(user)
    assert client.post("/account/oidc").headers["Location"].startswith("/account/again")
    assert SocialAccount.objects.exists()


def test_provider_account_linked_to_another_user_is_refused(provider: Provider) -> None:
    theirs = linked(somebody("bob"))
    somebody()
    through(provider, sign_in(), process="connect")
    theirs.refresh_from_db()
    assert theirs.user.username == "bob"


def test_only_sign_in_method_cannot_be_unlinked(provider: Provider) -> None:
    user = somebody()
    user.set_unusable_password()
    user.save()
    linked(user)
    client = Client()
    through(provider, client)
    assert client.post("/account/oidc").status_code == 400
    assert SocialAccount.objects.exists()


def test_signing_in_again_through_the_provider_makes_the_session_fresh(provider: Provider) -> None:
    user = somebody()
    user.set_unusable_password()
    user.save()
    linked(user)
    client = Client()
    through(provider, client)
    stale(client, user)
    assert client.get("/account/passkeys/add").headers["Location"].startswith("/account/again/oidc")
    assert "Continue with Acme" in page_text(
        client.get("/account/again/oidc?next=/account/passkeys/add")
    )
    answer = through(provider, client, process="connect", next="/account/passkeys/add")
    assert answer.headers["Location"] == "/account/passkeys/add"
    assert client.get("/account/passkeys/add").status_code == 200


@pytest.mark.parametrize("lie", ["issuer", "audience"])
def test_token_for_a_different_audience_does_not_sign_in(provider: Provider, lie: str) -> None:
    linked(somebody())
    setattr(provider, lie, "http://127.0.0.1:1/other")
    client = Client()
    assert through(provider, client).status_code == 401
    assert not is_in(client)


@pytest.mark.parametrize("query", ["code=code-0&state=another", "code=another", "error=x", ""])
def test_forged_callback_does_not_sign_in(provider: Provider, query: str) -> None:
    linked(somebody())
    client = Client()
    provider.approve(leave(client))
    answer = client.get(f"/sign-in/oidc/back?{query}")
    assert answer.status_code in (302, 401)
    assert not is_in(client)


def test_unavailable_provider_is_reported_in_plain_language(
    provider: Provider, settings: Settings
) -> None:
    settings.OIDC_APPS[0]["settings"]["server_url"] = "http://127.0.0.1:9"
    answer = Client().post("/sign-in/oidc")
    assert answer.status_code == 502
    assert "couldn't be reached" in page_text(answer)


def test_secrets_are_sent_only_over_https(provider: Provider) -> None:
    """If the provider's configuration contains plain HTTP URLs, nothing is sent to them."""
    linked(somebody())
    provider.token_at = "http://198.51.100.7/token"
    client = Client()
    assert through(provider, client).status_code in (401, 502)
    assert not is_in(client)


def test_provider_sign_in_can_only_be_started_from_our_form(provider: Provider) -> None:
    assert Client().get("/sign-in/oidc").status_code == 405
    assert Client(enforce_csrf_checks=True).post("/sign-in/oidc").status_code == 403
    assert Client().post("/sign-in/oidc", {"process": "connect"}).url == "/sign-in"
    assert not provider.asked
