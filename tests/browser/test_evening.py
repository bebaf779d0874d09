"""A night with four phones: join by code, rebuy, count, miss one chip, close and pay."""

from collections.abc import Callable
from dataclasses import dataclass
from uuid import uuid4

import pytest
from playwright.sync_api import expect

from league.integrity.audit import audit
from league.models import Closing, League, Membership, Night, Payment, Role
from league.people.leagues import make_league
from league.recording.record import record_hand
from tests.helpers.browser.accessibility import looks_right
from tests.helpers.browser.phone import Phone
from tests.helpers.league.leagues import holdem
from tests.helpers.league.nights import closed, nets, planned, tabs

pytestmark = pytest.mark.django_db(transaction=True)
PLAYERS = ("ann", "bob", "cat")
# Emulates a phone that can share files.
SHARES = """
navigator.canShare = () => true;
navigator.share = async (data) => { window.shared = data; };
"""


def joined(phone: Phone, code: str, name: str) -> Phone:
    phone.go("/")
    phone.page.fill("[name=code]", code.lower())
    phone.press("Join")
    phone.press(name)
    expect(phone.page.get_by_role("heading", name="Night 1")).to_be_visible()
    return phone


@dataclass
class Evening:
    """A table of three players. The host and those who joined have a phone each."""

    host: Phone
    players: dict[str, Phone]
    night: Night

    def room(self, name: str = "") -> str:
        return f"/nights/{self.night.pk}{name}"


def an_evening(phones: Callable[[], Phone], *joining: str) -> Evening:
    host = phones()
    host.sign_up()
    host.make_league(PLAYERS)
    host.start_night(usual=100)
    expect(host.page.get_by_role("heading", name="Night 1")).to_be_visible()
    code = League.objects.get().code
    players = {name: joined(phones(), code, name) for name in joining}
    return Evening(host, players, Night.objects.get())


def cat_loses_and_buys_again(evening: Evening) -> None:
    record = holdem()
    record["players"][1]["name"] = "cat"
    for each in record["players"]:
        each["paid"] = 60
    record_hand(evening.night, uuid4(), record, by=None)
    cat = evening.players["cat"]
    cat.go(evening.room())
    cat.tap("summary:has-text('Rebuy')")
    cat.page.fill("[name=chips]", "50")
    looks_right(cat)
    cat.press("Rebuy")
    expect(cat.page.locator("tr", has_text="cat")).to_contain_text("90")


def everybody_counts(evening: Evening, **chips: int) -> None:
    for name, phone in evening.players.items():
        phone.go(evening.room())
        phone.press("Count chips")
        phone.page.wait_for_url("**/count")
        row = phone.page.locator("tr", has=phone.page.get_by_text(name, exact=True))
        with phone.page.expect_response("**/count/check"):
            row.locator("input").fill(str(chips[name]))
        phone.press("Save count")
        expect(phone.page.get_by_text("Count saved.")).to_be_visible()


def the_host_closes(evening: Evening) -> None:
    """Bob is one chip short and bears the difference. The host checks the plan and closes the
    night."""
    host = evening.host
    host.go(evening.room("/count"))
    expect(host.page.locator("#difference .minus")).to_have_text("\N{MINUS SIGN}1")
    looks_right(host)
    host.go(evening.room())
    host.press("Close night")
    host.page.wait_for_url("**/close")
    expect(host.page.get_by_role("heading", name="1 chip (0.25 USD) is missing")).to_be_visible()
    expect(host.page.locator(".bears").get_by_label("bob")).to_be_checked()
    outcome = "cat pays ann (60 chips)"
    expect(host.page.locator("#outcome")).to_contain_text(outcome)
    looks_right(host)
    host.page.add_init_script(SHARES)
    with host.page.expect_response("**/recap.png") as picture:
        host.press("Close night")
    picture.value.finished()
    podium = host.page.locator(".podium li")
    expect(podium.first).to_contain_text("ann")
    looks_right(host)
    host.press("Send the recap")
    host.page.wait_for_function("window.shared?.files?.[0].name === 'recap.png'")
    host.tap(".ended a:has-text('Payments')")
    expect(host.page.get_by_role("heading", name="Payments")).to_be_visible()
    looks_right(host)
    expect(evening.players["ann"].page.locator(".podium li").first).to_contain_text("ann")


