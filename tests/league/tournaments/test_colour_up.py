"""Colour up: small chips are exchanged when no later blind or ante needs them."""

from hypothesis import given
from hypothesis import strategies as st

from league.chips import ChipColour
from league.tournaments.clock import Level, colour_ups, read_levels


def a_set(**values: int) -> list[ChipColour]:
    return [{"colour": name, "value": value, "count": 100} for name, value in values.items()]


TOURNAMENT = a_set(green=25, black=100, purple=500, yellow=1000)


def test_chips_are_exchanged_in_the_break_before_the_level() -> None:
    """A usual home structure with chips of 25, 100, 500 and 1000."""
    levels = read_levels(
        "25/50 20\n50/100 20\n75/150 20\nbreak 10\n"
        "100/200 20\n200/400 20\n500/1000 20\n1000/2000 20"
    )
    assert colour_ups(TOURNAMENT, levels) == {3: ["green"], 6: ["black"], 7: ["purple"]}


def test_ante_keeps_a_colour_in_play() -> None:
    levels = read_levels("100/200 ante 25 20\n200/400 ante 50 20\n300/600 ante 100 20")
    assert colour_ups(TOURNAMENT, levels) == {2: ["green"]}


def test_chips_needed_for_change_stay() -> None:
    """25 is not a multiple of 10. Without chips of 5, it can't be changed."""
    levels = read_levels("5/10 20\n10/20 20\n50/100 20\n100/200 20")
    assert colour_ups(a_set(white=5, blue=10, green=25), levels) == {2: ["white", "blue"]}


def test_chips_that_were_never_needed_are_not_exchanged() -> None:
    levels = read_levels("100/200 20\n500/1000 20")
    assert colour_ups(TOURNAMENT, levels) == {1: ["black"]}
    assert colour_ups([], levels) == {}
    assert colour_ups(TOURNAMENT, read_levels("10/20 20\n30/60 20\nbreak 5")) == {}


bets = st.sampled_from([0, 5, 10, 25, 50, 100, 300, 500, 1000, 2000])


@given(st.lists(st.tuples(bets, bets, bets), min_size=1, max_size=8))
def test_remaining_chips_pay_every_later_bet(rows: list[tuple[int, int, int]]) -> None:
    levels = [Level(600, *row) for row in rows]
    chip_set = a_set(white=5, blue=10, green=25, black=100, purple=500)
    gone: set[str] = set()
    for number, colours in colour_ups(chip_set, levels).items():
        assert not gone & set(colours)
        gone |= set(colours)
        left = [chips["value"] for chips in chip_set if chips["colour"] not in gone]
        for level in levels[number:]:
            assert all(bet % left[0] == 0 for bet in (level.small, level.big, level.ante))
        assert all(value % left[0] == 0 for value in left)
