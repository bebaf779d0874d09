"""A board's picture shows every slot once, with lines through the middle of their cards."""

import pytest

from league.pages.games.board import Board, board
from league.pages.games.catalog import rules_of
from rules.documents import catalog
from tests.helpers.stages import sample


def drawn(slug: str, *modifiers: str) -> Board:
    picture = rules_of(slug, modifiers).board
    assert picture is not None
    return picture


def spots(picture: Board) -> dict[str, tuple[float, float]]:
    return {slot.name: (slot.x, slot.y) for slot in picture.slots}


@pytest.mark.parametrize("slug", sample(catalog.slugs(), 60))
def test_every_slot_is_drawn_once_inside_the_picture(slug: str) -> None:
    rows = catalog.document(slug).get("board", [])
    picture = rules_of(slug).board
    assert (picture is None) == (not rows)
    if picture is not None:
        names = [slot.name for slot in picture.slots]
        assert sorted(names) == sorted(name for row in picture.rows for name in row)
        assert len(set(spots(picture).values())) == len(names)
        assert all(slot.left >= 0 and slot.top >= 0 for slot in picture.slots)
        assert max(slot.x for slot in picture.slots) < picture.width
        assert max(slot.y for slot in picture.slots) < picture.height


def test_cross_is_drawn_as_a_cross() -> None:
    at = spots(drawn("iron-cross"))
    assert at["a"][0] == at["c"][0] == at["e"][0]
    assert at["b"][1] == at["c"][1] == at["d"][1]


def test_triangle_columns_are_vertical() -> None:
    at = spots(drawn("nightmare"))
    assert at["a"][0] == at["d"][0] == at["f"][0]
    assert at["b"][0] == at["e"][0]


def test_card_that_touches_two_cards_is_drawn_between_them() -> None:
    at = spots(drawn("stump"))
    assert at["e"][0] == (at["a"][0] + at["b"][0]) / 2


def test_line_with_one_card_is_a_frame_around_it() -> None:
    frames = [line.frame.name for line in drawn("nightmare").lines if line.frame]
    assert frames == ["f", "c"]


def test_card_shared_by_two_rows_is_drawn_next_to_both() -> None:
    at = spots(drawn("texas-holdem", "miami"))
    assert at["d"][0] > at["c"][0]
    assert at["a"][1] < at["d"][1] < at["a2"][1]


def test_lines_that_share_a_path_are_drawn_side_by_side() -> None:
    first, second = drawn("texas-holdem", "miami").lines
    assert first.points.split()[-1] != second.points.split()[-1]


def test_rows_without_lines_are_numbered() -> None:
    assert [name.name for name in drawn("cluster").names] == ["1", "2", "3"]
    assert drawn("iron-cross").names == []


def test_game_without_a_board_has_no_picture() -> None:
    assert board([], []) is None
