"""Other programs' files may use any TOML spelling. Unusual files are read or rejected."""

import json
import tomllib
from decimal import Decimal
from random import Random
from typing import Any

import pytest

from rules.formats.files import convert, in_file_unit, read_text
from rules.formats.games import codes
from rules.formats.hands import Imported
from rules.formats.phh import write_phh
from rules.history import replay_record
from tests.helpers.laws.histories import history
from tests.helpers.rules.hands import public_files
from tests.helpers.rules.spelling import changed, spelled

OWN = [
    write_phh([history(Random(seed), code.game)]) for seed, code in enumerate(codes("phh").values())
]
TEXTS = [path.read_text("utf-8") for path in public_files()] or OWN
STUD = """variant = "F7S"
antes = {antes}
bring_in = 1
small_bet = 2
big_bet = 4
starting_stacks = [20, 20, 20]
actions = ["d dh p1 ????Th", "d dh p2 ????3c", "d dh p3 ????4c", "p2 pb", "p3 f", "p1 f"]
"""


def fields_of(text: str) -> dict[str, Any]:
    return tomllib.loads(text, parse_float=Decimal)


def only(text: str) -> Imported:
    (hand,) = read_text(text, ".phh")
    return hand


@pytest.mark.parametrize("text", TEXTS)
def test_hand_is_the_same_however_its_toml_is_written(text: str) -> None:
    """The same hand in different TOML spellings.

    Spellings differ in comments, lists, underscores, quotes, escapes, line ends and byte order
    marks.
    """
    expected = only(text).record
    assert expected is not None
    for seed in range(20):
        other = spelled(Random(seed), fields_of(text))
        assert only(other).record == expected, other


@pytest.mark.parametrize("text", TEXTS)
def test_unusual_hand_survives_a_round_trip_or_is_refused_with_reasons(text: str) -> None:
    """Fields are missing or unknown, and amounts, sizes, stacks and cards are unusual."""
    for seed in range(40):
        chance = Random(seed)
        result = only(spelled(chance, changed(chance, fields_of(text))))
        if result.record is None:
            assert result.problems
            assert all(problem.text for problem in result.problems)
            continue
        answer = in_file_unit(replay_record(result.record), result.record)
        assert json.loads(json.dumps(answer)) == answer
        again, refused = convert([result.record], "phh")
        assert (answer["errors"] != []) if refused else only(again).record == result.record


@pytest.mark.parametrize("antes", ["1", "1.0", "[1, 1, 1]", "[1, 1.00, 1]"])
def test_single_ante_applies_to_all_players(antes: str) -> None:
    record = only(STUD.format(antes=antes)).record
    assert record is not None
    assert record["stakes"]["ante"] == 1
    assert replay_record(record)["finishing_stacks"] == [19, 22, 19]


@pytest.mark.parametrize("bet", ["-5", "²", "٣", "1e3", "5.", ".5", "9" * 31, "0.5.5"])
def test_hand_with_an_unreadable_bet_survives_a_round_trip(bet: str) -> None:
    text = STUD.format(antes="0.5").replace('"p3 f"', f'"p3 cbr {bet}"')
    record = only(text).record
    assert record is not None
    assert only(write_phh([record])).record == record
    assert replay_record(record)["errors"]
