"""A user can download all personal data as one file, linked from every page."""

import json
from io import StringIO

import pytest
from allauth.account.models import EmailAddress
from django.core.management import call_command
from django.test import Client

from league.models import Night, User
from league.people.joining import join
from league.sending import mail
from tests.helpers.league.leagues import player
from tests.helpers.league.nights import a_table, closed, dealt
from tests.helpers.league.pages import html

pytestmark = pytest.mark.django_db


@pytest.fixture
def night() -> Night:
    """A closed night: ann had aces and bob kings, and bob has entered his e-mail address."""
    night = a_table()
    dealt(night)
    closed(night)
    return night


def joined(night: Night, name: str) -> tuple[Client, User]:
    client = Client(enforce_csrf_checks=True)
    user = join(night.league, player(night, name), email=f"{name}@example.org")
    client.force_login(user)
    return client, user


def sent(client: Client) -> bytes:
    """Request the file with the page's form and return it."""
    page = client.get("/account")
    token = str(page.context["csrf_token"])
    answer = client.post("/account/file", {"csrfmiddlewaretoken": token})
    assert answer.status_code == 200
    assert answer["Content-Type"] == "application/json"
    assert answer["Content-Disposition"] == 'attachment; filename="dealers-choice.json"'
    assert "no-store" in answer["Cache-Control"]
    return answer.content


def test_downloaded_file_matches_the_command_output(night: Night) -> None:
    client, user = joined(night, "bob")
    out = StringIO()
    call_command("export_person", user.username, stdout=out)
    assert sent(client).decode() == out.getvalue()


def test_data_file_contains_only_the_signed_in_users_data(night: Night) -> None:
    joined(night, "ann")
    client, user = joined(night, "bob")
    text = sent(client).decode()
    data = json.loads(text)
    assert (data["account"]["username"], data["players"][0]["name"]) == (user.username, "bob")
    assert data["players"][0]["hands"][0]["told"]["down"] == ["Kc", "Kd"]
    assert "Ac" not in text
    assert "ann@example.org" not in text


def letters_in(client: Client) -> list[str]:
    return [each["subject"] for each in json.loads(sent(client))["letters"]]


def test_unverified_address_does_not_include_emails_sent_to_others(night: Night) -> None:
    """Anyone may join their own league and enter any address."""
    bob = join(night.league, player(night, "bob"), email="bob@example.org")
    for key, league in (("1", night.league), ("2", None)):
        mail.write(key, "bob@example.org", f"letter {key}", [], league=league)
    elsewhere, _ = joined(a_table(), "bob")
    assert letters_in(elsewhere) == []
    mine = Client(enforce_csrf_checks=True)
    mine.force_login(bob)
    assert letters_in(mine) == ["letter 1"]
    EmailAddress.objects.create(user=bob, email="bob@example.org", verified=True, primary=True)
    assert letters_in(mine) == ["letter 1", "letter 2"]
    same_table, _ = joined(night, "ann")
    User.objects.filter(players__name="ann").update(email="Bob@example.org")
    assert letters_in(same_table) == []


def test_cross_site_request_for_the_file_is_refused(night: Night) -> None:
    client, _ = joined(night, "bob")
    assert client.post("/account/file").status_code == 403
    assert client.get("/account/file").status_code == 405


def test_anonymous_user_is_asked_to_sign_in(client: Client) -> None:
    for answer in (client.get("/account"), client.post("/account/file")):
        assert answer.headers["Location"].startswith("/sign-in?next=/account")


def test_page_describes_how_to_remove_a_name(night: Night) -> None:
    client, user = joined(night, "bob")
    page = html(client.get("/account"))
    assert f"Your username is <b>{user.username}</b>" in page
    assert "manage.py" not in page
    assert b'href="/account"' in client.get("/").content
    assert b'href="/account"' not in Client().get("/").content
