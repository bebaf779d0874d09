"""The payments, money, closing and season pages after parts were paid and nights closed again."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from league.charges.charging import NewCharge, Share, charge
from league.closing.close import Decisions, close_night, reopen_night
from league.closing.notifications import load_earlier, short_reason
from league.closing.payment_plans import settle_season
from league.closing.payments import confirm, dispute, promise, receive, unpaid
from league.models import Charge, Night, Payment, PlannedPayment, Role
from league.nights.buy_ins import buy_in
from league.nights.opening import open_night
from league.options import choose, options_of
from league.people.joining import join
from league.people.leagues import add_season
from league.recording.corrections import void_hand
from tests.helpers.api.clients import member
from tests.helpers.league.leagues import a_league, a_night, holdem, player
from tests.helpers.league.nights import again, counted, dealt
from tests.helpers.league.pages import html

pytestmark = pytest.mark.django_db


def lost(night: Night, loser: str, winner: str, chips: int) -> None:
    players = [
        {"name": winner, "paid": chips, "down": ["Ac", "Ad"]},
        {"name": loser, "paid": chips, "down": ["Kc", "Kd"]},
    ]
    dealt(again(night), holdem(players=players))


def close(night: Night) -> None:
    close_night(again(night), uuid4(), by=None, decisions=Decisions(by_hands=True))


@pytest.fixture
def night() -> Night:
    """A closed night after which ann owes bob 63 chips of 0.25."""
    league = a_league()
    night = a_night(choose(league, replace(options_of(league), chip_value=25)))
    lost(night, "ann", "bob", 63)
    close(night)
    return again(night)


@pytest.fixture
def host(night: Night) -> Client:
    return member(night.league, Role.HOST)


@pytest.fixture
def shown(host: Client, night: Night) -> Callable[[str], str]:
    """Return a function that returns the text of one of the night's pages."""

    def text(page: str) -> str:
        answer = host.get(page if page.startswith("/") else f"/nights/{night.pk}/{page}")
        return re.sub(r"<[^>]+>", " ", html(answer)).replace("&#x27;", "'")

    return text


def spaced(text: str) -> str:
    return " ".join(text.split())


def test_step_of_a_payment_names_the_person_who_marked_it(
    host: Client, shown: Callable[[str], str]
) -> None:
    planned = PlannedPayment.objects.get()
    host.post(f"/planned/{planned.pk}/receive", {"amount": "15.75", "key": uuid4()})
    page = spaced(shown("payments"))
    assert "Marked as received by" in page
    assert "Sent by" not in page
    assert "Marked as sent by" not in page


def test_part_of_a_payment_is_entered_in_money(host: Client, shown: Callable[[str], str]) -> None:
    planned = PlannedPayment.objects.get()
    assert 'name="amount" value="15.75"' in html(
        host.get(f"/nights/{planned.plan.closing.night_id}/payments")  # type: ignore[union-attr]
    )
    page = spaced(shown("payments"))
    assert "Received part" in page
    assert "Amount (of 15.75 USD)" in page
    for _ in range(2):
        sent = {"amount": "5", "key": "f47ac10b-58cc-4372-a567-0e02b2c3d479"}
        host.post(f"/planned/{planned.pk}/promise", sent)
    assert Payment.objects.get().chips == 20
    page = spaced(shown("payments"))
    assert "15.75 USD 10.75 USD unpaid" in page
    assert "Mark 10.75 USD as received" in page
    host.post(f"/planned/{planned.pk}/receive", {"amount": "0.10", "key": uuid4()})
    assert "Not a whole number of chips. Enter 0.25 USD." in shown("payments")
    host.post(f"/planned/{planned.pk}/receive", {"amount": "10.75", "key": uuid4()})
    assert unpaid().get().pk == planned.pk
    assert "unpaid" not in spaced(shown("payments"))


