"""A table's TV screen: docs/decisions/0031-table-screen.md."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from league.deals.declarations import declare
from league.deals.open_deal import move_on, set_state
from league.deals.shown_cards import show_cards
from league.models import Deal, Night, Player, Revision, User
from league.nights.buy_ins import buy_in
from league.nights.opening import open_night
from league.nights.share_links import share_screen, unshare_screen
from league.options import choose, options_of
from league.people.leagues import add_player, make_league
from league.recording.record import record_hand
from tests.helpers.browser.accessibility import hard_to_use
from tests.helpers.browser.phone import PASSWORD, Phone
from tests.helpers.browser.waiting import wait_until
from tests.helpers.league.deals import a_deal, at_stage, user_of

WALLS = [(1920, 1080), (1280, 720), (1024, 768)]
REDRAWN_WITHIN = 3_000  # milliseconds
NAMES = (
    "Bartholomew Featherstonehaughs",
    "Konstantinopelmanns-Wolfgang 2",
    "W" * 30,
    "Maximiliane von Hohenzollern-S",
    "Jo",
    "Rumpelstilzchen the Second Jr.",
    "Annabella-Christina Rosenthal",
    "Donaudampfschifffahrtskapitaen",
    "Sir Archibald Montgomery-Smith",
    "Guadalupe Hernandez-Villanueva",
)
LONGEST_LEAGUE = "Wednesday Night Dealer's Choice Club of the Old Harbour Bars"  # 60 letters
CHIPS = {"white": 1, "red": 5, "green": 25, "black": 100, "purple": 500, "yellow": 1000}
SPLIT = {
    "variant": "omaha-8",
    "button": 0,
    "board": [["3s", "4c", "7d", "Ks", "5h"]],
}
ANIMATION = "(card) => getComputedStyle(card).animationName"
HELD = ("Ah 2c 9d Jh", "Kh Kd Qc Js", "As 2d 8c 8h", "Tc Td 9c 9h")
# Finds elements that overlap, are cut off at an edge, or require scrolling.
CROWDED = """() => {
    const found = [], root = document.documentElement;
    if (root.scrollWidth > innerWidth || root.scrollHeight > innerHeight) found.push('it scrolls');
    const seen = (each) => each.checkVisibility({visibilityProperty: true});
    const all = (css) => [...document.querySelectorAll(css)].filter(seen);
    const box = (each) => each.getBoundingClientRect();
    const apart = (a, b) => a.right <= b.left + 1 || b.right <= a.left + 1
        || a.bottom <= b.top + 1 || b.bottom <= a.top + 1;
    const words = (each) => each.textContent.replace(/\\s+/g, ' ').trim().slice(0, 30);
    const named = (each) => `${each.getAttribute('class') || each.nodeName} (${words(each)})`;
    const laid = [...all('.seat'), ...all('.corner'), ...all('.middle > *, .hands > li')
        .filter((each) => !each.matches('.unseen, .hands')), ...all('.puck')];
    laid.forEach((one, at) => laid.slice(at + 1).forEach((other) => {
        if (one.contains(other) || apart(box(one), box(other))) return;
        found.push(`${named(one)} lies on ${named(other)}`);
    }));
    for (const each of all('#screen *:not(.unseen)')) {
        const {left, right, top, bottom} = box(each);
        const beyond = left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1;
        if (beyond && !each.closest('.unseen')) found.push(`${named(each)} is cut`);
    }
    for (const seat of all('.seat')) {
        const {left, right, bottom} = box(seat);
        const parts = [...seat.querySelectorAll('.name, .facts, .facts > *, .held')];
        for (const each of parts.filter(seen)) {
            const inner = box(each);
            if (inner.left < left || inner.right > right || inner.bottom > bottom + 1)
                found.push(`${named(each)} does not fit its seat`);
        }
    }
    for (const each of all('.verdict h2:not(.unseen), .corner :is(h1, p)'))
        if (each.scrollHeight > each.clientHeight + 2) found.push(`${named(each)} is cut`);
    return found;
}"""


# Rules in the visible column that extend below their list or their text column.
RULES_SEEN = """() => {
    const box = document.querySelector('.deal dl').getBoundingClientRect();
    const inside = (each) => each.getBoundingClientRect().left < box.right;
    return [...document.querySelectorAll('.deal dt')].filter(inside).map((each) => each.innerText);
}"""
TITLE_LINES = """() => {
    const title = document.querySelector('#deal-title');
    return Math.round(title.clientHeight / parseFloat(getComputedStyle(title).lineHeight));
}"""
RULES_CUT = """() => {
    const list = document.querySelector('.deal.tall dl').getBoundingClientRect();
    const game = document.querySelector('.deal.tall .game').getBoundingClientRect();
    return [...document.querySelectorAll('.deal.tall dl > div')].filter((each) => {
        const {left, bottom} = each.getBoundingClientRect();
        return left < list.right - 1 && bottom > Math.min(list.bottom, game.bottom) + 1;
    }).map((each) => each.textContent);
}"""


@pytest.fixture
def wall(browser: Browser, live_server: LiveServer) -> Iterator[Page]:
    """A TV without a signed-in user."""
    context = browser.new_context(
        viewport={"width": 1920, "height": 1080}, locale="en-US", reduced_motion="reduce"
    )
    yield context.new_page()
    context.close()


def a_table(number: int, *, chips: int = 12_400) -> tuple[Night, list[Player]]:
    host = User.objects.create_user(f"host-{uuid4().hex[:6]}", password=PASSWORD)
    league = make_league(host, LONGEST_LEAGUE)
    games = {"stand_up": 5, "bomb_pot_every": 2, "bomb_pot_ante": 5}
    chip_set = [{"colour": colour, "value": value, "count": 50} for colour, value in CHIPS.items()]
    league = choose(league, replace(options_of(league), **games, chip_set=chip_set))
    players = [add_player(league, name) for name in NAMES[:number]]
    night = open_night(league, players=players)
    for each in players:
        buy_in(night, each, chips, buy_in_id=uuid4(), by=None)
    return night, players


def shows(wall: Page, live_server: LiveServer, night: Night) -> None:
    maker = night.league.created_by
    token = share_screen(night, by=maker, shows_code=True)
    wall.goto(f"{live_server.url}/screens/{token}")
    expect(wall.locator("#screen")).to_be_visible()


def splits(night: Night, number: int) -> None:
    """Record a hand in which two of the first players split the pot."""
    rows = zip(NAMES[:number], HELD, strict=False)
    players = [{"name": name, "paid": 400, "down": held.split()} for name, held in rows]
    record_hand(night, uuid4(), SPLIT | {"players": players}, by=None)


def crowded(wall: Page) -> list[str]:
    overlaps = []
    for width, height in WALLS:
        wall.set_viewport_size({"width": width, "height": height})
        wait_until(wall, "(width) => innerWidth === width", width)
        overlaps += [f"{width}x{height}: {each}" for each in wall.evaluate(CROWDED)]
    return overlaps


@pytest.mark.parametrize(
    "number",
    [
        10,
        *(pytest.param(number, marks=pytest.mark.scheduled) for number in range(2, 10)),
    ],
)
def test_tv_screen_does_not_scroll_or_overlap_players(
    number: int, wall: Page, live_server: LiveServer, transactional_db: None
) -> None:
    night, _players = a_table(number)
    shows(wall, live_server, night)
    expect(wall.locator(".seat")).to_have_count(number)
    assert crowded(wall) == []
    splits(night, number)
    expect(wall.locator(".verdict")).to_be_visible()
    assert crowded(wall) == []
    splits(night, 1)
    expect(wall.get_by_role("heading", name=f"{NAMES[0]} wins 400")).to_be_visible()
    assert crowded(wall) == []
    a_deal(night)
    expect(wall.locator(".deal")).to_be_visible()
    assert crowded(wall) == []


def test_tv_screen_shows_a_deal_from_naming_the_game_to_the_cards(
    wall: Page, live_server: LiveServer, transactional_db: None
) -> None:
    night, players = a_table(10)
    shows(wall, live_server, night)
    deal = a_deal(night)
    expect(wall.get_by_role("heading", name="Omaha-8")).to_be_visible()
    deal = at_stage(deal, "declare")
    for seated in players[4:]:
        set_state(night, deal.pk, seated, "folded", by=user_of(seated))
    declare(night, deal.pk, players[0], "high", by=user_of(players[0]))
    expect(wall.get_by_text("1 of 4 locked")).to_be_visible()
    expect(wall.locator(".seat .sign", has_text="locked")).to_have_count(1)
    assert hard_to_use(wall) == []
    for seated in players[1:4]:
        declare(night, deal.pk, seated, "low", by=user_of(seated))
    expect(wall.locator(".declared")).to_have_count(4)
    deal = Deal.objects.get()
    show_cards(night, deal.pk, None, {"board/0": "2h 7d 9s Jd Qc"}, by=user_of(players[0]))
    for seated, held in zip(players[:4], HELD, strict=True):
        show_cards(night, deal.pk, seated, {"down": held}, by=user_of(seated))
    expect(wall.locator("g.known")).to_have_count(5)
    expect(wall.locator(".seat .held")).to_have_count(4)
    assert crowded(wall) == []
    assert hard_to_use(wall) == []
    motion = {}
    for wish in ("reduce", "no-preference"):
        wall.emulate_media(reduced_motion=wish)
        motion[wish] = wall.locator(".held .card").first.evaluate(ANIMATION)
    assert motion == {"reduce": "none", "no-preference": "dealt"}


def test_tv_screen_shows_the_rules_of_a_game_without_a_board(
    wall: Page, live_server: LiveServer, transactional_db: None
) -> None:
    night, _players = a_table(6)
    a_deal(night, "middlemost")
    shows(wall, live_server, night)
    expect(wall.locator(".deal dt")).to_have_text(["Wild", "Hand", "Pot", "Declare"])
    assert crowded(wall) == []
    assert hard_to_use(wall) == []


def test_tv_screen_shows_only_whole_rules_next_to_a_board(
    wall: Page, live_server: LiveServer, transactional_db: None
) -> None:
    """A rule that did not fit was cut through the middle of a line.

    Nightmare's rules fit, and its name is in one line.
    """
    night, _players = a_table(7)
    deal = a_deal(night, "nightmare", {"declare": "high-low"})
    move_on(night, deal.pk, deal.stage)
    shows(wall, live_server, night)
    expect(wall.locator(".deal.tall dt").first).to_be_visible()
    for width, height in WALLS:
        wall.set_viewport_size({"width": width, "height": height})
        wait_until(wall, "(width) => innerWidth === width", width)
        assert wall.evaluate(RULES_CUT) == []
        assert wall.evaluate(RULES_SEEN) == ["Hand", "Pot", "Declare"]
        assert wall.evaluate(TITLE_LINES) == 1


def test_tv_screen_shows_a_result_within_three_seconds_of_saving(
    wall: Page, page: Page, live_server: LiveServer, transactional_db: None
) -> None:
    """The host creates the link on the night's page, and another phone records the hand."""
    phone = Phone(page, live_server.url)
    phone.join_night("Ann", "Bob", "Cat")
    phone.tap("summary:has-text('TV screen')")
    phone.press("Create link for another screen")
    wall.goto(page.locator("#address").get_attribute("href") or "")
    expect(wall.get_by_role("heading", name="Ann deals next")).to_be_visible()
    expect(wall.locator("#screen .qr")).to_be_visible()
    phone.go(f"/nights/{Night.objects.get().pk}/record")
    phone.choose("Nightmare")
    phone.result_only()
    phone.all_paid(5)
    phone.done()
    phone.tap(".pill:has-text('Bob')")
    phone.press("Save")
    expect(page.get_by_role("heading", name="Hands")).to_be_visible()
    won = wall.get_by_role("heading", name="Bob wins 15")
    expect(won).to_be_visible(timeout=REDRAWN_WITHIN)
    expect(wall.locator(".seat.won")).to_contain_text("Bob")
    assert hard_to_use(wall) == []


