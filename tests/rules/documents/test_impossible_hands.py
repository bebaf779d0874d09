"""A hand pattern that the dealt cards cannot fill is rejected (docs/games.md, "A hand")."""

import pytest

from rules.documents import documents

Hand = tuple[list[str], list[str], list[str]]  # the deal, the board and the patterns


@pytest.mark.parametrize(
    ("deal", "board", "hand", "good"),
    [
        # `all down` leaves nothing for `rest down`
        (["3 down"], [], ["rest down + all down"], False),
        (["5 down"], [], ["rest down + all down"], True),
        (["4 down"], [], ["all down + 1 down"], False),
        (["3 down 1 up"], [], ["all down + 2 own"], False),
        (["3 down 2 up"], [], ["all down + 2 own"], True),
        (["2 down 2 up"], [], ["2 own + 2 down + 1 up"], False),
        (["2 down 3 up"], [], ["2 own + 2 down + 1 up"], True),
        (["2 down", "board a b c"], ["a b c"], ["2 down + 2 row 1 + 2 a b"], False),
        (["2 down", "board a b c"], ["a b c"], ["2 down + 1 row 1 + 2 a b"], True),
        (["3 down"], [], ["7 down"], False),
        (["3 down"], [], ["2 own + 2 own"], False),
    ],
)
def test_hand_that_requires_a_card_twice_is_refused(
    deal: list[str], board: list[str], hand: list[str], good: bool
) -> None:
    document = {"name": "X", "players": [2, 6], "deal": [*deal, "bet"], "hand": hand}
    document |= {"shares": ["closest 30"]} | ({"board": board} if board else {})
    problems = [problem.text for problem in documents.check(document)]
    assert problems == ([] if good else [f"the game deals no hand of {hand[0]!r}"])


def test_impossible_hand_on_the_table_is_refused() -> None:
    document = {"name": "X", "players": [2, 6], "deal": ["5 down", "board a b c", "bet"]}
    document |= {"board": ["a b c"], "hand": ["5 down"]}
    for beating, good in (("3 board", True), ("5 board", False)):
        problems = documents.check(document | {"shares": [f"high beating {beating}"]})
        assert (not problems) == good
