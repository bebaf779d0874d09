"""Whole settlements agree with PokerKit's, played and dealt as recorded."""

import warnings
from random import Random

import pytest

from bench import settle as bench
from rules import settle_many

WAYS = {
    ("texas-holdem", 2): (bench._holdem_by_states, bench._holdem_by_evaluators),
    ("omaha-8", 4): (bench._omaha_by_states, bench._omaha_by_evaluators),
}


@pytest.mark.parametrize(("game", "down"), WAYS)
def test_four_players_win_what_pokerkit_says(game: str, down: int) -> None:
    """High, low, quarters and ties of Texas Hold'em and Omaha-8, where both know the game."""
    chance = Random(5)
    records = [bench._four_players(game, down, chance) for _ in range(80)]
    won = [list(answer["won"].values()) for answer in settle_many(records, brief=True)]
    states, evaluators = WAYS[game, down]
    assert [evaluators(record) for record in records] == won
    with warnings.catch_warnings():
        # every card that is not on top of its deck is warned of
        warnings.filterwarnings("ignore", message="A card being dealt")
        assert [states(record) for record in records[:25]] == won[:25]
