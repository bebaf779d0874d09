"""High Noon: all cards left in hand plus enough board cards to make five.

The rules are from its source.
"""

import pytest

from rules import settle
from tests.helpers.rules.tables import deal, refused, seat, wins

BOARD = "Kh Ks 9d"


@pytest.mark.parametrize(
    ("down", "name"),
    [
        ("Kc Kd", "four kings"),  # two hole cards play with three board cards
        ("Kc Kd 2s", "four kings"),  # three hole cards play with two
        ("Kc Kd 2s 7h", "three kings"),  # four hole cards play with one
        ("2c 2d 2s 7h 8h", "three twos"),  # five hole cards play without the board
        ("Ac Qd Jc 3h 2s", "ace high"),
    ],
)
def test_every_card_in_hand_plays(down: str, name: str) -> None:
    record = deal("high-noon", seat("ann", down), seat("bob", "4c 4d 5c 5d 6c"), board=BOARD)
    shown = settle(record)["hands"]["ann"]["high"]
    assert shown["name"] == name
    assert set(down.split()) <= set(shown["cards"])


@pytest.mark.parametrize("down", ["Kc", "Kc Kd 2s 7h 8h 9h"])
def test_two_to_five_cards_must_remain_in_the_hand(down: str) -> None:
    record = deal("high-noon", seat("ann", down), seat("bob", "4c 4d"), board=BOARD)
    refused(record, "players/0/down card-count")


@pytest.mark.parametrize("betting", ["standoff", "showdown", "shootout"])
def test_betting_order_does_not_change_the_result(betting: str) -> None:
    """docs/rulings.md, High Noon: the option `betting` changes only the bets."""
    record = deal(
        "high-noon",
        seat("ann", "Kc Kd"),
        seat("bob", "2c 2d 2s 7h 8h"),
        board=BOARD,
        options={"betting": betting},
    )
    wins(record, "ann 20, bob 0")


def test_discarded_cards_do_not_play() -> None:
    record = deal(
        "high-noon", seat("ann", "4c 5d", out=["Kc", "Kd", "7s"]), seat("bob", "9c 9s"), board=BOARD
    )
    wins(record, "ann 0, bob 20", findings=[])