def test_payments_page_shows_the_new_payments_and_the_replaced_ones(
    night: Night, shown: Callable[[str], str]
) -> None:
    promise(PlannedPayment.objects.get(), uuid4(), 20, by=None)
    void_hand(night.hands.get(), by=None)
    lost(reopen_night(again(night), by=None), "bob", "ann", 10)
    close(night)
    page = spaced(shown("payments"))
    new, before = page.index("Who pays whom"), page.index("Earlier payments")
    replaced = page.index("Replaced payments")
    assert new < page.index("bob pays ann 7.50 USD") < before
    assert "The night was closed again. These payments replace the earlier ones" in page
    assert before < page.index("ann pays bob 5.00 USD") < replaced
    # each has the time at which it was replaced
    assert re.search(r"ann pays bob \d+ \w+, \d\d:\d\d 10.75 USD", page[replaced:])
    assert "bob 15.75" not in page


def test_payment_is_shown_with_equal_chips_and_money(
    night: Night, shown: Callable[[str], str]
) -> None:
    receive(PlannedPayment.objects.get(), uuid4(), 20, by=None)
    page = spaced(shown("receipt"))
    line = "ann pays bob (63 chips)"
    assert f"{line} 15.75 USD 10.75 USD unpaid, 5.00 USD received" in page
    counted(reopen_night(again(night), by=None))
    page = spaced(shown("close"))
    assert f"Earlier payments These payments stay as they are. {line} 10.75 USD unpaid" in page


def test_receipt_shows_the_part_of_a_payment_that_was_sent(
    night: Night, shown: Callable[[str], str]
) -> None:
    promise(PlannedPayment.objects.get(), uuid4(), 20, by=None)
    assert "15.75 USD 10.75 USD unpaid, 5.00 USD sent" in spaced(shown("receipt"))


@pytest.mark.parametrize("amount", ["0", "0.00", "-1"])
def test_payment_must_be_more_than_zero(
    host: Client, shown: Callable[[str], str], amount: str
) -> None:
    planned = PlannedPayment.objects.get()
    host.post(f"/planned/{planned.pk}/promise", {"amount": amount, "key": uuid4()})
    assert "Enter more than 0." in shown("payments")
    assert not planned.paid.exists()


def test_payments_of_a_reopened_night_are_marked(night: Night, shown: Callable[[str], str]) -> None:
    reopen_night(again(night), by=None)
    assert "The night is open again. These payments are from its last closing." in shown("payments")
    page = spaced(shown(f"/leagues/{night.league.pk}/money"))
    assert f"{night} (open again)" in page
    assert "A night is open again. When you close it" in page
    assert page.count("open again") == 3
    assert "No night is closed yet" not in page
    close(night)
    assert "open again" not in shown("payments")


def test_settling_the_season_reports_the_planned_payments(
    night: Night, host: Client, shown: Callable[[str], str]
) -> None:
    at, season = f"/seasons/{night.season_id}/settle", f"/seasons/{night.season_id}"
    host.post(at, {"key": uuid4()})
    assert "Nothing to plan. Everything unpaid is already in the fewest payments." in shown(season)
    later = again(night)
    reopen_night(later, by=None)
    host.post(at, {"key": uuid4()})
    assert f"{night} is not closed" in shown(season)


def test_season_is_settled_only_after_its_nights_are_closed(night: Night, host: Client) -> None:
    season = f"/seasons/{night.season_id}"
    assert "Plan payments" in html(host.get(season))
    reopen_night(again(night), by=None)
    page = html(host.get(season))
    assert f'href="/nights/{night.pk}">Close {night} first</a>' in page
    assert "Plan payments" not in page


