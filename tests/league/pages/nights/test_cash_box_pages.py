"""The cash box on the pages: forms, balance, closing, payments and receipt."""

import re
from uuid import uuid4

import pytest
from django.test import Client

from league.closing.chip_requests import Exchange, exchange
from league.closing.close import Decisions, close_night
from league.models import BuyIn, CashOut, Night, PlannedPayment, Role
from league.nights.buy_ins import buy_in
from league.nights.cash_box import box_chips, cash_box, find_cash_box
from league.nights.opening import open_night
from league.people.leagues import add_member
from tests.helpers.api.clients import member
from tests.helpers.league.leagues import a_night, a_user, player
from tests.helpers.league.nights import again, closed
from tests.helpers.league.pages import html
from tests.helpers.security.browsers import joined

pytestmark = pytest.mark.django_db


@pytest.fixture
def night() -> Night:
    return a_night()


@pytest.fixture
def host(night: Night) -> Client:
    return member(night.league, Role.HOST)


def sent(night: Night, name: str, chips: int, paid: str) -> dict[str, str]:
    who = str(player(night, name).pk)
    return {"player": who, "chips": str(chips), "banker": paid, "key": str(uuid4())}


def test_pages_show_cash_from_buy_in_to_payment(host: Client, night: Night) -> None:
    at = f"/nights/{night.pk}"
    page = host.get(at).content.decode()
    assert "In cash, to the cash box" in page
    assert "In the cash box" not in page
    refused = host.post(f"{at}/buy-ins", sent(night, "cat", 0, "cash-box"))
    assert (refused.status_code, find_cash_box(night.league)) == (400, None)
    assert host.post(f"{at}/buy-ins", sent(night, "cat", 40, "cash-box")).status_code == 302
    page = host.get(at).content.decode()
    assert "In the cash box: 0.40 USD (40 chips)" in page
    assert "cash into the cash box" in page
    form = host.get(f"{at}/leave").content.decode()
    assert "In cash, from the cash box (40 chips)" in form
    refused = host.post(f"{at}/leave", sent(night, "dan", 100, "cash-box"))
    assert refused.status_code == 400
    assert "The cash box has only 0.40 USD, 0.60 USD short" in refused.content.decode()
    closed(again(night))
    receipt = host.get(f"{at}/receipt").content.decode()
    assert "In the cash box at the end: 0.40 USD" in receipt
    assert "40 paid in cash" in receipt
    assert "+40 to settle" in receipt
    plan = host.get(f"{at}/payments").content.decode()
    assert "cat takes from the cash box" in plan
    assert "cat paid 0.40 USD in cash" in plan
    planned = PlannedPayment.objects.get()
    host.post(f"/planned/{planned.pk}/receive", {"amount": "0.40", "key": str(uuid4())})
    assert box_chips(night.league) == 0


def test_later_night_offers_only_cash_that_is_not_promised(host: Client, night: Night) -> None:
    """The box was said to have 0.40 in one place and 0.00 in another."""
    host.post(f"/nights/{night.pk}/buy-ins", sent(night, "cat", 40, "cash-box"))
    closed(again(night))
    later = open_night(night.league, players=[player(night, name) for name in ("ann", "dan")])
    buy_in(later, player(night, "dan"), 100, buy_in_id=uuid4(), by=None)
    at = f"/nights/{later.pk}"

    def offered() -> str:
        return host.get(f"{at}/leave").content.decode()

    text = "0.40 USD (40 chips), all of it promised to cat"
    assert f"In the cash box: {text}" in html(host.get(at))
    assert "In cash, from the cash box (all of it promised to cat)" in offered()
    refused = host.post(f"{at}/leave", sent(night, "dan", 100, "cash-box")).content.decode()
    assert "The cash box has 0.40 USD, all of it promised to cat: 1.00 USD short" in refused
    buy_in(
        again(later),
        player(night, "ann"),
        25,
        buy_in_id=uuid4(),
        by=None,
        banker=find_cash_box(night.league),
    )
    assert "0.65 USD (65 chips), 0.40 USD of it promised to cat" in html(host.get(at))
    assert "In cash, from the cash box (25 chips)" in offered()
    refused = host.post(f"{at}/leave", sent(night, "dan", 100, "cash-box")).content.decode()
    assert "0.65 USD, 0.40 USD of it promised to cat: 0.75 USD short" in refused


