"""The pot of a match belongs to the match, also while another game is played."""

import json
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from league.deals.table import Table
from league.hands.findings import chip_findings, state_without
from league.hands.validation import settle_record
from league.matches import match_of_hands
from league.models import Hand, Night
from league.nights.nights import carry, hands
from league.pages.record.initial_fields import fresh
from league.recording.corrections import void_hand
from league.recording.record import record_hand
from tests.helpers.league.leagues import a_night, holdem, qualifiers
from tests.helpers.league.matches import current, deals_on, guts

pytestmark = pytest.mark.django_db


def recorded(night: Night, record: dict[str, Any]) -> Hand:
    return record_hand(night, uuid4(), record, by=None).hand


def codes(hand: Hand) -> list[str]:
    return [each["code"] for each in current(hand).answer["findings"]]


def test_match_waits_while_another_game_is_played() -> None:
    night = a_night()
    deals_on(night, guts("ann"))
    other = recorded(night, holdem())
    table = Table(night)
    assert (table.carry, table.free_carry) == (20, 0)
    assert table.match
    assert (table.match.deal, table.match.carried) == (1, 20)
    assert codes(other) == []
    second = deals_on(night, guts("bob"))
    assert current(second).answer["match"]["legs"] == {"ann": 1, "bob": 1, "cat": 0, "dan": 0}
    assert codes(second) == []


def test_game_that_takes_the_pot_ends_the_match() -> None:
    night = a_night()
    deals_on(night, guts("ann"))
    other = recorded(night, holdem(carried=20))
    table = Table(night)
    assert (carry(night), table.match, codes(other)) == (0, None, [])


def test_undone_hand_does_not_end_the_match() -> None:
    night = a_night()
    deals_on(night, guts("ann"))
    void_hand(recorded(night, holdem(carried=20)), by=None)
    match = Table(night).match
    assert match
    assert match.carried == 20


def test_game_that_left_a_pot_is_dealt_again_before_the_match() -> None:
    night = a_night()
    deals_on(night, guts("ann"))
    recorded(night, qualifiers())
    table = Table(night)
    assert (table.carry, table.free_carry, table.match) == (40, 20, None)
    assert codes(recorded(night, qualifiers(carried=20))) == []
    assert codes(recorded(night, holdem(carried=40))) == []
    match = Table(night).match
    assert match
    assert (carry(night), match.carried) == (20, 20)


def test_late_hand_that_left_a_pot_is_dealt_again_before_the_match() -> None:
    """The carried chips follow the numbers, although another hand was dealt later."""
    night = a_night()
    deals_on(night, guts("ann"))
    recorded(night, holdem())
    late = timezone.now() - timedelta(hours=1)
    left = record_hand(night, uuid4(), qualifiers(), by=None, made_at=late).hand
    table = Table(night)
    assert table.last_hand
    assert (table.last_hand.hand.number, left.number) == (2, 3)
    assert (table.free_carry, table.match) == (20, None)
    fields = fresh(table, "")
    assert fields["variant"] == ["qualifiers"]
    assert json.loads(fields["carried"][0]) == [{"amount": 20, "for": ["ann", "bob"]}]
    assert match_of_hands(night, hands(night)) is None


def test_hand_that_takes_a_part_of_the_pot_is_reported() -> None:
    night = a_night()
    deals_on(night, guts("ann"))
    assert codes(recorded(night, holdem(carried=5))) == ["carry-differs"]


def test_corrected_hand_leaves_the_pot_of_the_match() -> None:
    night = a_night()
    deals_on(night, guts("ann"))
    other = recorded(night, holdem())
    deals_on(night, guts("bob"))
    verdict = settle_record(night, current(other).record, instead_of=other)
    assert list(chip_findings(verdict, state_without(other, verdict))) == []
