"""The Joslyn games, with one test for each rule.

The rules are from "Joslyn Poker Games" ("Source" below) and docs/rulings.md 5 to 8 and 14.
"""

import pytest

from rules import settle
from tests.helpers.rules.table import called, played, shares, steps
from tests.helpers.rules.tables import deal, seat, wins

HIGH_LOW = (
    "omaha-8 big-omaha-8 reverse-omaha oakie banjo-oakie last-one-down 4-and-3 stump nightmare"
    " cluster around-the-corner qualifiers stud-high-low"
).split()


# --- lows ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("better", "worse"),
    [("7c 6c 4d", "8c 4c 3d"), ("7c 5d 4c", "7h 6d 3c")],
)
def test_lows_are_compared_from_the_highest_card_down(better: str, worse: str) -> None:
    """Source, eight or better low: 7-6-4-2-A beats 8-4-3-2-A. See also docs/rulings.md 7."""
    board = "2s Ah Kc Ks Kd"
    record = deal("oakie", seat("ann", better), seat("bob", worse), board=board)
    assert shares(record)["low"] == {"ann"}


def test_ace_does_not_improve_a_low_with_a_worse_second_card() -> None:
    """Source: 7-5-4-3-2 beats 7-6-3-2-A. The ace is compared last."""
    board = "7s 3s 2s Kc Qd"
    record = deal("oakie", seat("ann", "5c 4d Jc"), seat("bob", "6c Ad Jd"), board=board)
    assert shares(record)["low"] == {"ann"}


def test_eight_or_better_requires_five_different_ranks_up_to_eight() -> None:
    """Source: five different ranks, none above the eight. Aces count as one."""
    assert called("oakie", "Ac 2d 8s", board="3c 4h Kd Kh Ks", way="low") == "8-4-3-2-A"
    assert called("oakie", "Ac 2d 9s", board="3c 4h Kd Kh Ks", way="low") is None
    assert called("oakie", "Ac 2d 2s", board="3c 4h Kd Kh Ks", way="low") is None


def test_straights_and_flushes_do_not_count_against_a_low() -> None:
    """Source: only the ranks matter."""
    assert called("oakie", "Ac 2c 3c", board="4c 5c Kd Kh Ks", way="low") == "5-4-3-2-A"


def test_seven_or_better_low_does_not_qualify_with_an_eight() -> None:
    board = "3c 4h Kd Kh Ks"
    assert called("oakie", "Ac 2d 8s", board=board, way="low", low="7-or-better") is None
    assert called("oakie", "Ac 2d 7s", board=board, way="low", low="7-or-better") == "7-4-3-2-A"


def test_best_low_needs_no_qualifier() -> None:
    """Source: 10-9-4-2-A may be a table's best low."""
    board = "9h 4c Kd Kh Ks"
    assert called("oakie", "Tc 2d As", board=board, way="low", low="best") == "10-9-4-2-A"


def test_worst_low_counts_aces_as_high() -> None:
    """Source, worst hand: the best is 7-5-4-3-2 of more than one suit."""
    board = "4c 5d Kd Kh Ks"
    assert called("oakie", "7c 2d 3s", board=board, way="low", low="worst") == "7-5-4-3-2"
    assert called("oakie", "Ac 2d 3s", board=board, way="low", low="worst") != "5-4-3-2-A"


# --- declaring ----------------------------------------------------------------------------------


@pytest.mark.parametrize("game", HIGH_LOW)
def test_player_going_both_ways_must_win_both_outright(game: str) -> None:
    """Source: a player who goes both ways and ties wins nothing."""
    assert played(game).both_ways == "outright"


@pytest.mark.parametrize("game", HIGH_LOW)
def test_declaring_is_the_last_step_only_in_a_declare_game(game: str) -> None:
    """Source, declare games: players declare after the last bet. Otherwise cards speak."""
    assert steps(game, declare="high-low")[-1] == "declare"
    assert "declare" not in steps(game, declare="cards-speak")


@pytest.mark.parametrize("game", sorted(set(HIGH_LOW) - {"around-the-corner"}))
def test_cards_speak_by_default(game: str) -> None:
    """docs/rulings.md 5."""
    assert played(game).declare == "cards-speak"


