"""Finding a game on a phone: filters, favourites and suggestions, even offline."""

from uuid import uuid4

import pytest
from playwright.sync_api import CDPSession, Page, expect
from pytest_django.live_server_helper import LiveServer

from league.models import Deal, Favourite, Night, User
from league.people.favourites import set_favourite
from league.recording.record import record_hand
from tests.helpers.browser.accessibility import hard_to_use
from tests.helpers.browser.finding import pill, proposals
from tests.helpers.browser.phone import Phone
from tests.helpers.browser.waiting import wait_until
from tests.helpers.league.game_names import RANKS

BESIDE = 5  # maximum number of layouts not caused by taps, such as clock updates
TAPS = """async () => {
    const all = [...document.querySelectorAll("[data-chip]")];
    const chips = all.filter((chip) => chip.checkVisibility());
    const tapped = [...chips, ...chips].slice(0, 30);
    for (const chip of tapped) {
        chip.click();
        await new Promise((wake) => requestAnimationFrame(() => setTimeout(wake)));
    }
    return tapped.length;
}"""
RANK = """async (names) => {
    const { nearness } = await import("/static/league/js/games/search-matching.js");
    return names.map(([text, title, others]) => {
        const row = document.createElement("label");
        row.append(Object.assign(document.createElement("b"), { textContent: title }));
        if (others.length) row.dataset.also = others.join(", ");
        return nearness(row, text);
    });
}"""
STARS = "Object.keys(localStorage).filter((key) => key.startsWith('stars:')).length"
SENT = f"""async () => {{
    while ({STARS}) await new Promise((wake) => setTimeout(wake, 50));
}}"""


@pytest.fixture
def phone(page: Page, live_server: LiveServer) -> Phone:
    """A phone on the page for a night with four players."""
    phone = Phone(page, live_server.url)
    phone.join_night("Ann", "Bob", "Cat", "Dan")
    return phone


def test_filter_chips_narrow_the_list_and_show_counts(phone: Phone) -> None:
    page = phone.page
    phone.go("/games")
    rows, says = page.locator("[data-family] li:not([hidden])"), page.locator("[data-left]")
    everything = rows.count()
    split = int(page.locator(".pill:has-text('Split pot') i").inner_text())
    assert split < everything
    pill(phone, "Split pot")
    expect(rows).to_have_count(split)
    page.fill("#find", "omaha")
    expect(says).not_to_have_text(str(split))  # wait for the search index
    narrowed = int(says.inner_text())
    assert 0 < narrowed < split
    expect(rows).to_have_count(narrowed)
    page.locator("#find").blur()
    page.reload()
    expect(rows).to_have_count(narrowed)  # the filters are in the URL
    assert not hard_to_use(page)
    phone.press("Clear")
    expect(rows).to_have_count(everything)
    pill(phone, "Short")
    pill(phone, "Long")
    expect(page.locator(".pill:has-text('Short') input")).not_to_be_checked()
    page.fill("#find", "no game is called so")
    expect(page.locator("#none")).to_be_visible()


def test_more_filters_follow_one_row_on_phones(phone: Phone) -> None:
    """Three rows of filters filled half of the first screen. A filter in use stays visible."""
    page = phone.page
    phone.go("/games")
    shown = page.locator(".chip-row:visible")
    expect(shown).to_have_count(1)
    phone.tap(".more-filters summary")
    expect(shown).to_have_count(3)
    phone.tap(page.get_by_role("group", name="Players").locator(".pill").first)
    phone.tap(".more-filters summary")
    expect(shown).to_have_count(2)


def lists_of_games() -> tuple[str, str, str]:
    night = f"/nights/{Night.objects.get().pk}"
    return "/games", f"{night}/deal", f"{night}/record"


