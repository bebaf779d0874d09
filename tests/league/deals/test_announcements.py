"""A hand keeps when its game and options were announced, and how they changed after that."""

import re
from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import DatabaseError, transaction

from league.deals.open_deal import change_game
from league.integrity.audit import audit
from league.models import Announcement, Deal, Hand, League, Night
from league.pages.deals.announcement import announcement_sentences
from league.recording.record import record_hand
from league.recording.sent_hands import ClientContext
from tests.helpers.league.deals import a_deal, at_stage
from tests.helpers.league.leagues import a_night, holdem
from tests.helpers.league.nights import closed

pytestmark = pytest.mark.django_db
HIGH_CARD = {"odd_chip": "high card"}


@pytest.fixture
def night() -> Night:
    return a_night()


def recorded(deal: Deal, **record: Any) -> Hand:
    context = ClientContext(origin="a", seen=0, number=1, of_deal=True)
    return record_hand(deal.night, deal.pk, holdem(**record), by=None, context=context).hand


def sentences(hand: Hand) -> list[str]:
    """Return the sentences with "hh:mm" in place of times."""
    found = announcement_sentences(hand, hand.revisions.get(current=True))
    return [re.sub(r"\d\d:\d\d", "hh:mm", sentence) for sentence in found]


def test_unchanged_options_are_reported_as_unchanged(night: Night) -> None:
    deal = a_deal(night, "texas-holdem")
    change_game(night, deal.pk, (), HIGH_CARD)  # no card is dealt yet
    hand = recorded(at_stage(deal, "showdown"), options=HIGH_CARD)
    assert sentences(hand) == [
        (
            "The game and its options were announced at hh:mm, before the first card, and did not "
            "change."
        )
    ]
    announcement = Announcement.objects.get()
    assert announcement.announced_at > deal.made_at
    assert announcement.options == HIGH_CARD
    closed(night)
    assert not audit(night.league)
    with pytest.raises(DatabaseError, match="is refused"), transaction.atomic():
        Announcement.objects.update(changes=[{}])


def test_changed_options_are_reported_with_time_and_step(night: Night) -> None:
    deal = at_stage(a_deal(night, "texas-holdem"), "showdown")
    change_game(night, deal.pk, (), HIGH_CARD)
    change_game(night, deal.pk, (), HIGH_CARD)
    hand = recorded(deal)
    step = deal.stage + 1
    assert sentences(hand) == [
        "The game and its options were announced at hh:mm, before the first card.",
        (
            f"They changed at hh:mm, at step {step} of the deal: "
            "Odd chip: high card instead of nearest the dealer's left."
        ),
        (
            "The hand was recorded with other options: "
            "Odd chip: nearest the dealer's left instead of high card."
        ),
    ]


def test_announcement_is_in_time_zone_of_league(night: Night) -> None:
    """Kolkata is 5:30 ahead of UTC and has no daylight saving time."""
    League.objects.update(time_zone="Asia/Kolkata")
    deal = a_deal(night, "texas-holdem")
    deal.announced_at = datetime(2026, 11, 29, 13, 38, tzinfo=UTC)
    changed_at = datetime(2026, 11, 29, 13, 40, tzinfo=UTC).isoformat()
    deal.changes = [{"at": changed_at, "step": 2, "modifiers": [], "options": HIGH_CARD}]
    deal.save()
    hand = Hand.objects.get(pk=recorded(deal).pk)
    found = announcement_sentences(hand, hand.revisions.get(current=True))
    assert "announced at 19:08," in found[0]
    assert found[1].startswith("They changed at 19:10,")


def test_hand_recorded_as_a_different_game_is_reported(night: Night) -> None:
    hand = recorded(a_deal(night, "omaha-8"))
    assert sentences(hand)[1:] == ["The hand was recorded as a different game."]


def test_hand_without_a_live_deal_has_no_announcement(night: Night) -> None:
    deal = a_deal(night, "texas-holdem")
    hand = record_hand(night, deal.pk, holdem(), by=None).hand
    assert sentences(hand) == []