def test_settled_season_shows_what_it_replaced(
    night: Night, host: Client, shown: Callable[[str], str]
) -> None:
    planned = PlannedPayment.objects.get()
    lost(reopen_night(again(night), by=None), "cat", "ann", 63)
    close(night)
    sent = promise(unpaid().get(), uuid4(), 63, by=None)
    reopen_night(again(night), by=None)
    lost(night, "bob", "dan", 10)
    close(night)
    host.post(f"/payments/{sent.pk}/take-back")
    host.post(f"/seasons/{night.season_id}/settle", {"key": uuid4()})
    page = spaced(shown(f"/seasons/{night.season_id}"))
    assert "2 payments planned. The earlier payments that were not sent are replaced." in page
    assert "cat pays bob 13.25 USD" in page
    assert "cat pays dan 2.50 USD" in page
    page = spaced(shown("payments"))
    assert "Unpaid amounts are settled with the season." in page
    assert "Payments of the season" in page
    assert planned.replacements.count() == 1


def test_money_page_adds_up_own_payments_and_keeps_those_just_received(
    night: Night, host: Client
) -> None:
    lost(reopen_night(again(night), by=None), "bob", "cat", 70)
    close(night)
    bob = Client()
    bob.force_login(join(night.league, player(night, "bob")))
    at = f"/leagues/{night.league.pk}/money"
    page = spaced(re.sub(r"<[^>]+>", " ", html(bob.get(at))))
    assert "You owe 1.75 USD" in page
    assert "You are owed" not in page
    planned = unpaid().get(payer__name="bob")
    host.post(f"/planned/{planned.pk}/receive", {"amount": "1.75", "key": uuid4()})
    page = spaced(re.sub(r"<[^>]+>", " ", html(host.get(at))))
    assert "Undo payment" in page
    with time_machine.travel(timezone.now() + timedelta(minutes=11)):
        assert "Undo payment" not in html(host.get(at))


def test_closing_page_shows_what_is_settled_later() -> None:
    league = a_league()
    night = a_night(choose(league, replace(options_of(league), settles="season")))
    lost(night, "ann", "bob", 63)
    counted(again(night))
    page = html(member(league, Role.HOST).get(f"/nights/{night.pk}/close"))
    assert "settled at the end of the season" in page
    assert "No payments needed." not in page


def test_closing_page_shows_debts_that_are_carried_over() -> None:
    league = a_league()
    night = a_night(choose(league, replace(options_of(league), waits_below=75)))
    lost(night, "ann", "bob", 63)
    counted(again(night))
    page = html(member(league, Role.HOST).get(f"/nights/{night.pk}/close"))
    assert "Carried over" in page
    assert "bob +0.63 USD" in page
    assert "No payments needed." not in page


def test_payment_that_was_not_received_has_one_button_for_its_receipt(
    night: Night, host: Client, shown: Callable[[str], str]
) -> None:
    planned = PlannedPayment.objects.get()
    assert shown("payments").count("Mark as received") == 1
    dispute(promise(planned, uuid4(), 63, by=None), by=None)
    page = shown("payments")
    assert page.count("Confirm receipt") == 1
    assert "Mark as received" not in page
    host.post(f"/payments/{planned.paid.get().pk}/confirm")
    assert not unpaid().exists()


def test_money_page_offers_to_settle_up_the_payments_of_several_nights(
    night: Night, host: Client
) -> None:
    at, offer = f"/leagues/{night.league.pk}/money", "payments of several nights with fewer"
    assert offer not in html(host.get(at))
    second = open_night(night.league, players=[player(night, name) for name in ("bob", "cat")])
    for seat in second.seats.all():
        buy_in(second, seat.player, 100, buy_in_id=uuid4(), by=None)
    lost(second, "bob", "cat", 50)
    close(second)
    assert offer in html(host.get(at))


NOTE = "Unpaid amounts are settled with the season."


def settle_two_nights(night: Night, host: Client) -> None:
    """Close a second night in which bob loses 50 chips to cat, and settle the season."""
    second = open_night(night.league, players=[player(night, name) for name in ("bob", "cat")])
    for seat in second.seats.all():
        buy_in(second, seat.player, 100, buy_in_id=uuid4(), by=None)
    lost(second, "bob", "cat", 50)
    close(second)
    host.post(f"/seasons/{night.season_id}/settle")


