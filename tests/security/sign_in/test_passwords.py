"""Changing a password, and resetting it by e-mail. Sessions with the old password end."""

import re

import pytest
from celery.app.task import Task
from django.core import mail
from django.core.cache import cache
from django.test import Client
from kombu.exceptions import OperationalError
from pytest_django import Settings

from league.models import Device, LogbookEntry, OutgoingMail, User
from league.people.devices import remember
from league.people.joining import join
from league.sign_in import rate_limits
from league.sign_in.rate_limits import WRONG_PASSWORDS_AGAIN, WRONG_PASSWORDS_HERE
from league.tasks import send_secret_mail
from tests.helpers.league.leagues import a_night, player
from tests.helpers.security.people import (
    NEW,
    PASSWORD,
    gets_in,
    is_in,
    noted,
    page_text,
    prove,
    sign_in,
    somebody,
    stale,
)

pytestmark = pytest.mark.django_db

CHANGED = {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW}


@pytest.fixture(autouse=True)
def _nothing_tried() -> None:
    cache.clear()


@pytest.fixture
def posted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Send the queued e-mails as a worker does."""
    monkeypatch.setattr(Task, "delay", lambda task, *told: task.apply(told, throw=True))


def test_changing_the_password_ends_all_other_sessions() -> None:
    somebody()
    here, elsewhere = sign_in(), sign_in()
    assert here.post("/account/password", CHANGED).headers["Location"] == "/account"
    assert (is_in(here), is_in(elsewhere)) == (True, False)
    assert (gets_in("ann", PASSWORD), gets_in("ann", NEW)) == (False, True)
    assert "password-changed" in noted()


@pytest.mark.parametrize(
    "wrong",
    [
        {"oldpassword": "guess"},
        {"password2": "other"},
        {"password1": "12345", "password2": "12345"},
    ],
)
def test_refused_password_change_keeps_the_old_password(wrong: dict[str, str]) -> None:
    somebody()
    client = sign_in()
    assert client.post("/account/password", CHANGED | wrong).status_code == 200
    assert gets_in("ann", PASSWORD)


def test_incorrect_current_password_is_reported_as_such() -> None:
    somebody()
    typed = CHANGED | {"oldpassword": "guess"}
    assert "Incorrect password." in page_text(sign_in().post("/account/password", typed))


def test_short_password_and_its_different_repetition_are_both_reported() -> None:
    somebody()
    typed = CHANGED | {"password1": "12345", "password2": "54321"}
    page = page_text(sign_in().post("/account/password", typed))
    assert "too short" in page
    assert "You must type the same password each time." in page


def test_password_guesses_within_a_session_are_limited(settings: Settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"change_password": None}
    somebody()
    client = sign_in()
    for number in range(settings.AXES_FAILURE_LIMIT):
        client.post("/account/password", CHANGED | {"oldpassword": f"guess {number}"})
    assert client.post("/account/password", CHANGED).status_code == 429
    assert gets_in("ann", NEW) is False
    assert {"wrong-password", "locked-out"} <= set(noted())


@pytest.mark.parametrize("way", ["/account/again", "/account/password"])
def test_unverified_address_does_not_help_with_guessing_another_account(
    way: str, settings: Settings
) -> None:
    """Guesses count against the session's user, and no response confirms a guess."""
    prove(somebody(), "ann@example.org")
    User.objects.create_user("eve", password=NEW, email="ann@example.org")
    settings.ACCOUNT_RATE_LIMITS = {"change_password": None}
    client = sign_in("eve", NEW)
    form = CHANGED | {"password": PASSWORD, "oldpassword": PASSWORD}
    answers = [client.post(way, form).status_code for _ in range(settings.AXES_FAILURE_LIMIT)]
    assert answers[-1] == 429


@pytest.mark.parametrize("way", ["/account/again", "/account/password"])
def test_limit_for_guesses_in_a_session_applies_across_addresses(
    way: str, settings: Settings
) -> None:
    """Otherwise an attacker would get eight more guesses from each new address."""
    settings.ACCOUNT_RATE_LIMITS = {"change_password": None, "reauthenticate": None}
    somebody()
    client = sign_in()
    for number in range(WRONG_PASSWORDS_AGAIN.most):
        form = CHANGED | {"password": f"guess {number}", "oldpassword": f"guess {number}"}
        assert client.post(way, form, REMOTE_ADDR=f"198.51.{number}.9").status_code == 200
    right = CHANGED | {"password": PASSWORD}
    assert client.post(way, right, REMOTE_ADDR="198.51.200.9").status_code == 429
    assert gets_in("ann", PASSWORD)  # the user can sign in on another device and end the session
    assert rate_limits.may_reauthenticate("198.51.200.9", somebody("bob"))


def test_wrong_password_at_confirmation_counts_against_the_address() -> None:
    somebody()
    client = sign_in()
    client.post("/account/again", {"password": "guess"}, REMOTE_ADDR="198.51.100.9")
    for number in range(WRONG_PASSWORDS_HERE.most - 1):
        rate_limits.count_wrong_password("198.51.100.9", f"name-{number}")
    assert not rate_limits.may_try_password("198.51.100.9", "zoe")


def letter() -> str:
    """Return the path of the link in the latest e-mail."""
    match = re.search(r"https?://[^/\s]+(/account/\S+)", str(mail.outbox[-1].body))
    assert match, mail.outbox[-1].body
    return match[1]


