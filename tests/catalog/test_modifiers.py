"""Modifiers: their effects, the games that they do not fit, and their combinations.

The rules are from "Joslyn Poker Games", variants ("Source" below), and docs/rulings.md 15.
"""

from itertools import permutations
from typing import Any

import pytest

from rules import settle
from rules.documents import catalog, modifiers
from rules.presentation import form
from tests.helpers.rules.table import called, played, shares, steps
from tests.helpers.rules.tables import deal, refused, seat, wins

OMAHAS = ["omaha-8", "big-omaha-8", "reverse-omaha"]
FLOP_GAMES = ["texas-holdem", "oakie", *OMAHAS, "texas-toothpick-toast", "greek-holdem"]


def reason(variant: str, *names: str) -> str:
    with pytest.raises(modifiers.ModifierFitError) as refusal:
        modifiers.apply(catalog.document(variant), names)
    return str(refusal.value)


# --- rows ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", FLOP_GAMES)
@pytest.mark.parametrize(
    ("name", "sizes"), [("two-row", [5, 5]), ("floater", [4, 4, 1]), ("miami", [3, 3, 2])]
)
def test_two_row_modifiers_fit_any_game_with_flop_turn_and_river(
    game: str, name: str, sizes: list[int]
) -> None:
    assert [len(row) for row in played(game, name).board] == sizes


@pytest.mark.parametrize(
    ("name", "board"),
    [
        ("two-row", "Qh Jh 2c 3c 4d | 5d 6d Th 7s 8s"),
        ("floater", "Qh Jh 2c 3c | 5d 6d Th 7s | 8s"),
        ("miami", "Qh Jh 2c | 5d 6d Th | 7s 8s"),
    ],
)
def test_hand_cannot_mix_cards_from_two_rows(name: str, board: str) -> None:
    assert called("texas-holdem", "Ah Kh", board=board, modified=(name,)) != "royal flush"


@pytest.mark.parametrize(
    ("name", "board"),
    [
        ("two-row", "5d 6d 2c 3c 4d | Qh Jh Th 7s 8s"),
        ("floater", "5d 6d 2c 3c | Qh Jh 4s 7s | Th"),
        ("miami", "5d 6d 2c | Qh 3c 4s | Jh Th"),
    ],
)
def test_second_row_can_be_played_with_its_floaters(name: str, board: str) -> None:
    assert called("texas-holdem", "Ah Kh", board=board, modified=(name,)) == "royal flush"


def test_high_and_low_can_be_played_on_different_rows() -> None:
    """docs/rulings.md 8."""
    options: dict[str, Any] = {"board": "Kh Qh Jh 9c 9d | 2c 3d 4s Ts Tc", "modified": ("two-row",)}
    assert called("omaha-8", "Ah Th 5c 6d", **options) == "royal flush"
    assert called("omaha-8", "Ah Th 5c 6d", **options, way="low") == "5-4-3-2-A"


@pytest.mark.parametrize("name", ["floater", "miami"])
def test_two_row_has_no_effect_if_another_modifier_implies_it(name: str) -> None:
    document = catalog.document("omaha-8")
    alone = modifiers.apply(document, [name])
    assert modifiers.apply(document, ["two-row", name]) == alone
    assert modifiers.apply(document, [name, "two-row"]) == alone


def test_each_declared_row_wins_a_share_of_the_pot() -> None:
    """Source, declare games: players declare one row, or declare both and must then win both."""
    record = deal(
        "texas-holdem",
        seat("ann", "Ah Kh", declared="row 1"),
        seat("bob", "2d 2h", declared="row 2"),
        board="Qh Jh Th 3c 4d | 2c 2s 7d 8d 9d",
        modifiers=["two-row"],
        options={"declare": "row"},
    )
    assert shares(record) == {"row 1": {"ann"}, "row 2": {"bob"}}
    assert steps("texas-holdem", "two-row", declare="row")[-1] == "declare"
    assert "declare" not in steps("texas-holdem", "two-row")