@pytest.mark.parametrize(
    ("game", "low"),
    [
        *((game, "8-or-better") for game in HIGH_LOW[:8]),
        ("cluster", "8-or-better"),
        ("nightmare", "best"),
        ("around-the-corner", "best"),
        ("qualifiers", "7-or-better"),
    ],
)
def test_game_uses_its_default_low(game: str, low: str) -> None:
    assert played(game).chosen["low"] == low


@pytest.mark.parametrize("game", HIGH_LOW)
@pytest.mark.parametrize("low", ["8-or-better", "7-or-better", "best", "worst"])
def test_every_high_low_game_offers_the_four_lows(game: str, low: str) -> None:
    assert played(game, low=low).share_names == ("high", "low")


# --- the games ----------------------------------------------------------------------------------


def test_holdem_plays_any_five_of_seven() -> None:
    assert called("texas-holdem", "2c 3d", board="Ah Kh Qh Jh Th") == "royal flush"
    assert played("texas-holdem").down.least == 2


@pytest.mark.parametrize(("game", "cards"), [("omaha-8", 4), ("big-omaha-8", 5)])
def test_omaha_plays_two_hole_cards_and_three_board_cards(game: str, cards: int) -> None:
    down = "2c 3d 4s 9h 8c".split()[:cards]
    assert played(game).down.least == cards
    assert called(game, " ".join(down), board="Ah Kh Qh Jh Th") != "royal flush"
    assert called(game, "Jh Th " + " ".join(down[2:]), board="Ah Kh Qh 2s 3s") == "royal flush"


def test_reverse_omaha_plays_three_hole_cards_and_two_board_cards() -> None:
    assert called("reverse-omaha", "Qh Jh Th 2c 3d", board="Ah Kh 9s 8s 7d") == "royal flush"
    assert called("reverse-omaha", "Jh Th 4c 2c 3d", board="Ah Kh Qh 8s 7d") != "royal flush"


def test_oakie_plays_any_five_of_three_hole_cards_and_five_common_cards() -> None:
    assert called("oakie", "Ah 2c 3d", board="Kh Qh Jh Th 9c") == "royal flush"
    assert called("oakie", "Ah Kh Qh", board="Jh Th 2c 2d 3s") == "royal flush"


def test_banjo_oakie_deals_each_player_their_own_river() -> None:
    """Source: four cards in hand and four on the board. The best five play."""
    assert steps("banjo-oakie")[-2:] == ["1 down", "bet"]
    assert called("banjo-oakie", "Ah Kh Qh Jh", board="Th 2c 3d 4s") == "royal flush"


def test_last_one_down_deals_each_player_their_own_river_face_down() -> None:
    """Source: two cards, the flop, the turn and one more card down. The best five play."""
    assert steps("last-one-down")[-2:] == ["1 down", "bet"]
    assert called("last-one-down", "Ah Kh Qh", board="Jh Th 2c 3d") == "royal flush"


def test_4_and_3_exchanges_up_to_two_cards_before_the_board() -> None:
    found = steps("4-and-3")
    assert found.index("draw 0-2") < found.index("board a")
    assert called("4-and-3", "Ah Kh Qh Jh", board="Th 2c 3d") == "royal flush"
    assert called("4-and-3", "Ah Kh 2c 3d", board="Qh Jh Th") == "royal flush"


def test_stump_deals_the_row_of_four_and_then_three_cards_one_by_one() -> None:
    dealt = [step for step in steps("stump") if step.startswith("board")]
    assert dealt == ["board a b c d", "board e", "board f", "board g"]


@pytest.mark.parametrize(("upper", "lower"), ["04", "14", "15", "25", "26", "36"])
def test_stump_plays_two_touching_board_cards(upper: str, lower: str) -> None:
    """docs/rulings.md 14: a card in the row of three touches the two cards above it."""
    assert _stump(int(upper), int(lower)) == "royal flush"