def test_result_disappears_from_the_tv_screen_after_three_minutes(
    wall: Page, live_server: LiveServer, transactional_db: None
) -> None:
    wall.clock.install()
    night, _players = a_table(3)
    splits(night, 3)
    shows(wall, live_server, night)
    expect(wall.locator(".verdict")).to_be_visible()
    wall.clock.run_for(185_000)
    expect(wall.locator(".verdict")).to_be_hidden()
    expect(wall.locator(".between")).to_be_visible()
    expect(wall.locator(".last li")).to_have_count(1)
    assert crowded(wall) == []
    assert hard_to_use(wall) == []


def test_tv_screen_recovers_from_a_network_failure_until_its_link_is_revoked(
    wall: Page, live_server: LiveServer, transactional_db: None
) -> None:
    """The TV screen has no controls."""
    night, _players = a_table(4)
    shows(wall, live_server, night)
    wall.context.set_offline(True)
    expect(wall.get_by_text("No connection")).to_be_visible()
    deal = a_deal(night)
    wall.context.set_offline(False)
    expect(wall.locator(".deal")).to_be_visible()
    expect(wall.get_by_text("No connection")).to_be_hidden()
    move_on(night, deal.pk, 0)
    taps = "a, button, input, select, textarea, form, summary, [tabindex], [onclick]"
    assert wall.locator(taps).count() == 0
    unshare_screen(night)
    expect(wall.get_by_text("This link no longer works")).to_be_visible()
    assert hard_to_use(wall) == []


