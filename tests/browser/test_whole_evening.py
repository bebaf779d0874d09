"""A night from the invitation to the last payment, with six players and two guests.

It includes answers, a pizza, 7-2, a tournament, notifications, and payment through a link. The
guests have no accounts. The host, Ann and Bob have phones with notifications, which they answer in
two taps: one on the notification, one on the page that it opens.
"""

import re
from collections.abc import Callable
from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from league.integrity.audit import audit
from league.models import Closing, League, Night, Payment, PlannedNight, Player, Role, User
from league.options import choose, options_of
from league.payment_methods.methods import add_method
from league.people.leagues import add_member, add_player, make_league
from league.recording.record import record_hand
from tests.helpers.browser.phone import Phone
from tests.helpers.browser.tournament import enters, goes_out
from tests.helpers.league.nights import nets, tabs
from tests.helpers.league.push_service import PushPhone, send_all, switched_on
from tests.helpers.league.receiver import Receiver
from tests.helpers.league.side_bets import with_seven_deuce

pytestmark = pytest.mark.django_db(transaction=True)
MEMBERS = ("ann", "bob", "cat", "dan", "eve", "fay")
GUESTS = ("Zoe", "Yan")


def a_league_of(host: User) -> dict[str, User]:
    """Create a league of six members with accounts, who settle in EUR and play for 7-2."""
    league = make_league(host, "Thursday", currency="EUR", chip_value=50)
    choose(league, options_of(league).__class__(currency="EUR", chip_value=50, seven_deuce=2))
    users = {name: User.objects.create_user(name, email=f"{name}@example.org") for name in MEMBERS}
    for name, user in users.items():
        add_member(league, user, Role.HOST if name == "ann" else Role.PLAYER)
        add_player(league, name, user=user)
    add_method(users["bob"], "paypal", "bobplays")
    return users


def three_phones(service: Receiver, *users: User) -> dict[str, PushPhone]:
    return {user.username: switched_on(user, service, user.username) for user in users}


def planned_by(host: Phone, league: League) -> str:
    """Plan a night on the page. Return the link for answers."""
    host.go(f"/leagues/{league.pk}")
    host.press("Plan a night")
    day = timezone.localdate() + timedelta(days=2)
    host.page.fill("[name=day]", day.isoformat())
    host.page.fill("[name=at]", "20:00")
    host.page.fill("[name=seats]", "8")
    host.press("Plan night")
    host.page.wait_for_url("**/planned-nights/**")
    host.tap("summary:has-text('Invite link')")
    host.press("Create invite link")
    host.tap("summary:has-text('Invite link')")
    return str(host.page.locator("a[href*='/answers/']").first.get_attribute("href"))


def opened(phone: Phone, push: PushPhone, words: str) -> Phone:
    """Send due notifications and open the only one. Its action is one tap away."""
    send_all()
    [notice] = [each for each in push.came() if words in f"{each['title']} {each['body']}"]
    phone.go(notice["link"])
    phone.taps = 1
    return phone


def everybody_comes(link: str, users: dict[str, User], phones: Callable[[], Phone]) -> None:
    """Accept in two taps: open the link and answer yes. Guests also type a name."""
    for name in (*MEMBERS, *GUESTS):
        if name == "bob":
            continue  # only these players were notified
        phone = phones()
        if name in users:
            phone.sign_in(users[name])
        phone.page.goto(link)
        if name not in users:
            phone.page.fill("[name=name]", name)
        phone.press("Yes")
        expect(phone.page.locator(".who-come").first).to_contain_text(name)


def the_night_starts(host: Phone) -> Night:
    host.go(f"/planned-nights/{PlannedNight.objects.get().pk}")
    host.press("Start night")
    host.page.wait_for_url("**/start")
    host.press("Start night")
    host.page.wait_for_url("**/nights/**")
    night = Night.objects.select_related("season__league__book").get()
    assert {seat.player.name for seat in night.seats.all()} == {*MEMBERS, *GUESTS}
    return night


def a_pizza(host: Phone, night: Night) -> None:
    host.go(f"/nights/{night.pk}")
    host.press("Costs")
    host.page.fill("[name=title]", "Pizza")
    host.page.fill("form:has([name=title]) [name=amount]", "40")
    host.page.select_option("[name=payer]", label="bob")
    host.press("Add cost")
    expect(host.page.get_by_text("Added. It is settled with the night.")).to_be_visible()


def a_bounty(host: Phone, night: Night) -> None:
    """Ann wins 20 from Bob with 7-2, and Dan was dealt in. With one tap, both owe her 2."""
    record_hand(night, uuid4(), with_seven_deuce(), by=None)
    host.go(f"/nights/{night.pk}")
    host.press("Charge")
    expect(host.page.get_by_text("ann wins with 7-2. Everyone pays ann 2.").first).to_be_visible()