def test_pages_of_a_night_show_that_the_season_settles_its_rest(
    host: Client, night: Night, shown: Callable[[str], str]
) -> None:
    receive(PlannedPayment.objects.get(), uuid4(), 13, by=None)
    at = f"/nights/{night.pk}"
    pages = (at, f"{at}/payments", f"{at}/receipt")
    assert not any(NOTE in shown(page) for page in pages)
    settle_two_nights(night, host)
    for page in pages:
        answer = html(host.get(page))
        link = f'href="/seasons/{night.season_id}"'
        assert link in answer[answer.index(NOTE) :].split("</p>")[0]
    assert "Settle up to replace" not in shown("payments")
    assert "1 unpaid" not in shown(at)  # it belongs to the season
    address = host.post(f"{at}/receipt/share")["Location"]
    public = html(Client().get(address))
    assert NOTE in public
    assert f"/seasons/{night.season_id}" not in public


def test_receipt_without_payments_shows_that_the_season_settles_them(
    host: Client, night: Night, shown: Callable[[str], str]
) -> None:
    settle_two_nights(night, host)
    assert NOTE in shown("receipt")
    assert "No payments needed" not in shown("receipt")


def test_corrected_night_of_a_settled_season_has_no_debts_of_other_nights(
    host: Client, night: Night, shown: Callable[[str], str]
) -> None:
    settle_two_nights(night, host)
    reopen_night(again(night), by=None)
    lost(night, "ann", "bob", 7)
    counted(again(night))
    preview = spaced(shown("close"))
    assert "ann pays cat" in preview
    assert "They replace the earlier payments that were not sent." in preview
    close(night)
    assert NOTE in shown("payments")
    assert "ann pays cat" not in shown("payments")
    assert "ann pays cat" in spaced(shown(f"/seasons/{night.season_id}"))
    money = spaced(shown(f"/leagues/{night.league.pk}/money"))
    assert f"{night.season} ·" in money
    assert f"{night} ·" not in money
    assert "unpaid" not in shown(f"/nights/{night.pk}").replace("still unpaid", "")


def test_payments_of_a_season_with_a_reopened_night_are_marked(
    host: Client, night: Night, shown: Callable[[str], str]
) -> None:
    settle_two_nights(night, host)
    season, money = f"/seasons/{night.season_id}", f"/leagues/{night.league.pk}/money"
    assert "open again" not in shown(season) + shown(money)
    reopen_night(again(night), by=None)
    assert "A night is open again. When you close it, the payments" in spaced(shown(season))
    page = spaced(shown(money))
    assert "A night is open again. When you close it, the payments" in page
    assert f"{night.season} (open again)" not in page


def test_received_payments_have_their_own_heading_on_the_money_page(
    host: Client, night: Night
) -> None:
    page = html(host.get(f"/leagues/{night.league.pk}/money"))
    assert "Just received</h2>" not in page
    receive(PlannedPayment.objects.get(), uuid4(), 63, by=None)
    page = html(host.get(f"/leagues/{night.league.pk}/money"))
    open_part, received = page.split("Just received</h2>")
    assert "Everything is paid." in open_part
    assert "ann pays bob" in received


def test_season_shows_payments_of_its_nights_that_were_sent_but_not_received(
    night: Night, host: Client, shown: Callable[[str], str]
) -> None:
    """Settling up replaces unsent chips only. The sent ones were nowhere on the season's page."""
    payment = promise(PlannedPayment.objects.get(), uuid4(), 20, by=None)
    host.post(f"/seasons/{night.season_id}/settle", {"key": uuid4(), "end": "on"})
    page = spaced(shown(f"/seasons/{night.season_id}"))
    part = page.partition("Unpaid payments by night")[2]
    assert f"ann pays bob 15.75 USD 10.75 USD unpaid {night}" in part
    assert "sent 5.00 USD" in part
    host.post(f"/payments/{payment.pk}/confirm")
    assert "not confirmed yet" not in spaced(shown(f"/seasons/{night.season_id}"))


