"""House rules that other tools for this format get wrong."""

import json
from pathlib import Path

from rules.formats.files import replay_files
from rules.history import replay_record

RIVER = ["d db 3h7dKs", "d db 8c", "d db Qd"]
HAND = """variant = "FO/8"
antes = [0, 0, 0]
blinds_or_straddles = [0, 0, 0]
small_bet = {small}
big_bet = {small}
starting_stacks = {stacks}
actions = {actions}
"""


def played(tmp_path: Path, text: str) -> dict[str, object]:
    path = tmp_path / "hand.phh"
    path.write_text(text)
    (answer,) = replay_files([path])
    assert answer["errors"] == []
    return answer


def hand(small: int, stacks: list[int], cards: list[str], actions: list[str]) -> str:
    dealt = [f"d dh p{seat} {text}" for seat, text in enumerate(cards, 1)]
    told = dealt + actions
    return HAND.format(small=small, stacks=stacks, actions=json.dumps(told))


def test_side_pot_without_a_possible_low_goes_to_the_high_hand(tmp_path: Path) -> None:
    """Only the short stack has a low, which wins half the main pot and nothing else."""
    text = hand(
        20,
        [10, 20, 20],
        ["Ac2dJhJs", "KhKdTcTs", "QhQc9s9h"],
        ["p1 cbr 10", "p2 cbr 20", "p3 cc", *RIVER],
    )
    # main pot 30: 15 for kings, 15 for the low; kings win the whole side pot of 20
    assert played(tmp_path, text)["finishing_stacks"] == [15, 35, 0]


def test_main_and_side_pots_stay_separate_if_the_short_stack_loses(tmp_path: Path) -> None:
    """Pots of 9 and 4 are split separately, not as one pot of 13."""
    text = hand(
        5,
        [3, 5, 5],
        ["JhJsTcTd", "Ac2dKhKd", "Ad2cKcTh"],
        ["p1 cbr 3", "p2 cbr 5", "p3 cc", *RIVER],
    )
    answer = played(tmp_path, text)
    # Bob's high wins 5 of 9 and 2 of 4. The low is split: 4 and 2.
    assert answer["finishing_stacks"] == [0, 10, 3]


def test_three_winners_receive_at_most_one_odd_chip_each(tmp_path: Path) -> None:
    """Odd chips do not all go to the first winner: 35 among three is 12, 12, 11."""
    cards = ["2c3d", "2d3c", "2s3s", "4c5d", "4d5c", "6c7d", "6d7c"]
    dealt = [f"d dh p{seat} {text}" for seat, text in enumerate(cards, 1)]
    mucked = ["p4 sm", "p5 sm", "p6 sm", "p7 sm"]
    actions = json.dumps([*dealt, *mucked, "d db AhKhQh", "d db Jh", "d db Th"])
    text = f"""variant = "NT"
antes = [5, 5, 5, 5, 5, 5, 5]
blinds_or_straddles = [0, 0, 0, 0, 0, 0, 0]
min_bet = 2
starting_stacks = [5, 5, 5, 5, 5, 5, 5]
actions = {actions}
"""
    assert played(tmp_path, text)["finishing_stacks"] == [12, 12, 11, 0, 0, 0, 0]


def test_last_player_must_discard_before_showing_a_hand() -> None:
    """In Qualifiers, the last player must show a qualifying hand of the right number of cards."""
    record = {
        "variant": "qualifiers",
        "modifiers": ["pineapple"],
        "button": 0,
        "players": [{"name": "ann"}, {"name": "bob"}],
        "stacks": [3, 40],
        "stakes": {"ante": 1, "min": 2},
        "actions": [
            "d dh p2 8h4hTd3s5hKh", "d dh p1 7d6c7sKcQd3d", "p2 cbr 39", "p1 f",
            "d db 9d", "p2 sd 3s", "d db 9c",
        ],
    }  # fmt: skip
    assert replay_record(record, strict=True)["errors"] == []
    undone = record | {"actions": [each for each in record["actions"] if each != "p2 sd 3s"]}
    assert replay_record(undone, strict=True)["errors"]