@pytest.mark.usefixtures("posted")
def test_verified_address_receives_a_link_that_sets_a_password_once() -> None:
    prove(somebody(), "ann@example.org")
    elsewhere = sign_in()
    client = Client()
    response = client.post("/account/password/reset", {"email": "Ann@example.org"})
    assert response.headers["Location"] == "/account/password/reset/sent"
    path = letter()
    form = client.get(path).headers["Location"]
    assert form.endswith("-set-password")
    client.post(form, {"password1": NEW, "password2": NEW})
    assert gets_in("ann", NEW)
    assert not is_in(elsewhere)
    assert "password-reset" in noted()
    assert "has expired" in page_text(Client().get(path))
    assert not OutgoingMail.objects.filter(body__contains="/account/password").exists()


@pytest.mark.usefixtures("posted")
@pytest.mark.parametrize("email", ["ann@example.org", "nobody@example.org"])
def test_unverified_address_receives_no_email_but_the_page_is_the_same(email: str) -> None:
    """An address entered when joining may belong to someone else."""
    somebody(email="ann@example.org")
    response = Client().post("/account/password/reset", {"email": email})
    assert response.headers["Location"] == "/account/password/reset/sent"
    assert not mail.outbox


@pytest.mark.usefixtures("posted")
def test_email_link_uses_the_configured_site_url(settings: Settings) -> None:
    settings.SITE_URL = "https://league.example.org"
    prove(somebody(), "ann@example.org")
    Client().post("/account/password/reset", {"email": "ann@example.org"})
    assert "\nhttps://league.example.org/account/password/reset/" in str(mail.outbox[-1].body)


@pytest.mark.parametrize("email", ["ann@example.org", "nobody@example.org"])
def test_unavailable_queue_does_not_reveal_which_accounts_exist(
    email: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: object, **__: object) -> None:
        raise OperationalError

    monkeypatch.setattr(Task, "apply_async", away)
    prove(somebody(), "ann@example.org")
    response = Client().post("/account/password/reset", {"email": email})
    assert response.headers["Location"] == "/account/password/reset/sent"


def test_password_reset_by_email_is_not_offered_without_a_mail_server(settings: Settings) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
    page = page_text(Client().get("/account/password/reset"))
    assert "E-mail isn't set up" in page
    assert "manage.py password_link" in page
    assert "Send link" not in page
    somebody()
    client = sign_in()
    page = page_text(client.get("/account/email"))
    assert "E-mail isn't set up" in page
    assert "forgotten password" not in page + page_text(client.get("/account"))


def test_sign_in_email_is_sent_by_the_worker() -> None:
    send_secret_mail("A new password", "https://example.org/x", "ann@example.org")
    assert [each.to for each in mail.outbox] == [["ann@example.org"]]
    assert not OutgoingMail.objects.exists()


# Phones that joined with a code


@pytest.fixture
def phone() -> tuple[Client, User]:
    night, client = a_night(), Client()
    assert client.post(f"/join/{night.league.code}", {"player": player(night, "bob").pk}).url
    return client, User.objects.get(username__startswith="phone-")


def test_joined_phone_can_set_a_username_and_password_to_sign_in_elsewhere(
    phone: tuple[Client, User],
) -> None:
    client, user = phone
    before = client.session.session_key
    form = {"username": "bob", "new_password1": NEW, "new_password2": NEW}
    assert client.post("/account/password/set", form).headers["Location"] == "/account"
    user.refresh_from_db()
    assert user.username == "bob"
    assert is_in(client)
    assert is_in(sign_in("bob", NEW))
    assert client.session.session_key != before
    # A host can still sign out this phone.
    assert Device.objects.get().session_key == client.session.session_key


def test_joined_phone_cannot_take_an_existing_username(phone: tuple[Client, User]) -> None:
    somebody("bob")
    form = {"username": "bob", "new_password1": NEW, "new_password2": NEW}
    assert phone[0].post("/account/password/set", form).status_code == 400
    assert gets_in("bob", PASSWORD)


def test_user_with_a_password_needs_it_to_set_a_new_one() -> None:
    somebody()
    client = sign_in()
    form = {"username": "eve", "new_password1": NEW, "new_password2": NEW}
    assert client.post("/account/password/set", form).url == "/account/password"
    assert gets_in("ann", PASSWORD)


def test_provider_user_needs_a_fresh_sign_in_to_set_a_password() -> None:
    user = somebody()
    user.set_unusable_password()
    user.save()
    user.socialaccount_set.create(provider="oidc", uid="7")
    client = Client()
    client.force_login(user)
    stale(client, user)
    form = {"username": "ann", "new_password1": NEW, "new_password2": NEW}
    assert client.post("/account/password/set", form).url.startswith("/account/again/oidc")
    assert not gets_in("ann", NEW)


def test_stored_session_key_does_not_sign_the_phone_out() -> None:
    """A host can sign the phone out by this key. A new password keeps the stored key current."""
    night = a_night()
    user = join(night.league, player(night, "bob"))
    client = Client()
    client.force_login(user)
    key = client.session.session_key or ""
    remember(night.league, user, player(night, "bob"), session_key=key, kind="")
    assert is_in(client)


def test_activity_log_contains_nothing_that_users_typed() -> None:
    somebody()
    client = sign_in()
    client.post("/account/password", CHANGED | {"oldpassword": "typed by mistake"})
    client.post("/account/password", CHANGED)
    entries = str(list(LogbookEntry.objects.values()))
    assert not any(word in entries for word in (PASSWORD, NEW, "typed by mistake"))
