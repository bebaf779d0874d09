"""Middlemost, High Noon, Red and Black, Put and Take, stud and draw: one test per rule of their
sources and of the rulings.
"""

import pytest

from rules import settle
from rules.game.game import Limit
from tests.helpers.rules.table import called, played, shares, steps
from tests.helpers.rules.tables import deal, seat, wins

# --- five-card stud and draw (source: "Red and Black, Put and Take") ----------------------------


def test_stud_the_highest_card_showing_must_open_and_then_the_best_hand_may() -> None:
    opens = [
        (step.word, step.must) for step in played("five-card-stud").steps if step.verb == "bet"
    ]
    assert opens == [("high", True), ("best", False), ("best", False), ("best", False)]


def test_stud_deals_one_down_and_four_up() -> None:
    game = played("five-card-stud")
    assert (game.down.least, game.up.least, game.players) == (1, 4, (2, 10))


def spread(least: int, most: int) -> Limit:
    return Limit("spread", least, most)


@pytest.mark.parametrize(
    ("limits", "expected"),
    [
        ("last-higher", (spread(1, 2), spread(1, 2), spread(1, 2), spread(1, 5))),
        ("rising", (spread(1, 1), spread(1, 2), spread(1, 3), spread(1, 4))),
        ("pot-limit", (Limit("pot-limit"),) * 4),
    ],
)
def test_stud_has_two_schemes_of_limits_and_the_pot_limit(
    limits: str, expected: tuple[Limit, ...]
) -> None:
    betting = played("five-card-stud", limits=limits).betting
    assert tuple(betting.limit(round_) for round_ in range(4)) == expected


def test_stud_an_open_pair_brings_the_last_limit_unless_the_table_ignores_it() -> None:
    assert played("five-card-stud").betting.open_pair
    assert not played("five-card-stud", open_pair="ignored").betting.open_pair


def test_stud_two_actions_out_of_turn_stand_and_one_is_corrected() -> None:
    assert played("five-card-stud").betting.out_of_turn == 2


def test_stud_has_no_ante_unless_the_players_agree_on_one() -> None:
    assert "ante" not in steps("five-card-stud")
    assert steps("five-card-stud", ante="yes")[0] == "ante"


def test_stud_the_best_poker_hand_wins() -> None:
    record = deal(
        "five-card-stud", seat("ann", "Jh", up="6h 4c 9d Ts"), seat("bob", "Jc", up="6d 6c 2h 8d")
    )
    assert shares(record) == {"high": {"bob"}}


def test_draw_is_dealt_bet_drawn_and_bet() -> None:
    assert steps("five-card-draw") == ["ante", "5 down", "bet", "draw 0-5", "bet"]


# --- Red and Black ------------------------------------------------------------------------------


def test_red_and_black_is_dealt_like_draw() -> None:
    assert steps("red-and-black") == steps("five-card-draw")


def test_red_and_black_red_counts_for_and_black_against() -> None:
    """Source: faces ten, aces one, the others their number."""
    assert called("red-and-black", "Kh Ad 7h 2c As") == "15 points"
    assert called("red-and-black", "Ks Ac 7s 2d Ah") == "-15 points"


def test_red_and_black_the_highest_wins_or_shares_with_the_lowest() -> None:
    record = deal("red-and-black", seat("ann", "Kh Qh 2c 3c 4c"), seat("bob", "Ks Qs 2d 3d 4d"))
    wins(record, "ann 20, bob 0")
    wins(record | {"options": {"split": "high-low"}}, "ann 10, bob 10")
    assert not played("red-and-black", split="high-low").declares


# --- Put and Take -------------------------------------------------------------------------------


def put_and_take(**options: str | int) -> dict[str, object]:
    """Ann holds two kings: first put card, fourth take card."""
    record = deal(
        "put-and-take",
        seat("dot", paid=0),
        seat("ann", up="Kh Kc 4d 8s Ts"),
        board="Ks 7d 2h 9c Jd | 3s Qh 7c Kd 5d",
    )
    return dict(settle(record | {"options": options})["hands"]["ann"])


@pytest.mark.parametrize(
    ("method", "put", "take"), [("count", 2, 8), ("double", 2, 16), ("rank", 26, 26)]
)
def test_put_and_take_has_three_methods_and_pairs_pay_twice(
    method: str, put: int, take: int
) -> None:
    """Source: 1-2-3-4-5, 1-2-4-8-16, or by rank with kings thirteen; two cards pay twice."""
    assert put_and_take(method=method) == {"put": put, "take": take}


