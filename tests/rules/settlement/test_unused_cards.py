"""Shares for the cards that another share leaves unused (docs/games.md, docs/rulings.md 16)."""

from typing import Any

import pytest

from rules.api import settle
from rules.documents import documents

Document = dict[str, Any]


def game(**words: Any) -> Document:
    """Return a game with five hole cards.

    Two play with three from the board, and the other three are a separate hand.
    """
    document = {
        "name": "Leftovers",
        "players": [2, 4],
        "deal": ["5 down", "board a b c d e", "bet"],
        "board": ["a b c d e"],
        "hand": ["2 down + 3 board"],
        "shares": ["omaha: high", "rest: high of 3 unused"],
    }
    return document | words


def settled(document: Document, board: str, *hands: str) -> Document:
    players = [
        {"name": name, "paid": 10, "down": hand.split()}
        for name, hand in zip(("Ann", "Bob", "Cat"), hands, strict=False)
    ]
    record = {"variant": document, "button": 0, "players": players}
    return settle(record | ({"board": [board.split()]} if board else {}))


def test_cards_that_the_best_hand_does_not_use_make_a_second_hand() -> None:
    """Abby99's mixed game cards: the unused cards are a separate hand."""
    answer = settled(game(), "Kh Qh 7h 3s 2c", "Ah Th 9s 9d 4c", "Ks Kd Jc Jd Js")
    assert answer["won"] == {"Ann": 10, "Bob": 10}
    assert answer["story"] == [
        "Ann wins the omaha (10) with an ace-high flush, ahead of Bob's three kings.",
        "Bob wins the rest (10) with three jacks, ahead of Ann's pair of nines.",
    ]


def test_player_cannot_weaken_the_first_hand_to_keep_better_cards() -> None:
    """Ann's two kings make trips and leave A-Q. She may not play A-K to keep the kings."""
    shares = ["omaha: high", "rest: high of 2 unused"]
    document = game(deal=["4 down", "board a b c d e", "bet"], shares=shares)
    answer = settled(document, "Ac Kc 8s 5d 2h", "Ad Kd Kh Qs", "As Ks 3d 3c")
    winners = [share["winners"] for share in answer["pots"][0]["shares"]]
    assert winners == [{"Ann": 10}, {"Bob": 10}]


def test_equally_strong_hand_that_leaves_the_best_cards_is_played() -> None:
    """Either ten completes the straight. Keeping the right one leaves a three-card flush."""
    document = game(straights="three cards", shares=["omaha: high", "rest: high of 3 unused"])
    answer = settled(document, "Jc Qd Ks 2h 2d", "As Tc Th 7h 3h", "Ah Td Ts 7s 4c")
    assert answer["won"]["Ann"] == 10 + 10 // 2


def test_hand_that_does_not_qualify_leaves_the_same_cards_unused() -> None:
    document = game(shares=["omaha: high quads-or-better", "rest: high of 3 unused"])
    answer = settled(document, "Kh Qh 7h 3s 2c", "Ah Th 9s 9d 4c", "Ks Kd Jc Jd Js")
    assert answer["won"] == {"Ann": 0, "Bob": 20}


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ({"shares": ["rest: high of 3 unused"]}, "must have one measure"),
        ({"shares": ["omaha: high else best", "rest: high of 3 unused"]}, "must have one measure"),
        (
            {"shares": ["high", "rest: high of 3 unused", "last: high of 2 unused"]},
            "must have one measure",
        ),
        ({"shares": ["badugi of 5 down", "rest: high of 1 unused"]}, "cards of a badugi"),
        ({"hand": ["2 unused + 3 board"]}, "only a share can be measured on unused cards"),
        ({"wild": ["rank of lowest unused"]}, "only a share can be measured on unused cards"),
        ({"wild": ["2 for omaha"]}, "wild for one share"),
        ({"wild": ["rank of middle down"]}, "a middle rank"),
        ({"shares": ["omaha: high", "rest: high of 4 unused"]}, "no hand of '4 unused'"),
        ({"shares": ["high", "rest: high beating 3 unused of 3 down"]}, ""),
    ],
)  # fmt: skip
def test_share_for_unused_cards_is_refused_if_no_cards_remain(words: Document, reason: str) -> None:
    problems = documents.check(game(**words))
    assert problems
    assert any(reason in problem.text for problem in problems), problems