def test_reason_of_a_payment_sent_before_a_correction_says_so(
    night: Night, shown: Callable[[str], str]
) -> None:
    """The payment that was sent kept the old results as its reason, as if they still applied."""
    promise(PlannedPayment.objects.get(), uuid4(), 20, by=None)
    assert "Before the change" not in shown("payments")
    lost(reopen_night(again(night), by=None), "ann", "bob", 10)
    close(night)
    page = spaced(shown("payments"))
    assert "Before the change: ann lost 15.75 USD, bob won 15.75 USD" in page
    before = "ann lost 18.25 USD and sent 5.00 USD to bob before the change"
    assert f"{before}, bob won 18.25 USD and was sent 5.00 USD by ann before the change" in page


def test_reason_includes_what_was_received_before_a_correction() -> None:
    """Cat owed 35 with a result of -10. The 25 received from ann were not mentioned."""
    night = a_night()
    lost(night, "ann", "cat", 25)
    close(night)
    receive(PlannedPayment.objects.get(), uuid4(), 25, by=None)
    reopened = reopen_night(again(night), by=None)
    void_hand(reopened.hands.get(), by=None)
    lost(reopened, "cat", "ann", 10)
    close(night)
    reason = short_reason(PlannedPayment.objects.get(plan__closing__number=2))
    assert reason == (
        "cat lost 0.10 USD and received 0.25 USD from ann before the change, "
        "ann won 0.10 USD and sent 0.25 USD to cat before the change"
    )


def test_reason_lists_costs_and_cash() -> None:
    night = a_night()
    lost(night, "ann", "bob", 30)
    bob, cat = player(night, "bob"), player(night, "cat")
    buy_in(night, cat, 50, buy_in_id=uuid4(), by=None, banker=player(night, "dan"))
    shares = {bob: Share(gets=20), cat: Share(owes=20)}
    pizza = NewCharge(kind=Charge.Kind.COST, title="Pizza", shares=shares)
    charge(again(night), pizza, charge_id=uuid4(), by=None)
    close(night)
    parts = {
        part for each in PlannedPayment.objects.all() for part in short_reason(each).split(", ")
    }
    assert parts == {
        "ann lost 0.30 USD",
        "bob won 0.30 USD and is owed 0.20 USD for costs and other charges",
        "cat paid 0.50 USD in cash and owes 0.20 USD for costs and other charges",
        "dan received 0.50 USD in cash",
    }


def test_reason_names_cash_put_into_the_cash_box() -> None:
    """It was called costs, although the night had none."""
    night = a_night()
    host = member(night.league, Role.HOST)
    lost(night, "ann", "bob", 30)
    brought = {"player": str(player(night, "ann").pk), "amount": "0.10", "key": str(uuid4())}
    undone = {"player": str(player(night, "bob").pk), "amount": "0.05", "key": str(uuid4())}
    for sent in (brought, undone):
        assert host.post(f"/nights/{night.pk}/charges/starting-cash", sent).status_code == 302
    host.post(f"/nights/{night.pk}/charges/{undone['key']}/undo")
    close(night)
    parts = {
        part for each in PlannedPayment.objects.all() for part in short_reason(each).split(", ")
    }
    assert parts == {"ann lost 0.30 USD and put 0.10 USD into the cash box", "bob won 0.30 USD"}


def test_every_payment_of_a_plan_names_the_cash_put_into_the_box() -> None:
    """Pages load several payments at once. Only the last one named it."""
    night = a_night()
    host = member(night.league, Role.HOST)
    lost(night, "ann", "bob", 30)
    lost(night, "ann", "cat", 20)
    brought = {"player": str(player(night, "ann").pk), "amount": "0.10", "key": str(uuid4())}
    host.post(f"/nights/{night.pk}/charges/starting-cash", brought)
    close(night)
    rows = list(PlannedPayment.objects.select_related("plan__closing"))
    load_earlier(row.plan for row in rows)
    reasons = [short_reason(row) for row in rows if row.payer.name == "ann"]
    assert len(reasons) == 2
    assert all("put 0.10 USD into the cash box" in reason for reason in reasons)


