"""Middlemost, High Noon, Red and Black, Put and Take, stud and draw: one test for each rule.

The rules are from the games' sources and docs/rulings.md.
"""

import pytest

from rules import settle
from rules.game.game import Limit
from tests.helpers.rules.table import called, played, shares, steps
from tests.helpers.rules.tables import deal, seat, wins

# --- five-card stud and draw (source: "Red and Black, Put and Take") ----------------------------


def test_stud_is_opened_by_the_highest_card_and_later_by_the_best_hand() -> None:
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
def test_stud_offers_two_spread_limits_and_pot_limit(
    limits: str, expected: tuple[Limit, ...]
) -> None:
    betting = played("five-card-stud", limits=limits).betting
    assert tuple(betting.limit(round_) for round_ in range(4)) == expected


def test_open_pair_in_stud_raises_the_limit_unless_an_option_ignores_it() -> None:
    assert played("five-card-stud").betting.open_pair
    assert not played("five-card-stud", open_pair="ignored").betting.open_pair


def test_bet_out_of_turn_in_stud_counts_after_two_actions() -> None:
    assert played("five-card-stud").betting.out_of_turn == 2


def test_stud_has_no_ante_unless_players_agree_on_one() -> None:
    assert "ante" not in steps("five-card-stud")
    assert steps("five-card-stud", ante="yes")[0] == "ante"


def test_stud_is_won_by_the_best_poker_hand() -> None:
    record = deal(
        "five-card-stud", seat("ann", "Jh", up="6h 4c 9d Ts"), seat("bob", "Jc", up="6d 6c 2h 8d")
    )
    assert shares(record) == {"high": {"bob"}}


def test_draw_has_a_betting_round_before_and_after_the_exchange() -> None:
    assert steps("five-card-draw") == ["ante", "5 down", "bet", "draw 0-5", "bet"]


# --- Red and Black ------------------------------------------------------------------------------


def test_red_and_black_is_dealt_like_five_card_draw() -> None:
    assert steps("red-and-black") == steps("five-card-draw")


def test_red_and_black_adds_red_cards_and_subtracts_black_ones() -> None:
    """Source: face cards count ten, aces one, and all others their number."""
    assert called("red-and-black", "Kh Ad 7h 2c As") == "15 points"
    assert called("red-and-black", "Ks Ac 7s 2d Ah") == "-15 points"


def test_red_and_black_pays_the_highest_total_or_also_the_lowest() -> None:
    record = deal("red-and-black", seat("ann", "Kh Qh 2c 3c 4c"), seat("bob", "Ks Qs 2d 3d 4d"))
    wins(record, "ann 20, bob 0")
    wins(record | {"options": {"split": "high-low"}}, "ann 10, bob 10")
    assert not played("red-and-black", split="high-low").declares


# --- Put and Take -------------------------------------------------------------------------------


def put_and_take(**options: str | int) -> dict[str, object]:
    """Return what Ann puts and takes with two kings: the first put and fourth take card."""
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
def test_put_and_take_has_three_methods_and_counts_a_pair_twice(
    method: str, put: int, take: int
) -> None:
    """Source: 1-2-3-4-5, 1-2-4-8-16, or by rank with kings as thirteen. Two cards count twice."""
    assert put_and_take(method=method) == {"put": put, "take": take}


def test_put_and_take_multiplies_amounts_by_the_unit() -> None:
    assert put_and_take(unit=5) == {"put": 10, "take": 40}


def test_put_and_take_dealer_is_the_bank_and_pays_missing_chips() -> None:
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


def test_middlemost_deals_three_down_and_three_up_with_two_exchanges() -> None:
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
        ("Ac 7d Jh", "Jc Ks 2d", "three aces"),  # sevens or jacks: wild jacks are better
        ("Ac Ad 7h", "Kc Ks 2d", "four kings"),  # both aces are wild
        ("Ac Ad 7h", "7s Kc 2d", "four aces"),  # or the sevens are wild
    ],
)
def test_middlemost_makes_the_middle_rank_wild_with_high_or_low_aces(
    down: str, up: str, name: str
) -> None:
    assert called("middlemost", down, up=up) == name


def test_best_low_in_middlemost_is_6_4_3_2_a() -> None:
    assert called("middlemost", "Ac 2d 3h", up="4c 6d Kh", way="low") == "6-4-3-2-A"


def test_middlemost_hand_can_use_different_wild_ranks_for_high_and_low() -> None:
    """Source: players choose the best wild rank for each way."""
    # high: sevens are wild, with two jacks; low: jacks are wild, with a seven
    assert called("middlemost", "Ac 7d Jh", up="7c Jc 2d", way="high") == "four jacks"
    assert called("middlemost", "Ac 7d Jh", up="7c Jc 2d", way="low") == "7-4-3-2-A"


def test_middlemost_player_going_both_ways_can_tie_but_not_be_beaten() -> None:
    assert played("middlemost").both_ways == "unbeaten"


# --- High Noon ----------------------------------------------------------------------------------


def test_high_noon_repeats_a_discard_a_burn_and_a_board_card_three_times() -> None:
    dealt = steps("high-noon")
    assert dealt[:3] == ["ante", "5 down", "bet"]
    assert dealt[3:] == [
        step for slot in "abc" for step in ("discard 0-1", "burn", f"board {slot}", "bet")
    ]


@pytest.mark.parametrize(
    ("betting", "limit"), [("shootout", "table"), ("standoff", "none"), ("showdown", "mid")]
)
def test_high_noon_has_three_betting_limits(betting: str, limit: str) -> None:
    assert played("high-noon", betting=betting).betting.limits == (Limit(limit),)


@pytest.mark.parametrize("in_hand", range(2, 6))
def test_high_noon_completes_the_hand_to_five_cards_from_the_board(in_hand: int) -> None:
    cards = "Ah Kh Qh Jh Th".split()
    down, board = cards[:in_hand], [*cards[in_hand:], "2c", "2d", "2s"][:3]
    record = deal(
        "high-noon",
        seat("ann", " ".join(down)),
        seat("bob", "3c 4d 6s 7c 8d"),
        board=" ".join(board),
    )
    assert settle(record)["hands"]["ann"]["high"]["name"] == "royal flush"


def test_high_noon_requires_playing_every_hole_card() -> None:
    record = deal(
        "high-noon", seat("ann", "Ah Kh Qh 2c"), seat("bob", "3c 4d 6s 7c 8d"), board="Jh Th 9c"
    )
    assert settle(record)["hands"]["ann"]["high"]["name"] == "ace high"
