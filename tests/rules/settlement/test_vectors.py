"""The worked examples: hands whose settlement is known, one file a game (docs/record.md)."""

import json
from pathlib import Path
from typing import Any

import pytest

from rules import problems, settle, settle_many
from tests.helpers.rules.command import settled
from tests.helpers.rules.comparing import differences

FOLDER = Path(__file__).parents[2] / "vectors"
FILES = sorted(path for path in FOLDER.glob("*.jsonl") if path.stem != "errors")


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def wrong(lines: list[dict[str, Any]], answers: list[dict[str, Any]]) -> list[str]:
    assert len(lines) == len(answers)
    return [
        f"line {number} ({line.get('note', 'no note')}): {difference}"
        for number, (line, answer) in enumerate(zip(lines, answers, strict=True), start=1)
        for difference in differences(line["expect"], answer)
    ]


def test_every_game_has_worked_examples() -> None:
    """An empty or a lost file would let the others pass for nothing."""
    assert {path.stem for path in FILES} >= set(
        "big-omaha-8 contract five-card-21 high-noon middlemost midnight-cobain-baseball nightmare"
        " omaha-8 put-and-take qualifiers red-and-black texas-holdem united-states-stud".split()
    )
    assert all(lines_of(path) for path in FILES)


def test_worked_examples_come_out_on_the_command_line() -> None:
    """Good and bad apart, for the exit code tells of the bad."""
    lines = [line for path in FILES for line in lines_of(path)]
    for code in (0, 1):
        sent = [line for line in lines if code == ("errors" in line["expect"])]
        answers, ended = settled(json.dumps(line["record"]) for line in sent)
        assert wrong(sent, answers) == []
        assert ended == code


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_worked_examples_come_out_one_by_one_and_together(path: Path) -> None:
    lines = lines_of(path)
    records = [line["record"] for line in lines]
    together = settle_many(records)
    assert wrong(lines, together) == []
    assert together == [settle(record) for record in records]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_problems_are_the_errors_of_the_answer(path: Path) -> None:
    """`problems` lists every reason why a record can't be settled, `settle` answers with them."""
    for line in lines_of(path):
        answer = settle(line["record"])
        found = [problem.as_dict() for problem in problems(line["record"])]
        assert found == answer.get("errors", [])


def test_a_card_in_a_hand_and_on_the_board_is_no_hand_to_settle() -> None:
    """docs/record.md, card-twice: an example of Omaha-8 once had the queen of clubs twice."""
    record = next(
        line["record"]
        for line in lines_of(FOLDER / "omaha-8.jsonl")
        if line.get("note", "").startswith("no low qualifies")
    )
    record["board"][0][4] = "Qc"
    assert (
        differences({"errors": [{"where": "board/0/4", "code": "card-twice"}]}, settle(record))
        == []
    )
