"""The chip count compares the chips on the table with the recorded hands."""

from typing import Any
from uuid import uuid4

import pytest

from league.closing.cash_outs import cash_out_and_leave
from league.closing.chip_count import count, count_all, tally
from league.closing.close import close_night
from league.closing.count_explanations import ExplanationKind, likely_explanations
from league.common.errors import IdReusedError, NightClosedError, RefusedError
from league.models import ChipCount, Seat
from league.nights.buy_ins import buy_in
from league.nights.nights import leave, seat
from league.recording.corrections import revise_hand, void_hand
from tests.helpers.league.leagues import a_night, holdem, player, qualifiers
from tests.helpers.league.nights import a_table, closed, counted, dealt

pytestmark = pytest.mark.django_db


def test_count_is_compared_with_the_recorded_hands() -> None:
    night = a_night()
    dealt(night)
    counted(night, ann=109, bob=90)
    lines = {line.name: line for line in tally(night).lines}
    assert (lines["ann"].expected, lines["ann"].counted, lines["ann"].difference) == (110, 109, -1)
    assert lines["bob"].difference == 0
    assert tally(night).missing == 1


def test_surplus_chips_count_as_negative_missing_chips() -> None:
    night = a_night()
    counted(night, ann=103)
    assert tally(night).missing == -3


def test_differences_that_cancel_out_leave_no_chips_missing() -> None:
    night = a_night()
    counted(night, ann=95, bob=105)
    assert tally(night).missing == 0


def test_players_last_count_is_used_and_can_be_undone() -> None:
    night = a_night()
    ann = player(night, "ann")
    for chips in (90, 100, None):
        count(night, ann, chips, count_id=uuid4(), by=None)
    assert [line.name for line in tally(night).uncounted] == ["ann", "bob", "cat", "dan"]
    assert ChipCount.objects.count() == 3


def test_repeating_a_count_stores_it_once() -> None:
    night, key = a_night(), uuid4()
    ann = player(night, "ann")
    assert count(night, ann, 90, count_id=key, by=None) == count(
        night, ann, 90, count_id=key, by=None
    )
    with pytest.raises(IdReusedError):
        count(night, ann, 91, count_id=key, by=None)


def test_unchanged_count_is_not_stored_again() -> None:
    night = a_night()
    ann, bob = player(night, "ann"), player(night, "bob")
    count_all(night, {ann: 90, bob: None}, counts_id=uuid4(), by=None)
    count_all(night, {ann: 90, bob: 110}, counts_id=uuid4(), by=None)
    assert ChipCount.objects.count() == 2


def test_count_made_before_the_players_last_hand_is_outdated() -> None:
    """Hands played after the counts make both counts wrong, although their total stays correct."""
    night = a_night()
    counted(night)
    dealt(night)
    found = tally(night)
    assert [(line.name, line.stale) for line in found.uncounted] == [("ann", 100), ("bob", 100)]
    with pytest.raises(RefusedError, match="count the chips of ann, bob"):
        close_night(night, uuid4(), by=None)
    ann, bob = player(night, "ann"), player(night, "bob")
    count_all(night, {ann: 110, bob: None}, counts_id=uuid4(), by=None)
    assert [(line.name, line.stale) for line in tally(night).uncounted] == [("bob", None)]


def test_cash_out_ends_a_count_and_a_buy_in_does_not() -> None:
    """Counted chips stayed after the player had left with them, and a host paid for them."""
    night = a_night()
    counted(night)
    ann, bob = player(night, "ann"), player(night, "bob")
    cash_out_and_leave(night, ann, 97, cash_out_id=uuid4(), by=None)
    buy_in(night, bob, 50, buy_in_id=uuid4(), by=None)
    found = tally(night)
    lines = {line.name: line for line in found.lines}
    assert (lines["ann"].gone, lines["ann"].counted, lines["ann"].difference) == (True, 0, -3)
    assert (lines["bob"].counted, lines["bob"].difference) == (100, -50)
    assert found.uncounted == []


def test_correction_does_not_outdate_the_counts() -> None:
    night = a_night()
    hand = dealt(night)
    counted(night)
    revise_hand(hand, uuid4(), holdem(took={"bob": 20}), by=None)
    assert tally(night).uncounted == []


def test_player_leaving_without_chips_is_counted_as_zero() -> None:
    night, key = a_night(), uuid4()
    for _ in range(2):
        cash_out_and_leave(night, player(night, "cat"), 0, cash_out_id=key, by=None)
    line = next(each for each in tally(night).lines if each.name == "cat")
    assert (line.counted, line.difference) == (0, -100)


@pytest.mark.parametrize("chips", [100, 0])
def test_repeated_cash_out_keeps_the_seat_of_a_player_who_came_back(chips: int) -> None:
    """A phone repeats a request whose response it has not received."""
    night, key = a_night(), uuid4()
    cat = player(night, "cat")
    cash_out_and_leave(night, cat, chips, cash_out_id=key, by=None)
    seat(night, cat)
    cash_out_and_leave(night, cat, chips, cash_out_id=key, by=None)
    assert Seat.objects.get(night=night, player=cat).left_at is None


