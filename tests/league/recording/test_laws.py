"""A night's ledger is correct after any sequence of events."""

from collections.abc import Callable
from random import Random
from typing import Any
from uuid import UUID, uuid4

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.hands import chips_before
from league.hands.chip_movements import chip_totals
from league.models import BuyIn, Hand, Night, Revision
from league.nights import accounts
from league.nights.buy_ins import buy_in
from league.nights.nights import carry, hands, stacks
from league.recording.corrections import revise_hand, void_hand
from league.recording.record import record_hand
from ledger.balances import balances
from tests.helpers.laws.examples import examples
from tests.helpers.league.books import total
from tests.helpers.league.leagues import NAMES, a_night, holdem, player, qualifiers

pytestmark = pytest.mark.django_db

Act = Callable[[Night], object]


@st.composite
def records(draw: st.DrawFn) -> dict[str, Any]:
    """Draw a hand that is won or carried, with carried chips. The table may pay other players."""
    paid = draw(st.integers(0, 60))
    made = draw(st.sampled_from([holdem, qualifiers]))()
    for seat in made["players"]:
        seat["paid"] = paid
    made["players"].append({"name": "cat", "paid": draw(st.integers(0, paid)), "folded": True})
    made["carried"] = draw(st.sampled_from([0, 0, 5, 20, 40]))
    if draw(st.booleans()):
        pot = sum(seat["paid"] for seat in made["players"]) + made["carried"]
        ann = draw(st.integers(0, pot))
        made["took"] = {"ann": ann, draw(st.sampled_from(["bob", "cat"])): pot - ann}
    return made


def buys(name: str, chips: int) -> Act:
    return lambda night: buy_in(night, player(night, name), chips, buy_in_id=uuid4(), by=None)


def deals(record: dict[str, Any]) -> Act:
    return lambda night: record_hand(night, uuid4(), record, by=None)


def revises(place: int, record: dict[str, Any]) -> Act:
    return lambda night: (
        (hand := _pick_hand(night, place)) and revise_hand(hand, uuid4(), record, by=None)
    )


def voids(place: int) -> Act:
    return lambda night: (hand := _pick_hand(night, place)) and void_hand(hand, by=None)


def _pick_hand(night: Night, place: int) -> Hand | None:
    found = list(Hand.objects.filter(night=night).order_by("number"))
    return found[place % len(found)] if found else None


acts = st.one_of(
    st.builds(buys, st.sampled_from(NAMES), st.integers(1, 200)),
    st.builds(deals, records()),
    st.builds(deals, records()),
    st.builds(revises, st.integers(0, 9), records()),
    st.builds(voids, st.integers(0, 9)),
)


def rebuilt(night: Night) -> dict[UUID, int]:
    """Compute the stacks from buy-ins and current hands only."""
    chips = dict.fromkeys(stacks(night), 0)
    for bought in BuyIn.objects.filter(night=night):
        chips[bought.player_id] += bought.chips
    for revision in hands(night).filter(hand__voided=False):
        hand = chip_totals(revision.record, revision.answer)
        for name, player_id in revision.names.items():
            chips[UUID(player_id)] += hand.back[name] - hand.paid[name]
    return chips


@settings(max_examples=examples(30))
@given(st.lists(acts, max_size=14))
def test_any_buy_ins_hands_and_corrections_leave_correct_books(
    sequence: list[Act],
) -> None:
    night = a_night(chips=0)
    for act in sequence:
        act(night)
    book = night.league.book
    assert total(book) == 0
    assert not any(balances(book, kind="pot").values())
    assert carry(night) == chips_before.carried_after(chips_before.carries(night)) >= 0
    assert stacks(night) == rebuilt(night)
    numbers = Hand.objects.filter(night=night).order_by("number").values_list("number", flat=True)
    assert list(numbers) == list(range(1, len(numbers) + 1))
    assert Revision.objects.filter(hand__night=night, current=True).count() == len(numbers)


@settings(max_examples=examples(20))
@given(st.lists(records(), min_size=1, max_size=6), st.randoms(use_true_random=False))
def test_voiding_every_hand_leaves_only_the_buy_ins(
    drawn: list[dict[str, Any]], chance: Random
) -> None:
    night = a_night()
    for record in drawn:
        record_hand(night, uuid4(), record, by=None)
    dealt = list(Hand.objects.filter(night=night).order_by("number"))
    chance.shuffle(dealt)
    for hand in dealt:
        void_hand(hand, by=None)
    standing = balances(night.league.book, nonzero=True)
    assert sorted(standing.values()) == [-100] * 4 + [100] * 4
    assert accounts.carry(night.pk).key not in standing