def a_tournament(host: Phone, night: Night) -> None:
    """Four players enter an hour-long tournament for 5 EUR each, and Eve wins everything."""
    host.go(f"/nights/{night.pk}")
    host.press("Tournament")
    host.press("New tournament")
    host.page.fill("[name=entry]", "5")
    host.press("Create tournament")
    for name in ("ann", "bob", "eve", "Zoe"):
        enters(host, name)
    host.press("Start clock")
    for name, by in (("Zoe", "ann"), ("ann", "eve"), ("bob", "eve")):
        goes_out(host, name, by)
    host.press("eve won: pay prizes")
    expect(host.page.get_by_role("heading", name="eve wins")).to_be_visible()


def closed_by(host: Phone, night: Night) -> None:
    host.go(f"/nights/{night.pk}/close")
    host.tap("label:has-text('Skip the count and use the expected stacks')")
    host.press("Close night")
    host.page.wait_for_url(f"**/nights/{night.pk}")


def all_is_added_up(closing: Closing) -> None:
    assert {name: net for name, net in nets(closing).items() if net} == {
        "bob": -20,
        "eve": 30,
        "Zoe": -10,
    }
    # 40 EUR is 80 chips, which is ten chips per player. Ann won 10 and a bounty of 4. Bob lost 10
    # and owes 2 of the bounty. An entry is ten chips, and Eve won all four.
    owed = {line.player.name: line.settles for line in closing.lines.select_related("player")}
    assert owed == {
        **dict.fromkeys(("cat", "fay", "Yan"), -10),
        "ann": -6,
        "bob": 48,
        "dan": -12,
        "eve": 20,
        "Zoe": -20,
    }


def said_yes(phone: Phone) -> None:
    phone.press("Yes")
    expect(phone.page.get_by_text("1 of 8 seats taken")).to_be_visible()
    assert phone.taps == 2


def said_paid(phone: Phone) -> None:
    """Open the page with the payment link. One more tap reports the payment as sent."""
    link = phone.page.locator("a[href^='https://paypal.me/bobplays/3EUR']")
    expect(link).to_be_visible()
    phone.press("Mark as sent")
    expect(phone.page.locator(".tag", has_text="sent").first).to_be_visible()
    assert phone.taps == 2


def said_received(phone: Phone, name: str) -> None:
    due = phone.page.locator(".due", has_text=f"{name} pays you")
    phone.tap(due.get_by_role("button", name="Confirm receipt").first)
    expect(phone.page.locator(".tag", has_text="received").first).to_be_visible()
    assert phone.taps == 2


def all_received(host: Phone, night: Night) -> None:
    """The host confirms each payment."""
    host.go(f"/nights/{night.pk}/payments")
    buttons = host.page.get_by_role(
        "button", name=re.compile(r"^(Confirm receipt|Mark (\S+ \S+ )?as received)$")
    )
    expect(buttons.first).to_be_visible()
    for left in range(buttons.count(), 0, -1):
        expect(buttons).to_have_count(left)
        host.tap(buttons.first)
    expect(buttons).to_have_count(0)


def test_night_can_be_played_from_the_invitation_to_the_last_payment(
    phones: Callable[[], Phone], service: Receiver
) -> None:
    joel = User.objects.create_user("joel", email="joel@example.org")
    users = a_league_of(joel)
    league = League.objects.get()
    pushes = three_phones(service, joel, users["ann"], users["bob"])
    host = phones()
    host.sign_in(joel)
    link = planned_by(host, league)
    ann, bob = phones(), phones()
    ann.sign_in(users["ann"])
    bob.sign_in(users["bob"])
    said_yes(opened(bob, pushes["bob"], "New night planned"))
    everybody_comes(link, users, phones)
    night = the_night_starts(host)
    a_pizza(host, night)
    a_bounty(host, night)
    a_tournament(host, night)
    closed_by(host, night)
    all_is_added_up(Closing.objects.get())
    said_paid(opened(ann, pushes["ann"], "is closed"))
    said_received(opened(bob, pushes["bob"], "ann marked 3.00 EUR as sent"), "ann")
    opened(ann, pushes["ann"], "bob received 3.00 EUR")
    expect(ann.page.get_by_text("received").first).to_be_visible()
    all_received(host, night)
    assert tabs(league) == {}
    assert {payment.state for payment in Payment.objects.all()} == {"confirmed"}
    assert audit() == []
    send_all()
    for phone in pushes.values():
        tags = [each["tag"] for each in phone.came()]
        assert len(tags) == len(set(tags))
    assert Player.objects.filter(name__in=GUESTS, is_guest=True).count() == 2