def test_reason_of_several_nights_contains_only_the_sums(night: Night) -> None:
    later = open_night(night.league, players=[player(night, name) for name in ("ann", "bob")])
    lost(later, "ann", "bob", 10)
    close(later)
    settle_season(night.season, uuid4(), by=None)
    planned = PlannedPayment.objects.get(plan__closing=None)
    assert short_reason(planned) == "ann owes 18.25 USD, bob is owed 18.25 USD"


def test_money_and_season_show_the_same_debt_after_a_part_was_sent(
    night: Night, shown: Callable[[str], str]
) -> None:
    """The money page showed 10.75 as owed, and the season 15.75."""
    ann = Client()
    ann.force_login(join(night.league, player(night, "ann")))
    at = f"/leagues/{night.league.pk}/money"
    assert "You owe 15.75 USD.</b>" in html(ann.get(at))
    payment = promise(PlannedPayment.objects.get(), uuid4(), 20, by=None)
    assert "You owe 15.75 USD (5.00 USD of it sent)." in html(ann.get(at))
    page = spaced(shown(f"/seasons/{night.season_id}"))
    assert "still owes 15.75 USD , 5.00 USD of it sent" in page
    assert "still gets 15.75 USD , 5.00 USD of it sent" in page
    confirm(payment, by=None)
    assert "You owe 10.75 USD.</b>" in html(ann.get(at))
    page = spaced(shown(f"/seasons/{night.season_id}"))
    assert "still owes 10.75 USD" in page
    assert "of it sent" not in page
    promise(PlannedPayment.objects.get(), uuid4(), 43, by=None)
    assert "You owe 10.75 USD (all of it sent)." in html(ann.get(at))


def test_season_lists_all_payments_that_its_standings_add_up(
    night: Night, shown: Callable[[str], str]
) -> None:
    """A night that closed after the season was settled was in the standings only."""
    promise(PlannedPayment.objects.get(), uuid4(), 20, by=None)
    settle_season(night.season, uuid4(), by=None)
    later = open_night(night.league, players=[player(night, name) for name in ("bob", "cat")])
    lost(later, "bob", "cat", 30)
    close(later)
    page = spaced(shown(f"/seasons/{night.season_id}"))
    assert "cat 1 night still gets 7.50 USD" in page
    assert "still gets 8.25 USD , 5.00 USD of it sent" in page
    unpaid_of_nights = page.partition("Unpaid payments by night")[2]
    assert "bob pays cat 7.50 USD" in unpaid_of_nights
    assert "Not in a payment plan yet" not in page
    promise(PlannedPayment.objects.get(plan__closing__night=later), uuid4(), 30, by=None)
    page = spaced(shown(f"/seasons/{night.season_id}"))
    assert "still gets 7.50 USD , all of it sent" in page
    assert "sent 7.50 USD , was sent 5.00 USD , still gets 10.75 USD" in page


def test_settled_season_shows_results_that_no_plan_contains(
    night: Night, shown: Callable[[str], str]
) -> None:
    settle_season(night.season, uuid4(), by=None)
    choose(again(night).league, replace(options_of(night.league), settles="season"))
    later = open_night(again(night).league, players=[player(night, n) for n in ("bob", "cat")])
    lost(later, "bob", "cat", 30)
    close(later)
    page = spaced(shown(f"/seasons/{night.season_id}"))
    assert "Not in a payment plan yet: bob −7.50 USD, cat +7.50 USD" in page


def test_settled_season_links_to_unpaid_payments_of_other_seasons(
    night: Night, host: Client
) -> None:
    new = add_season(night.league)
    settle_season(new, uuid4(), by=None)
    assert "Other seasons have unpaid payments too." in html(host.get(f"/seasons/{new.pk}"))
    settle_season(night.season, uuid4(), by=None)
    page = html(host.get(f"/seasons/{night.season_id}"))
    assert "Other seasons have unpaid payments" not in page
