"""Users can sign up on a service that has no accounts yet."""

import pytest
from django.test import Client

from league.models import User
from tests.helpers.league.forms import errors_in

pytestmark = pytest.mark.django_db

NAME_10_000 = "n" * 10_000
PASSWORD = "a dealer names the game"


def test_anonymous_visitor_signs_up(client: Client) -> None:
    assert b"Score your home poker night" in client.get("/").content
    form = {"username": "joel", "password1": PASSWORD, "password2": PASSWORD}
    assert client.post("/sign-up", form).headers["Location"] == "/"
    assert b"No leagues yet" in client.get("/").content


@pytest.mark.parametrize(
    ("username", "password"),
    [("", PASSWORD), ("joel", "12345"), (NAME_10_000, PASSWORD)],
)
def test_invalid_user_name_or_password_is_shown_again(
    client: Client, username: str, password: str
) -> None:
    form = {"username": username, "password1": password, "password2": password}
    page = client.post("/sign-up", form)
    assert page.status_code == 200
    assert list(errors_in(page))
    assert not User.objects.exists()
