"""Cards taken in rounds until all players stand, and hands swapped between neighbours.

See docs/history.md. Seven twenty-seven follows fact-index.com and mypokerhomegame.com: a round
without a card is followed by a last round of betting. It also follows onlinepoker.net: a player who
has passed three times gets no more cards. Cuckoo follows Wikipedia ("Ranter-Go-Round") and
best-family-games.com: a king prevents the swap, and a king drawn from the deck goes back.
"""

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import settle
from rules.history import begin, choices, final_record, replay_record, states
from rules.history.replay import act
from tests.helpers.laws.histories import history

Record = dict[str, Any]

POINTS: Record = {
    "name": "Points",
    "players": [2, 4],
    "deal": ["ante", "1 down 1 up", "bet", "hit 0-3 up", "bet"],
    "hand": ["all own"],
    "shares": ["high: most points"],
}
SWAPS: Record = {
    "name": "Swaps",
    "players": [2, 6],
    "deal": ["ante", "1 down", "swap hand left unless K"],
    "hand": ["1 down"],
    "shares": ["high: highest"],
}
NAMES = "ann bob cat dan".split()


def played_record(game: Record, *actions: str, players: int = 2, **keys: Any) -> Record:
    names = [{"name": name} for name in NAMES[:players]]
    record = {"variant": game, "players": names, "actions": list(actions), "button": players - 1}
    return record | {"stakes": {"ante": 1}, "stacks": [50] * players} | keys


def with_step(game: Record, old: str, new: str) -> Record:
    return game | {"deal": [new if step == old else step for step in game["deal"]]}


def codes(record: Record) -> list[str]:
    return [error["code"] for error in replay_record(record, strict=True)["errors"]]


def choices_after(record: Record) -> list[tuple[int, str]]:
    table, _ = begin(record | {"actions": []})
    assert table is not None
    for action in record["actions"]:
        act(table, action)
    return [(choice.seat, choice.verb) for choice in choices(table)]


def hands(record: Record) -> list[list[str]]:
    final, _ = final_record(record)
    assert final is not None
    return [[*player.get("down", []), *player.get("up", [])] for player in final["players"]]


# --- until all stand ------------------------------------------------------------------------------

DEALT = ("d dh p1 2c3c", "d dh p2 4c5c", "p1 cc", "p2 cc")
CHECKED = ("p1 cc", "p2 cc")


def test_rounds_of_cards_and_bets_continue_until_all_stand() -> None:
    first = ("p1 buy", "d dh p1 6c", "p2 sd", *CHECKED)
    second = ("p1 sd", "p2 buy", "d dh p2 7c", *CHECKED)
    last = ("p1 sd", "p2 sd")
    record = played_record(POINTS, *DEALT, *first, *second, *last, *CHECKED)
    assert codes(record) == []
    assert hands(record) == [["2c", "3c", "6c"], ["4c", "5c", "7c"]]
    assert [state.stage for state in states(record)][-1] == ""
    early = played_record(POINTS, *DEALT, *last, "p1 cc", "p2 cc", "p1 buy")
    assert codes(early) == ["no-such-step"]


def test_player_takes_at_most_one_card_per_round() -> None:
    assert (
        codes(played_record(POINTS, *DEALT, "p1 buy", "d dh p1 6c", "p1 buy"))[0] == "not-in-turn"
    )
    assert codes(played_record(POINTS, *DEALT, "p2 sd", "p1 sd", *CHECKED)) == ["out-of-turn"]


def test_player_with_the_maximum_number_of_cards_gets_no_more_turns() -> None:
    one = with_step(POINTS, "hit 0-3 up", "hit 0-1 up")
    first = ("p1 buy", "d dh p1 6c", "p2 sd", *CHECKED)
    assert choices_after(played_record(one, *DEALT, *first)) == [(1, "buy"), (1, "sd")]
    both = ("p1 buy", "d dh p1 6c", "p2 buy", "d dh p2 7c", *CHECKED)
    assert codes(played_record(one, *DEALT, *both)) == []
    assert choices_after(played_record(one, *DEALT, *both))[0][1] == "sm"  # the hand is over


