"""A host writes house rules, and a player reads them from a deal in two taps."""

from uuid import uuid4

from playwright.sync_api import expect

from league.deals.open_deal import name_game
from league.deals.table import NamedGame
from league.models import HouseRule, Night
from tests.helpers.browser.phone import Phone
from tests.helpers.browser.table import other, phone

__all__ = ["other", "phone"]


def test_player_reads_the_house_ruling_in_two_taps(phone: Phone, other: Phone) -> None:
    night = Night.objects.get()
    league = night.league
    phone.go(f"/leagues/{league.pk}/house-rules")
    phone.tap("summary:has-text('Edit our own rules')")
    phone.page.get_by_label("One rule per line").fill("No phones at the table\nAntes first")
    phone.press("Save rules")
    expect(phone.page.get_by_role("listitem").filter(has_text="Antes first")).to_be_visible()
    phone.tap(phone.page.get_by_role("link", name="Table rulings"))
    phone.tap("summary:has-text('Misdeal')")
    phone.tap("#misdeal summary:has-text('Edit house rule')")
    phone.page.get_by_label("Your house rule, if it differs").first.fill("The dealer pays a chip")
    phone.page.locator("#misdeal").get_by_role("button").click()
    expect(phone.page.get_by_text("House rules saved.")).to_be_visible()
    assert HouseRule.objects.count() == 2
    name_game(night, uuid4(), NamedGame("omaha-8"), by=None)
    other.go(f"/nights/{night.pk}")
    other.tap(other.page.get_by_role("link", name="Table rulings"))
    other.tap("summary:has-text('Misdeal')")
    expect(other.page.get_by_text("The dealer pays a chip")).to_be_visible()
    expect(other.page.get_by_text("Robert's Rules of Poker").first).to_be_visible()
    other.go(f"/leagues/{league.pk}/house-rules")
    other.page.emulate_media(media="print")
    expect(other.page.locator("svg.qr")).to_be_visible()