@pytest.mark.parametrize("name", ["two-row", "floater", "miami"])
@pytest.mark.parametrize("game", ["five-card-draw", "stump", "nightmare", "banjo-oakie"])
def test_two_row_modifiers_require_flop_turn_and_river(game: str, name: str) -> None:
    assert reason(game, name) == f"{name} does not fit: the game has no flop, turn and river"


# --- hands --------------------------------------------------------------------------------------


def test_either_or_allows_three_hole_cards_with_two_board_cards() -> None:
    """Source: 2 or 3 hole cards with 3 or 2 board cards ("bada bing")."""
    board = "Kh Qh 2c 3d 4s"
    assert called("omaha-8", "Ah Jh Th 9c", board=board) != "royal flush"
    for name in ("either-or", "bada-bing", "Bada Bing"):
        assert called("omaha-8", "Ah Jh Th 9c", board=board, modified=(name,)) == "royal flush"


@pytest.mark.parametrize("game", ["texas-holdem", "oakie", "nightmare", "five-card-stud"])
def test_either_or_only_fits_games_like_omaha(game: str) -> None:
    assert "plays some cards down and some of the board" in reason(game, "either-or")


@pytest.mark.parametrize("game", ["big-omaha-8", "reverse-omaha", "nightmare", "stump"])
def test_pat_hand_allows_all_five_hole_cards(game: str) -> None:
    board = " | ".join(
        " ".join(row) for row in _low_board([len(row) for row in played(game, "pat-hand").board])
    )
    hand = "Ah Kh Qh Jh Th"
    assert called(game, hand, board=board, modified=("pat-hand",)) == "royal flush"
    assert called(game, hand, board=board) != "royal flush"


def _low_board(sizes: list[int]) -> list[list[str]]:
    cards = iter("2c 3d 4s 6c 7d 8s 2d".split())
    return [[next(cards) for _ in range(size)] for size in sizes]


@pytest.mark.parametrize("game", ["omaha-8", "oakie", "texas-holdem"])
def test_pat_hand_requires_five_hole_cards(game: str) -> None:
    assert "the game deals fewer than five cards down" in reason(game, "pat-hand")


@pytest.mark.parametrize("game", ["cluster", "high-noon", "five-card-draw"])
def test_pat_hand_does_not_fit_if_any_five_cards_can_be_played(game: str) -> None:
    assert "can be played already" in reason(game, "pat-hand")


# --- deals --------------------------------------------------------------------------------------


def test_delayed_deals_the_last_card_after_the_flop() -> None:
    """Source: players start with four cards and get the fifth after the flop."""
    found = steps("big-omaha-8", "delayed")
    assert found[:5] == ["blinds", "4 down", "bet", "board a b c", "1 down"]
    assert played("big-omaha-8", "delayed").down.least == 5


def test_pineapple_deals_an_extra_card_and_discards_one_before_the_turn() -> None:
    """Source, pineapple Oakie: four cards before the flop, and three are left at the turn."""
    found = steps("oakie", "pineapple")
    assert found[:6] == ["blinds", "4 down", "bet", "board a b c", "bet", "discard 1"]
    assert played("oakie", "pineapple").down.least == 3


def test_pineapple_accepts_a_number_of_cards_and_streets() -> None:
    dealt = steps("oakie", "pineapple 2 flop turn")
    assert dealt[1] == "7 down"
    assert [dealt[dealt.index(s) - 1] for s in ("board d", "board e")] == ["discard 2"] * 2
    assert steps("omaha-8", "pineapple river")[-3:] == ["board e", "bet", "discard 1"]


def test_record_with_pineapple_lists_only_the_cards_kept() -> None:
    """docs/rulings.md 15."""
    board = "Qh Jh Th 2c 3d"
    assert called("oakie", "Ah Kh 4c", board=board, modified=("pineapple",)) == "royal flush"
    hands = seat("ann", "Ah Kh 4c 5c"), seat("bob", "4d 5d 6d")
    record = deal("oakie", *hands, board=board, modifiers=["pineapple"])
    refused(record, "players/0/down card-count")


def test_pineapple_reduces_the_number_of_players_if_the_deck_is_too_small() -> None:
    assert played("big-omaha-8").players == (2, 8)
    assert played("big-omaha-8", "pineapple flop turn").players == (2, 7)


