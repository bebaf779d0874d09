"""A table of seven: the host's phone and some players' phones. Other players are simulated."""

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import expect

from league.deals.declarations import declare
from league.deals.open_deal import set_state
from league.deals.shown_cards import show_cards
from league.models import Deal, Hand, League, Membership, Night, Player, Role, User
from tests.helpers.browser.phone import Phone
from tests.helpers.league.books import total

WITH_PHONES = ("Ann", "Bob", "Cat", "Dan", "Eve", "Fay")
WITHOUT = "Gus"


@dataclass
class Table:
    """The recorder's phone, the players' phones by name, and the night.

    Players without an open phone act through the functions that the views call.
    """

    recorder: Phone
    make_phone: Callable[[], Phone]
    phones: dict[str, Phone] = field(default_factory=dict)

    @property
    def night(self) -> Night:
        return Night.objects.get()

    def open_phones(self, *names: str) -> None:
        for name in names:
            self.phones[name] = phone = self.make_phone()
            phone.sign_in(User.objects.get(first_name=name))
            phone.go(f"/nights/{self.night.pk}")

    def everybody(self) -> list[Phone]:
        return [self.recorder, *self.phones.values()]

    def name(self, game: str) -> None:
        """Name the game on the recorder's phone, and wait until all phones show it."""
        self.recorder.press("Name the game")
        self.recorder.page.get_by_role("searchbox").fill(game)  # the game is in a collapsed family
        named = self.recorder.page.get_by_text(game, exact=True)
        self.recorder.tap(self.recorder.page.get_by_role("button").filter(has=named).first)
        for phone in self.everybody():
            expect(phone.page.locator("#deal h2")).to_have_text(game)

    def play_to(self, text: str, *, nth: int = 1) -> None:
        """Advance the deal to the nth stage with this text on the recorder's phone."""
        while True:
            page = self.recorder.page
            if text in page.locator("#deal .stage b").inner_text():
                nth -= 1
            if not nth:
                return
            past = page.locator("#deal .past").count()
            self.recorder.tap(page.get_by_role("button", name="Next"))
            expect(page.locator("#deal .past")).to_have_count(past + 1)

    def reset(self) -> None:
        for phone in self.everybody():
            phone.taps = 0

    def lock(self, name: str, word: str) -> None:
        if name not in self.phones:
            player = self._player(name)
            declare(self.night, self._deal().pk, player, word.lower(), by=player.user)
            return
        phone = self.phones[name]
        expect(phone.page.locator(".declaring")).to_be_visible()
        phone.tap(phone.page.locator(".ways .pill", has_text=word))
        phone.press(f"Lock in: {word}")
        expect(phone.page.locator(".declaring")).to_have_count(0)

    def show(self, name: str, cards: str) -> None:
        """Show the player's hole cards."""
        if name not in self.phones:
            player = self._player(name)
            show_cards(self.night, self._deal().pk, player, {"down": cards}, by=player.user)
            return
        phone = self.phones[name]
        phone.press("Show my cards")
        phone.cards(cards)
        phone.press("Show cards")
        expect(phone.page.get_by_role("link", name="Change my cards")).to_be_visible()

    def fold(self, *names: str) -> None:
        for name in names:
            if name in self.phones:
                self.phones[name].press("Fold")
                fold = self.phones[name].page.get_by_role("button", name="Fold", exact=True)
                expect(fold).to_have_count(0)
            else:
                player = self._player(name)
                set_state(self.night, self._deal().pk, player, "folded", by=player.user)

    def _deal(self) -> Deal:
        return Deal.objects.get()

    def _player(self, name: str) -> Player:
        return Player.objects.select_related("user").get(name=name)

    def write_hand(self, cards: str, *, for_all: int = 10) -> None:
        """Enter what phones have not reported: chips, and the cards of players without a phone."""
        self.recorder.press("Record this hand")
        expect(self.recorder.page.locator(".picker")).to_be_visible()
        self.recorder.tap("#all_paid")
        self.recorder.digits(for_all)
        self.recorder.open_hand(WITHOUT)
        self.recorder.cards(cards)

    def saved(self, recorder: int, player: int) -> None:
        """Save within the given number of taps, and check that all phones show the hand."""
        self.recorder.press("Save")
        for phone in self.everybody():
            expect(phone.page.locator(".latest h2")).to_be_visible()
        assert self.recorder.taps <= recorder
        over = {name: phone.taps for name, phone in self.phones.items() if phone.taps > player}
        assert over == {}
        assert Hand.objects.count() == 1
        assert not Deal.objects.exists()
        assert total(League.objects.get().book) == 0

    def show_board(self, name: str, cards: str) -> None:
        if name not in self.phones:
            player = self._player(name)
            show_cards(self.night, self._deal().pk, None, {"board/0": cards}, by=player.user)
            return
        phone = self.phones[name]
        phone.press("Enter the board")
        phone.cards(cards)
        phone.press("Save board")
        expect(phone.page.locator("#deal")).to_be_visible()


@pytest.fixture
def table(phone: Phone, phones: Callable[[], Phone]) -> Table:
    """A night with seven players on the recorder's phone. No other phone is open."""
    phone.join_night(*WITH_PHONES, WITHOUT)
    league = League.objects.get()
    for name in WITH_PHONES:
        user = User.objects.create_user(f"phone-{name.lower()}", first_name=name)
        Membership.objects.create(league=league, user=user, role=Role.PLAYER)
        Player.objects.filter(league=league, name=name).update(user=user)
    return Table(phone, phones)
