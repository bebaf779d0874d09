"""Who may create an account. A join code works even if sign-up is closed."""

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.test import Client
from pytest_django import Settings

from league.models import User
from league.pages.account.allauth_adapters import Account
from league.sign_in.authentication import free_username
from tests.helpers.league.forms import errors_in
from tests.helpers.league.leagues import a_night, player
from tests.helpers.security.people import (
    NEW,
    PASSWORD,
    gets_in,
    is_in,
    page_text,
    prove,
    sign_in,
    somebody,
)

pytestmark = pytest.mark.django_db

FORM = {"username": "joel", "password1": NEW, "password2": NEW}


@pytest.fixture(autouse=True)
def _nothing_tried() -> None:
    cache.clear()


def test_open_sign_up_requires_only_a_username_and_a_password() -> None:
    client = Client()
    assert client.post("/sign-up", FORM).headers["Location"] == "/"
    assert is_in(client)
    assert User.objects.get().email == ""


def test_sign_up_accepts_an_optional_email_address() -> None:
    """Without an address, a host who forgot the password needed a shell command."""
    client = Client()
    assert "E-mail (optional)" in page_text(client.get("/sign-up"))
    response = client.post("/sign-up", FORM | {"email": "ann at home"})
    assert list(errors_in(response)) == ["Enter a valid email address."]
    assert not User.objects.exists()
    client.post("/sign-up", FORM | {"email": "Ann@Example.org"})
    address = EmailAddress.objects.get()
    assert (address.email, address.verified) == ("ann@example.org", False)
    assert address.user.email == ""
    assert "Check your e-mail" in page_text(client.get("/"))


def test_sign_up_without_a_mail_server_warns_that_passwords_cannot_be_reset(
    settings: Settings,
) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
    page = page_text(Client().get("/sign-up"))
    assert "another host of your league or the administrator" in page
    assert 'name="email"' not in page


def test_sign_in_pages_and_errors_use_the_term_username() -> None:
    """The pages used to say "Username", "Name or e-mail" and "username and/or password"."""
    assert ">Username<" in page_text(Client().get("/sign-up"))
    page = page_text(Client().post("/sign-in", {"username": "ann", "password": "wrong"}))
    assert ">Username or e-mail<" in page
    assert "Wrong username or password." in page
    assert "and/or" not in page_text(
        Client().post("/sign-in", {"username": "ann@example.org", "password": "wrong"})
    )


def test_username_that_differs_only_in_case_counts_as_taken_everywhere() -> None:
    """ "Ann" used to be available although "ann" existed, also by OIDC and on the account page."""
    ann = User.objects.create_user("ann")
    bob = User.objects.create_user("bob", password=NEW)
    taken = "That username is taken."
    assert taken in errors_in(Client().post("/sign-up", FORM | {"username": "ANN"}))
    client = Client()
    client.force_login(bob)
    assert taken in errors_in(client.post("/account/username", {"username": "Ann"}))
    with pytest.raises(ValidationError):
        Account().clean_username("aNN")
    assert free_username("Ann", ann) == "Ann"


def test_closed_sign_up_shows_a_message_and_creates_no_account(settings: Settings) -> None:
    settings.SIGN_UP = "closed"
    assert "New accounts are by invitation" in page_text(Client().get("/sign-up"))
    assert Client().post("/sign-up", FORM).status_code == 403
    assert not User.objects.exists()


def test_join_code_works_while_sign_up_is_closed(settings: Settings) -> None:
    settings.SIGN_UP = "closed"
    night, client = a_night(), Client()
    client.post(f"/join/{night.league.code}", {"player": player(night, "bob").pk})
    assert is_in(client)


# Signing in with a user name or an e-mail address


def test_user_can_sign_in_with_a_verified_address() -> None:
    prove(somebody(), "ann@example.org")
    assert is_in(sign_in("Ann@Example.org"))


def test_user_cannot_sign_in_with_an_unverified_address() -> None:
    user = somebody(email="ann@example.org")
    user.emailaddress_set.create(email="ann@example.org", verified=False, primary=True)
    assert not gets_in("ann@example.org", PASSWORD)


def test_username_equal_to_another_users_address_signs_in_its_own_user() -> None:
    prove(somebody(), "ann@example.org")
    eve = User.objects.create_user("ann@example.org", password=NEW)
    client = sign_in("ann@example.org", NEW)
    assert client.session["_auth_user_id"] == str(eve.pk)


def test_username_equal_to_another_users_address_gives_no_extra_guesses() -> None:
    """Guesses count against the username.

    Otherwise the owner of the address would reset the count by signing in.
    """
    prove(somebody(), "ann@example.org")
    User.objects.create_user("ann@example.org", password=NEW)
    assert not gets_in("ann@example.org", PASSWORD)
    assert gets_in("ann", PASSWORD)


def test_email_address_is_not_accepted_as_a_username() -> None:
    client = Client()
    form = FORM | {"username": "ann@example.org"}
    assert "A username can&#x27;t contain @" in page_text(client.post("/sign-up", form))
    night = a_night()
    client.post(f"/join/{night.league.code}", {"player": player(night, "bob").pk})
    first = {"username": "ann@example.org", "new_password1": NEW, "new_password2": NEW}
    assert "A username can&#x27;t contain @" in page_text(
        client.post("/account/password/set", first)
    )
    assert not User.objects.filter(username="ann@example.org").exists()


def test_usernames_are_case_sensitive_when_signing_in() -> None:
    somebody("ann")
    assert not gets_in("Ann", PASSWORD)


def test_guesses_by_username_and_by_address_are_counted_together() -> None:
    prove(somebody(), "ann@example.org")
    for number in range(settings.AXES_FAILURE_LIMIT):
        name = "ann" if number % 2 else "ANN@example.org".lower()
        Client().post("/sign-in", {"username": name, "password": f"guess {number}"})
    for name in ("ann", "ann@example.org", " ann "):
        answer = Client().post("/sign-in", {"username": name, "password": PASSWORD})
        assert answer.status_code == 429, name


@pytest.mark.parametrize("name", ["n" * 100_000, "", "@", "a" * 255])
def test_unusual_username_causes_no_server_error_at_sign_in(name: str) -> None:
    somebody()
    answer = Client().post("/sign-in", {"username": name, "password": PASSWORD})
    assert answer.status_code == 200
    reset = Client().post("/account/password/reset", {"email": name})
    assert reset.status_code == 200


@pytest.mark.parametrize("at", ["https://evil.example", "//evil.example", "/\\evil.example"])
def test_sign_in_never_redirects_to_another_site(at: str) -> None:
    somebody()
    form = {"username": "ann", "password": PASSWORD, "next": at}
    assert "evil" not in Client().post("/sign-in", form).headers["Location"]
    form = {"username": "bob", "new_password1": NEW, "new_password2": NEW, "next": at}
    night, phone = a_night(), Client()
    phone.post(f"/join/{night.league.code}", {"player": player(night, "bob").pk})
    assert "evil" not in phone.post("/account/password/set", form).headers["Location"]