def test_oma_draw_exchanges_a_card_after_the_flop() -> None:
    found = steps("omaha-8", "oma-draw")
    assert found[found.index("draw 0-1") - 2 :][:4] == ["board a b c", "bet", "draw 0-1", "board d"]
    assert "draw 0-2" in steps("omaha-8", "oma-draw 2 turn")
    assert "plays some cards down" in reason("oakie", "oma-draw")


def test_fee_for_a_bought_card_is_dead_money_in_the_pot() -> None:
    """docs/rulings.md 15: the fee is recorded as `dead`."""
    found = steps("oakie", "buy-a-card")
    assert found[found.index("3 down") :][:3] == ["3 down", "bet", "buy 0-1 for fee"]
    assert "buy 0-2 for fee" in steps("oakie", "buy-a-card 2 turn")
    record = deal(
        "texas-holdem",
        seat("ann", "2c 2d", paid=12, dead=2),
        seat("bob", "Ac Ad"),
        board="Kh Qs 9d 7s 4h",
        modifiers=["buy-a-card"],
    )
    wins(record, "ann 0, bob 22", findings=[])


def test_bought_common_card_is_shared_by_the_players_who_paid() -> None:
    record = deal(
        "texas-holdem",
        seat("ann", "Kh"),
        seat("bob", "Kc"),
        seat("cat", "Qd Qc"),
        board="Qh Jh Th 2c 3d",
        modifiers=["buy-a-card common"],
        shared=[{"card": "Ah", "for": ["ann", "bob"]}],
    )
    assert shares(record) == {"high": {"ann"}}
    assert "buy 0-1 common for fee" in steps("texas-holdem", "buy-a-card common")


def test_pass_the_trash_passes_one_card_to_the_right() -> None:
    """Source: each player passes one card to the right and gets one from the left."""
    found = steps("five-card-draw", "pass-the-trash")
    assert found[:4] == ["ante", "5 down", "bet", "pass 1 right"]


def test_pass_the_trash_accepts_pass_counts_and_directions() -> None:
    found = steps("five-card-draw", "pass-the-trash 3 left 2 across right")
    assert found[3:6] == ["pass 3 left", "pass 2 across", "pass 1 right"]


def test_pass_the_trash_cannot_pass_more_cards_than_a_player_holds() -> None:
    assert "more cards than the 2" in reason("texas-holdem", "pass-the-trash 3 left")


def test_delayed_does_not_fit_if_piles_are_set_before_the_flop() -> None:
    """Five cards are laid into piles before the flop, but the fifth would be dealt after it."""
    assert "more cards than the 4" in reason("sohe-3-1-1", "delayed")


@pytest.mark.parametrize("name", ["delayed", "pineapple", "buy-a-card", "pass-the-trash"])
def test_card_choosing_modifiers_do_not_fit_games_with_unseen_cards(name: str) -> None:
    assert "in the order in which they were dealt" in reason("midnight-cobain-baseball", name)


@pytest.mark.parametrize("name", ["delayed", "pineapple"])
def test_modifier_that_deals_after_the_flop_requires_a_flop(name: str) -> None:
    assert "the game has no flop" in reason("five-card-draw", name)


def test_buy_a_card_does_not_fit_a_bank_game_without_hole_cards() -> None:
    assert "no cards down" in reason("put-and-take", "buy-a-card")


