"""An all-in's expected result equals the mean over all possible deals.

The engine compares only rankings where strengths decide, and fills equivalent slots together
(docs/decisions/0056-stories.md). This test puts every remaining card into every slot in every
order, and settles each board.
"""

from collections.abc import Mapping
from fractions import Fraction
from itertools import permutations
from math import floor, perm
from random import Random
from typing import Any

import pytest

from rules import settle_many
from rules.api import all_in, final_record
from rules.cards import format_cards
from rules.documents import catalog
from rules.history import Table, act, begin
from tests.helpers.laws.histories import TOLD_BY_ACTIONS, history

MOST_DEALS = 2_000
GAMES = [slug for slug in TOLD_BY_ACTIONS if "board" in catalog.document(slug)]
HANDS = 12  # number of random hands tried per game to find one with an all-in


def at_last_bet(record: Mapping[str, Any]) -> tuple[Table, dict[str, int]]:
    """Return the final table, and the board at the last bet, call or fold."""
    table, problems = begin(record)
    assert table is not None, problems
    board: dict[str, int] = {}
    for action in record["actions"]:
        act(table, action)
        if not action.startswith("d ") and action.split()[1] in {"f", "cc", "cbr"}:
            board = dict(table.board)
    return table, board


def deals(record: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the final record with every possible board, or an empty list if there are too many."""
    table, board_then = at_last_bet(record)
    held = {*board_then.values(), *(card for card, _ in table.shared)}
    for seat in table.seats:
        held.update(seat.down, seat.up, seat.out, *seat.piles.values())
    left = sorted(table.game.deck - held)
    missing = [slot for slot in table.board if slot not in board_then]
    if any(slot not in table.board for row in table.game.board for slot in row):
        return []
    if perm(len(left), len(missing)) > MOST_DEALS:
        return []
    end, problems = final_record(record)
    assert end is not None, problems
    records = []
    for cards in permutations(left, len(missing)):
        board = board_then | dict(zip(missing, cards, strict=True))
        rows = [format_cards(board[slot] for slot in row) for row in table.game.board]
        records.append({key: end[key] for key in end if key != "took"} | {"board": rows})
    return records


def means(records: list[dict[str, Any]]) -> dict[str, int]:
    answers = settle_many(records, brief=True)
    sums = {name: sum(each["won"][name] for each in answers) for name in answers[0]["won"]}
    return {
        name: floor(Fraction(1000 * won, len(records)) + Fraction(1, 2))
        for name, won in sums.items()
    }


@pytest.mark.parametrize(
    "part", [0, *(pytest.param(part, marks=pytest.mark.scheduled) for part in (1, 2, 3))]
)
def test_expected_result_matches_the_mean_of_all_deals(part: int) -> None:
    """Uses the first all-in hand of each catalog game that has a board."""
    reckoned = []
    for slug in GAMES[part::4]:
        for seed in range(HANDS):
            hand = history(Random(f"{slug} {seed}"), slug)
            endings = deals(hand)  # tried first, because few hands have an all-in so late
            result = all_in(hand) if endings else None
            if result is None or result.expected is None:
                continue
            assert result.expected == means(endings), (slug, seed)
            reckoned.append(slug)
            break
    assert len(reckoned) > 10