@pytest.mark.parametrize(("stands", "asked"), [(1, False), (2, False), (3, True), (0, True)])
def test_player_who_has_stood_the_configured_number_of_times_is_frozen(
    stands: int, asked: bool
) -> None:
    word = f"hit 0-3 up frozen after {stands}" if stands else "hit 0-3 up"
    rounds = [("p1 buy", f"d dh p1 {card}", "p2 sd", *CHECKED) for card in ("6c", "8c")]
    if stands == 1:
        rounds[1] = ("p1 buy", "d dh p1 8c", *CHECKED)
    game = with_step(POINTS, "hit 0-3 up", word)
    options = choices_after(
        played_record(game, *DEALT, *rounds[0], *rounds[1], "p1 buy", "d dh p1 9c")
    )
    assert ((1, "buy") in options) == asked


def test_player_who_must_take_a_card_cannot_stand() -> None:
    game = with_step(POINTS, "hit 0-3 up", "hit 1-3 up for 2")
    assert choices_after(played_record(game, *DEALT)) == [(0, "buy")]
    assert codes(played_record(game, *DEALT, "p1 sd"))[0] == "wrong-count"
    taken = ("p1 buy 2", "d dh p1 6c", "p2 buy", "d dh p2 7c", *CHECKED, "p1 sd", "p2 sd", *CHECKED)
    answer = replay_record(played_record(game, *DEALT, *taken), strict=True)
    assert (answer["errors"], answer["won"]) == ([], [0, 6])  # antes 2, prices 4


def test_rounds_without_betting_follow_directly() -> None:
    game = POINTS | {"deal": POINTS["deal"][:-1]}
    rounds = ("p1 buy", "d dh p1 6c", "p2 sd", "p1 sd", "p2 sd")
    assert codes(played_record(game, *DEALT, *rounds)) == []
    assert hands(played_record(game, *DEALT, *rounds))[0] == ["2c", "3c", "6c"]


def test_second_step_of_the_same_kind_counts_stands_from_zero() -> None:
    twice = ["hit 0-1 up frozen after 1", "bet", "hit 0-1 up frozen after 1", "bet"]
    game = POINTS | {"deal": [*POINTS["deal"][:3], *twice]}
    first = ("p1 buy", "d dh p1 6c", "p2 sd", *CHECKED)
    record = played_record(game, *DEALT, *first, *first[:1], "d dh p1 7c", "p2 sd", *CHECKED)
    assert codes(record) == []
    assert hands(record) == [["2c", "3c", "6c", "7c"], ["4c", "5c"]]


def test_fold_counts_as_late_if_no_card_is_dealt_after_it() -> None:
    """A player who folded after the last card can still win an unwon pot later."""
    three = ("d dh p1 2c3c", "d dh p2 4c5c", "d dh p3 8c9c", "p1 cc", "p2 cc", "p3 cc")
    taken = ("p1 buy", "d dh p1 6c", "p2 sd", "p3 sd", "p1 cbr 2", "p2 cc", "p3 f")
    stood = played_record(POINTS, *three, *taken, "p1 sd", "p2 sd", *CHECKED, players=3)
    final, _ = final_record(stood)
    assert final is not None
    assert final["players"][2]["folded"] == "late"
    again = (*taken, "p1 buy", "d dh p1 Tc", "p2 sd", *CHECKED, "p1 sd", "p2 sd", *CHECKED)
    final, _ = final_record(played_record(POINTS, *three, *again, players=3))
    assert final is not None
    assert final["players"][2]["folded"] is True


# --- swapping hands -------------------------------------------------------------------------------

THREE = ("d dh p1 2c", "d dh p2 9d", "d dh p3 5h")
SHOWN = ("p1 sm -", "p2 sm -", "p3 sm -")


def test_neighbour_must_swap_and_then_acts_next() -> None:
    record = played_record(SWAPS, *THREE, "p1 swap", "p2 swap", "p3 sd", *SHOWN, players=3)
    assert codes(record) == []
    assert hands(record) == [["9d"], ["5h"], ["2c"]]
    assert codes(played_record(SWAPS, *THREE, "p2 swap", players=3))[0] == "out-of-turn"


