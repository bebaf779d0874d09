"""Levels are parsed as typed, and the clock runs through all of them."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.common.errors import RefusedError
from league.tournaments.clock import (
    MOST_LEVELS,
    Level,
    clock_at,
    in_turn,
    levels_json,
    levels_of_json,
    levels_text,
    next_break,
    read_levels,
    start_of,
    usual_levels,
    wrong_levels,
)

GAMES = st.sampled_from(["", "Omaha Hi-Lo", "Razz", "5 Card Draw", "Put and Take"])
minutes = st.integers(1, 240).map(lambda number: 60 * number)
played = st.builds(
    lambda seconds, small, more, ante, game: Level(seconds, small, small + more, ante, game),
    minutes,
    st.integers(0, 10**6),
    st.integers(1, 10**6),
    st.integers(0, 10**5),
    GAMES,
)
levels = st.lists(played | st.builds(Level, minutes), min_size=1, max_size=MOST_LEVELS)


@given(levels)
def test_levels_survive_a_round_trip(drawn: list[Level]) -> None:
    assert read_levels(levels_text(drawn)) == drawn
    assert levels_of_json(levels_json(drawn)) == drawn
    assert list(wrong_levels(drawn)) == []


def test_levels_are_parsed_the_way_they_were_typed() -> None:
    text = "25/50 20 min\n\n50/100 ante 10 15  Omaha Hi-Lo\nBreak 10\n100/200 20 min 5 Card Draw"
    assert read_levels(text) == [
        Level(1200, 25, 50),
        Level(900, 50, 100, 10, "Omaha Hi-Lo"),
        Level(600),
        Level(1200, 100, 200, 0, "5 Card Draw"),
    ]


def test_every_invalid_level_is_reported() -> None:
    with pytest.raises(RefusedError) as refused:
        read_levels("25/50 20\nhello\n100/50 20\n25/50 999\n0/0 10")
    assert [each["where"] for each in refused.value.errors] == [
        "levels/1",
        "levels/2",
        "levels/3",
        "levels/4",
    ]
    assert "line 2 (hello)" in refused.value.errors[0]["text"]


@pytest.mark.parametrize("text", ["", "\n \n", "25/50 20\n" * (MOST_LEVELS + 1), "9" * 10**6])
def test_number_of_levels_is_limited(text: str) -> None:
    with pytest.raises(RefusedError):
        read_levels(text)


@given(st.integers(1, 10**7), st.integers(5, 60))
def test_usual_levels_increase_and_include_breaks(stack: int, lasts: int) -> None:
    levels = usual_levels(stack, lasts)
    blinds = [each.big for each in levels if not each.is_break]
    assert blinds == sorted(set(blinds))
    assert list(wrong_levels(levels)) == []
    assert stack < 200 or stack // blinds[0] in range(100, 260)


@given(levels, st.lists(GAMES, max_size=3))
def test_games_rotate_unless_a_level_specifies_one(drawn: list[Level], games: list[str]) -> None:
    rotated = in_turn(drawn, games)
    assert [replace(level, game="") for level in rotated] == [
        replace(level, game="") for level in drawn
    ]
    pairs = [pair for pair in zip(drawn, rotated, strict=True) if not pair[0].is_break]
    assert all(before.game in {"", after.game} for before, after in pairs)
    turns = [after.game for before, after in pairs if not before.game]
    assert turns == [(games or [""])[at % len(games or [""])] for at in range(len(turns))]


@given(levels, st.lists(st.integers(0, 10**8), min_size=2, max_size=2).map(sorted))
def test_clock_never_goes_back(drawn: list[Level], at: list[int]) -> None:
    before, after = (clock_at(drawn, moment) for moment in at)
    assert before.number <= after.number
    for clock, elapsed in zip((before, after), at, strict=True):
        if not clock.over:
            assert start_of(drawn, clock.number) + clock.passed == elapsed
            assert clock.passed + clock.left == 1000 * drawn[clock.number].seconds
        else:
            assert (clock.number, clock.left) == (len(drawn) - 1, 0)


def test_next_break_is_shown() -> None:
    levels = [Level(60, 1, 2), Level(60), Level(60, 2, 4)]
    assert next_break(levels, 0) == 60_000
    assert next_break(levels, 59_000) == 1_000
    assert next_break(levels, 60_000) is None
