"""Users change their own username after a fresh sign-in."""

import pytest
from django.core.cache import cache
from django.test import Client

from league.models import User
from league.people.joining import join
from tests.helpers.league.leagues import a_night, player
from tests.helpers.security.people import (
    PASSWORD,
    gets_in,
    is_in,
    noted,
    page_text,
    sign_in,
    somebody,
    stale,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _nothing_tried() -> None:
    cache.clear()


def changed(client: Client, name: str) -> int:
    return client.post("/account/username", {"username": name}).status_code


def test_new_username_replaces_the_old_one_at_sign_in() -> None:
    somebody()
    client = sign_in()
    assert 'value="ann"' in page_text(client.get("/account/username"))
    assert changed(client, "anna") == 302
    assert (gets_in("ann", PASSWORD), gets_in("anna", PASSWORD)) == (False, True)
    assert is_in(client)
    assert noted() == ["signed-in", "username-changed", "signed-in"]


@pytest.mark.parametrize("name", ["bob", "ann@example.org", "", "x" * 151])
def test_invalid_username_is_refused_and_kept_in_the_field(name: str) -> None:
    somebody("bob")
    somebody()
    client = sign_in()
    answer = client.post("/account/username", {"username": name})
    assert answer.status_code == 400
    assert 'class="error"' in page_text(answer)
    assert f'value="{name}"' in page_text(answer) or not name
    assert User.objects.filter(username="ann").exists()


def test_unchanged_username_is_neither_saved_nor_logged() -> None:
    somebody()
    assert changed(sign_in(), "ann") == 302
    assert noted() == ["signed-in"]


def test_user_can_change_the_case_of_their_username() -> None:
    """The user's current name does not count as taken."""
    somebody()
    assert changed(sign_in(), "Ann") == 302
    assert gets_in("Ann", PASSWORD)


def test_changing_the_username_requires_a_fresh_sign_in() -> None:
    user = somebody()
    client = stale(sign_in(), user)
    assert changed(client, "anna") == 302
    user.refresh_from_db()
    assert user.username == "ann"


def test_username_page_redirects_a_joined_phone_to_setting_a_password() -> None:
    night = a_night()
    client = Client()
    client.force_login(join(night.league, player(night, "bob")))
    assert client.get("/account/username").headers["Location"] == "/account/password/set"