def test_put_and_take_the_unit_is_the_chips_of_one_step() -> None:
    assert put_and_take(unit=5) == {"put": 10, "take": 40}


def test_put_and_take_the_dealer_is_the_bank_and_pays_what_is_missing() -> None:
    game = played("put-and-take")
    assert game.bank
    assert called_bank() == {"dot": -6, "ann": 6}


def called_bank() -> dict[str, int]:
    record = deal(
        "put-and-take",
        seat("dot", paid=0),
        seat("ann", up="Kh Kc 4d 8s Ts", paid=2),
        board="Ks 7d 2h 9c Jd | 3s Qh 7c Kd 5d",
    )
    return dict(settle(record)["net"])


# --- Middlemost ---------------------------------------------------------------------------------


def test_middlemost_three_down_three_up_two_exchanges_and_a_declaration() -> None:
    assert steps("middlemost") == [
        *["3 down", "bet", *["1 up", "bet"] * 3],
        *["draw 0-1 any", "bet", "draw 0-1 any", "bet", "declare"],
    ]
    assert "declare" not in steps("middlemost", split="high")


@pytest.mark.parametrize(
    ("down", "up", "name"),
    [
        ("7c 9d Jh", "9s Kc Ks", "four kings"),  # nines are wild
        ("7c 7d Jh", "Kc Ks 2d", "four kings"),  # sevens are wild
        ("Ac 7d Jh", "Jc Ks 2d", "three aces"),  # sevens or jacks: both jacks are the better
        ("Ac Ad 7h", "Kc Ks 2d", "four kings"),  # both aces wild
        ("Ac Ad 7h", "7s Kc 2d", "four aces"),  # or the sevens
    ],
)
def test_middlemost_the_middle_rank_is_wild_and_an_ace_stands_at_either_end(
    down: str, up: str, name: str
) -> None:
    assert called("middlemost", down, up=up) == name


def test_middlemost_the_best_low_is_6_4_3_2_a() -> None:
    assert called("middlemost", "Ac 2d 3h", up="4c 6d Kh", way="low") == "6-4-3-2-A"


def test_middlemost_may_name_another_wild_rank_each_way() -> None:
    """Source: the best selection for each."""
    # sevens wild and two jacks for the high, jacks wild and a seven for the low
    assert called("middlemost", "Ac 7d Jh", up="7c Jc 2d", way="high") == "four jacks"
    assert called("middlemost", "Ac 7d Jh", up="7c Jc 2d", way="low") == "7-4-3-2-A"


def test_middlemost_both_ways_loses_when_beaten_and_not_when_tied() -> None:
    assert played("middlemost").both_ways == "unbeaten"


# --- High Noon ----------------------------------------------------------------------------------


def test_high_noon_three_times_a_discard_a_burn_and_a_card() -> None:
    dealt = steps("high-noon")
    assert dealt[:3] == ["ante", "5 down", "bet"]
    assert dealt[3:] == [
        step for slot in "abc" for step in ("discard 0-1", "burn", f"board {slot}", "bet")
    ]


@pytest.mark.parametrize(
    ("betting", "limit"), [("shootout", "table"), ("standoff", "none"), ("showdown", "mid")]
)
def test_high_noon_is_bet_in_three_ways(betting: str, limit: str) -> None:
    assert played("high-noon", betting=betting).betting.limits == (Limit(limit),)


@pytest.mark.parametrize("kept", range(2, 6))
def test_high_noon_plays_all_in_hand_and_as_many_common_as_make_five(kept: int) -> None:
    cards = "Ah Kh Qh Jh Th".split()
    down, board = cards[:kept], [*cards[kept:], "2c", "2d", "2s"][:3]
    record = deal(
        "high-noon",
        seat("ann", " ".join(down)),
        seat("bob", "3c 4d 6s 7c 8d"),
        board=" ".join(board),
    )
    assert settle(record)["hands"]["ann"]["high"]["name"] == "royal flush"


def test_high_noon_no_card_in_hand_is_left_out() -> None:
    record = deal(
        "high-noon", seat("ann", "Ah Kh Qh 2c"), seat("bob", "3c 4d 6s 7c 8d"), board="Jh Th 9c"
    )
    assert settle(record)["hands"]["ann"]["high"]["name"] == "ace high"
