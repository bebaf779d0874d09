"""The theme and four-colour suits are stored with the account, or in a cookie without one."""

import pytest
from django.test import Client

from league.models import User
from league.pages.offline import STATIC
from tests.helpers.league.leagues import a_user
from tests.helpers.league.pages import html

pytestmark = pytest.mark.django_db


def colours(client: Client) -> bool:
    return 'class="four-colours ' in html(client.get("/games"))


def test_suits_chosen_without_an_account_are_stored_on_the_phone() -> None:
    phone, other = Client(), Client()
    assert not colours(phone)
    phone.post("/looks", {"suits": "four"})
    assert [colours(phone), colours(other)] == [True, False]
    phone.post("/looks", {"suits": "two"})
    assert not colours(phone)


def test_suits_chosen_with_an_account_apply_on_all_its_phones() -> None:
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


def test_theme_is_applied_without_an_account() -> None:
    phone = Client()
    assert '<html lang="en" class="">' in squeezed(phone)
    phone.post("/looks", {"suits": "two", "theme": "dark"})
    assert '<html lang="en" class="dark ">' in squeezed(phone)
    phone.post("/looks", {"suits": "two", "theme": "system"})
    assert '<html lang="en" class="">' in squeezed(phone)


def test_forged_theme_is_ignored() -> None:
    phone = Client()
    phone.cookies["theme"] = "dark evil"
    assert '<html lang="en" class="">' in squeezed(phone)


def squeezed(client: Client) -> str:
    return " ".join(client.get("/games").content.decode().split())


def test_chosen_dark_theme_matches_the_theme_of_dark_devices() -> None:
    tokens = (STATIC / "tokens.css").read_text()
    blocks = [
        tokens.partition(start)[2].partition("}")[0]
        for start in (":root:not(.light) {", ":root.dark {\n  color-scheme: dark;")
    ]
    device, chosen = (block.split() for block in blocks)
    assert device == chosen
    assert "--paper:" in device
