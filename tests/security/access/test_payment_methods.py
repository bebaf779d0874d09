"""Payment methods are visible only to the payer of a payment.

Phones' push endpoints and chat addresses are secret too.
"""

import gzip
from pathlib import Path
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.test import Client

from league.archive.export_season import export_season
from league.closing import payments
from league.models import Event, PaymentMethod, Player, User
from league.people.leagues import add_member
from league.privacy.data_export import as_json, of_user
from league.privacy.erasure import erase_player, erase_user
from tests.helpers.api.sample_league import World
from tests.helpers.league.leagues import a_league, a_user, player
from tests.helpers.league.payment_methods import (
    HOLDER,
    IBAN,
    PAYPAL,
    Debt,
    a_debt,
    browser,
    named,
)
from tests.helpers.security.responses import response_body
from tests.helpers.security.secrets import METHODS, receiving_user

pytestmark = pytest.mark.django_db

OWN_PAGE = "/account/paid"


@pytest.fixture
def ann(world: World) -> User:
    return receiving_user(world)


@pytest.fixture
def bob(world: World) -> User:
    return named(world.league, "bob")


def test_payer_loses_access_after_paying(world: World, bob: User, ann: User) -> None:
    planned = world.plan.payments.get()
    pages = (f"/nights/{world.closed.pk}/payments", f"/leagues/{world.league.pk}/money")
    for page in pages:
        assert PAYPAL.encode() in response_body(browser(bob), "get", page)
    payments.promise(planned, uuid4(), 5, by=bob)
    for page in pages:
        body = response_body(browser(bob), "get", page)
        assert not any(each.encode() in body for each in METHODS)


def test_payer_of_another_player_or_in_another_league_has_no_access() -> None:
    debt = a_debt()
    cat, eve = named(debt.night.league, "cat"), a_user("eve")
    add_member(a_league(), eve, "host")
    money = f"/leagues/{debt.night.league.pk}/money"
    for user in (cat, eve):
        for page in (debt.address, money):
            answer = browser(user).get(page)
            assert not any(each in answer.content.decode() for each in METHODS)
    assert browser(eve).get(debt.address).status_code == 404
    assert browser(eve).get(money).status_code == 404


def test_user_no_longer_linked_to_the_paying_player_loses_access() -> None:
    debt = a_debt()
    assert PAYPAL in browser(debt.bob).get(debt.address).content.decode()
    Player.objects.filter(user=debt.bob).update(user=None)
    for page in (debt.address, f"/leagues/{debt.night.league.pk}/money"):
        assert PAYPAL not in browser(debt.bob).get(page).content.decode()


def test_no_webhook_file_or_backup_contains_payment_methods(
    transactional_db: None, tmp_path: Path
) -> None:
    debt = a_debt()
    paid = payments.promise(debt.planned, uuid4(), 4, by=debt.bob)
    payments.confirm(paid, by=debt.ann)
    season = "".join(export_season(debt.night.season))
    call_command("backup", str(tmp_path / "backup"))
    written = (tmp_path / "backup").read_bytes()
    plain = gzip.decompress(written) if written[:2] == b"\x1f\x8b" else written
    assert b"paymentmethod" in plain.lower()
    exported = f"{season} {list(Event.objects.values())} {plain.decode()}"
    assert not any(each in exported for each in METHODS)


def test_personal_export_contains_only_the_users_own_payment_methods() -> None:
    debt = a_debt()
    mine, other = as_json(of_user(debt.ann)), as_json(of_user(debt.bob))
    assert all(each in mine for each in (IBAN, HOLDER, PAYPAL))
    assert not any(each in other for each in METHODS)


def test_erasure_removes_payment_methods() -> None:
    debt = a_debt()
    erase_user(debt.ann, by=None)
    assert not PaymentMethod.objects.exists()
    assert not any(each in of_payer(debt) for each in METHODS)


def test_erasing_a_player_hides_payment_methods_and_deletes_those_of_a_joined_phone() -> None:
    """A user keeps the account's payment methods. A joined phone's methods are deleted."""
    debt = a_debt()
    erase_player(player(debt.night, "ann"), by=None)
    assert not any(each in of_payer(debt) for each in METHODS)
    assert debt.ann.payment_methods.count() == 2
    phone = Client()
    dan = player(debt.night, "dan")
    phone.post(f"/join/{debt.night.league.code}", {"player": str(dan.pk)})
    phone.post(OWN_PAGE, {"kind": "paypal", "handle": "danplays"})
    assert PaymentMethod.objects.count() == 3
    erase_player(dan, by=None)
    assert PaymentMethod.objects.count() == 2


def of_payer(debt: Debt) -> str:
    return browser(debt.bob).get(debt.address).content.decode()