def test_tv_screen_keeps_the_tablet_awake_and_shows_the_local_time(
    wall: Page, live_server: LiveServer, transactional_db: None
) -> None:
    """The tablet's clock is five hours off and set to a different time zone."""
    night, _players = a_table(2)
    night.league.time_zone = "Asia/Tokyo"
    night.league.save()
    wall.add_init_script("""
        window.locks = 0;
        const lock = {request: async () => { locks += 1; }};
        Object.defineProperty(navigator, 'wakeLock', {value: lock});
        const now = Date.now;
        Date.now = () => now() + 5 * 3600 * 1000;
    """)
    shows(wall, live_server, night)
    wait_until(wall, "window.locks > 0")
    zone: dict[str, Any] = {"hour": "2-digit", "minute": "2-digit", "hourCycle": "h23"}
    zone["timeZone"] = "Asia/Tokyo"
    real = "new Intl.DateTimeFormat('en', zone).format(new Date(Date.now() - 5 * 3600 * 1000))"
    shown = "document.querySelector('#clock').innerText"
    wait_until(wall, f"(zone) => {shown} === {real}", zone)


def test_hand_run_twice_is_recorded_on_a_phone_and_shown_on_the_tv(
    phone: Phone, wall: Page, live_server: LiveServer
) -> None:
    """Ann has three aces in the first run, and Bob three kings in the second."""
    phone.join_night("Ann", "Bob", "Cat")
    shows(wall, live_server, Night.objects.get())
    phone.press("Record a hand")
    phone.choose("Texas Hold'em")
    phone.all_paid(51)
    phone.done()
    phone.fold("Cat")
    expect(phone.page.get_by_label("Twice")).to_be_hidden()
    phone.state("Bob", "all-in")
    phone.tap(phone.page.locator(".run-count label", has_text="Twice"))
    phone.cards("2s 3s 7d Ad 9h As Ah Ks Kh")
    # The deck moves on to the second board. It used to say "0 dealt again".
    expect(phone.sheet()).to_contain_text("Run 2 · enter the cards dealt again")
    phone.cards("Kd 4c")
    expect(phone.page.locator("#sheet")).to_contain_text("2 dealt again, then Done")
    phone.done()
    assert not hard_to_use(phone.page)
    expect(phone.verdict().locator(".pot h3")).to_contain_text(["Run 1", "Run 2"])
    phone.save()
    record = Revision.objects.get().record
    assert record["board"] == [["2s", "3s", "7d"]]
    assert record["runs"] == [{"board": [["Ad", "9h"]]}, {"board": [["Kd", "4c"]]}]
    expect(wall.locator(".run-board")).to_have_count(2)
    expect(
        wall.locator(".run-board").nth(1).get_by_role("img", name="king of diamonds")
    ).to_be_visible()
    assert not crowded(wall)
    phone.tap(".hand-line")
    phone.press("Correct this hand")
    expect(phone.page.get_by_label("Twice")).to_be_checked()
    expect(phone.page.locator(".run .slot.full")).to_have_count(2)