def test_repeated_count_returns_the_same_response_after_closing() -> None:
    night, out, count_id = a_night(), uuid4(), uuid4()
    ann, cat = player(night, "ann"), player(night, "cat")
    count(night, ann, 100, count_id=count_id, by=None)
    cash_out_and_leave(night, cat, 100, cash_out_id=out, by=None)
    closed(night)
    cash_out_and_leave(night, cat, 100, cash_out_id=out, by=None)
    assert count(night, ann, 100, count_id=count_id, by=None).chips == 100
    with pytest.raises(NightClosedError):
        leave(night, ann)


@pytest.mark.parametrize("chips", [-1, 2.5, 10**30, "5", True])
def test_invalid_chips_are_refused(chips: Any) -> None:
    night = a_night()
    with pytest.raises(RefusedError) as refused:
        count(night, player(night, "ann"), chips, count_id=uuid4(), by=None)
    assert [each["code"] for each in refused.value.errors] == ["bad-chips"]


def test_count_on_a_closed_night_is_refused() -> None:
    night = a_night()
    closed(night)
    with pytest.raises(NightClosedError):
        count(night, player(night, "ann"), 1, count_id=uuid4(), by=None)


def test_player_who_left_with_chips_is_not_counted() -> None:
    night = a_night()
    ann, bob = player(night, "ann"), player(night, "bob")
    cash_out_and_leave(night, ann, 97, cash_out_id=uuid4(), by=None)
    leave(night, bob)
    lines = {line.name: line for line in tally(night).lines}
    assert (lines["ann"].counted, lines["ann"].difference) == (0, -3)
    assert [line.name for line in tally(night).uncounted] == ["bob", "cat", "dan"]


def test_player_without_a_buy_in_needs_no_count() -> None:
    assert tally(a_night(chips=0)).uncounted == []


def first(night: Any) -> Any:
    return next(iter(likely_explanations(night, tally(night))), None)


def test_correct_count_needs_no_explanation() -> None:
    night = a_night()
    dealt(night)
    counted(night)
    assert likely_explanations(night, tally(night)) == []


def test_hand_paid_differently_by_the_table_explains_the_count() -> None:
    """The record says that bob took the 20 that ann won, but the table had corrected that."""
    night = a_night()
    dealt(night, holdem(took={"bob": 20}))
    counted(night, ann=110, bob=90)
    assert (first(night).kind, first(night).number, first(night).left) == (
        ExplanationKind.PAID_OTHERWISE,
        1,
        0,
    )


def test_pot_paid_to_the_wrong_player_explains_the_count() -> None:
    night = a_night()
    dealt(night)
    dealt(night, holdem(players=[
        {"name": "ann", "paid": 30, "down": ["Ac", "Ad"]},
        {"name": "cat", "paid": 30, "down": ["Kc", "Kd"]},
    ]))  # fmt: skip
    counted(night, ann=80, cat=130)
    explanation = first(night)
    assert (explanation.kind, explanation.number, explanation.left) == (
        ExplanationKind.OTHER_WINNER,
        2,
        0,
    )
    assert explanation.text == "In hand 2, Texas Hold'em, cat may have taken 60 that ann won."


def test_hand_recorded_twice_explains_the_count() -> None:
    night = a_night()
    dealt(night)
    dealt(night)
    counted(night, ann=110, bob=90)
    assert (first(night).kind, first(night).number) == (ExplanationKind.RECORDED_TWICE, 2)


def test_voided_hand_does_not_explain_the_count() -> None:
    night = a_night()
    hand = dealt(night)
    void_hand(hand, by=None)
    counted(night, ann=90, bob=110)
    assert first(night) is None


def test_unrecorded_rebuy_explains_the_count() -> None:
    night = a_night()
    counted(night, bob=200)
    assert (first(night).kind, first(night).left) == (ExplanationKind.MISSING_REBUY, 0)
    assert first(night).text == "bob may have bought 100 more than recorded."


def test_rebuy_of_the_usual_size_explains_the_count() -> None:
    night = a_night()
    buy_in(night, player(night, "cat"), 40, buy_in_id=uuid4(), by=None)
    counted(night, bob=140)
    assert first(night).text == "bob may have bought 40 more than recorded."


def test_buy_in_without_chips_explains_the_count() -> None:
    night = a_night()
    buy_in(night, player(night, "cat"), 40, buy_in_id=uuid4(), by=None)
    counted(night, cat=100)
    assert first(night).kind == ExplanationKind.NOT_HANDED_OUT


def test_pot_left_in_the_middle_explains_the_count() -> None:
    """20 carried chips are returned, ten to each player, but neither player took them."""
    night = a_table()
    dealt(night, qualifiers())
    counted(night, ann=90, bob=90)
    assert [(line.name, line.back) for line in tally(night).lines if line.back] == [
        ("ann", 10),
        ("bob", 10),
    ]
    assert (first(night).kind, first(night).left) == (ExplanationKind.POT_IN_THE_MIDDLE, 0)


def test_single_missing_chip_gets_no_explanation() -> None:
    night = a_night()
    counted(night, ann=99)
    assert likely_explanations(night, tally(night)) == []


def test_best_explanation_is_listed_first() -> None:
    night = a_night()
    dealt(night)
    counted(night, ann=109, bob=191)
    explanations = likely_explanations(night, tally(night))
    assert explanations[0].kind == ExplanationKind.MISSING_REBUY
    assert [explanation.left for explanation in explanations] == sorted(
        explanation.left for explanation in explanations
    )
