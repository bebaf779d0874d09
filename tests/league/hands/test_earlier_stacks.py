"""The stacks before a recorded hand, which a player who is all in has put in."""

from uuid import uuid4

import pytest

from league.hands.chips_before import stacks_before
from league.models import Hand, Night
from league.nights.buy_ins import buy_in, undo
from league.recording.corrections import revise_hand, void_hand
from league.recording.record import record_hand
from tests.helpers.league.leagues import a_night, holdem, player

pytestmark = pytest.mark.django_db


@pytest.fixture
def night() -> Night:
    return a_night()


def dealt(night: Night, paid: int) -> Hand:
    """Record a hand that ann wins from bob."""
    players = [each | {"paid": paid} for each in holdem()["players"]]
    return record_hand(night, uuid4(), holdem(players=players), by=None).hand


def test_stacks_are_those_before_the_hand(night: Night) -> None:
    first, second = dealt(night, 30), dealt(night, 70)
    buy_in(night, player(night, "bob"), 100, buy_in_id=uuid4(), by=None)
    third = dealt(night, 10)
    hundred = dict.fromkeys(("cat", "dan"), 100)
    assert stacks_before(first) == {"ann": 100, "bob": 100} | hundred
    assert stacks_before(second) == {"ann": 130, "bob": 70} | hundred
    assert stacks_before(third) == {"ann": 200, "bob": 100} | hundred


def test_corrected_hands_and_undone_buy_ins_count_as_they_are_now(night: Night) -> None:
    first, second = dealt(night, 30), dealt(night, 10)
    undo(buy_in(night, player(night, "bob"), 100, buy_in_id=uuid4(), by=None), by=None)
    third = dealt(night, 10)
    void_hand(second, by=None)
    record = holdem(button=0)
    record["players"][0]["paid"] = record["players"][1]["paid"] = 50
    revise_hand(first, uuid4(), record, by=None)
    assert stacks_before(third) == {"ann": 150, "bob": 50, "cat": 100, "dan": 100}
