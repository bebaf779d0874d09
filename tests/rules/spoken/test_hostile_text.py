"""Any text is read in bounded time, and each part of it is used or marked at most once."""

import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rules.spoken import LONGEST, read_hand
from rules.spoken.vocabulary import vocabulary

NAMES = [f"Player {number}" for number in range(100)]
WORDS = sorted({" ".join(phrase) for phrase in vocabulary().phrases})
said = st.lists(
    st.sampled_from([*WORDS, "ann", "bob", "AhKh", "77", "A", "7", "45", "1,200", ",", ".", "\n"])
    | st.text(max_size=6),
    max_size=60,
).map(" ".join)


@settings(max_examples=500, deadline=None)
@given(said | st.text(max_size=LONGEST))
@example("\ufe0f\u2660\u2660 \x00 '' \U0001f0a1")
@example("ann everyone else 7 low and")
def test_any_text_is_read_without_an_error(text: str) -> None:
    entry = read_hand(text, ["Ann", "Bob", "\U0001f0a1", "7", "and"], "omaha-8")
    for mark in entry.marks:
        assert 0 <= mark.start <= mark.end <= len(text)
    ends = [mark.end for mark in entry.marks]
    starts = [mark.start for mark in entry.marks]
    assert all(end <= start for end, start in zip(ends, starts[1:], strict=False)), entry.marks


@pytest.mark.parametrize(
    "part",
    [
        "7 ",
        "k ",
        "thousand ",
        "player ",
        "a",
        "1,1",
        "zq ",
        "and ",
        "ah ",
        "AK",
        "as and ",
        "high ",
    ],
)
def test_longest_text_takes_less_than_a_second(part: str) -> None:
    """The work is bounded: at most 1,000 characters, and names with at most four words."""
    text = (part * LONGEST)[:LONGEST]
    begin = time.perf_counter()
    read_hand(text, NAMES, "omaha-8")
    assert time.perf_counter() - begin < 1
