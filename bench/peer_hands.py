"""Hands that PokerKit can play, with four players and equal stakes, and their winners."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, NamedTuple

from pokerkit import (
    Automation,
    FixedLimitOmahaHoldemHighLowSplitEightOrBetter,
    Hand,
    NoLimitTexasHoldem,
    OmahaEightOrBetterLowHand,
    OmahaHoldemHand,
    StandardHighHand,
    State,
)

from rules.cards import TEXTS

Record = dict[str, Any]
Chips = list[int]

NAMES = ("ann", "bob", "cat", "dan")
STAKE = 120  # divisible by two, three and four, so there are no odd chips


class Peer(NamedTuple):
    """A game that PokerKit can play, using its states and its evaluators."""

    game: str
    down: int
    states: Callable[[Record], Chips]
    evaluators: Callable[[Record], Chips]


def four_players(peer: Peer, chance: Random) -> Record:
    down = peer.down
    deck = chance.sample(TEXTS[:52], 4 * down + 5)
    players = [
        {"name": name, "paid": STAKE, "down": deck[down * seat : down * (seat + 1)]}
        for seat, name in enumerate(NAMES)
    ]
    return {"variant": peer.game, "button": 3, "players": players, "board": [deck[4 * down :]]}


# --- with states ---------------------------------------------------------------------------------

AUTOMATIONS = tuple(
    each for each in Automation if each not in {Automation.HOLE_DEALING, Automation.BOARD_DEALING}
)


def _played(state: State, record: Record) -> Chips:
    """Have all players call and check to the end. Return each player's net."""
    for player in record["players"]:
        state.deal_hole("".join(player["down"]))
    board = iter(record["board"][0])
    while state.status:
        while state.actor_index is not None:
            state.check_or_call()
        if state.status:
            state.deal_board("".join(next(board) for _ in range(state.board_dealing_count or 1)))
    return [STAKE + payoff for payoff in state.payoffs]


def _holdem_by_states(record: Record) -> Chips:
    state = NoLimitTexasHoldem.create_state(
        AUTOMATIONS, True, 0, (STAKE // 2, STAKE), STAKE, 10 * STAKE, 4
    )
    return _played(state, record)


def _omaha_by_states(record: Record) -> Chips:
    state = FixedLimitOmahaHoldemHighLowSplitEightOrBetter.create_state(
        AUTOMATIONS, True, 0, (STAKE // 2, STAKE), STAKE, 2 * STAKE, 10 * STAKE, 4
    )
    return _played(state, record)


# --- with evaluators only ------------------------------------------------------------------------


def _holdem_by_evaluators(record: Record) -> Chips:
    board = "".join(record["board"][0])
    hands = [StandardHighHand.from_game("".join(p["down"]), board) for p in record["players"]]
    return _split([hands])


def _omaha_by_evaluators(record: Record) -> Chips:
    board = "".join(record["board"][0])
    down = ["".join(player["down"]) for player in record["players"]]
    highs = [OmahaHoldemHand.from_game(cards, board) for cards in down]
    lows = [OmahaEightOrBetterLowHand.from_game_or_none(cards, board) for cards in down]
    return _split([highs, lows] if any(lows) else [highs])


def _split(shares: Sequence[Sequence[Hand | None]]) -> Chips:
    won = [0] * len(NAMES)
    for hands in shares:
        best = max(hand for hand in hands if hand is not None)
        winners = [seat for seat, hand in enumerate(hands) if hand == best]
        for seat in winners:
            won[seat] += STAKE * len(NAMES) // len(shares) // len(winners)
    return won


PEERS = (
    Peer("texas-holdem", 2, _holdem_by_states, _holdem_by_evaluators),
    Peer("omaha-8", 4, _omaha_by_states, _omaha_by_evaluators),
)