@pytest.mark.scheduled
def test_tapping_a_filter_chip_causes_one_layout(phone: Phone) -> None:
    """The number of layouts must not depend on the number of games.

    Reading the layout between two writes causes a new layout each time.
    """
    page = phone.page
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")
    for path in lists_of_games():
        phone.go(path)
        page.wait_for_load_state("networkidle")
        phone.tap(page.locator("[data-chip]:visible").first)  # the first read forces a layout
        page.wait_for_timeout(500)
        before = layouts(session)
        taps = page.evaluate(TAPS)
        assert layouts(session) - before <= taps + BESIDE, path


def layouts(session: CDPSession) -> float:
    metrics = session.send("Performance.getMetrics")["metrics"]
    return next(float(each["value"]) for each in metrics if each["name"] == "LayoutCount")


def test_game_can_be_found_by_words_that_describe_its_rules(phone: Phone) -> None:
    """The server test uses the same words (tests/league/pages/games/test_catalog_page.py)."""
    page = phone.page
    names = page.locator(".name:visible, .choice:visible b")
    for path in lists_of_games():
        phone.go(path)
        box = page.locator("#find, #search").first
        box.press_sequentially("low spade in the hole wins half")
        expect(names.filter(has_text="Omaha Spade").first).to_be_visible()
        expect(names.filter(has_text="Razz")).to_have_count(0)
        box.fill("2s are wild")
        expect(names.filter(has_text="Deuces Wild").first).to_be_visible()
        box.fill("twos wild")
        expect(names.filter(has_text="Deuces Wild").first).to_be_visible()
        expect(names.filter(has_text="Criss-Cross")).to_have_count(0)


def test_nearest_name_is_listed_first(phone: Phone) -> None:
    """A search for "omaha 8" used to list Big Omaha 8 before Omaha-8."""
    names = phone.page.locator(".name:visible, .choice:visible b")
    for path in lists_of_games():
        phone.go(path)
        phone.page.locator("#find, #search").first.press_sequentially("omaha 8")
        expect(names.first).to_have_text("Omaha-8")
        expect(names.nth(1)).to_have_text("Big Omaha 8")


def test_start_of_a_name_finds_the_popular_game_first(phone: Phone) -> None:
    """A search for "hold" used to find Hold'em Duck Flush-Style first."""
    names = phone.page.locator(".name:visible, .choice:visible b")
    for path in lists_of_games():
        phone.go(path)
        phone.page.locator("#find, #search").first.press_sequentially("hold")
        expect(names.first).to_have_text("Texas Hold'em")


def test_script_ranks_names_like_the_server(phone: Phone) -> None:
    """The server test is in tests/league/games/test_titles.py."""
    ranked = phone.page.evaluate(RANK, [[text, title, also] for text, title, also, _ in RANKS])
    assert ranked == [rank for *_, rank in RANKS]


def test_name_with_a_slip_finds_the_game(phone: Phone) -> None:
    names = phone.page.locator(".name:visible, .choice:visible b")
    for path in lists_of_games():
        phone.go(path)
        phone.page.locator("#find, #search").first.press_sequentially("pinapple")
        expect(names.filter(has_text="Pineapple").first).to_be_visible()
        expect(names.filter(has_text="Razz")).to_have_count(0)


def test_recent_games_are_listed_before_collapsed_families(phone: Phone) -> None:
    """The search box used to be below the fold, and the most dealt game 1,290 pixels down."""
    page, night = phone.page, Night.objects.get()
    players = [{"name": name, "paid": 2} for name in ("Ann", "Bob")]
    record = {"variant": "texas-holdem", "depth": "result", "took": {"Ann": 4}, "button": 0}
    record_hand(night, uuid4(), record | {"players": players}, by=None)
    phone.go(f"/nights/{night.pk}/deal")
    recent = page.locator("button.line[value=texas-holdem]").first
    for where in (page.locator("#find"), recent):
        box = where.bounding_box()
        assert box
        assert box["y"] + box["height"] <= 640
    assert page.evaluate("document.documentElement.scrollHeight") < 3000
    expect(page.locator("[data-family][open]")).to_have_count(1)
    page.fill("#find", "razz")
    expect(page.locator(".games-to-name .name").get_by_text("Razz", exact=True)).to_be_visible()
    page.fill("#find", "")
    expect(page.locator("[data-family][open]")).to_have_count(1)
    page.press("#find", "Enter")  # without a name, no game is named
    page.fill("#find", "razz")
    page.press("#find", "Enter")
    expect(page.locator("#deal-title")).to_have_text("Razz")


