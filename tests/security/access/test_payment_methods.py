"""Payment methods are visible only to the payer of a payment.

Phones' push endpoints and chat addresses are secret too.
"""

import gzip
import logging
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from django.core.management import call_command
from django.db import transaction
from django.test import Client

from league.archive.export_season import export_season
from league.chat.services import add_channel
from league.closing import payments
from league.models import Event, PaymentMethod, Player, User
from league.notices.subscriptions import Address, subscribe
from league.people.leagues import add_member
from league.privacy.data_export import as_json, of_user
from league.privacy.erasure import erase_player, erase_user
from tests.helpers.api.routes import RULES, address, bodies
from tests.helpers.api.sample_league import World, link_to
from tests.helpers.league.leagues import a_league, a_user, player
from tests.helpers.league.payment_methods import (
    HOLDER,
    IBAN,
    PAYPAL,
    Debt,
    a_debt,
    browser,
    likes,
    named,
)
from tests.helpers.league.push_service import point as of_curve
from tests.helpers.league.push_service import text_of
from tests.helpers.security.pages import filled, pages

pytestmark = pytest.mark.django_db

SECRETS = (IBAN, HOLDER, PAYPAL, "1002 0500")
# Secret addresses and keys for a phone and a chat.
ENDPOINT, AUTH, TOPIC = "push.example.org/of-anns-phone", b"sixteen letters.", "our-secret-topic"
# All callers with access to a league, and one without. A scorekeeper and a token have no further
# rights than a host, so they are tested at night.
OTHERS = ("scorekeeper", "manage token")
DOORS = [
    *("host", "player", "outsider"),
    *(pytest.param(who, marks=pytest.mark.scheduled) for who in OTHERS),
]
OWN_FILE = "/account/file"
OWN_PAGE = "/account/paid"


@pytest.fixture
def ann(world: World) -> User:
    """Ann has payment methods, and bob owes her five more chips."""
    user = named(world.league, "ann")
    likes(user)
    add_channel(world.league, uuid4(), f"https://ntfy.example.org/{TOPIC}", by=None)
    point = text_of(of_curve(ec.generate_private_key(ec.SECP256R1()).public_key()))
    address = Address(f"https://{ENDPOINT}", point, text_of(AUTH))
    subscribe(user, address, session_key="of-ann", kind="Safari, iPhone")
    return user


@pytest.fixture
def bob(world: World) -> User:
    return named(world.league, "bob")


def everything(world: World, client: Client, *, sends: bool) -> Iterator[tuple[str, str, bytes]]:
    """Yield all responses that this visitor can get, even to forms. Roll changes back."""
    for route in pages():
        at = filled(world, route)
        yield at, "get", _response_body(client, "get", at)
        if sends:
            yield at, "post", _response_body(client, "post", at, {"key": str(uuid4())})
    values = bodies(world)
    for name, method in RULES:
        if "token" not in name and (sends or method == "get"):
            at, body = address(world, name), values.get((name, method))
            yield at, method, _response_body(client, method, at, body)


def _response_body(client: Client, method: str, at: str, body: Any = None) -> bytes:
    signed_in = deepcopy(client.cookies)  # one of the requests signs out the visitor
    kind = {"content_type": "application/json"} if "/api/" in at and method != "get" else {}
    with transaction.atomic():
        answer = getattr(client, method)(at, body, **kind)
        text = b"".join(answer) if answer.streaming else answer.content
        heads = str(dict(answer.headers)).encode()
        transaction.set_rollback(True)
    client.cookies = signed_in
    return bytes(heads + text)


def _hear_all(caplog: pytest.LogCaptureFixture) -> None:
    """Capture the log, except template messages about undefined variables.

    These messages contain a page's whole context, which adds up to gigabytes in this test. The
    production settings in `config.observability.logs` do not log them.
    """
    caplog.set_level(logging.DEBUG)
    caplog.set_level(logging.INFO, logger="django.template")


def leaked_secrets(world: World, client: Client, *, sends: bool = True) -> set[tuple[str, str]]:
    """Return the parts of a visitor's responses that contain a secret."""
    return {
        (at, method)
        for at, method, answer in everything(world, client, sends=sends)
        if any(each.encode() in answer for each in (*SECRETS, ENDPOINT, text_of(AUTH), TOPIC))
    }


@pytest.mark.parametrize("who", DOORS)
def test_no_url_reveals_payment_methods_to_others(
    who: str,
    world: World,
    bob: User,
    ann: User,
    doors: dict[str, Client],
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The others include hosts, scorekeepers, and tokens of any scope."""
    _hear_all(caplog)
    assert leaked_secrets(world, doors[who], sends=who == "host") == set()
    feeds = f"/api/v1/leagues/{world.league.pk}/seasons?key={link_to(world.league)}"
    assert not any(each.encode() in _response_body(Client(), "get", feeds) for each in SECRETS)
    assert not any(each in caplog.text for each in (*SECRETS, ENDPOINT, text_of(AUTH), TOPIC))


def test_payer_sees_payment_methods_only_next_to_the_payment(
    world: World, bob: User, ann: User, caplog: pytest.LogCaptureFixture
) -> None:
    _hear_all(caplog)
    pages = {f"/nights/{world.closed.pk}/payments", f"/leagues/{world.league.pk}/money"}
    assert leaked_secrets(world, browser(bob)) == {(page, "get") for page in pages}
    assert not any(each in caplog.text for each in SECRETS)


def test_owner_sees_payment_methods_on_own_pages(world: World, bob: User, ann: User) -> None:
    """The payment's page shows other users only QR codes to scan."""
    assert leaked_secrets(world, browser(ann)) == {(OWN_PAGE, "get"), (OWN_FILE, "post")}


def test_payer_loses_access_after_paying(world: World, bob: User, ann: User) -> None:
    planned = world.plan.payments.get()
    pages = (f"/nights/{world.closed.pk}/payments", f"/leagues/{world.league.pk}/money")
    for page in pages:
        assert PAYPAL.encode() in _response_body(browser(bob), "get", page)
    payments.promise(planned, uuid4(), 5, by=bob)
    for page in pages:
        body = _response_body(browser(bob), "get", page)
        assert not any(each.encode() in body for each in SECRETS)


def test_payer_of_another_player_or_in_another_league_has_no_access() -> None:
    debt = a_debt()
    cat, eve = named(debt.night.league, "cat"), a_user("eve")
    add_member(a_league(), eve, "host")
    money = f"/leagues/{debt.night.league.pk}/money"
    for user in (cat, eve):
        for page in (debt.address, money):
            answer = browser(user).get(page)
            assert not any(each in answer.content.decode() for each in SECRETS)
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
    kept = f"{season} {list(Event.objects.values())} {plain.decode()}"
    assert not any(each in kept for each in SECRETS)


def test_personal_export_contains_only_the_users_own_payment_methods() -> None:
    debt = a_debt()
    mine, other = as_json(of_user(debt.ann)), as_json(of_user(debt.bob))
    assert all(each in mine for each in (IBAN, HOLDER, PAYPAL))
    assert not any(each in other for each in SECRETS)


def test_erasure_removes_payment_methods() -> None:
    debt = a_debt()
    erase_user(debt.ann, by=None)
    assert not PaymentMethod.objects.exists()
    assert not any(each in of_payer(debt) for each in SECRETS)


def test_erasing_a_player_hides_payment_methods_and_deletes_those_of_a_joined_phone() -> None:
    """A user keeps the account's payment methods. A joined phone's methods are deleted."""
    debt = a_debt()
    erase_player(player(debt.night, "ann"), by=None)
    assert not any(each in of_payer(debt) for each in SECRETS)
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
