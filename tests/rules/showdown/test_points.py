"""Red and Black: points with signs (its source and docs/rulings.md)."""

from typing import Any

import pytest

from rules import settle
from tests.helpers.rules.measuring import strength
from tests.helpers.rules.tables import deal, seat, wins


@pytest.mark.parametrize(
    ("cards", "points"),
    [
        ("Kh Qd 9h 2c As", 26),  # 10 + 10 + 9 - 2 - 1
        ("Kd 8h 7d 3h 4s", 24),
        ("Ah Ad 2h 3d Th", 17),
        ("As Ac 2s 3c Ts", -17),
        ("Jh Qh Kh Th Td", 50),
        ("Js Qs Ks Ts Tc", -50),
        ("5h 5s 7d 7c Ah", 1),
        ("5h 5s 7d 8c Ah", 0),
    ],
)
def test_red_counts_plus_black_minus_faces_10_aces_1(cards: str, points: int) -> None:
    record = deal(
        "red-and-black",
        seat("ann", cards),
        seat("bob", "2d 4d 6d 9s 3s"),
        options={"split": "high-low"},
    )
    shown = settle(record)["hands"]["ann"]
    assert shown["high"]["name"] == shown["low"]["name"] == f"{points} points"


HIGH, MIDDLE, LOW = "Kh Qd 9h 2c As", "5h 5s 7d 8c Ah", "Ks Qc 9s 8s Th"


def test_the_highest_wins_all() -> None:
    wins(deal("red-and-black", seat("ann", MIDDLE), seat("bob", HIGH), seat("cat", LOW)),
         "ann 0, bob 30, cat 0")  # fmt: skip


def test_the_lowest_may_halve_the_pot_with_the_highest() -> None:
    """Option `split` = `high-low`; the odd chip goes to the high."""
    record = deal(
        "red-and-black",
        seat("ann", MIDDLE),
        seat("bob", HIGH),
        seat("cat", LOW),
        options={"split": "high-low"},
        carried=1,
    )
    wins(record, "ann 0, bob 16, cat 15", findings=[])


def test_equal_points_split_whatever_the_cards() -> None:
    """docs/rulings.md 8."""
    record = deal("red-and-black", seat("ann", "2h 3h 4h 5h 6h"), seat("bob", "Kd Td 2s As 3d"))
    wins(record, "ann 10, bob 10")  # 2 + 3 + 4 + 5 + 6 and 10 + 10 - 2 - 1 + 3


# --- nearest, halves of a point -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "better", "number"),
    [
        ("6s Kd", "5s 2d", 7),  # six and a half, seven
        ("5s 3d", "4s 2d", 7),  # eight and six: of two as near the one below
        ("Ts Td Ah", "9s 8d Ac", 27),  # 31 and 28
        ("Ks Qd", "4s 3d", 7),
    ],
)
def test_the_nearest_total_wins_from_either_side_and_faces_may_count_a_half(
    cards: str, better: str, number: int
) -> None:
    words: dict[str, Any] = {"points": ["A 1 11", "J Q K half"]}
    share = f"nearest {number}"
    assert strength(share, better, **words) > strength(share, cards, **words)


def test_a_wild_joker_that_counts_what_no_other_card_does_stands_for_itself() -> None:
    game = {
        "name": "Fewest",
        "deal": ["3 down"],
        "hand": ["2 own"],
        "shares": ["least points"],
        "deck": "52 + 4 jokers",
        "wild": ["joker"],
    }
    answer = wins(deal(game, seat("ann", "*1 *2 Ks"), seat("bob", "2s 3s 4s")), "ann 20, bob 0")
    shown = answer["hands"]["ann"]["least points"]
    assert (shown["cards"], shown["plays_as"]) == (["*1", "*2"], {})