@pytest.mark.parametrize(("upper", "lower"), ["05", "06", "16", "24", "34", "35"])
def test_stump_does_not_play_board_cards_that_do_not_touch(upper: str, lower: str) -> None:
    assert _stump(int(upper), int(lower)) != "royal flush"


def _stump(one: int, other: int) -> str | None:
    slots = "2c 4d 6d 8c 2d 4c 6c".split()
    slots[one], slots[other] = "Jh", "Th"
    board = " ".join(slots[:4]) + " | " + " ".join(slots[4:])
    return called("stump", "Ah Kh Qh 9c 9d", board=board)


def test_stump_does_not_play_two_hole_cards_with_three_board_cards() -> None:
    board = "Kh Qh 2c 3d | Jh 4s 5s"
    assert called("stump", "Ah Th 7c 8d 9s", board=board) != "royal flush"


def test_nightmare_deals_one_then_two_then_three_board_cards() -> None:
    dealt = [step for step in steps("nightmare") if step.startswith("board")]
    assert dealt == ["board a", "board b d", "board c e f"]


@pytest.mark.parametrize(
    ("board", "down"),
    [
        ("Ah Kh Qh | 2c 3c | 4d", "Jh Th 7s 8s 9d"),  # the row of three
        ("2c 3c 4d | Ah Kh | 5d", "Qh Jh Th 7s 8s"),  # the row of two
        ("2c 3c 4d | 5d 6d | Ah", "Kh Qh Jh Th 7s"),  # the row of one
        ("Ah 2c 3c | Kh 4d | Qh", "Jh Th 7s 8s 9d"),  # the column of three
        ("2c Ah 3c | 4d Kh | 5d", "Qh Jh Th 7s 8s"),  # the column of two
        ("2c 3c Ah | 4d 5d | 6d", "Kh Qh Jh Th 7s"),  # the column of one
    ],
)
def test_nightmare_plays_a_whole_row_or_column(board: str, down: str) -> None:
    assert called("nightmare", down, board=board) == "royal flush"


def test_nightmare_does_not_play_two_cards_from_a_row_of_three() -> None:
    """Source: an entire row or column must be used."""
    board = "Ah 2c Kh | 3c 4d | 5d"
    assert called("nightmare", "Qh Jh Th 7s 8s", board=board) != "royal flush"


def test_nightmare_does_not_play_a_diagonal() -> None:
    board = "2c 3c Ah | 4d Kh | Qh"
    assert called("nightmare", "Jh Th 7s 8s 9d", board=board) != "royal flush"


@pytest.mark.parametrize(
    ("board", "down"),
    [
        ("2c 3c 4d | 5d 6d 7s | 8s 9s 2s", "Ah Kh Qh Jh Th"),
        ("Qh Jh 4d | 5d 6d 7s | 8s 9s Th", "Ah Kh 2d 3d 4s"),
        ("2c 3c 4d | 5d Qh Jh | Th 9s 2s", "Ah Kh 2d 3d 4s"),
    ],
)
def test_cluster_plays_a_pat_hand_or_two_cards_of_a_row_and_one_of_the_last(
    board: str, down: str
) -> None:
    assert called("cluster", down, board=board) == "royal flush"


@pytest.mark.parametrize(
    "board",
    [
        "Qh 3c 4d | Jh 6d 7s | Th 9s 2s",  # one card from each of the first two rows
        "Qh Jh Th | 5d 6d 7s | 8s 9s 2s",  # three cards from one row
        "Qh 3c 4d | 5d 6d 7s | Jh Th 2s",  # two cards from the last row
    ],
)
def test_cluster_does_not_play_other_combinations_of_rows(board: str) -> None:
    assert called("cluster", "Ah Kh 2d 3d 4s", board=board) != "royal flush"


def test_cluster_deals_two_rows_and_then_three_cards_one_by_one() -> None:
    dealt = [step for step in steps("cluster") if step.startswith("board")]
    assert dealt == ["board a b c", "board d e f", "board g", "board h", "board i"]


@pytest.mark.parametrize("board", ["Jh Th | 2c 3d", "2c 3d | Jh Th", "Jh 2c | Th 3d"])
def test_around_the_corner_plays_a_row_or_a_column(board: str) -> None:
    assert called("around-the-corner", "Ah Kh Qh 8c 8d", board=board) == "royal flush"


