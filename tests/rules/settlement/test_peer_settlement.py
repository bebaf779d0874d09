"""Complete settlements agree with PokerKit's, played and dealt as recorded."""

import warnings
from random import Random

import pytest

from bench.peer_hands import PEERS, Peer, four_players
from rules import settle_many


@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: peer.game)
def test_four_players_win_like_in_pokerkit(peer: Peer) -> None:
    """High, low, quarters and ties of Texas Hold'em and Omaha-8, which both support."""
    chance = Random(5)
    records = [four_players(peer, chance) for _ in range(80)]
    won = [list(answer["won"].values()) for answer in settle_many(records, brief=True)]
    assert [peer.evaluators(record) for record in records] == won
    with warnings.catch_warnings():
        # PokerKit warns of every card that is not on top of its deck
        warnings.filterwarnings("ignore", message="A card being dealt")
        assert [peer.states(record) for record in records[:25]] == won[:25]
