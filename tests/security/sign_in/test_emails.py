"""Optional e-mail addresses: verification, and a notification when an address changes."""

import re
from urllib.parse import urlsplit

import pytest
from allauth.account.models import EmailAddress
from celery.app.task import Task
from django.core import mail
from django.core.cache import cache
from django.test import Client

from league.models import OutgoingMail, User
from tests.helpers.security.people import is_in, noted, page_text, prove, sign_in, somebody

pytestmark = pytest.mark.django_db

ADD = {"action_add": "", "email": "ann@example.org"}


@pytest.fixture(autouse=True)
def _posted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Send the queued e-mails as a worker does."""
    cache.clear()
    monkeypatch.setattr(Task, "delay", lambda task, *told: task.apply(told, throw=True))


@pytest.fixture
def ann() -> User:
    return somebody()


@pytest.fixture
def client(ann: User) -> Client:
    return sign_in()


def link() -> str:
    match = re.search(r"https?://\S+", str(mail.outbox[-1].body))
    assert match
    return urlsplit(match[0]).path


def test_email_address_is_added_and_verified(client: Client, ann: User) -> None:
    client.post("/account/email", ADD)
    assert not EmailAddress.objects.get().verified
    assert "not verified yet" in page_text(client.get("/account/email"))
    path = link()
    assert "Is ann@example.org your address?" in page_text(client.get(path))
    # A mail client's link preview does not verify the address.
    assert not EmailAddress.objects.get().verified
    client.post(path)
    assert EmailAddress.objects.get().verified
    assert is_in(sign_in("ann@example.org"))
    assert noted().count("email-changed") == 2


def test_altered_link_does_not_verify_the_address(client: Client) -> None:
    client.post("/account/email", ADD)
    path = link()
    assert "has expired" in page_text(client.get(f"{path}x"))
    assert client.post(f"{path}x").status_code == 404
    assert not EmailAddress.objects.get().verified


def test_email_address_can_belong_to_only_one_user(client: Client) -> None:
    prove(somebody("bob"), "ann@example.org")
    client.post("/account/email", ADD)
    assert not EmailAddress.objects.filter(user__username="ann", verified=True).exists()


def test_changing_the_address_notifies_the_old_address(client: Client, ann: User) -> None:
    prove(ann, "old@example.org")
    ann.email = "old@example.org"
    ann.save()
    EmailAddress.objects.create(user=ann, email="new@example.org", verified=True, primary=False)
    client.post("/account/email", {"action_primary": "", "email": "new@example.org"})
    ann.refresh_from_db()
    assert ann.email == "new@example.org"
    letter = OutgoingMail.objects.get()
    assert letter.to == "old@example.org"
    assert "If this wasn't you" in letter.body


def test_another_users_address_cannot_be_changed(client: Client) -> None:
    prove(somebody("bob"), "bob@example.org")
    for action in ("action_remove", "action_primary", "action_send"):
        client.post("/account/email", {action: "", "email": "bob@example.org"})
    assert EmailAddress.objects.get().email == "bob@example.org"
    assert not mail.outbox


def test_password_change_is_reported_to_the_verified_address(client: Client, ann: User) -> None:
    prove(ann, "ann@example.org")
    new = "the next game is another one"
    form = {"oldpassword": "a dealer names the game", "password1": new, "password2": new}
    client.post("/account/password", form)
    assert OutgoingMail.objects.get().body.startswith("Your password was changed.")
