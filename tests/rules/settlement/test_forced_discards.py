"""Cards that must be discarded because the board shows their rank, and empty hands.

Scarney follows cardnight.wordpress.com (26 August 2014): players must discard cards of each rank
turned up in the discard row, and the low is the total of the remaining cards.
"""

import json
from typing import Any

import pytest

from rules.documents import documents
from rules.history import replay_record
from rules.presentation.rules_page import rules_page
from tests.helpers.rules.tables import Record, deal, finds, refused, seat, wins

SCARNEY: Record = {
    "name": "Scarney",
    "players": [2, 7],
    "deal": ["5 down", "bet", "board a x", "discard matching x", "bet", "board b c d e y",
             "discard matching y", "bet"],
    "board": ["a b c d e", "x y"],
    "points": ["A 1", "J Q K 10"],
    "shares": ["high: high of 5 own or row 1", "low: least points of all own"],
}  # fmt: skip
BOARD = "Ah Kh 9c 8d 5s | Qs 7h"


def test_hand_without_cards_has_the_fewest_points() -> None:
    players = (seat("ann"), seat("bob", "2c As"), seat("cat", "Kc Kd 3s"))
    answer = wins(deal(SCARNEY, *players, board=BOARD), "ann 15, bob 0, cat 15")
    assert answer["hands"]["ann"]["low"] == {"cards": [], "plays_as": {}, "name": "0 points"}


def test_two_hands_without_cards_split_the_low() -> None:
    players = (seat("ann", ""), seat("bob", ""), seat("cat", "Kc Kd 3s"))
    wins(deal(SCARNEY, *players, board=BOARD), "ann 7, bob 8, cat 15")


def test_hand_with_too_few_cards_loses_to_any_complete_hand() -> None:
    game = SCARNEY | {"shares": ["high: high of 2 own + 3 row 1"]}
    wins(deal(game, seat("ann", "As"), seat("bob", "3c 4d"), board=BOARD), "ann 0, bob 20")
    none = SCARNEY | {"shares": ["low: badugi of 4 own", "low card: lowest of all own"]}
    wins(deal(none, seat("ann"), seat("bob", "3c 4d 6s 9h"), board=BOARD), "ann 0, bob 20")


def test_player_may_discard_every_card() -> None:
    game = {"name": "Throw", "deal": ["3 down", "discard 0-3"], "hand": ["all down"]}
    low, high = (game | {"shares": [share]} for share in ("least points", "high"))
    wins(deal(low, seat("ann"), seat("bob", "2c 3d")), "ann 20, bob 0")
    wins(deal(high, seat("ann"), seat("bob", "2c 3d")), "ann 0, bob 20")


def test_hand_with_more_cards_than_dealt_is_refused() -> None:
    refused(
        deal(SCARNEY, seat("ann", "2c 3c 4c 6c Jc 8c"), seat("bob", "2d"), board=BOARD),
        "players/0/down card-count",
    )


def test_forced_discard_still_held_is_reported() -> None:
    players = (seat("ann", "7c 2c"), seat("bob", "Qd 3d"))
    finds(deal(SCARNEY, *players, board=BOARD), "not-thrown ann", "not-thrown bob")
    drawn = SCARNEY | {"deal": [*SCARNEY["deal"], "1 down"]}
    finds(deal(drawn, *players, board=BOARD))  # the card may have been dealt after the discard


@pytest.mark.parametrize(
    ("step", "message"),
    [
        ("discard matching", "the text ends too soon"),
        ("discard matching down", "'down' is not valid here"),
        ("discard matching row 3", "there is no row 3"),
        ("discard matching q", "'q' is not valid here"),
    ],
)
def test_forced_discard_must_refer_to_board_ranks(step: str, message: str) -> None:
    problems = documents.check(SCARNEY | {"deal": [*SCARNEY["deal"], step]})
    assert [problem.text for problem in problems] == [message]


def test_rules_page_describes_forced_discards() -> None:
    steps = [line for s in rules_page(SCARNEY)["sections"] for line in s["lines"]]
    sentence = "All cards of the rank of a card of x must be discarded, without replacement"
    assert any(sentence in line for line in steps)


def played(*actions: str) -> dict[str, Any]:
    record = {
        "variant": SCARNEY,
        "button": 1,
        "players": [{"name": "ann"}, {"name": "bob"}],
        "stacks": [50, 50],
        "actions": ["d dh p1 Qc2c3c4c7c", "d dh p2 QdAsJs8s6s", "p1 cbr 5", "p2 cc", "d db AhQs",
                    *actions, "p1 cc", "p2 cc"],
    }  # fmt: skip
    return replay_record(record, strict=True)


def test_history_requires_a_discard_only_from_players_with_such_cards() -> None:
    last = ("d db Kh9c8d5s7h", "p1 sd 7c")
    answer = played("p1 sd Qc", "p2 sd Qd", "p1 cc", "p2 cc", *last)
    assert (answer["errors"], answer["won"]) == ([], [5, 5])


def test_history_names_the_card_to_discard() -> None:
    last = ("p2 sd Qd", "p1 cc", "p2 cc", "d db Kh9c8d5s7h", "p1 sd 7c")
    for kept in ("p1 sd 2c", "p1 sd", "p1 sd Qc2c"):
        errors = json.dumps(played(kept, *last)["errors"])
        assert "wrong-count" in errors
        assert "ann must discard Qc" in errors
