"""Home games. Each test checks what is special about one game.

The rules are the ones in common use. If house rules differ, the test follows the document.
"""

from typing import Any

import pytest

from rules import settle
from tests.helpers.rules.table import called, played, shares, steps
from tests.helpers.rules.tables import deal, finds, refused, seat, wins

# --- stud with wild cards -----------------------------------------------------------------------


def test_follow_the_queen_makes_queens_and_the_next_rank_wild() -> None:
    hand: dict[str, Any] = {"up": "Kc 7d 5h 2s", "board": ""}
    assert called("follow-the-queen", "Kd Qs 7h", **hand, follower="7") == "five kings"
    assert called("follow-the-queen", "Kd Qs 7h", **hand, follower="none") == (
        "full house, kings over sevens"
    )


def test_follow_the_queen_requires_the_rank_after_the_queen() -> None:
    record = deal(
        "follow-the-queen",
        seat("ann", "Kd Qs 7h", up="Kc 7d 5h 2s"),
        seat("bob", "Ad Ts 6h", up="Jc 7s 4h 3s"),
    )
    refused(record, "options/follower missing")


def test_baseball_has_wild_threes_and_nines_and_deals_a_card_for_each_up_four() -> None:
    ann = seat("ann", "Kd 3s 7h 2c", up="Kc 9d 4h 2s")
    bob = seat("bob", "Ad Ts 6h", up="Jc 7s 5h 8s")
    assert settle(deal("baseball", ann, bob))["hands"]["ann"]["high"]["name"] == "four kings"
    short = seat("ann", "Kd 3s 7h", up="Kc 9d 4h 2s")
    refused(deal("baseball", short, bob), "players/0/down card-count")


def test_night_baseball_starts_without_a_card_to_beat() -> None:
    ann = seat("ann", " ".join(["??"] * 6), up="Kd")
    bob = seat("bob", " ".join(["??"] * 4), up="2c 9d Ks")
    record = deal("night-baseball", ann, bob)
    assert shares(record) == {"high": {"bob"}}
    assert played("night-baseball").board == ()


def test_low_hole_wild_makes_each_players_lowest_hole_card_wild() -> None:
    assert called("low-hole-wild", "5c 9d Kh", up="5d Ks Kc 2h") == "five kings"
    assert called("low-hole-wild", "9d Kh Jc", up="5d Ks Kc 2h") == "four kings"


def test_kings_and_little_ones_makes_kings_and_the_lowest_hole_card_wild() -> None:
    assert called("kings-and-little-ones", "5c Qd Kh", up="5d Qs Qc 2h") == "five queens"


def test_dr_pepper_makes_tens_fours_and_twos_wild() -> None:
    assert called("dr-pepper", "Tc 4d Qh", up="2d Qs 7c 8h") == "five queens"


def test_chicago_gives_half_the_pot_to_the_high_spade_in_the_hole() -> None:
    record = deal(
        "chicago",
        seat("ann", "Ks 2d 3d", up="As 6c 9h Th"),
        seat("bob", "Qs 2h 3h", up="Qd Qc Kd 7c"),
    )
    assert shares(record) == {"high": {"bob"}, "spade": {"ann"}}


# --- passing, crosses, common cards -------------------------------------------------------------


def test_anaconda_passes_three_two_and_one_cards_and_turns_up_four() -> None:
    found = steps("anaconda")
    assert [step for step in found if step.startswith("pass")] == [
        "pass 3 left",
        "pass 2 left",
        "pass 1 left",
    ]
    game = played("anaconda")
    assert (game.down.least, game.up.least, game.declare) == (1, 4, "high-low")


@pytest.mark.parametrize("board", ["Qh | 2c Jh 3d | Th", "2c | Qh Jh Th | 3d"])
def test_iron_cross_plays_a_line_of_three(board: str) -> None:
    assert called("iron-cross", "Ah Kh 4c 5d 6s", board=board) == "royal flush"


def test_iron_cross_does_not_play_a_line_around_a_corner() -> None:
    board = "Qh | Jh Th 2c | 3d"
    assert called("iron-cross", "Ah Kh 4c 5d 6s", board=board) != "royal flush"