def test_around_the_corner_does_not_play_a_diagonal_and_players_declare() -> None:
    board = "Jh 2c | 3d Th"
    assert called("around-the-corner", "Ah Kh Qh 8c 8d", board=board) != "royal flush"
    assert played("around-the-corner").declare == "high-low"


def test_qualifiers_exchanges_up_to_three_cards_before_the_board() -> None:
    found = steps("qualifiers")
    assert found.index("draw 0-3") < found.index("board a") < found.index("board b")


def test_qualifiers_requires_trips_for_high_and_a_seven_for_low() -> None:
    board = "Kh 2s"
    assert called("qualifiers", "Kc Ks 4d 5d 6d", board=board) == "three kings"
    assert called("qualifiers", "Kc Qs Qd 5d 6d", board=board) is None
    assert called("qualifiers", "Ac 3s 4d 7d Qd", board=board, way="low") == "7-4-3-2-A"
    assert called("qualifiers", "Ac 3s 4d 8d Qd", board=board, way="low") is None


def test_qualifiers_gives_the_whole_pot_to_the_only_qualifying_hand() -> None:
    record = deal(
        "qualifiers",
        seat("ann", "Kc Kd Ts 9h 8h"),
        seat("bob", "Qc Qd Jh 9d 8d"),
        board="Kh 2s",
    )
    wins(record, "ann 20, bob 0", carry=0)


def test_qualifiers_carries_the_pot_if_the_last_player_does_not_qualify() -> None:
    record = deal(
        "qualifiers",
        seat("ann", "Kc Kd Ts 9h 8h"),
        seat("bob", folded=True),
        board="Qh 2s",
    )
    wins(record, "ann 0, bob 0", carry=20)


def test_qualifiers_carries_an_unwon_pot_for_players_who_stayed_in() -> None:
    """Source: the pot is carried for players who stayed in until the last card was exposed."""
    record = deal(
        "qualifiers",
        seat("ann", "Kc Kd Ts 9h 8h"),
        seat("bob", folded="late"),
        seat("cat", folded=True),
        board="Qh 2s",
    )
    assert settle(record)["carries"] == [{"amount": 30, "for": ["ann", "bob"]}]


# --- stud ---------------------------------------------------------------------------------------


def test_stud_is_played_for_high_only_by_default() -> None:
    assert played("seven-card-stud").share_names == ("high",)


def test_chicago_pays_half_to_the_high_or_low_spade_in_the_hole() -> None:
    """Source: a pot may be shared with the player who holds a certain card in the hole."""
    record = deal(
        "chicago",
        seat("ann", "Qs 2d 3d", up="5c 6c 9h Th"),
        seat("bob", "4s 2h 3h", up="As Ad Kd 7c"),
        options={},
    )
    assert shares(record) == {"high": {"bob"}, "spade": {"ann"}}
    assert shares(record | {"options": {"spade": "low"}})["spade"] == {"bob"}


def test_chicago_gives_all_to_the_high_hand_without_a_spade_in_the_hole() -> None:
    """docs/rulings.md 4."""
    record = deal(
        "chicago",
        seat("ann", "Qd 2d 3d", up="5c 6c 9h Th"),
        seat("bob", "4h 2h 3h", up="As Ad Kd 7c"),
    )
    wins(record, "ann 0, bob 20")


def test_stud_high_low_compares_cards_or_declared_hands() -> None:
    hands = (("ann", "As Ad Kd", "Kc 9h 9d 2c"), ("bob", "2d 3d 4h", "5c 7h Jd Jc"))
    spoken = deal("stud-high-low", *(seat(name, down, up=up) for name, down, up in hands))
    assert shares(spoken) == {"high": {"ann"}, "low": {"bob"}}
    declared = deal(
        "stud-high-low",
        *(seat(name, down, up=up, declared="high") for name, down, up in hands),
        options={"declare": "high-low"},
    )
    assert shares(declared) == {"high": {"ann"}, "low": set()}
