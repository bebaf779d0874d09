"""Recording a hand by keyboard: Tab, Enter and arrow keys, with visible focus in reading order."""

import re

from playwright.sync_api import Page, expect

from tests.helpers.browser.ledger import chips
from tests.helpers.browser.phone import Phone
from tests.helpers.browser.waiting import hold

FOCUS = """() => {
    const now = document.activeElement;
    const shown = now.closest('label') ?? now;
    const marked = [now, shown, now.nextElementSibling].filter(Boolean)
        .some((each) => getComputedStyle(each).outlineStyle !== 'none');
    return {
        name: now.getAttribute('aria-label') ?? (now.labels?.[0] ?? shown).textContent,
        seen: now === document.body || marked,
    };
}"""


class Keys:
    """A user without a touch screen. Every focused element must be visible."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def write(self, text: str) -> None:
        self.page.keyboard.type(text)

    def focused(self) -> str:
        focus = self.page.evaluate(FOCUS)
        assert focus["seen"], f"the focus on {focus['name']!r} is not seen"
        return " ".join(str(focus["name"]).split())

    def to(self, name: str, key: str = "Tab") -> None:
        """Press the key until an element with this name has the focus."""
        wanted = re.compile(name)
        for _ in range(80):
            if wanted.search(self.focused()):
                return
            self.press(key)
        raise AssertionError(f"{key} never comes to {name!r}")

    def declare(self, way: str) -> None:
        """Focus the next player's declaration and choose `way` with the arrow keys."""
        self.to("^(low|high|both)$")
        self.press(" ")
        while self.focused() != way:
            self.press("ArrowRight")
        self.press("Tab")

    def card(self, name: str) -> None:
        """Move through the cards with the arrow keys and place the named card."""
        for _ in range(60):
            if self.focused() == name:
                self.press("Enter")
                return
            self.press("ArrowRight")
        raise AssertionError(f"no arrow leads to {name!r}")


def dealt(phone: Phone, wanted: str, game: str, *more: str) -> Keys:
    """Start a night, open the recording page, and choose a game by keyboard."""
    phone.join_night("Ann", "Bob", *more)
    expect(phone.page.get_by_role("link", name="Record a hand")).to_be_visible()
    keys = Keys(phone.page)
    keys.to("^Record a hand$")
    keys.press("Enter")
    expect(phone.page.locator(".picker")).to_be_visible()
    phone.page.wait_for_load_state()
    keys.to("^Search games by name or rule")
    keys.write(wanted)
    keys.press("ArrowDown", "Enter")
    expect(phone.page.locator(".picker .chosen")).to_have_text(game)
    return keys


def test_hand_can_be_recorded_by_keyboard(phone: Phone) -> None:
    """WCAG 2.2, 2.1.1 and 2.4.7: from the night's page to a saved hand."""
    keys = dealt(phone, "spit", "Spit in the Ocean")
    expect(phone.page.locator(".picker > summary")).to_be_focused()
    keys.to("^Everyone in for$")
    phone.page.keyboard.type("10")
    keys.to("^Bob in$")
    keys.press("Enter")
    expect(phone.seat("Bob")).to_have_attribute("data-state", "folded")
    expect(phone.verdict()).to_contain_text("Ann wins 20")
    expect(phone.page.get_by_role("status").filter(has_text="Ann wins 20")).to_be_visible()
    keys.to("^Save$")
    keys.press("Enter")
    expect(phone.page.get_by_text("Hand 1 saved")).to_be_visible()
    assert chips() == {"Ann": 110, "Bob": 90}


def test_late_search_result_does_not_move_the_focus(phone: Phone) -> None:
    """The search sorts the list again while the form of the chosen game is loading."""
    phone.join_night("Ann", "Bob")
    phone.press("Record a hand")
    search = phone.page.locator("#search")
    search.fill("spit")
    late = hold(phone.page, "**/redraw")
    with phone.page.expect_request("**/redraw"):
        search.press("ArrowDown")
        expect(phone.page.locator("[value=spit-in-the-ocean]")).to_be_focused()
        phone.page.keyboard.press("Enter")
    search.dispatch_event("input")
    late[0].continue_()
    expect(phone.page.locator(".picker .chosen")).to_have_text("Spit in the Ocean")
    expect(phone.page.locator(".picker > summary")).to_be_focused()


def test_showdown_with_declarations_can_be_recorded_by_keyboard(phone: Phone) -> None:
    """The board and both hands are typed in one go, the rank before the suit."""
    keys = dealt(phone, "o8", "Omaha-8", "Cat")
    keys.to("^Options")
    keys.press("Enter")
    keys.to("^High or low")
    keys.write("declare")
    expect(phone.page.locator(".declaration").first).to_be_visible()
    keys.to("^Board.* 1: empty$")
    keys.press("Enter")
    keys.write("2h7d3sJdQcAs4dKcKdQsQd9c9h")
    keys.press("Escape")
    keys.to("^Everyone in for$", "Shift+Tab")
    keys.write("10")
    keys.declare("low")
    keys.declare("high")
    keys.to("^Cat in$")
    keys.press("Enter")
    expect(phone.verdict()).to_contain_text("Ann wins 15, Bob wins 15")
    keys.to("^Save$")
    keys.press("Enter")
    expect(phone.page.get_by_text("Hand 1 saved")).to_be_visible()
    assert chips() == {"Ann": 105, "Bob": 105, "Cat": 90}


def test_cards_can_be_placed_with_arrow_keys(phone: Phone) -> None:
    phone.join_night("Ann", "Bob")
    expect(phone.page.get_by_role("link", name="Record a hand")).to_be_visible()
    phone.press("Record a hand")
    phone.choose("Texas Hold'em")
    phone.page.locator(".picker > summary").focus()
    keys = Keys(phone.page)
    keys.press("Tab")
    keys.to("^Ann, hole cards 1: empty$")
    keys.press("Enter")
    expect(phone.page.get_by_role("button", name="ace of spades")).to_be_focused()
    keys.card("queen of spades")
    keys.press("ArrowDown")
    keys.card("five of spades")
    down = phone.page.locator("[name='players/0/down']")
    expect(down).to_have_value("Qs 5s")
    expect(phone.page.locator("#sheet [data-part=says]")).to_have_text("Bob, hole cards · 1/2")
    keys.press("Escape")
    keys.to("^Bob, hole cards 1: empty$")


def test_players_at_the_showdown_can_be_marked_by_keyboard(phone: Phone) -> None:
    """Players who showed are ticked. The other players fold in the card panel."""
    keys = dealt(phone, "holdem", "Texas Hold'em", "Cat")
    keys.to("^Everyone in for$")
    keys.write("10")
    for name in ("Ann", "Cat"):
        keys.to(f"^{name}$")
        keys.press(" ")
    expect(phone.seat("Bob")).to_have_attribute("data-state", "folded")
    keys.to("^Board 1: empty$")
    keys.press("Enter")
    keys.write("2h7d9sJdQcAcAd")
    expect(phone.page.locator("#sheet [data-part=says]")).to_have_text("Cat, hole cards · 1/2")
    keys.to("^Fold$", "Shift+Tab")
    keys.press("Enter")
    expect(phone.page.locator("#sheet")).to_be_hidden()
    expect(phone.page.locator("#says")).to_have_text("Ann wins 30")
    keys.to("^Save$")
    keys.press("Enter")
    expect(phone.page.get_by_text("Hand 1 saved")).to_be_visible()
    assert chips() == {"Ann": 120, "Bob": 90, "Cat": 90}