def test_filled_button_of_the_closing_page_is_the_next_step(phone: Phone) -> None:
    """ "Close night" used to be filled before any chips were counted."""
    phone.join_night("Ann", "Bob")
    phone.go(f"/nights/{Night.objects.get().pk}/close")
    close = phone.page.get_by_role("button", name="Close night")
    count = phone.page.get_by_role("link", name="Count chips")
    filled = "button => getComputedStyle(button).backgroundColor"
    before = close.evaluate(filled), count.evaluate(filled)
    phone.page.get_by_label("Skip the count and use the expected stacks").check()
    expect(phone.page.locator("#outcome")).to_contain_text("No payments needed.")
    assert (close.evaluate(filled), count.evaluate(filled)) == before[::-1]
    assert len({*before}) == 2


def cat_pays_and_ann_confirms(evening: Evening, amount: str) -> None:
    cat, ann = evening.players["cat"], evening.players["ann"]
    cat.go(evening.room())
    cat.tap(".ended a:has-text('Payments')")
    cat.tap("summary:has-text('Pay part')")
    cat.page.fill("[name=amount]", amount)
    cat.press("Mark amount as sent")
    expect(cat.page.locator(".tag", has_text="sent").first).to_be_visible()
    ann.go(evening.room("/payments"))
    looks_right(ann)
    ann.press("Confirm receipt")
    expect(ann.page.get_by_role("button", name="Confirm receipt", exact=True)).to_have_count(0)


@pytest.mark.scheduled
def test_night_can_be_played_from_the_join_code_to_the_last_payment(
    phones: Callable[[], Phone],
) -> None:
    evening = an_evening(phones, *PLAYERS)
    cat_loses_and_buys_again(evening)
    everybody_counts(evening, ann=160, bob=99, cat=90)
    the_host_closes(evening)
    closing = Closing.objects.get()
    assert nets(closing) == {"ann": 60, "bob": 0, "cat": -60}
    assert planned(closing) == ["cat pays ann 60"]
    for amount in ("10", "5"):
        cat_pays_and_ann_confirms(evening, amount)
    assert tabs(evening.night.league) == {}
    assert {payment.state for payment in Payment.objects.all()} == {"confirmed"}
    assert audit() == []


def switch_leagues(host: Phone, league: League) -> None:
    """Open the list of leagues. Close it by tapping outside, then with Escape."""
    make_league(Membership.objects.get(role=Role.HOST).user, "Friday")
    host.go(f"/leagues/{league.pk}")
    leagues, friday = "details.switcher > summary", host.page.get_by_role("link", name="Friday")
    host.tap(leagues)
    expect(friday).to_be_visible()
    host.tap("#players-title")
    expect(friday).to_be_hidden()
    host.tap(leagues)
    expect(friday).to_be_visible()
    host.page.keyboard.press("Escape")
    expect(friday).to_be_hidden()


def test_receipt_link_opens_the_receipt(phones: Callable[[], Phone]) -> None:
    evening = an_evening(phones, "bob", "cat")
    cat_loses_and_buys_again(evening)
    closing = closed(evening.night)
    host = evening.host
    host.go(evening.room("/receipt"))
    looks_right(host)
    host.press("Create share link")
    stranger = phones()
    stranger.page.goto(host.page.input_value("#address"))
    stranger.tap("summary:has-text('Proof that nothing was changed')")
    expect(stranger.page.locator("details .hash", has_text=closing.hash)).to_be_visible()
    looks_right(stranger)
    bob = evening.players["bob"]
    bob.go(f"/seasons/{evening.night.season_id}")
    expect(bob.page.locator("tr", has_text="ann")).to_contain_text("+60")
    looks_right(bob)
    switch_leagues(host, evening.night.league)
    host.go(f"/leagues/{evening.night.league.pk}")
    looks_right(host)


def test_settings_open_groups_that_are_searched_or_wrong(phones: Callable[[], Phone]) -> None:
    evening = an_evening(phones)
    host = evening.host
    host.go(f"/leagues/{evening.night.league.pk}/options")
    looks_right(host)
    settings = host.page.locator("#settings .field:visible")
    expect(settings).to_have_count(0)
    host.page.fill("[data-find-setting]", "bad beat")
    expect(settings).to_have_count(1)
    host.page.fill("[data-find-setting]", "")
    expect(settings).to_have_count(0)
    host.tap("summary:has-text('Buy-in and leaving limits')")
    host.page.fill("#id_most_rebuys", "3")
    host.tap("#nights summary")
    host.page.fill("#id_denominations", "one")
    host.press("Save settings")
    expect(host.page.locator("#nights .error")).to_be_visible()
    expect(host.page.locator("#settings details[open]")).to_have_count(1)
    expect(host.page.locator("#limits summary")).to_contain_text("Rebuys: 3")
    looks_right(host)