def test_receipt_names_the_direction_of_cash(host: Client, night: Night) -> None:
    """Chips cashed out were listed as "−100 already paid in cash"."""
    at = f"/nights/{night.pk}"
    host.post(f"{at}/buy-ins", sent(night, "cat", 120, "cash-box"))
    host.post(f"{at}/leave", sent(night, "dan", 100, "cash-box"))
    close_night(again(night), uuid4(), by=None, decisions=Decisions(by_hands=True))
    receipt = host.get(f"{at}/receipt").content.decode()
    assert "120 paid in cash" in receipt
    assert "100 received in cash" in receipt


def test_host_adds_starting_cash_and_counts_the_box_when_closing(
    host: Client, night: Night
) -> None:
    at, bob = f"/nights/{night.pk}", str(player(night, "bob").pk)
    brought = {"player": bob, "amount": "1.20", "key": str(uuid4())}
    keeper = member(night.league, Role.SCOREKEEPER)
    assert keeper.post(f"{at}/charges/starting-cash", brought).status_code == 403
    for _ in range(2):
        assert host.post(f"{at}/charges/starting-cash", brought).status_code == 302
    assert box_chips(night.league) == 120
    listed = " ".join(host.get(f"{at}/charges").content.decode().split())
    assert "Starting cash" in listed
    assert "<bdi>bob</bdi> +1.20 USD" in listed
    assert "<bdi>Cash box</bdi>" not in listed
    assert '<b class="num">1.20 USD</b> <span class="muted">(120 chips)</span>' in listed
    assert "In the cash box: 1.20 USD (120 chips)" in host.get(at).content.decode()
    page = host.get(f"{at}/close").content.decode()
    assert "It should hold 1.20 USD (120 chips)." in page
    assert "Who covers the difference in cash?" not in page
    closing = {"key": str(uuid4()), "missing": "0", "by_hands": "on", "cash_expected": "120"}
    text = "should hold 1.20 USD. You counted 1.15 USD. Who pays the missing 0.05 USD?"
    for page in ("close/check", "close"):
        shown = host.post(f"{at}/{page}", closing | {"cash": "1.15"}).content.decode()
        assert text in shown.split('<div class="note warn before">')[1]
        assert "Who covers the difference in cash?" in shown
        assert "Count the chips, or skip" not in shown
    assert "Not a whole number" not in host.post(f"{at}/close/check", closing).content.decode()
    counted = closing | {"cash": "1.15", "cash_bears": bob}
    shown = host.post(f"{at}/close/check", counted).content.decode()
    assert text not in shown
    assert re.search(rf'value="{bob}"[^>]* checked', shown)
    assert host.post(f"{at}/close", counted).status_code == 302
    shown = " ".join(host.get(f"{at}/receipt").content.decode().split())
    assert "In the cash box at the end: 1.15 USD" in shown
    assert "Cash box count · counted 1.15 USD, expected 1.20 USD" in shown


def test_waiting_request_names_the_cash_box(host: Client, night: Night) -> None:
    user = a_user("cat")
    add_member(night.league, user, Role.PLAYER)
    cat = player(night, "cat")
    box = cash_box(night.league)
    wanted = Exchange(kind="buy-in", id=uuid4(), night=night, player=cat, chips=20, banker=box)
    exchange(wanted, by=user, word=box)
    page = host.get(f"/nights/{night.pk}").content.decode()
    assert "cat wants to buy 20 chips, cash to the cash box." in page
    assert "1 request is waiting for an answer" in page  # at the top, with a link
    page = host.get(f"/nights/{night.pk}/close").content.decode()
    assert "1 request is waiting for an answer" in " ".join(page.split())


@pytest.mark.parametrize("at", ["", "/leave"])
def test_own_form_offers_cash_with_others_only(night: Night, at: str) -> None:
    """Nobody pays or receives their own cash."""
    phone, way = joined(night, "ann"), "from" if at else "to"
    page = phone.get(f"/nights/{night.pk}{at}").content.decode()
    own_form = page[page.index('name="banker"') :]
    own_form = own_form[: own_form.index("</select>")]
    assert f"In cash, {way} bob" in own_form
    assert f"In cash, {way} ann" not in own_form


@pytest.mark.parametrize("at", ["buy-ins", "leave"])
def test_player_cannot_handle_own_cash(host: Client, night: Night, at: str) -> None:
    ann = str(player(night, "ann").pk)
    refused = host.post(f"/nights/{night.pk}/{at}", sent(night, "ann", 100, ann))
    assert refused.status_code == 400
    assert "Choose someone else for the cash" in refused.content.decode()
    assert not BuyIn.objects.filter(banker__isnull=False).exists()
    assert not CashOut.objects.exists()
