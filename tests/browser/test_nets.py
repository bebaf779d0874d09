"""Figures shown next to each other agree: a night's nets, and a hand of a closed night."""

from typing import Any
from uuid import uuid4

import pytest
from playwright.sync_api import Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from league.closing.cash_outs import cash_out
from league.models import Hand, Night, Revision, User
from league.nights.buy_ins import buy_in
from league.nights.cash_box import cash_box
from league.recording.record import record_hand
from tests.helpers.browser.phone import Phone
from tests.helpers.league.leagues import holdem, player
from tests.helpers.league.nights import closed
from tests.helpers.league.stats_rows import count_all

pytestmark = pytest.mark.django_db(transaction=True)

MINUS = "\N{MINUS SIGN}"
RISE = """[...document.styleSheets].flatMap((sheet) => [...sheet.cssRules])
    .find((rule) => rule.name === 'rise').cssText"""
# the right edges of the texts in the head's links, and in the first row below them
EDGES = """(table) => {
    const right = (each) => {
        const range = document.createRange();
        range.selectNodeContents(each);
        return range.getBoundingClientRect().right;
    };
    const [head, row] = [table.tHead, table.tBodies[0]].map((part) => [...part.rows[0].cells]);
    const links = head.map((each) => each.querySelector("a"));
    return [links.filter(Boolean).map(right), row.filter((_, at) => links[at]).map(right)];
}"""


@pytest.fixture
def host(page: Page, live_server: LiveServer) -> Phone:
    phone = Phone(page, live_server.url)
    phone.join_night("ann", "bob", "cat")
    expect(page.get_by_role("link", name="Record a hand")).to_be_visible()
    return phone


def the_night() -> Night:
    return Night.objects.select_related("season__league__book").get()


def dealt(**fields: Any) -> None:
    """Record a hand for which Ann and Bob put in 10 each, and Ann has the better hand."""
    record_hand(the_night(), uuid4(), holdem(**fields), by=User.objects.get())


def row(host: Phone, within: str, name: str) -> Locator:
    return host.page.locator(f"{within} tr", has_text=name).first


def test_pot_that_was_paid_differently_is_shown_next_to_the_net_on_every_page(host: Phone) -> None:
    """The night page, the hand list and the closing used to disagree without an explanation.

    The night page showed +178 and the hands +143. The closing paid +201, and the night page then
    showed +236.
    """
    dealt(took={"bob": 20})
    host.go(f"/nights/{the_night().pk}")
    expect(row(host, "main", "ann")).to_contain_text("+10")
    host.press("+20 paid to the wrong player, hand 1")
    host.page.wait_for_url("**/hands/*")
    host.page.go_back()
    expect(row(host, "main", "bob")).to_contain_text(f"{MINUS}10")
    closed(the_night(), ann=87, bears="cat")
    season = the_night().season_id
    host.go(f"/seasons/{season}")
    expect(row(host, "main", "ann")).to_contain_text(f"{MINUS}3 by count and corrections")
    host.press(f"{MINUS}3 by count and corrections")
    expect(host.page).to_have_url(f"{host.address}/nights/{the_night().pk}/receipt")


def test_page_states_that_a_correction_after_the_count_keeps_payments(host: Phone) -> None:
    """Instead, the page used to warn about a cashed-out player's missing buy-in."""
    dealt()
    cash_out(the_night(), player(the_night(), "bob"), 90, cash_out_id=uuid4(), by=None)
    closed(the_night())
    host.go(f"/nights/{the_night().pk}")
    host.page.locator(".hand-line").first.click()
    stay = "was settled by the counted chips"
    expect(host.page.get_by_text(stay)).to_be_visible()
    host.press("Correct this hand")
    expect(host.page.get_by_text(stay)).to_be_visible()
    expect(host.verdict()).not_to_contain_text("buy-in")
    host.page.locator("[name=all_paid]").fill("12")
    host.press("Save correction")
    expect(host.page.get_by_text("Hand 1 corrected")).to_be_visible()
    expect(host.page.locator("div.notes")).not_to_contain_text("buy-in")


