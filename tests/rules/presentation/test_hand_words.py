"""The words for hands and rules in sentences."""

import pytest

from rules.presentation.hand_words import hand_phrase


@pytest.mark.parametrize(
    ("name", "phrase"),
    [
        ("straight, seven high", "a seven-high straight"),
        ("straight flush, ace high", "an ace-high straight flush"),
        ("pair of aces", "a pair of aces"),
        ("full house, aces over nines", "a full house, aces over nines"),
        ("two pair, aces and kings", "two pair, aces and kings"),
        ("four eights", "four eights"),
        ("king high", "king high"),
        ("6-5-4-3-A", "6-5-4-3-A"),
        ("21 points", "21 points"),
        ("king of hearts", "the king of hearts"),
    ],
)
def test_hand_name_reads_well_in_a_sentence(name: str, phrase: str) -> None:
    assert hand_phrase(name) == phrase