def test_phone_suggests_the_same_games_as_the_server_for_a_seed(phone: Phone) -> None:
    page, night = phone.page, Night.objects.get()
    host = User.objects.get()
    for slug in ("razz", "omaha-8"):
        set_favourite(host, slug, starred=True)
    players = [{"name": name, "paid": 2} for name in ("Ann", "Bob", "Cat")]
    for slug in ("nightmare", "guts"):
        record = {"variant": slug, "depth": "result", "took": {"Ann": 6}, "button": 0}
        record_hand(night, uuid4(), record | {"players": players}, by=None)
    phone.go(f"/nights/{night.pk}/record")
    phone.press("Pick a game for me")
    draws, box = [], page.locator("[data-suggestions]")
    for _ in range(5):
        draws.append((box.get_attribute("data-seed") or "", proposals(phone)))
        phone.press("Shuffle")
        expect(box).not_to_have_attribute("data-seed", draws[-1][0])
    assert len({tuple(names) for _seed, names in draws}) > 1
    for seed, names in draws:
        phone.go(f"/nights/{night.pk}/deal?draw={seed}")
        assert proposals(phone) == names
        assert any(name in ("Razz", "Omaha-8") for name in names)


def test_tapping_a_suggestion_once_names_or_chooses_the_game(phone: Phone) -> None:
    page, night = phone.page, Night.objects.get()
    phone.press("Pick a game for me")
    name = proposals(phone)[0]
    assert not hard_to_use(page)
    phone.tap("#shall .proposal")
    expect(page.locator("#deal h2")).to_have_text(name)
    Deal.objects.all().delete()
    phone.go(f"/nights/{night.pk}/record")
    phone.press("Pick a game for me")
    name = proposals(phone)[1]
    assert not hard_to_use(page)
    phone.tap(page.locator("#shall .proposal").nth(1))
    expect(page.locator(".picker .chosen")).to_have_text(name)


@pytest.mark.offline
def test_favourite_set_offline_is_sent_later(phone: Phone) -> None:
    page, night = phone.page, Night.objects.get()
    phone.go(f"/nights/{night.pk}/record?game=razz")
    star = page.get_by_role("button", name="Favourite: Razz", exact=True)
    expect(star).to_have_attribute("aria-pressed", "false")
    page.wait_for_timeout(1000)
    page.context.set_offline(True)
    phone.tap(star)
    expect(star).to_have_attribute("aria-pressed", "true")
    wait_until(page, f"{STARS} === 1")
    assert not Favourite.objects.exists()
    page.context.set_offline(False)
    page.evaluate(SENT)
    assert list(Favourite.objects.values_list("game", flat=True)) == ["razz"]
    phone.go(f"/nights/{night.pk}/record?other")
    first = page.locator(".found section").first
    expect(first.locator("h2")).to_have_text("Favourites")
    expect(first.locator("b")).to_have_text(["Razz"])
    phone.go("/games")
    expect(page.locator("[data-family]").first.locator(".name")).to_have_text(["Razz"])
    phone.tap(page.get_by_role("button", name="Favourite: Razz", exact=True))
    page.evaluate(SENT)
    assert not Favourite.objects.exists()


def test_pressing_enter_right_after_typing_selects_the_typed_game(phone: Phone) -> None:
    page = phone.page
    phone.press("Record a hand")
    page.locator("#search").focus()
    page.keyboard.type("pass the trash")
    page.keyboard.press("Enter")
    expect(page.locator(".picker .chosen")).to_have_text("Anaconda")
