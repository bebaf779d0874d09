"""A phone in the browser tests, with the taps that users make on the pages."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from uuid import uuid4

from django.conf import settings
from django.test import Client
from playwright.sync_api import Locator, Page, expect

from league.models import User
from league.nights.opening import start_night
from league.people.leagues import add_player, make_league

PASSWORD = "whoever deals names the game"
WHO_SHOWED = re.compile(r"Who (showed|went in)\?")  # the second in games of in or out


@dataclass
class Phone:
    """Taps on a page, and counts the taps."""

    page: Page
    address: str
    taps: int = 0

    def go(self, path: str) -> None:
        self.page.goto(f"{self.address}{path}")

    def tap(self, target: str | Locator) -> None:
        self.taps += 1
        self.page.wait_for_load_state("domcontentloaded")  # no script is listening until then
        where = self.page.locator(target).first if isinstance(target, str) else target
        where.tap()

    def press(self, name: str) -> None:
        """Tap the button or link with this text."""
        role = re.compile(rf"^\s*{re.escape(name)}\s*$")
        element = self.page.get_by_role("button", name=role).or_(
            self.page.get_by_role("link", name=role)
        )
        self.tap(element.first)

    # Accounts, leagues and nights

    def sign_up(self, name: str = "joel") -> None:
        self.go("/sign-up")
        self.page.fill("[name=username]", name)
        self.page.fill("[name=password1]", PASSWORD)
        self.page.fill("[name=password2]", PASSWORD)
        self.tap("main .button.main")

    def make_league(self, players: Iterable[str], name: str = "Thursday") -> None:
        self.press("Create league")
        self.page.fill("[name=name]", name)
        self.press("Create league")
        for player in players:
            self.page.fill("[name=name]", player)
            self.tap("#players form:has([name=name]) .button")
            expect(self.page.locator("#players .name", has_text=player)).to_be_visible()

    def start_night(self, usual: int = 100) -> None:
        self.press("Start a night")
        self.page.fill("[name=usual]", str(usual))
        self.press("Start night")

    def join_night(self, *players: str, usual: int = 100) -> None:
        """Sign in as the host of a night with these players, and open its page."""
        host = User.objects.create_user("joel", password=PASSWORD)
        league = make_league(host, "Thursday")
        sitting = [(add_player(league, name), usual) for name in players]
        night = start_night(league, uuid4(), sitting, by=host, usual_buy_in=usual)
        self.sign_in(host)
        self.go(f"/nights/{night.pk}")

    def sign_in(self, user: User) -> None:
        """Add a signed-in user's session."""
        client = Client()
        client.force_login(user)
        cookie = client.cookies[settings.SESSION_COOKIE_NAME]
        cookies = [{"name": cookie.key, "value": cookie.value, "url": self.address}]
        self.page.context.add_cookies(cookies)  # type: ignore[arg-type]

    # The recording page

    def choose(self, game: str) -> None:
        self.tap(self.page.locator(".choice", has=self.page.get_by_text(game, exact=True)))
        expect(self.page.locator(".picker .chosen")).to_have_text(game)

    def modify(self, modifier: str) -> None:
        pill = self.page.locator(".pill", has_text=modifier)
        if not pill.is_visible():
            self.tap("summary:has-text('Variations')")
        with self.page.expect_response(re.compile("/redraw$")):
            self.tap(pill)

    def option(self, name: str, choice: str) -> None:
        self.tap("summary:has-text('Options')")
        with self.page.expect_response(re.compile("/redraw$")):
            self.page.locator(f'[id="options/{name}"]').select_option(choice)
        self.taps += 2

    def result_only(self) -> None:
        self.tap(".segments label:has-text('Result only')")
        expect(self.page.get_by_text("Who won the pot")).to_be_visible()

    def seat(self, name: str) -> Locator:
        return self.page.locator(".seat", has=self.page.get_by_text(name, exact=True))

    def fold(self, name: str) -> None:
        self.tap(self.seat(name).locator("[data-states]"))

    def state(self, name: str, state: str) -> None:
        """Open the player's states by tapping fold, then choose one, such as all-in or away."""
        self.fold(name)
        self.tap(self.seat(name).locator(f".states [data-state={state}]"))

    def all_paid(self, chips: int) -> None:
        self.tap("#all_paid")
        self.digits(chips)

    def paid(self, name: str, chips: int) -> None:
        self.tap(self.seat(name).locator(".amount"))
        self.digits(chips)

    def digits(self, number: int) -> None:
        for digit in str(number):
            self.tap(self.page.locator(".pad .key").get_by_text(digit, exact=True))

    def showed(self, *names: str) -> None:
        """Mark the players who showed. All other players folded."""
        for name in names:
            group = self.page.get_by_role("group", name=WHO_SHOWED)
            self.tap(group.get_by_role("checkbox", name=name))

    def sheet(self) -> Locator:
        """Return the visible card deck or keypad, with its buttons for other fields."""
        return self.page.get_by_role("complementary", name="Cards and chips")

    def next(self) -> None:
        self.tap(self.sheet().get_by_role("button", name="Next field"))

    def fate(self, word: str) -> None:
        """In the card deck, choose the current player's state: folded, mucked and so on."""
        self.tap(self.sheet().get_by_role("button", name=word, exact=True))

    def says_way(self, way: str) -> None:
        """Choose the current player's declaration in the card deck."""
        self.tap(self.sheet().get_by_role("button", name=way, exact=True))

    def done(self) -> None:
        self.tap(self.sheet().get_by_role("button", name="Done", exact=True))

    def open_board(self) -> None:
        self.tap(".board .slot")

    def open_hand(self, name: str) -> None:
        self.tap(self.seat(name).locator(".slot").first)

    def cards(self, text: str) -> None:
        for card in text.split():
            self.tap(f'.deck [data-card="{card}"]')

    def declare(self, name: str, way: str) -> None:
        self.tap(self.seat(name).locator(".declaration label", has_text=way))

    def verdict(self) -> Locator:
        return self.page.get_by_role("region", name="Result", exact=True)

    def save(self) -> None:
        self.press("Save")
        expect(self.page.get_by_text(re.compile(r"Hand \d+ saved"))).to_be_visible()

    def stack(self, name: str) -> str:
        row = self.page.locator(".stacks tr", has_text=name)
        return row.locator("td").last.inner_text()
