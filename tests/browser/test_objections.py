"""A player objects to a hand on a phone, and the host corrects the hand or opens "What if"."""

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
    other.tap('summary:has-text("Dispute this hand")')
    other.press("Wrong winner")
    expect(other.page.get_by_text("Bob disputes this hand: Wrong winner")).to_be_visible()
    phone.go(f"/nights/{night.pk}")
    phone.tap(phone.page.get_by_role("link", name="Bob disputes hand 1: Wrong winner"))
    phone.press("Correct this hand")
    expect(phone.page.get_by_text("Your correction answers Bob's dispute")).to_be_attached()
    phone.tap(".pill:has-text('Bob')")
    expect(phone.verdict()).to_contain_text("Bob wins 15")
    phone.press("Save correction")
    expect(phone.page.get_by_text("Hand 1 corrected.")).to_be_visible()
    other.go(f"/hands/{hand.pk}")
    expect(other.page.get_by_text("corrected in version 2")).to_be_visible()
    answer = ObjectionAnswer.objects.get()
    assert answer.revision == hand.revisions.get(current=True)


def test_host_corrects_a_hand_to_another_option_with_what_if(phone: Phone) -> None:
    """docs/rulings.md 5: no player declared high, so Bob's low takes all. Cards speak split it."""
    hands = {"Ann": "Ks Kd Jc Th", "Bob": "Ac 2c Jd Td"}
    record = {
        "variant": "omaha-8",
        "button": 0,
        "board": [["3s", "4d", "8h", "Qs", "Kc"]],
        "options": {"declare": "high-low"},
        "players": [
            {"name": name, "paid": 10, "down": cards.split(), "declared": "low"}
            for name, cards in hands.items()
        ],
    }
    hand = record_hand(Night.objects.get(), uuid4(), record, by=None).hand
    phone.go(f"/hands/{hand.pk}")
    phone.tap(phone.page.get_by_role("link", name="What if"))
    expect(phone.page.get_by_role("heading", name="What if")).to_be_visible()
    phone.page.wait_for_load_state()  # the script requests the result when a choice changes
    phone.page.get_by_label("High or low").select_option(label="Cards speak")
    expect(phone.page.get_by_text("With cards speak: Ann 10, Bob 10")).to_be_visible()
    assert hand.revisions.count() == 1
    phone.tap(phone.page.get_by_role("link", name="Correct the hand this way"))
    expect(phone.verdict()).to_contain_text("Ann")
    phone.press("Save correction")
    expect(phone.page.get_by_text("Hand 1 corrected.")).to_be_visible()
    corrected = hand.revisions.get(current=True)
    assert corrected.answer["won"] == {"Ann": 10, "Bob": 10}
    assert corrected.record["options"]["declare"] == "cards-speak"