def test_criss_cross_makes_the_centre_rank_wild_unless_turned_off() -> None:
    board = "2c | 3d 9h 4s | 5c"
    assert called("criss-cross", "Kc Kd 9s Jh", board=board) == "four kings"
    assert (
        called("criss-cross", "Kc Kd 9s Jh", board=board, wild="none")
        == "two pair, kings and nines"
    )


@pytest.mark.parametrize("board", ["Qh Th | 2c Jh 3d | 4s 5c", "2c 3d | 4s Qh 5c | Jh Th"])
def test_elevator_card_can_be_played_with_either_row(board: str) -> None:
    rows = {"Qh Th | 2c Jh 3d | 4s 5c": "royal flush", "2c 3d | 4s Qh 5c | Jh Th": "royal flush"}
    assert called("elevator", "Ah 7c", up="Kh 8d", board=board) == rows[board]


def test_elevator_plays_two_hole_cards() -> None:
    assert (
        called("elevator", "Ah 7c", up="8d 9c", board="Kh Qh | 2c Jh 3d | 4s Th") != "royal flush"
    )


def test_cincinnati_plays_any_five_of_ten_cards() -> None:
    assert called("cincinnati", "Ah 2c 3d 4s 6c", board="Kh Qh Jh Th 7d") == "royal flush"
    assert steps("cincinnati").count("bet") == 6


def test_spit_in_the_ocean_makes_the_rank_of_the_common_card_wild() -> None:
    assert called("spit-in-the-ocean", "9c Kd Ks Kc", board="9d") == "five kings"


# --- draw ---------------------------------------------------------------------------------------


def test_deuces_wild_makes_deuces_wild() -> None:
    assert called("deuces-wild", "2c 2d Kh Ks 7c") == "four kings"


def test_jacks_or_better_requires_jacks_to_open() -> None:
    first, second = (step for step in played("jacks-or-better").steps if step.verb == "bet")
    assert (first.word, second.word) == ("JJ-or-better", "last")


@pytest.mark.parametrize(
    ("hand", "name"),
    [
        ("*1 Ac Kd 7s 2h", "pair of aces"),
        ("*1 Kc Kd 7s 2h", "pair of kings"),
        ("*1 Kc Qd Js Th", "straight, ace high"),
        ("*1 2h 7h 9h Jh", "flush, ace high"),
    ],
)
def test_bug_counts_as_an_ace_or_completes_a_straight_or_a_flush(hand: str, name: str) -> None:
    assert called("jacks-or-better", hand, joker="bug") == name


def test_jacks_or_better_has_a_joker_only_with_the_bug() -> None:
    assert len(played("jacks-or-better").deck) == 52
    assert len(played("jacks-or-better", joker="bug").deck) == 53


# --- hold'em and Omaha --------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["crazy-pineapple", "crazy-pineapple-8"])
def test_crazy_pineapple_discards_one_of_three_after_the_flop(game: str) -> None:
    found = steps(game)
    assert found[1:6] == ["3 down", "bet", "board a b c", "bet", "discard 1"]
    assert played(game).down.least == 2


def test_crazy_pineapple_8_splits_the_pot_between_high_and_low() -> None:
    record = deal(
        "crazy-pineapple-8", seat("ann", "Kc Kd"), seat("bob", "Ac 2d"), board="3c 4h 8s Kh Qs"
    )
    assert shares(record) == {"high": {"ann"}, "low": {"bob"}}


def test_courchevel_deals_the_first_flop_card_before_the_first_bet() -> None:
    found = steps("courchevel")
    assert found[1:6] == ["5 down", "board a", "bet", "board b c", "bet"]
    assert played("courchevel", split="high-low").share_names == ("high", "low")


def test_sohe_plays_four_cards_as_omaha_and_two_cards_as_holdem() -> None:
    piles = {"omaha": "Ac Ad 7h 8h".split(), "holdem": "2c 8d".split()}
    other = {"omaha": "Kc Kd 9h Th".split(), "holdem": "Qc Qd".split()}
    record = deal(
        "sohe",
        seat("ann", piles=piles),
        seat("bob", piles=other),
        board="As Qs 4h 5d 9c",
    )
    assert shares(record) == {"omaha": {"ann"}, "holdem": {"bob"}}


