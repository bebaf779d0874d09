"""Complete settlements agree with PokerKit's, both evaluated and dealt in PokerKit."""

import warnings
from random import Random

import pytest

from bench.peer_hands import PEERS, Peer, four_players
from rules import settle_many


@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: peer.game)
def test_four_players_win_the_same_chips_as_in_pokerkit(peer: Peer) -> None:
    """Includes high, low, quarters and ties in Texas Hold'em and Omaha-8.

    PokerKit supports both games.
    """
    chance = Random(5)
    records = [four_players(peer, chance) for _ in range(80)]
    won = [list(answer["won"].values()) for answer in settle_many(records, brief=True)]
    assert [peer.evaluators(record) for record in records] == won
    with warnings.catch_warnings():
        # PokerKit warns about every dealt card that is not from the top of its deck
        warnings.filterwarnings("ignore", message="A card being dealt")
        assert [peer.states(record) for record in records[:25]] == won[:25]
