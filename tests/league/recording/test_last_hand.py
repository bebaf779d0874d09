"""The next dealer follows the hand that was dealt last, not the one that was recorded last."""

from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st

from league.deals.table import Table
from league.models import Hand, Night, Role
from league.pages.nights.screen import table_screen
from league.recording.conflicts import separate_conflict
from league.recording.record import record_hand
from league.recording.sent_hands import ClientContext, Recorded
from tests.helpers.api.clients import member
from tests.helpers.laws.examples import examples
from tests.helpers.league.leagues import a_night

pytestmark = pytest.mark.django_db
NAMES = ("ann", "bob", "cat", "dan")
MINUTE = timedelta(minutes=1)


def sent_by(night: Night, origin: str, dealer: int, *, ago: timedelta, **knew: Any) -> Recorded:
    """Record a hand as a phone sends it, dealt this long ago by the phone's clock."""
    record = {
        "variant": "nightmare",
        "depth": "result",
        "players": [{"name": name, "paid": 1} for name in NAMES],
        "took": {"ann" if origin == "a" else "bob": 4},
        "button": dealer,
    }
    context = ClientContext(origin=origin, **knew)
    made_at = timezone.now() - max(ago, timedelta())  # later times are replaced by now
    return record_hand(night, uuid4(), record, by=None, made_at=made_at, context=context)


def two_phones_offline() -> Night:
    """Return a night with the same two deals from two phones, all four kept by the host.

    Phone a dealt with ann and bob as the dealers. Phone b recorded one minute later each time.
    """
    night, own = a_night(), set[UUID]()
    for number, ago in ((1, 30), (2, 20)):
        sent_by(night, "a", number - 1, ago=ago * MINUTE, seen=0, number=number)
    for number, ago in ((1, 29), (2, 19)):
        known = {"seen": 0, "number": number, "after": frozenset(own)}
        conflict = sent_by(night, "b", number - 1, ago=ago * MINUTE, **known).conflict
        assert conflict
        own.add(conflict.pk)
    for conflict in night.conflicts.order_by("-number"):
        separate_conflict(conflict, by=None)
    numbers = Hand.objects.filter(night=night).order_by("made_at").values_list("number", flat=True)
    assert list(numbers) == [1, 4, 2, 3]  # hand 4 is the second record of the first deal
    return night


def test_dealer_follows_the_hand_dealt_last_after_both_records_were_kept() -> None:
    """Hand 4 was dealt by ann, so bob used to be the next dealer although he had just dealt."""
    night = two_phones_offline()
    dealer = Table(night).dealer
    assert dealer
    assert dealer.player.name == "cat"
    assert table_screen(night).dealer == "cat"
    body = member(night.league, Role.VIEWER).get(f"/api/v1/nights/{night.pk}").json()
    assert body["dealer_name"] == "cat"


@settings(max_examples=examples(12))
@given(st.lists(st.tuples(st.sampled_from("ab"), st.integers(-240, 240)), min_size=1, max_size=6))
def test_wrong_clocks_keep_the_order_of_hands_that_phones_have_seen(
    sent: list[tuple[str, int]],
) -> None:
    """Each phone has seen all hands before its own, so the deal passes whatever its clock says."""
    night = a_night()
    for seen, (origin, slow) in enumerate(sent):
        sent_by(night, origin, seen % 4, ago=slow * MINUTE, seen=seen, number=seen + 1)
        table = Table(night)
        assert table.last_hand
        assert table.last_hand.hand.number == seen + 1
        assert table.dealer
        assert table.dealer.player.name == NAMES[(seen + 1) % 4]


def test_hand_from_a_fast_clock_is_followed_by_the_next_hand_of_any_phone() -> None:
    """An offline hand counts as dealt when it arrives, until a phone that has seen it deals."""
    night = a_night()
    sent_by(night, "a", 1, ago=5 * MINUTE, seen=0, number=1)
    fast = sent_by(night, "b", 0, ago=-60 * MINUTE, seen=0, number=5)
    assert fast.hand.number == 2
    assert fast.hand.made_at <= timezone.now()
    sent_by(night, "a", 2, ago=30 * MINUTE, seen=2, number=3)
    dealer = Table(night).dealer
    assert dealer
    assert dealer.player.name == "dan"


def test_hand_follows_the_deal_that_another_phone_recorded_later() -> None:
    """Phone a typed the first deal after phone b, which was offline, had dealt the second one."""
    night = a_night()
    sent_by(night, "a", 0, ago=5 * MINUTE, seen=0, number=1)
    conflict = sent_by(night, "b", 0, ago=10 * MINUTE, seen=0, number=1).conflict
    assert conflict
    own = frozenset({conflict.pk})
    sent_by(night, "b", 1, ago=8 * MINUTE, seen=0, number=2, after=own)
    for _ in range(2):
        dealer = Table(night).dealer
        assert dealer
        assert dealer.player.name == "cat"
        if conflict.state == conflict.State.WAITING:
            separate_conflict(conflict, by=None)
