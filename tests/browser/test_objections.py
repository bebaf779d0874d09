"""A player objects to a hand on a phone, and the host corrects the hand."""

from uuid import uuid4

from playwright.sync_api import expect

from league.models import Night, ObjectionAnswer
from league.recording.record import record_hand
from tests.helpers.browser.phone import Phone
from tests.helpers.browser.table import other, phone

__all__ = ["other", "phone"]


def test_host_corrects_a_hand_after_an_objection(phone: Phone, other: Phone) -> None:
    night = Night.objects.get()
    players = [{"name": name, "paid": 5} for name in ("Ann", "Bob", "Cat")]
    record = {"variant": "nightmare", "button": 0, "depth": "result", "players": players}
    hand = record_hand(night, uuid4(), record | {"took": {"Cat": 15}}, by=None).hand
    other.go(f"/hands/{hand.pk}")
    other.tap('summary:has-text("That\'s wrong")')
    other.press("Wrong winner")
    expect(other.page.get_by_text("Bob objects: Wrong winner")).to_be_visible()
    phone.go(f"/nights/{night.pk}")
    phone.tap(phone.page.get_by_role("link", name="Bob objects to hand 1: Wrong winner"))
    phone.press("Correct this hand")
    expect(phone.page.get_by_text("Your correction answers Bob's objection")).to_be_attached()
    phone.tap(".pill:has-text('Bob')")
    expect(phone.verdict()).to_contain_text("Bob wins 15")
    phone.press("Save correction")
    expect(phone.page.get_by_text("Correction of hand 1 is saved.")).to_be_visible()
    other.go(f"/hands/{hand.pk}")
    expect(other.page.get_by_text("corrected in version 2")).to_be_visible()
    answer = ObjectionAnswer.objects.get()
    assert answer.revision == hand.revisions.get(current=True)
