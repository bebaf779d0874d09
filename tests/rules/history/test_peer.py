"""Random legal hands of all PHH variants, played and written by PokerKit, end with its stacks."""

from random import Random
from typing import Any

import pytest

from rules.formats.phh import read_phh, write_phh
from rules.history import replay_many
from tests.helpers.rules.peer import CODES, Played, play

HANDS = 10
# PokerKit's rules are different: every all-in counts as a full raise, and a fixed bet is added to
# it.
KNOWN = {"no-raise", "wrong-size"}


def hands(code: str) -> list[Played]:
    """Return hands in this variant. Hands on which PokerKit itself fails are skipped."""
    played: list[Played] = []
    seed = 0
    while len(played) < HANDS:
        seed += 1
        try:
            played.append(play(Random(f"{code} {seed}"), code))
        except AssertionError:
            continue
    return played


@pytest.mark.parametrize("code", CODES)
def test_pokerkit_hands_end_with_the_same_stacks(code: str) -> None:
    """The results may differ by odd chips, which PokerKit gives to a single player."""
    played = hands(code)
    records: list[Any] = [read_phh(hand.text)[0].record for hand in played]
    for hand, record, answer in zip(played, records, replay_many(records), strict=True):
        assert not answer["errors"], hand.text
        assert {each["code"] for each in answer["findings"]} <= KNOWN, hand.text
        off = [
            ours - theirs
            for ours, theirs in zip(answer["finishing_stacks"], hand.stacks, strict=True)
        ]
        winners = sum(won > 0 for won in answer["won"])
        assert sum(off) == 0, hand.text
        assert max(map(abs, off)) <= (winners if winners > 1 else 0), hand.text
        assert read_phh(write_phh([record]))[0].record == record