@pytest.mark.parametrize(("at", "way"), [("", "to"), ("/leave", "from")])
def test_chosen_player_is_left_out_of_cash_with_others(host: Phone, at: str, way: str) -> None:
    host.go(f"/nights/{the_night().pk}{at}")
    host.page.evaluate("document.querySelectorAll('details').forEach((it) => { it.open = true; })")
    form = host.page.locator("form:has([name=banker])")
    player, banker = form.locator("[name=player]"), form.locator("[name=banker]")
    ann, bob = (banker.locator("option", has_text=f"{way} {name}") for name in ("ann", "bob"))
    player.select_option(value=ann.get_attribute("value"))
    expect(ann).to_be_disabled()
    banker.select_option(value=bob.get_attribute("value"))
    player.select_option(value=bob.get_attribute("value"))
    expect(banker).to_have_value("")
    expect(bob).to_be_disabled()
    expect(ann).to_be_enabled()


SWAP = """() => {
  const { elements } = document.getElementById("record");
  const [ann, bob] = ["players/0/down", "players/1/down"].map((name) => elements[name]);
  [ann.value, bob.value] = [bob.value, ann.value];
  bob.dispatchEvent(new Event("input", { bubbles: true }));
}"""


def test_correction_after_the_count_records_who_took_the_chips(host: Phone) -> None:
    """Ann was paid, but Bob had the better hand: her count was over and his was short."""
    dealt()
    closed(the_night())
    host.go(f"/hands/{Hand.objects.get().pk}/record")
    host.page.evaluate(SWAP)
    expect(host.verdict()).to_contain_text("bob wins 20")
    host.press("Table paid as before: ann 20")
    expect(host.verdict()).to_contain_text("The table paid ann 20. ann will owe bob 20.")
    expect(host.page.get_by_role("button", name="Table paid as before")).to_have_count(0)
    host.press("Save correction")
    expect(host.page.get_by_text("Hand 1 corrected")).to_be_visible()
    assert Revision.objects.get(current=True).record["took"] == {"ann": 20}


def test_closing_page_asks_who_covers_a_cash_difference_while_typing(host: Phone) -> None:
    night = the_night()
    bought = {"buy_in_id": uuid4(), "by": None, "banker": cash_box(night.league)}
    buy_in(night, player(night, "bob"), 40, **bought)
    dealt()
    page, text = host.page, "Who covers the difference in cash?"
    host.go(f"/nights/{night.pk}/close")
    page.locator("[name=by_hands]").check()
    expect(page.locator("#outcome")).to_contain_text("In the cash box")
    expect(page.get_by_text(text)).not_to_be_visible()
    page.locator("[name=cash]").press_sequentially("0.35")
    expect(page.get_by_text(text)).to_be_visible()
    expect(page.locator("#outcome .note.warn")).to_contain_text("Who pays the missing 0.05")
    page.locator("[name=cash_bears]").nth(1).check()
    expect(page.locator("#outcome .note.warn")).not_to_be_visible()
    expect(page.locator("[name=cash_bears]").nth(1)).to_be_checked()
    host.press("Close night")
    expect(page.locator(".podium")).to_be_visible()
    # the podium used to be transparent until its animation began
    keyframes = page.evaluate(RISE)
    assert "translateY" in keyframes
    assert "opacity" not in keyframes


def test_heads_of_figures_end_above_their_numbers(host: Phone) -> None:
    """On wide screens, they ended 16 pixels further to the left."""
    dealt()
    night = the_night()
    count_all(night.league)
    host.page.set_viewport_size({"width": 1280, "height": 800})
    host.go(f"/seasons/{night.season_id}")
    heads, numbers = host.page.locator(".figures").first.evaluate(EDGES)
    assert len(heads) > 3
    assert heads == pytest.approx(numbers, abs=1)
