"""Cards that players take, push on, buy and bid for, action by action (docs/history.md).

Push follows blackjackplayonline.com ("Take it or leave it") and texaspokerstore.com. Threes in
Baseball follow wikimili.com, whiskey poker follows Bicycle, and the auction follows hubpages.com
and poker.com.
"""

from random import Random
from typing import Any

import pytest

from rules.history import begin, choices, replay_record
from rules.history.replay import act
from tests.helpers.laws.histories import history

Record = dict[str, Any]

TABLE: Record = {
    "name": "Table",
    "players": [2, 4],
    "deal": ["ante", "3 down", "bet"],
    "board": ["a b c d", "e f g"],
    "hand": ["1-5 own"],
    "shares": ["high"],
}
ROWS = ["ante", "3 down", "board a b c d", "board e f g"]
STEPS = (
    "take 0-1 from row 1", "take 1 from row 1 up", "take 0-2 from row 1 for 1 2 3 4",
    "swap 0-2 with row 2", "swap 1 with row 2 any for 2", "extra 0-1", "extra 0-2 up for 3",
    "extra 1 for fee", "match pot for 3 up", "pay 2 for red up", "push 1 left", "push 2 right",
    "push 1 left down for 1", "bid for a", "bid for b c up", "bid for seat", "pass 1 second left",
    "pass 1 third right", "hit 0-2 up", "hit 1-2 for 3 frozen after 1", "swap hand left unless K",
    "swap hand right unless red up", "discard matching row 2", "discard matching e f any",
)  # fmt: skip


def game_with(*steps: str, **keys: Any) -> Record:
    rows = " ".join(steps)
    board = [TABLE["board"][0]] if "row 2" not in rows and " e" not in rows else TABLE["board"]
    laid = ROWS[:3] if len(board) == 1 else ROWS
    return TABLE | {"board": board, "deal": [*laid, *steps, "bet"]} | keys


def played(game: Record, *actions: str, names: str = "ann bob", **keys: Any) -> Record:
    players = [{"name": name} for name in names.split()]
    told = {"stakes": {"ante": 1}, "stacks": [50] * len(players), "button": len(players) - 1}
    record = {"variant": game, "players": players, "actions": list(actions)} | told | keys
    return replay_record(record, strict=True)


def codes(answer: Record) -> list[str]:
    return [error["code"] for error in answer["errors"]]


DEALT = ("d dh p1 AsAd4c", "d dh p2 QsQd5c", "d db KdAh8s7h")
END = ("p1 cc", "p2 cc")


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("seed", range(6))
def test_random_hands_with_allowed_actions_have_no_errors(step: str, seed: int) -> None:
    """Random legal hands end and keep all chips."""
    game = game_with("1 up", step, "1 up", step)
    if "draw" in step or "take 1" in step or "bid" in step:
        game = game_with("1 up", step, "1 up")
    record = history(Random(f"{step} {seed}"), game)
    answer = replay_record(record, strict=True)
    assert answer["errors"] == []
    assert sum(answer["finishing_stacks"]) == sum(answer["starting_stacks"])


# --- taking ---------------------------------------------------------------------------------------


def test_card_taken_from_the_table_joins_the_hand() -> None:
    game = game_with("take 1 from row 1 up for 1 2 3 4")
    taken = ("p1 pick Ah", "p2 pick 4 7h")
    answer = played(game, *DEALT, *taken, *END)
    assert (answer["errors"], answer["won"]) == ([], [8, 0])  # antes 2, prices 2 and 4
    assert codes(played(game, *DEALT, "p1 pick Ah", "p2 pick Ah", *END))[0] == "no-such-card"
    assert codes(played(game, *DEALT, "p1 pick 3 Ah", "p2 pick 7h", *END)) == ["wrong-size"]
    assert "wrong-count" in codes(played(game, *DEALT, "p1 sd", "p2 pick 7h", *END))
    assert codes(played(game, *DEALT, "p2 pick 7h", "p1 pick Ah", *END)) == ["out-of-turn"]


def test_player_who_swaps_puts_a_card_into_the_row() -> None:
    game = game_with("swap 0-2 with row 1")
    answer = played(game, *DEALT, "p1 pick AhKd 4cAd", "p2 pick AdKs Qs5c", *END)
    assert codes(answer)[0] == "no-such-card"
    answer = played(game, *DEALT, "p1 pick Kd 4c", "p2 pick 4cAh 5cQs", *END)
    assert (answer["errors"], answer["won"]) == ([], [2, 0])
    assert "wrong-count" in codes(played(game, *DEALT, "p1 pick Kd 4cAs", "p2 sd", *END))


# --- extra cards ----------------------------------------------------------------------------------


def test_extra_card_costs_its_price_and_joins_the_hand() -> None:
    game = game_with("extra 0-2 up for 5")
    cards = ("p1 buy", "d dh p1 2c", "p1 buy 5", "d dh p1 2d", "p2 sd")
    answer = played(game, *DEALT, *cards, *END)
    assert (answer["errors"], answer["won"]) == ([], [12, 0])
    one = ("p1 buy", "d dh p1 2c", "p1 sd", "p2 sd")
    assert played(game, *DEALT, *one, *END)["won"] == [7, 0]
    assert codes(played(game, *DEALT, "p1 buy 4", "d dh p1 2c", "p1 sd", "p2 sd", *END)) == [
        "wrong-size"
    ]


# --- paying for a card ----------------------------------------------------------------------------