# --- names and parameters -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Miami", "miami"),
        ("two row", "two-row"),
        ("bada bing", "either-or"),
        ("pat hands", "pat-hand"),
        ("Pass the Trash 2 left", "pass-the-trash"),
        ("buy a card common", "buy-a-card"),
    ],
)
def test_modifier_can_be_found_by_its_common_names(text: str, name: str) -> None:
    assert modifiers.read(text).name == name


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("pinapple", "pineapple"),
        ("upside-down", "two-row"),
        ("miami 3", "miami without parameters"),
        ("pass-the-trash 2 up", "'up' is not valid here"),
        ("pass-the-trash 6 left", "6 is more than 5"),
        ("pass-the-trash 2", "the text ends too soon"),
        ("pass-the-trash" + " 1 left" * 5, "more than 4 passes"),
        ("pineapple 0", "at least one"),
        ("pineapple flop flop", "flop is given twice"),
        ("oma-draw 1 turn river", "is not valid at the end"),
        ("buy-a-card shared", "is not valid at the end"),
        ("", "no modifier is called"),
        ("m" * 1000, "no modifier is called"),
    ],
)
def test_unknown_modifier_is_refused_with_suggestions(text: str, reason: str) -> None:
    assert reason in modifiers.why_unknown(text)
    hands = seat("ann", "Ac Ad"), seat("bob", "Kc Kd")
    record = deal("texas-holdem", *hands, board="2h 7d 9s Jd Qc", modifiers=[text])
    refused(record, "modifiers/0 unknown-modifier")


def test_modifier_that_does_not_fit_is_refused_with_its_position() -> None:
    hands = seat("ann", "Ac Ad 4c 5c"), seat("bob", "Kc Kd 4d 5d")
    record = deal(
        "omaha-8", *hands, board="2h 7d 9s Jd Qc", modifiers=["delayed", "pass-the-trash 5 left"]
    )
    refused(record, "modifiers/1 modifier-does-not-fit")


@pytest.mark.parametrize(
    "names", [("miami", "Miami"), ("pineapple", "pineapple 2"), ("either-or", "bada bing")]
)
def test_modifier_cannot_be_applied_twice(names: tuple[str, str]) -> None:
    assert "the modifier is given twice" in reason("big-omaha-8", *names)


def test_form_lists_modifiers_that_fit_with_the_selected_ones() -> None:
    fits = form.modifiers_that_fit("omaha-8", ["pass-the-trash 2 left"])
    assert fits["pass-the-trash"] == ""
    assert fits["miami"] == ""
    assert "the game deals fewer than five cards down" in fits["pat-hand"]


# --- combining ----------------------------------------------------------------------------------


def test_delayed_bada_bing_and_miami_can_be_combined() -> None:
    """Source: the combination in its last line."""
    game = played("big-omaha-8", "delayed", "bada-bing", "Miami")
    assert [pattern.text for pattern in game.hand] == ["2 down + 3 line", "3 down + 2 line"]
    assert [len(row) for row in game.board] == [3, 3, 2]
    assert [step.text for step in game.steps][4] == "1 down"


def test_two_row_pat_hand_and_worst_low_can_be_combined() -> None:
    """Source: the combination in its last line."""
    game = played("big-omaha-8", "two-row", "pat-hand", low="worst")
    assert [pattern.text for pattern in game.hand] == ["2 down + 3 line", "5 down"]
    assert game.shares[1].alternatives[0].scale == "worst"


@pytest.mark.parametrize(
    "others",
    [
        ("delayed", "either-or", "miami"),
        ("two-row", "pat-hand", "pineapple"),
        ("floater", "oma-draw", "either-or"),
        ("buy-a-card", "pass-the-trash", "two-row"),
    ],
)
def test_modifier_order_does_not_change_the_game(others: tuple[str, ...]) -> None:
    made = [played("big-omaha-8", *order) for order in permutations(others)]
    first = made[0]
    for game in made[1:]:
        assert {pattern.text for pattern in game.hand} == {p.text for p in first.hand}
        assert (game.board, game.lines, game.down) == (first.board, first.lines, first.down)
        assert sorted(step.text for step in game.steps) == sorted(s.text for s in first.steps)


def test_hand_with_many_modifiers_can_be_settled() -> None:
    names = [
        *["delayed", "bada bing", "miami", "pat-hand", "pineapple", "oma-draw"],
        *["buy-a-card common", "pass-the-trash 2 left 1 across"],
    ]
    record = deal(
        "big-omaha-8",
        seat("ann", "Ah Kh 2c 3d 4s"),
        seat("bob", "Ac Kc 2d 3s 4h"),
        board="Qh Jh Ts | Qc Jc 9d | 8d 7c",
        modifiers=names,
    )
    assert "errors" not in settle(record)
