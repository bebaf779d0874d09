"""Choices may be written in common ways, such as 4 for "4" and 10 for T (docs/record.md)."""

import re

import pytest

from rules import settle
from rules.__main__ import main
from rules.documents import catalog, documents
from rules.presentation.form import game_of
from tests.helpers.rules.tables import deal, seat


def test_choice_can_be_given_as_a_number_in_every_game() -> None:
    tried = 0
    for slug in catalog.slugs():
        for option in documents.own_options(catalog.document(slug)):
            words = [choice.word for choice in option.choices]
            for word in words:
                spelled: list[str | int] = [int(word)] if re.fullmatch(r"\d+", word) else []
                if word == "T" and "10" not in words:
                    spelled += ["10", 10]
                for other in spelled:
                    game = game_of(slug, (), {option.name: other})
                    assert game is game_of(slug, (), {option.name: word}), (slug, other)
                    assert game.chosen[option.name] == word
                    tried += 1
    assert tried > 30


def test_option_with_a_range_accepts_only_integers() -> None:
    record = deal("guts", seat("ann", "Ac Ad Kc"), seat("bob", "Kd Qc 2d"), options={"cards": "3"})
    assert [error["code"] for error in settle(record)["errors"]][:1] == ["bad-option"]


@pytest.mark.parametrize("spelled", ["4", "10", "T", "none"])
def test_show_command_accepts_a_choice_as_a_number(
    spelled: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["show", "follow-the-queen", "--option", f"follower={spelled}"]) == 0
    named = {"4": "Fours are wild.", "10": "Tens are wild.", "T": "Tens are wild."}
    page = capsys.readouterr().out
    assert all((said in page) == (named.get(spelled) == said) for said in named.values())


def test_show_command_without_a_game_reports_only_the_missing_game(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        main(["show"])
    assert capsys.readouterr().err.endswith("the following arguments are required: game\n")


def test_error_for_an_unknown_choice_lists_ten_as_10() -> None:
    game = {"name": "X", "deal": ["5 down"], "wild": ["{w}"], "shares": ["high"]}
    game |= {"options": {"w": ["K", "T"]}}
    record = deal(game, seat("ann", "As Kd 2c 3c 4c"), options={"w": "9"})
    assert settle(record)["errors"][0]["text"] == "w must be one of K, 10"