def test_king_blocks_the_swap_and_uses_up_the_neighbours_turn() -> None:
    dealt = (THREE[0], "d dh p2 Ks", THREE[2])
    for said in ("p1 swap", "p1 swap Ks", "p1 swap ??"):
        record = played_record(SWAPS, *dealt, said, "p3 sd", *SHOWN, players=3)
        assert codes(record) == []
        assert hands(record) == [["2c"], ["Ks"], ["5h"]]
        texts = [state.text for state in states(record)]
        assert any(text.startswith("ann asks bob to swap and is refused") for text in texts)
    assert codes(played_record(SWAPS, *THREE, "p1 swap Ks", players=3))[0] == "no-such-card"
    assert codes(played_record(SWAPS, *THREE, "p1 swap 9d", players=3))[0] == "no-such-card"


def test_unseen_king_can_block_the_swap_and_becomes_known() -> None:
    dealt = (THREE[0], "d dh p2 ??", THREE[2])
    record = played_record(SWAPS, *dealt, "p1 swap Kh", "p3 sd", *SHOWN, players=3)
    assert codes(record) == []
    assert hands(record) == [["2c"], ["Kh"], ["5h"]]


def test_last_player_swaps_with_the_deck_unless_it_shows_a_king() -> None:
    for drawn, card, out in (("8s", "8s", ["5h"]), ("Kc", "5h", ["Kc"])):
        record = played_record(
            SWAPS, *THREE, "p1 sd", "p2 sd", "p3 swap", f"d dh p3 {drawn}", *SHOWN, players=3
        )
        assert codes(record) == []
        assert hands(record)[2] == [card]
        final, _ = final_record(record)
        assert final is not None
        assert final["players"][2]["out"] == out


def test_dealer_acts_last_if_hands_are_swapped_to_the_right() -> None:
    game = with_step(SWAPS, "swap hand left unless K", "swap hand right")
    record = played_record(game, *THREE, "p2 swap", "p1 swap", "p3 sd", *SHOWN, players=3)
    assert codes(record) == []
    assert hands(record) == [["5h"], ["2c"], ["9d"]]


@given(
    st.integers(0, 2**32), st.sampled_from(["left", "right"]), st.sampled_from(["", " unless K"])
)
def test_swaps_keep_all_dealt_cards(seed: int, side: str, unless: str) -> None:
    """Every dealt card is held or discarded, and each player holds as many cards as before."""
    dealt = ["ante", "2 down 1 up", f"swap hand {side}{unless}", "bet"]
    game = SWAPS | {"deal": dealt, "hand": ["3 own"], "shares": ["high: highest"]}
    record = history(Random(seed), game)
    final, _ = final_record(record)
    assert final is not None
    came = [
        card
        for action in record["actions"]
        if action.startswith("d dh")
        for card in (action.split()[3][at : at + 2] for at in range(0, len(action.split()[3]), 2))
    ]
    lie = [
        card for player in final["players"] for zone in ("down", "up", "out")
        for card in player.get(zone, ())
    ]  # fmt: skip
    assert sorted(lie) == sorted(came)
    assert {(len(player["down"]), len(player["up"])) for player in final["players"]} == {(2, 1)}
    assert "errors" not in settle(record, brief=True)


@given(st.integers(0, 2**32), st.integers(0, 4), st.integers(0, 3))
def test_rounds_end_before_any_player_has_too_many_cards(seed: int, most: int, stands: int) -> None:
    """Every round but the last takes a card, so there is at most one more round than cards."""
    frozen = f" frozen after {stands}" if stands else ""
    game = with_step(POINTS, "hit 0-3 up", f"hit 0-{most} up{frozen}")
    record = history(Random(seed), game)
    assert replay_record(record, strict=True)["errors"] == []
    acts = [action for action in record["actions"] if action.split()[1] in {"buy", "sd"}]
    taken = [sum(action.startswith(f"p{seat} buy") for action in acts) for seat in range(1, 5)]
    assert max(taken) <= most
    for seat in range(1, 5):
        own = [action.split()[1] for action in acts if action.startswith(f"p{seat} ")]
        assert own.count("sd") <= (stands or sum(taken) + 1)
