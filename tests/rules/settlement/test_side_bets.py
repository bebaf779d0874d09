"""Side bets and side games decided by a hand: 7-2, high hands, bad beats, stand-up, bomb pots.

7-2: a player who wins the pot with seven and deuce in the hole, suited or not, gets a bounty from
all players who were dealt in (PokerNews, "The 7-2 game"). Bad beat: four of a kind or better loses
at the showdown.
"""

from typing import Any

import pytest

from rules.api import (
    bad_beats,
    game_of,
    high_hands,
    is_bomb_pot,
    pot_winners,
    settle,
    won_with_seven_deuce,
)
from tests.helpers.rules.tables import seat

BOARD = ["7h 7d 2c Ks Qs"]


def hand_answer(*players: dict[str, Any], board: list[str] | None = None, **keys: Any) -> Any:
    record = {"variant": "texas-holdem", "button": 0, "players": list(players)}
    record |= {"board": [row.split() for row in board or BOARD]} | keys
    return record, settle(record)


@pytest.mark.parametrize("held", ["7s 2d", "2h 7c", "7c 2s"])
def test_seven_deuce_winning_the_whole_pot_wins_the_bounty(held: str) -> None:
    assert won_with_seven_deuce(*hand_answer(seat("ann", held), seat("bob", "As Ad"))) == "ann"


@pytest.mark.parametrize("held", ["7s 6d", "2d 2h", "7s 7c", "Kh Kd"])
def test_hands_other_than_seven_deuce_do_not_win_the_bounty(held: str) -> None:
    assert won_with_seven_deuce(*hand_answer(seat("ann", held), seat("bob", "3s 4d"))) is None


def test_seven_deuce_that_splits_or_loses_the_pot_does_not_win_the_bounty() -> None:
    split = hand_answer(seat("ann", "7s 2d"), seat("bob", "7c 2h"))
    lost = hand_answer(seat("ann", "7s 2d"), seat("bob", "Kd Kh"))
    assert won_with_seven_deuce(*split) is None
    assert won_with_seven_deuce(*lost) is None


def test_seven_deuce_with_additional_hole_cards_does_not_win_the_bounty() -> None:
    record = {
        "variant": "omaha-8",
        "button": 0,
        "players": [seat("ann", "7s 2d 2h 7c"), seat("bob", "3s 4d Jh Jd")],
        "board": [["7h", "7d", "Tc", "Ks", "Qs"]],
    }
    assert won_with_seven_deuce(record, settle(record)) is None


def test_winner_who_did_not_show_cards_does_not_win_the_bounty() -> None:
    assert (
        won_with_seven_deuce(*hand_answer(seat("ann", ""), seat("bob", "As Ad", folded=True)))
        is None
    )


def test_high_hands_in_different_games_are_sorted_by_strength() -> None:
    record, answer = hand_answer(seat("ann", "7s 2d"), seat("bob", "As Ad"))
    game = game_of(record).game
    assert game
    ordered = high_hands(game, answer)
    assert [(hand.player, hand.name) for hand in ordered] == [
        ("ann", "full house, sevens over twos"),
        ("bob", "two pair, aces and sevens"),
    ]
    drawn = {
        "variant": "five-card-draw",
        "button": 0,
        "players": [seat("ann", "9s 9d 9h 9c 2d"), seat("bob", "As Ad 3s 4d 5h")],
    }
    other = game_of(drawn).game
    assert other
    assert high_hands(other, settle(drawn))[0].strength > ordered[0].strength


def test_hand_with_wild_cards_is_not_a_high_hand() -> None:
    record = {
        "variant": {"name": "Wild", "deal": ["5 down"], "shares": ["high"], "wild": ["2"]},
        "button": 0,
        "players": [seat("ann", "2s 2d Ah Ac As"), seat("bob", "3s 4d 9h Tc Jd")],
    }
    game = game_of(record).game
    assert game
    assert high_hands(game, settle(record)) == []


