"""A history up to the all-in, whose rest is run twice (docs/record.md, "Several runs")."""

from typing import Any

from rules.api import all_in, final_record, replay_record, settle
from rules.presentation.playback import playback

RUNS = [
    {"board": [["2c", "3c", "4d", "9h", "Jc"]]},
    {"board": [["Kd", "3d", "4c", "9c", "Jd"]]},
]
ACTIONS = ["d dh p1 AsAh", "d dh p2 KsKh", "p2 cbr 100", "p1 cc", "p1 sm AsAh", "p2 sm KsKh"]
RECORD: dict[str, Any] = {
    "variant": "no-limit-holdem",
    "button": 1,
    "players": [{"name": "ann"}, {"name": "bob"}],
    "stacks": [100, 100],
    "stakes": {"blinds": [1, 2], "min": 2},
    "actions": ACTIONS,
    "runs": RUNS,
}
ONCE = {key: value for key, value in RECORD.items() if key != "runs"}


def test_replay_pays_both_runs() -> None:
    """Aces win the first board. The king of diamonds gives three kings on the second."""
    replayed = replay_record(RECORD, strict=True)
    assert replayed["errors"] == replayed["findings"] == []
    assert replayed["won"] == [100, 100]
    assert replayed["finishing_stacks"] == [100, 100]
    assert [run["won"] for run in settle(RECORD)["runs"]] == [
        {"ann": 100, "bob": 0},
        {"ann": 0, "bob": 100},
    ]


def test_final_record_keeps_the_runs() -> None:
    final, problems = final_record(RECORD)
    assert problems == []
    assert final is not None
    assert final["runs"] == RUNS
    assert "board" not in final


def test_expected_result_does_not_depend_on_the_number_of_runs() -> None:
    """Each run has the same expected result as a single deal."""
    dealt = [*ACTIONS, "d db 2c3c4d", "d db 9h", "d db Jc"]
    single = all_in(ONCE | {"actions": dealt})
    assert single is not None
    assert all_in(RECORD) == single


def test_history_with_runs_can_be_played_back() -> None:
    assert playback(RECORD, settle(RECORD)).scenes


def test_history_with_a_complete_board_has_no_runs() -> None:
    dealt = [*ACTIONS, "d db 2c3c4d", "d db 9h", "d db Jc"]
    codes = {error["code"] for error in settle(RECORD | {"actions": dealt})["errors"]}
    assert "card-count" in codes


def test_history_without_runs_must_be_finished() -> None:
    assert [error["code"] for error in settle(ONCE)["errors"]] == ["not-finished"]
