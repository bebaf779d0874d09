"""Rows of the board and lines across rows, even if they depend on a choice.

See docs/games.md, "The board". In Paradise Road Pick'em players name the game after three cards are
dealt, and only some of the games have common cards (a survey of mixed games).
"""

from typing import Any

import pytest

from rules.documents import documents, modifiers
from tests.helpers.rules.tables import deal, refused, seat, wins

PICKED: dict[str, Any] = {
    "name": "Picked",
    "players": [2, 5],
    "deal": ["2 down", "choose game", "board a b c d e when game holdem", "5 down when game stud"],
    "board": ["a b c d e when game holdem"],
    "hand": ["any 5 when game holdem", "5 own when game stud"],
    "shares": ["high"],
    "asked": {"game": ["holdem", "stud"]},
}
SEVEN = (seat("ann", "As Ad Kc 9h 7d 4s 2c"), seat("bob", "Ks Qd Jc 8h 6d 3s 2h"))
TWO = (seat("ann", "9s 9d"), seat("bob", "Qs Qd"))


def faults(**keys: Any) -> list[str]:
    return [problem.text for problem in documents.check(PICKED | keys)]


def test_row_with_a_condition_exists_only_with_that_choice() -> None:
    assert faults() == []
    board = "9h 7c 6d 3s 2s"
    wins(deal(PICKED, *TWO, board=board, options={"game": "holdem"}), "ann 20, bob 0")
    wins(deal(PICKED, *SEVEN, options={"game": "stud"}), "ann 20, bob 0")
    refused(deal(PICKED, *SEVEN, board="Th", options={"game": "stud"}), "board card-count")
    refused(deal(PICKED, *TWO, options={"game": "holdem"}), "board card-count")


def test_two_choices_can_arrange_the_same_slots_in_different_rows() -> None:
    game = PICKED | {
        "deal": ["3 down", "choose game", "board a b c d"],
        "board": ["a b c d when game holdem", "a b when game stud", "c d when game stud"],
        "hand": ["any 5 when game holdem", "3 down + 2 row 2 when game stud"],
    }
    assert documents.check(game) == []
    held = (seat("ann", "9s 9d 4c"), seat("bob", "Qs Qd 5c"))
    wins(deal(game, *held, board="9h 9c | 2s 3d", options={"game": "stud"}), "ann 0, bob 20")
    wins(deal(game, *held, board="9h 9c 2s 3d", options={"game": "holdem"}), "ann 20, bob 0")


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"deal": ["7 down", "choose game", "board a b c d e"]}, "has no slot a"),
        ({"lines": ["a b c"]}, "has no slot a"),
        ({"wild": ["rank of a"]}, "has no slot a"),
        ({"hand": ["any 5 when game holdem", "3 down + 2 a b when game stud"]}, "has no slot a"),
        ({"board": ["a b c d e when row 1 red 2"]}, "is not valid here"),
        ({"board": ["a b c d e when down red 2"]}, "can depend only on options"),
        ({"board": ["when game holdem"]}, "can't be the name of a slot"),
    ],
)
def test_using_a_row_of_a_different_choice_is_reported(keys: dict[str, Any], message: str) -> None:
    assert message in " / ".join(faults(**keys))


def test_line_across_rows_can_depend_on_a_choice() -> None:
    assert faults(lines=["a b c when game holdem", "c d e when game holdem"]) == []


def test_two_row_does_not_fit_a_board_that_depends_on_a_choice() -> None:
    with pytest.raises(modifiers.ModifierFitError):
        modifiers.apply(PICKED, ["two-row"])


def test_pile_that_exists_only_with_other_options_is_reported() -> None:
    laid = ["4 down", "set front 3 back 1 when game stud", "set middle 3 back 1 when game holdem"]
    shares = ["front: high of 3 front", "back: high of 1 back"]
    messages = faults(deal=["choose game", *laid], board=[], hand=["any 3"], shares=shares)
    assert "under these options the deal makes no pile front" in " / ".join(messages)
