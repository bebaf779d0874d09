"""Hands run two to four times pay as in PokerKit, whose cash games can run a board several times.

PokerKit gives all odd chips to the first run and to the first of tied players, and burns a low that
only a player outside a side pot has. So stacks that leave odd chips are compared for two runs
without ties, and Omaha with equal stacks.
"""

import warnings
from itertools import islice
from random import Random
from typing import Any

import pytest
from pokerkit import (
    Automation,
    FixedLimitOmahaHoldemHighLowSplitEightOrBetter,
    Mode,
    NoLimitTexasHoldem,
    State,
)

from rules import settle_many
from rules.cards import TEXTS

AUTOMATIONS = tuple(
    each
    for each in Automation
    if each
    not in {
        Automation.HOLE_DEALING,
        Automation.BOARD_DEALING,
        Automation.RUNOUT_COUNT_SELECTION,
        Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    }
)
# divisible by up to four runs, by high and low, and by up to five tied players
WHOLE = 4 * 3 * 2 * 60
DOWN = {"texas-holdem": 2, "omaha-8": 4}
HANDS = {"texas-holdem": 20, "omaha-8": 4}

Record = dict[str, Any]


def table(game: str, stacks: list[int]) -> State:
    """Return a table on which every player can go all in at once."""
    count = len(stacks)
    if game == "texas-holdem":
        return NoLimitTexasHoldem.create_state(
            *(AUTOMATIONS, True, 0, (1, 2), 2, stacks, count), mode=Mode.CASH_GAME
        )
    # in a fixed-limit game, all players are all in after the big blind
    most = max(stacks)
    return FixedLimitOmahaHoldemHighLowSplitEightOrBetter.create_state(
        *(AUTOMATIONS, True, 0, (most, most), most, 2 * most, stacks, count), mode=Mode.CASH_GAME
    )


def dealt(chance: Random, game: str, *, odd: bool) -> tuple[Record, list[int]]:
    """Return a random hand as a record with runs, and the chips that PokerKit pays."""
    count, runs = chance.randint(2, 5), 2 if odd else chance.randint(2, 4)
    stacks = [chance.randint(3, 60) * (1 if odd else WHOLE) for _ in range(count)]
    if game == "omaha-8":
        stacks = stacks[:1] * count
    deck = chance.sample(TEXTS[:52], 52)
    hands = [[deck.pop() for _ in range(DOWN[game])] for _ in range(count)]
    board = [deck.pop() for _ in range(chance.choice([0, 3, 4]) if game == "texas-holdem" else 0)]
    dealt_runs = [[deck.pop() for _ in range(5 - len(board))] for _ in range(runs)]
    players = [
        {"name": f"p{at}", "paid": stack, "down": hand, "all_in": True}
        for at, (stack, hand) in enumerate(zip(stacks, hands, strict=True))
    ]
    record = {"variant": game, "button": count - 1, "players": players, "board": [board]}
    record["runs"] = [{"board": [cards]} for cards in dealt_runs]
    state = table(game, stacks)
    for hand in hands:
        state.deal_hole("".join(hand))
    played(state, board, dealt_runs)
    return record, list(state.stacks)


def played(state: State, board: list[str], runs: list[list[str]]) -> None:
    """Check until the board is dealt, go all in, and deal the runs."""
    for cards in filter(None, (board[:3], board[3:])):
        while state.actor_index is not None:
            state.check_or_call()
        state.deal_board("".join(cards))
    while state.actor_index is not None:
        if state.can_complete_bet_or_raise_to():
            state.complete_bet_or_raise_to(state.max_completion_betting_or_raising_to_amount)
        else:
            state.check_or_call()
    while state.can_select_runout_count():
        state.select_runout_count(len(runs))
    while state.can_show_or_muck_hole_cards():
        state.show_or_muck_hole_cards(True)
    for cards in runs:
        left = iter(cards)
        while some := "".join(islice(left, state.board_dealing_count or 1)):
            state.deal_board(some)


@pytest.mark.parametrize("odd", [False, True], ids=["whole", "odd"])
@pytest.mark.parametrize("game", DOWN)
@pytest.mark.parametrize("times", [1, pytest.param(10, marks=pytest.mark.scheduled)])
def test_runs_pay_the_same_chips_as_in_pokerkit(game: str, odd: bool, times: int) -> None:
    chance = Random(f"{game} {odd}")
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="A card being dealt")
        hands = [dealt(chance, game, odd=odd) for _ in range(HANDS[game] * times)]
    answers = settle_many([record for record, _ in hands])
    compared = 0
    for (record, stacks), answer in zip(hands, answers, strict=True):
        assert "errors" not in answer, answer
        if odd and any(reason["code"] == "ties" for reason in answer["reasons"]):
            continue
        ends = [answer["won"][name] + answer["returned"][name] for name in answer["won"]]
        assert ends == stacks, record
        compared += 1
    assert compared > len(hands) / 3
