"""Random deals are fair: no card is dealt twice, and each is equally likely in every place."""

import numpy as np
import pytest

from rules.api import game_of
from rules.settlement.odds import deal_rows

DEALS = 20_000


@pytest.mark.parametrize(("slug", "players"), [("texas-holdem", 5), ("seven-card-stud", 7)])
def test_random_deal_never_repeats_a_card(slug: str, players: int) -> None:
    game = game_of({"variant": slug}).game
    assert game
    board = sum(map(len, game.common_rows))
    for rows in deal_rows(game, players, 1_000, seed=7):
        for deal in rows.reshape(-1, players, rows.shape[1]).tolist():
            own = [card for row in deal for card in row[: len(row) - board]]
            common = deal[0][len(deal[0]) - board :]
            assert all(row[len(row) - board :] == common for row in deal)
            assert len({*own, *common}) == len(own) + board
            assert {*own, *common} <= game.deck


def test_every_card_is_equally_likely_in_every_position() -> None:
    game = game_of({"variant": "texas-holdem"}).game
    assert game
    dealt = np.concatenate([rows[::2] for rows in deal_rows(game, 2, DEALS, seed=11)])
    expected = DEALS / 52
    for place in range(dealt.shape[1]):
        counts = np.bincount(dealt[:, place], minlength=52)
        # 51 degrees of freedom: one in about 20,000 fair decks exceeds 100, but the seed is fixed
        assert ((counts - expected) ** 2 / expected).sum() < 100


def test_same_seed_deals_the_same_cards() -> None:
    game = game_of({"variant": "texas-holdem"}).game
    assert game
    first, again, other = (np.concatenate([*deal_rows(game, 3, 5_000, seed)]) for seed in (3, 3, 4))
    assert (first == again).all()
    assert (first != other).any()
