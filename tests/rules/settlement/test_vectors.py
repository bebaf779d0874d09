"""Worked examples: hands with a known settlement (docs/record.md).

There is one file per game and one folder per family.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from rules import problems, settle, settle_many
from rules.documents import catalog
from tests.helpers.rules.command import settled
from tests.helpers.rules.comparing import differences

FOLDER = Path(__file__).parents[2] / "vectors"
FILES = sorted(path for path in FOLDER.rglob("*.jsonl") if path.stem != "errors")


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def all_differences(lines: list[dict[str, Any]], answers: list[dict[str, Any]]) -> list[str]:
    assert len(lines) == len(answers)
    return [
        f"line {number} ({line.get('note', 'no note')}): {difference}"
        for number, (line, answer) in enumerate(zip(lines, answers, strict=True), start=1)
        for difference in differences(line["expect"], answer)
    ]


def test_every_game_has_two_worked_examples_in_its_family_folder(
    subtests: pytest.Subtests,
) -> None:
    """docs/games.md: each game has two hands with results calculated before settling them."""
    for slug in catalog.slugs():
        with subtests.test(slug=slug):
            lines = lines_of(FOLDER / catalog.family(slug) / f"{slug}.jsonl")
            assert len([line for line in lines if line["record"]["variant"] == slug]) >= 2


def test_every_worked_example_belongs_to_an_existing_game() -> None:
    """A file for a missing game would test nothing. The file `contract` has several games."""
    assert {path.stem for path in FILES} == {"contract", *catalog.slugs()}


def test_worked_examples_can_be_settled_on_the_command_line() -> None:
    """Valid and invalid records run separately, because invalid ones change the exit code."""
    lines = [line for path in FILES for line in lines_of(path)]
    for code in (0, 1):
        sent = [line for line in lines if code == ("errors" in line["expect"])]
        answers, ended = settled(json.dumps(line["record"]) for line in sent)
        assert all_differences(sent, answers) == []
        assert ended == code


def test_worked_examples_have_the_same_answers_alone_and_together(
    subtests: pytest.Subtests,
) -> None:
    for path in FILES:
        with subtests.test(path=path.stem):
            lines = lines_of(path)
            records = [line["record"] for line in lines]
            together = settle_many(records)
            assert all_differences(lines, together) == []
            assert together == [settle(record) for record in records]


def test_problems_function_returns_the_same_errors_as_settling(subtests: pytest.Subtests) -> None:
    """`problems` returns every reason why a record can't be settled.

    `settle` returns the same errors.
    """
    for path in FILES:
        with subtests.test(path=path.stem):
            for line in lines_of(path):
                answer = settle(line["record"])
                found = [problem.as_dict() for problem in problems(line["record"])]
                assert found == answer.get("errors", [])


def test_card_in_both_a_hand_and_on_the_board_is_refused() -> None:
    """docs/record.md, card-twice: an Omaha-8 example used to contain the queen of clubs twice."""
    record = next(
        line["record"]
        for line in lines_of(FOLDER / "omaha" / "omaha-8.jsonl")
        if line.get("note", "").startswith("no low qualifies")
    )
    record["board"][0][4] = "Qc"
    assert (
        differences({"errors": [{"where": "board/0/4", "code": "card-twice"}]}, settle(record))
        == []
    )
