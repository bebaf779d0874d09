"""Four-colour suits: stored with the account, or in a cookie without one."""

import pytest
from django.test import Client

from league.models import User
from tests.helpers.league.leagues import a_user
from tests.helpers.league.pages import html

pytestmark = pytest.mark.django_db


def colours(client: Client) -> bool:
    return 'class="four-colours ' in html(client.get("/games"))


def test_anonymous_phone_keeps_its_suits() -> None:
    phone, other = Client(), Client()
    assert not colours(phone)
    phone.post("/looks", {"suits": "four"})
    assert [colours(phone), colours(other)] == [True, False]
    phone.post("/looks", {"suits": "two"})
    assert not colours(phone)


def test_account_applies_its_suits_on_every_phone() -> None:
    user = a_user()
    phone, other = Client(), Client()
    phone.force_login(user)
    other.force_login(user)
    phone.post("/looks", {"suits": "four"})
    assert colours(other)
    assert User.objects.get(pk=user.pk).four_colours


def test_unknown_suits_are_refused(client: Client) -> None:
    answer = client.post("/looks", {"suits": "seven"})
    assert answer.status_code == 400
    assert not colours(client)
