"""Which URLs reveal payment methods, addresses of phones and chats, or a locked declaration."""

import logging

import pytest
from django.test import Client

from league.models import Deal, User
from tests.helpers.api.sample_league import World, link_to
from tests.helpers.league.payment_methods import browser, named
from tests.helpers.security.responses import all_responses, response_body
from tests.helpers.security.secrets import DECLARED, SECRETS, locked_declaration, receiving_user

pytestmark = pytest.mark.django_db

# A host has all rights. The other callers with access to the league have no further rights, so they
# are tested at night. Every run also tests two players: the payer and the owner.
OTHERS = ("player", "scorekeeper", "viewer", "phone", "manage token")
DOORS = [
    *("host", "outsider"),
    *(pytest.param(who, marks=pytest.mark.scheduled) for who in OTHERS),
]


@pytest.fixture(autouse=True)
def ann(world: World) -> User:
    return receiving_user(world)


@pytest.fixture(autouse=True)
def deal(world: World) -> Deal:
    return locked_declaration(world)


@pytest.fixture(autouse=True)
def _log_everything(caplog: pytest.LogCaptureFixture) -> None:
    """Capture the log, except template messages about undefined variables.

    These messages contain a page's whole context, which adds up to gigabytes in this test. The
    production settings in `config.observability.logs` do not log them.
    """
    caplog.set_level(logging.DEBUG)
    caplog.set_level(logging.INFO, logger="django.template")


def leaks(
    world: World, deal: Deal, client: Client, *, sends: bool = True
) -> tuple[set[tuple[str, str]], int]:
    """Return the visitor's responses that contain a secret, and the number of all responses."""
    fields = {"deal": str(deal.pk), "player": str(world.ann.pk), "stage": "x", "state": "in"}
    leaking, number = set(), 0
    for at, method, answer in all_responses(world, client, sends=sends, **fields):
        number += 1
        if any(each.encode() in answer for each in (*SECRETS, DECLARED)):
            leaking.add((at, method))
    return leaking, number


@pytest.mark.parametrize("who", DOORS)
def test_no_url_reveals_secrets_to_others(
    who: str, world: World, deal: Deal, doors: dict[str, Client], caplog: pytest.LogCaptureFixture
) -> None:
    """The others include hosts, scorekeepers, and tokens of any scope."""
    leaking, requests = leaks(world, deal, doors[who], sends=who != "outsider")
    assert leaking == set()
    assert requests > (300 if who != "outsider" else 150)
    feeds = f"/api/v1/leagues/{world.league.pk}/seasons?key={link_to(world.league)}"
    assert not any(each.encode() in response_body(Client(), "get", feeds) for each in SECRETS)
    assert not any(each in caplog.text for each in (*SECRETS, DECLARED))


def test_payer_sees_payment_methods_only_next_to_the_payment(
    world: World, deal: Deal, caplog: pytest.LogCaptureFixture
) -> None:
    """The payer is bob. The night's page also shows him his own locked declaration."""
    pages = {f"/nights/{world.closed.pk}/payments", f"/leagues/{world.league.pk}/money"}
    bob = named(world.league, "bob")
    deal.players.filter(player__name="bob").update(declared_by=bob)
    payer = browser(bob)
    at = f"/nights/{world.night.pk}"
    own = {(at, "get"), (f"{at}/buy-ins", "post"), (f"{at}/seats", "post")}
    assert leaks(world, deal, payer)[0] == {(page, "get") for page in pages} | own
    assert not any(each in caplog.text for each in SECRETS)


def test_owner_sees_payment_methods_on_own_pages(world: World, deal: Deal, ann: User) -> None:
    """The payment's page shows other users only QR codes to scan."""
    shown, _ = leaks(world, deal, browser(ann), sends=False)
    assert shown == {("/account/paid", "get")}
    assert SECRETS[0].encode() in response_body(browser(ann), "post", "/account/file")
