"""Very long names without spaces do not make a page wider than the phone."""

from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from league.models import Hand, League, Night, Player, Role, Season, User
from league.nights.buy_ins import buy_in
from league.nights.nights import seat
from league.nights.opening import open_night
from league.people.leagues import add_member, add_player, make_league
from league.recording.record import record_hand
from league.stats.count import count_marked
from tests.helpers.browser.phone import PASSWORD, Phone
from tests.helpers.league.leagues import a_user, holdem
from tests.helpers.league.tampering import unguarded

PHONE = 360
LONG, OTHER = "x" * 60, "Y" * 60
NAMES = ("Bartholomew", "Rumpelstilzchen", "Featherstonehaugh", "Konstantinopelmanns")
# Words of up to twenty letters without a hyphen that break across lines.
BROKEN = """() => {
    const found = [];
    const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const node = walker.currentNode, inside = node.parentElement;
        if (!inside.checkVisibility({visibilityProperty: true})) continue;
        if (inside.closest('.unseen, .hash, textarea, script, option')) continue;
        for (const word of node.data.matchAll(/[^\\s-]+/g)) {
            if (word[0].length > 20) continue; // an address to join by
            const range = document.createRange();
            range.setStart(node, word.index);
            range.setEnd(node, word.index + word[0].length);
            const lines = [...range.getClientRects()].filter((each) => each.width);
            if (new Set(lines.map((each) => Math.round(each.top))).size > 1) found.push(word[0]);
        }
    }
    return found;
}"""
WIDTH = "document.documentElement.scrollWidth"


@pytest.fixture
def night(transactional_db: None) -> Night:
    league = make_league(a_user(), "L" * 60)
    players = [add_player(league, name) for name in (LONG, OTHER)]
    night = open_night(league, players=players, name="N" * 60)
    for player in players:
        buy_in(night, player, 100, buy_in_id=uuid4(), by=None)
    user = User.objects.create_user("joel", password=PASSWORD)
    add_member(league, user, Role.HOST)
    return night


@pytest.fixture
def phone(page: Page, live_server: LiveServer, night: Night) -> Phone:
    phone = Phone(page, live_server.url)
    phone.go("/sign-in")
    page.fill("[name=username]", "joel")
    page.fill("[name=password]", PASSWORD)
    phone.tap("main .button.main")
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()
    return phone


def played(one: str = LONG, other: str = OTHER) -> Hand:
    record = holdem(took={other: 20})
    record["players"][0]["name"], record["players"][1]["name"] = one, other
    return record_hand(Night.objects.get(), uuid4(), record, by=None).hand


def test_no_page_is_wider_than_the_phone(phone: Phone, night: Night) -> None:
    hand = played()
    league, season = League.objects.get().pk, Season.objects.get().pk
    pages = [
        "/",
        f"/leagues/{league}",
        f"/leagues/{league}/nights/new",
        f"/leagues/{league}/options",
        f"/leagues/{league}/games",
        f"/seasons/{season}",
        f"/nights/{night.pk}",
        f"/nights/{night.pk}/record",
        f"/nights/{night.pk}/count",
        f"/nights/{night.pk}/close",
        f"/hands/{hand.pk}",
        f"/hands/{hand.pk}/record",
    ]
    widths = {}
    for path in pages:
        phone.go(path)
        expect(phone.page.locator("main h1").first).to_be_attached()
        phone.page.evaluate(
            "document.querySelectorAll('details').forEach((d) => { d.open = true })"
        )
        widths[path] = phone.page.evaluate(WIDTH)
    assert {path: width for path, width in widths.items() if width > PHONE} == {}


def test_recording_page_keeps_its_width_while_being_filled_in(phone: Phone, night: Night) -> None:
    Player.objects.filter(name=OTHER).update(name="O" * 35)
    phone.go(f"/nights/{night.pk}/record")
    page = phone.page
    for game in ("Omaha-8", "Nightmare"):
        if page.locator(".picker:not([open])").count():
            phone.tap(".picker summary")
        phone.choose(game)
        phone.all_paid(10)
        expect(page.locator("#says")).to_contain_text("no hole cards yet")
        assert page.evaluate(WIDTH) == PHONE
        phone.done()
        assert page.evaluate(WIDTH) == PHONE
    phone.result_only()
    page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true })")
    phone.tap(".pills [name=winner]")
    expect(phone.verdict()).to_contain_text("wins 20")
    assert page.evaluate(WIDTH) == PHONE
    bar, button = page.locator(".bar .says"), page.locator(".bar .main")
    says, saves = bar.bounding_box(), button.bounding_box()
    assert says
    assert saves
    assert says["x"] + says["width"] <= saves["x"]


def test_names_of_up_to_twenty_letters_do_not_break(phone: Phone, night: Night) -> None:
    """Names wrap between words or end with an ellipsis. The player's page shows the whole name."""
    league = night.league
    Player.objects.filter(name=LONG).update(name=NAMES[0])
    Player.objects.filter(name=OTHER).update(name=NAMES[1])
    for name in NAMES[2:]:
        seat(night, add_player(league, name))
    hand = played(*NAMES[:2])
    while count_marked(league.pk):
        pass
    pages = [
        f"/leagues/{league.pk}",
        f"/leagues/{league.pk}/nights/new",
        f"/leagues/{league.pk}/stats",
        f"/leagues/{league.pk}/stats/game?game=texas-holdem",
        f"/nights/{night.pk}",
        f"/nights/{night.pk}/record?game=texas-holdem",
        f"/nights/{night.pk}/count",
        f"/hands/{hand.pk}",
        *(f"/players/{each.pk}" for each in league.players.all()),
    ]
    League.objects.update(name="Thursday")
    with unguarded():
        Night.objects.update(name="Tonight")
    broken = {}
    for path in pages:
        phone.go(path)
        phone.page.evaluate(
            "document.querySelectorAll('details').forEach((d) => { d.open = true })"
        )
        broken[path] = phone.page.evaluate(BROKEN)
    assert {path: words for path, words in broken.items() if words} == {}
    assert phone.page.locator("h1").inner_text() in NAMES
