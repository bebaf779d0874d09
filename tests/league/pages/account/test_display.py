"""Four-colour suits: kept with the account, and in a cookie where there is none."""

import pytest
from django.test import Client

from league.models import User
from tests.helpers.league.leagues import a_user
from tests.helpers.league.pages import html

pytestmark = pytest.mark.django_db


def colours(client: Client) -> bool:
    return 'class="four-colours ' in html(client.get("/games"))


def test_a_phone_keeps_the_suits_without_an_account() -> None:
    phone, other = Client(), Client()
    assert not colours(phone)
    phone.post("/looks", {"suits": "four"})
    assert [colours(phone), colours(other)] == [True, False]
    phone.post("/looks", {"suits": "two"})
    assert not colours(phone)


def test_an_account_takes_its_suits_to_every_phone() -> None:
    user = a_user()
    phone, other = Client(), Client()
    phone.force_login(user)
    other.force_login(user)
    phone.post("/looks", {"suits": "four"})
    assert colours(other)
    assert User.objects.get(pk=user.pk).four_colours


def test_suits_that_nobody_knows_are_refused(client: Client) -> None:
    answer = client.post("/looks", {"suits": "seven"})
    assert answer.status_code == 400
    assert not colours(client)