@pytest.mark.parametrize(
    ("loses", "wins", "board", "expected"),
    [
        ("8s 8d", "Ks Kd", "8h 8c Kh Kc 2d", ["ann"]),
        ("8s 8d", "Ks Qd", "8h Kc Kh Qc 2d", []),
        ("Ks Kd", "8s 2d", "8h Kc Kh Qc 2h", []),
    ],
)
def test_losing_four_of_a_kind_is_a_bad_beat(
    loses: str, wins: str, board: str, expected: list[str]
) -> None:
    record, answer = hand_answer(seat("ann", loses), seat("bob", wins), board=[board])
    game = game_of(record).game
    assert game
    assert [each.player for each in bad_beats(game, answer)] == expected


def test_seven_deuce_must_win_every_run() -> None:
    """The bounty requires the whole pot: "the sole winner of the main pot" (thatsnotpoker)."""
    players = seat("ann", "7s 2d"), seat("bob", "As Ad")
    flop = ["7h 7d Kc"]
    both = [{"board": [["3c", "4c"]]}, {"board": [["5c", "9d"]]}]
    one = [{"board": [["3c", "4c"]]}, {"board": [["Ac", "9d"]]}]
    assert won_with_seven_deuce(*hand_answer(*players, board=flop, runs=both)) == "ann"
    assert won_with_seven_deuce(*hand_answer(*players, board=flop, runs=one)) is None


def test_card_dealt_down_in_a_run_is_another_hole_card() -> None:
    record = {
        "variant": "seven-card-stud",
        "button": 0,
        "players": [
            seat("ann", "7s 2d", up="7h 7d 7c Kh"),
            seat("bob", "Qs Qd", up="3h 4d 5c 6h"),
        ],
        "runs": [
            {"players": [{"name": "ann", "down": [ann]}, {"name": "bob", "down": [bob]}]}
            for ann, bob in (("9h", "9s"), ("8h", "8s"))
        ],
    }
    answer = settle(record)
    assert answer["won"] == {"ann": 20, "bob": 0}
    assert won_with_seven_deuce(record, answer) is None


@pytest.mark.parametrize(
    ("runs", "beaten", "highest"),
    [
        (["Kc 2d", "3c 2h"], ["ann"], ("bob", "four kings")),
        (["3c 2h", "Kc 2d"], [], ("ann", "four eights")),
    ],
)
def test_only_the_first_run_counts_for_bad_beats_and_high_hands(
    runs: list[str], beaten: list[str], highest: tuple[str, str]
) -> None:
    """More runs don't give more chances.

    "In the case of RIMT only the first run will count towards the jackpot" (GGPoker, bad beat
    jackpot). "Only the natural board will qualify" (Poker House of Dallas, high hand rules).
    """
    players = seat("ann", "8s 8d"), seat("bob", "Ks Kd")
    boards = [{"board": [each.split()]} for each in runs]
    record, answer = hand_answer(*players, board=["8h 8c Kh"], runs=boards)
    game = game_of(record).game
    assert game
    assert answer["won"] == {"ann": 10, "bob": 10}
    assert [each.player for each in bad_beats(game, answer)] == beaten
    best = high_hands(game, answer)[0]
    assert (best.player, best.name) == highest


def test_any_run_wins_a_pot_but_uncalled_chips_do_not() -> None:
    players = seat("ann", "8s 8d"), seat("bob", "Ks Kd", paid=30)
    boards = [{"board": [each.split()]} for each in ("3c 2h", "Kc 2d")]
    assert pot_winners(hand_answer(*players, board=["8h 8c Kh"], runs=boards)[1]) == {"ann", "bob"}
    assert pot_winners(hand_answer(*players, board=["8h 8c Kh 3c 2h"])[1]) == {"ann"}


@pytest.mark.parametrize(
    ("variant", "options", "expected"),
    [
        ("bomb-pot-holdem", {}, True),
        ("double-board-omaha", {"start": "bomb"}, True),
        ("double-board-omaha", {"start": "blinds"}, False),
        ("texas-holdem", {}, False),
    ],
)
def test_bomb_pot_is_recognized_by_its_ante(
    variant: str, options: dict[str, str], expected: bool
) -> None:
    game = game_of({"variant": variant, "options": options}).game
    assert game
    assert is_bomb_pot(game) is expected