def test_player_dealt_a_three_matches_the_pot_or_folds() -> None:
    game = game_with("1 up", "match pot for 3 up", "1 up", "match pot for 3 up")
    up = ("d dh p1 3c", "d dh p2 9c")
    answer = played(game, *DEALT, *up, "p1 penalty", "d dh p1 2c", "d dh p2 3d", "p2 f")
    assert (answer["errors"], answer["won"]) == ([], [4, 0])
    answer = played(game, *DEALT, *up, "p1 penalty 2", "d dh p1 2c", "d dh p2 3d", "p2 penalty 4",
                    *END)  # fmt: skip
    assert (answer["errors"], sum(answer["won"])) == ([], 8)
    assert codes(played(game, *DEALT, *up, "p1 penalty 3", "p1 f"))[0] == "wrong-size"


def test_player_dealt_two_threes_matches_the_pot_for_each() -> None:
    game = game_with("2 up", "match pot for 3 up")
    answer = played(game, *DEALT, "d dh p1 3c3d", "d dh p2 9c8c", "p1 penalty 6", *END)
    assert (answer["errors"], sum(answer["won"])) == ([], 8)  # the pot grows from 2 to 4, then to 8


def test_player_pays_each_cards_price() -> None:
    game = game_with("2 up", "pay 5 for Q up")
    answer = played(game, *DEALT, "d dh p1 2c2d", "d dh p2 QcQh", "p2 penalty 10", *END)
    assert (answer["errors"], sum(answer["won"])) == ([], 12)


# --- pushing --------------------------------------------------------------------------------------


def test_refused_card_is_pushed_on_and_the_player_keeps_the_next() -> None:
    game = game_with("push 1 left for 1")
    three = (*DEALT[:2], "d dh p3 JsJd6c", DEALT[2])
    pushed = ("d du p1 2c", "p1 push", "d du p1 9c", "p2 push", "d du p2 Ac", "p3 keep")
    answer = played(game, *three, *pushed, "p1 f", "p2 f", names="ann bob cat")
    assert (answer["errors"], answer["won"]) == ([], [0, 0, 5])
    out = (*pushed[:-1], "p3 push", "d du p3 Tc")
    answer = played(game, *three, *out, "p1 f", "p2 f", names="ann bob cat")
    assert (answer["errors"], answer["won"]) == ([], [0, 0, 6])


def test_dealing_the_next_card_implies_that_the_previous_one_was_kept() -> None:
    answer = played(game_with("push 1 left"), *DEALT, "d du p1 2c", "d du p2 9c", "p2 keep", *END)
    assert (answer["errors"], answer["won"]) == ([], [2, 0])
    early = played(game_with("push 1 left"), *DEALT, "d du p1 2c", "p2 push")
    assert codes(early)[0] == "not-in-turn"


def test_pushing_to_the_right_starts_at_the_dealers_right() -> None:
    three = (*DEALT[:2], "d dh p3 JsJd6c", DEALT[2])
    pushed = ("d du p2 2c", "p2 push", "d du p2 9c", "p1 keep", "d du p3 4d", "p3 keep")
    answer = played(game_with("push 1 right"), *three, *pushed, "p1 f", "p2 f", names="ann bob cat")
    assert (answer["errors"], answer["won"]) == ([], [0, 0, 3])


def test_cards_can_be_passed_to_the_second_player_on_the_left() -> None:
    game = TABLE | {"deal": ["ante", "3 down", "pass 1 second left", "bet"], "board": []}
    dealt = ("d dh p1 AsAd4c", "d dh p2 QsQd5c", "d dh p3 JsJd6c")
    passed = ("p1 pass 4c", "p2 pass Qs", "p3 pass Jd")
    shown = ("p1 cc", "p2 cc", "p3 cc", "p1 sm AsAdQs", "p2 sm QdJd5c", "p3 sm JsJd4c")
    answer = played(game, *dealt, *passed, *shown, names="ann bob cat")
    assert codes(answer) == ["shown-differs"]  # Bob got the jack and Cat the four
    shown = (*shown[:-1], "p3 sm Js6c4c")
    answer = played(game, *dealt, *passed, *shown, names="ann bob cat")
    assert (answer["errors"], answer["won"]) == ([], [3, 0, 0])


# --- bidding --------------------------------------------------------------------------------------


def test_highest_bid_is_paid_to_the_pot_and_wins_the_card() -> None:
    game = game_with("bid for b")
    answer = played(game, *DEALT, "p1 bid 4", "p2 bid 4", *END, "p1 sm AsAd4cAh", "p2 sm QsQd5c")
    assert (answer["errors"], answer["won"], answer["finishing_stacks"]) == ([], [6, 0], [51, 49])
    nobody = played(game, *DEALT, "p1 bid 0", "p2 bid 0", *END)
    assert (nobody["errors"], nobody["won"]) == ([], [2, 0])


def test_highest_bidder_for_the_first_seat_acts_first() -> None:
    bids = ("p1 bid 0", "p2 bid 1")
    assert codes(played(game_with("bid for seat"), *DEALT, *bids, "p2 cc", "p1 cc")) == []
    assert codes(played(game_with("bid for seat"), *DEALT, *bids, *END))[0] == "wrong-opener"


# --- bring-in -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bring_in", "first"),
    [("low", 1), ("high", 1), ("low ace-low", 0), ("high ace-high", 0)],
)
def test_ace_counts_as_low_or_high_for_the_bring_in(bring_in: str, first: int) -> None:
    game = TABLE | {"deal": ["2 down 1 up", f"bring-in {bring_in}", "bet"], "board": []}
    players = [{"name": "ann"}, {"name": "bob"}]
    record = {"variant": game, "button": 1, "players": players, "actions": []}
    table, _ = begin(record)
    assert table is not None
    act(table, "d dh p1 2c3cAh")
    act(table, "d dh p2 4c5c2h" if "low" in bring_in.split(maxsplit=1)[0] else "d dh p2 4c5cKh")
    assert {choice.seat for choice in choices(table)} == {first}