def test_dramaha_splits_the_pot_between_the_draw_and_the_omaha_hand() -> None:
    record = deal(
        "dramaha",
        seat("ann", "Kc Kd Ks 7h 2s"),
        seat("bob", "Ah Jh 3c 4d 5s"),
        board="Qh 9h 8h 2c 6d",
    )
    assert shares(record) == {"draw": {"ann"}, "omaha": {"bob"}}


def test_badacey_splits_the_pot_between_badugi_and_ace_to_five_low() -> None:
    record = deal("badacey", seat("ann", "As 2c 3d 4h Kc"), seat("bob", "5c 4c 3c 2s Ac"))
    assert shares(record) == {"badugi": {"ann"}, "low": {"bob"}}


def test_badeucy_counts_aces_as_high_in_both_halves() -> None:
    record = deal("badeucy", seat("ann", "2s 3c 4d 6h Kc"), seat("bob", "7c 5c 4c 3s 2c"))
    assert shares(record) == {"badugi": {"ann"}, "low": {"bob"}}
    aces = deal("badeucy", seat("ann", "As 2c 3d 4h Kc"), seat("bob", "2d 3h 5s 7c Kd"))
    assert shares(aces)["badugi"] == {"bob"}


def test_double_board_omaha_gives_half_the_pot_to_each_board() -> None:
    record = deal(
        "double-board-omaha",
        seat("ann", "Ac Ad 7h 6s"),
        seat("bob", "Kc Kd 8h 5s"),
        board="As Th 2c 3d Qc | Ks Tc 2d 3h Qd",
    )
    assert shares(record) == {"board 1": {"ann"}, "board 2": {"bob"}}
    assert steps("double-board-omaha", start="bomb")[0] == "bomb"


def test_greek_holdem_requires_both_hole_cards() -> None:
    assert called("greek-holdem", "2c 3d", board="Ah Kh Qh Jh Th") == "ace high"
    assert called("greek-holdem", "Ah Kh", board="Qh Jh Th 2c 3d") == "royal flush"


# --- in or out ----------------------------------------------------------------------------------


def test_guts_makes_losers_match_the_pot_for_the_next_hand() -> None:
    record = deal(
        "guts",
        seat("ann", "Ac Ad", paid=1),
        seat("bob", "Kc Kd", paid=1),
        seat("cat", "Qc Jd", paid=1),
        seat("dan", paid=1, folded=True),
    )
    wins(
        record, "ann 4, bob 0, cat 0, dan 0", carry=8, paid={"ann": 1, "bob": 5, "cat": 5, "dan": 1}
    )


def test_guts_pot_goes_to_the_only_player_who_stays_in() -> None:
    record = deal("guts", seat("ann", paid=1), seat("bob", paid=1, folded=True), carried=6)
    wins(record, "ann 8, bob 0", carry=0)


def test_guts_pot_is_carried_if_no_player_stays_in() -> None:
    record = deal("guts", seat("ann", paid=1, folded=True), seat("bob", paid=1, folded=True))
    wins(record, "ann 0, bob 0", carry=2)


def test_guts_can_be_dealt_with_two_or_three_cards() -> None:
    assert played("guts").down.least == 2
    assert played("guts", cards=3).down.least == 3


@pytest.mark.parametrize(
    ("round_", "hand", "name"),
    [
        ("3", "3c Kd Ks", "three kings"),
        ("5", "5c Kd Ks Kc 3d", "four kings"),
        ("7", "7c Kd Ks Kc 3d 5s 2h", "four kings"),
    ],
)
def test_3_5_7_makes_the_rank_that_equals_the_number_of_cards_wild(
    round_: str, hand: str, name: str
) -> None:
    assert called("3-5-7", hand, round=round_) == name
    assert (steps("3-5-7", round=round_)[0] == "ante") == (round_ == "3")


def test_normal_hand_of_a_home_game_causes_no_findings() -> None:
    record = deal("deuces-wild", seat("ann", "2c 2d Kh Ks 7c"), seat("bob", "Ac Ad As 8c 9h"))
    finds(record)
