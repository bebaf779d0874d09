"""Import and export of Poker Hand History files (https://phh.readthedocs.io)."""

from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

import pytest

from rules.documents import catalog
from rules.formats import fitting
from rules.formats.files import replay_files
from rules.formats.games import codes
from rules.formats.phh import read_phh, write_phh
from tests.helpers.laws.histories import TOLD_BY_ACTIONS, history
from tests.helpers.rules.hands import public_files
from tests.helpers.stages import sample

DECIMAL = """# a comment of the file
variant = 'NT'
ante_trimming_status = false
antes = [0.0, 2.50, 0]
blinds_or_straddles = [0.50, 1, 0]
min_bet = 1.00
starting_stacks = [99.75, 1234567890.05, inf]
actions = [
  'd dh p1 ????',  # nobody saw them
  'd dh p2 AhAd', 'd dh p3 ????', 'p3 cbr 3.10 # a  min raise?', 'p1 f', '# a word', '',
  'p2 cbr 20.05', 'p3 f']
time = 21:55:24
day = 2
players = ['a', 'a', '']
_sponsors = ["", 'G "x"', "é"]
_when = 2024-02-29T10:00:00Z
_ratio = 1.50
"""
STUD = """variant = "F7S"
antes = [1, 1]
bring_in = 1
small_bet = 2
big_bet = 4
starting_stacks = [20, 20]
actions = ["d dh p1 ????Th", "d dh p2 ????3c", "p2 pb", "p1 f"]
finishing_stacks = [19, 21]
"""


def only(text: str) -> dict[str, Any]:
    (hand,) = read_phh(text)
    assert hand.record is not None, hand.problems
    return hand.record


def played(tmp_path: Path, text: str, *, strict: bool = False) -> dict[str, Any]:
    path = tmp_path / "hand.phh"
    path.write_text(text, "utf-8")
    (answer,) = replay_files([path], strict=strict)
    return answer


def test_decimal_amounts_become_integers_and_are_exported_unchanged(tmp_path: Path) -> None:
    record = only(DECIMAL)
    assert record["about"]["places"] == 2
    assert record["stacks"] == [9975, 123456789005, None]
    assert record["actions"][3] == "p3 cbr 310 # a  min raise?"
    answer = played(tmp_path, DECIMAL)
    assert answer["finishing_stacks"] == [99.25, 1234567893.65, None]
    assert answer["won"] == [0, 9.2, 0]
    assert answer["errors"] == []


@pytest.mark.parametrize("text", [DECIMAL, STUD], ids=["decimal", "stud"])
def test_exported_hand_is_imported_as_the_same_record(text: str) -> None:
    record = only(text)
    assert only(write_phh([record])) == record


@pytest.mark.parametrize("path", public_files(), ids=lambda path: path.stem)
def test_public_hand_survives_a_round_trip(path: Path) -> None:
    record = only(path.read_text("utf-8"))
    assert only(write_phh([record])) == record


@pytest.mark.parametrize("slug", sample(TOLD_BY_ACTIONS, 60))
def test_hand_of_any_game_survives_a_round_trip(slug: str) -> None:
    """If a game has no PHH code, the hand's record is stored in a custom field."""
    for seed in (1, 2):
        record = history(Random(seed), slug)
        assert only(write_phh([record])) == record


def test_invalid_hand_does_not_affect_others_in_its_file() -> None:
    text = f"[first]\n{STUD}\n[2]\nvariant = 'XX'\n\n[3]\n{STUD}"
    hands = read_phh(text)
    assert [hand.hand for hand in hands] == ["first", "2", "3"]
    assert [problem.where for problem in hands[1].problems] == ["variant", "starting_stacks"]
    records = [hand.record for hand in hands if hand.record is not None]
    assert [hand.record for hand in read_phh(write_phh(records))] == records


@pytest.mark.parametrize(
    ("wrong", "line", "why"),
    [
        (f"[2]\nantes = [{'0.1, ' * 50_000}]\n", 10, "a hand has more than 200,000 characters"),
        ("[2]\nantes = [\n", 12, "Invalid value (at end of document)"),
        ("[2]\nantes = [;]\n", 11, "Invalid value (at line 11, column 10)"),
        ("[first]\n", 10, "two sections have the name 'first'"),
    ],
)
def test_section_that_cannot_be_read_is_refused_with_its_line(
    wrong: str, line: int, why: str
) -> None:
    """A list of 1.5 million decimals took 830 MB of memory."""
    text = f"[first]\n{STUD}{wrong}[3]\n{STUD}"
    hands = read_phh(text)
    assert [hand.record is not None for hand in hands] == [True, False, True]
    [problem] = hands[1].problems
    assert (hands[1].line, problem.text) == (line, why)


def test_header_in_a_string_or_a_comment_starts_no_section() -> None:
    texts = ("_note = '''\n[2]\n'''\n", '_note = """\n[2]\n"""\n', "# '''\n")
    for text in texts:
        hands = read_phh(f'  [first] # a hand\n{STUD}{text}["3"]\r\n{STUD}')
        assert [hand.hand for hand in hands] == ["first", "3"]
        assert all(hand.record is not None for hand in hands)


def test_all_eleven_phh_variant_codes_are_supported() -> None:
    variant_codes = "FT NT NS PO FO/8 F7S F7S/8 FR N2L1D F2L3D FB".split()
    assert list(codes("phh")) == variant_codes
    assert {code.game for code in codes("phh").values()} <= set(catalog.slugs())


def test_difference_between_file_and_rules_is_reported(tmp_path: Path) -> None:
    answer = played(tmp_path, STUD.replace("[19, 21]", "[18, 22]"))
    assert answer["finishing_stacks"] == [19, 21]
    assert [finding["code"] for finding in answer["findings"]] == ["stacks-differ"]


def test_unfinished_hand_ends_with_its_current_stacks(tmp_path: Path) -> None:
    answer = played(tmp_path, STUD.replace(', "p1 f"', ""))
    assert answer["finishing_stacks"] == [19, 18]
    assert [finding["code"] for finding in answer["findings"]][:1] == ["not-finished"]


@pytest.mark.parametrize(
    "text",
    ["", "x", "variant = 'NT'", "[1]\nactions = 3", STUD.replace("20, 20", "'a', 2"),
     STUD.replace("[1, 1]", "[1]"), STUD.replace('"p2 pb"', "7"), "_record = '[]'",
     STUD.replace("bring_in = 1", "bring_in = nan"), STUD.replace("20, 20", "-5, 20")],
)  # fmt: skip
def test_invalid_hand_is_refused_with_a_reason(tmp_path: Path, text: str) -> None:
    answer = played(tmp_path, text)
    assert answer["errors"]
    assert answer["won"] is None


def test_negative_post_does_not_change_the_opener(tmp_path: Path) -> None:
    """A new player's blind counts as a bet, but the first player after the blinds still opens."""
    text = """variant = "NT"
antes = [0, 0, 0, 0]
blinds_or_straddles = [1, 2, 0, -2]
min_bet = 2
starting_stacks = [50, 50, 50, 50]
actions = ["d dh p1 ????", "d dh p2 ????", "d dh p3 ????", "d dh p4 ????", "p3 f", "p4 cc", "p1 f",
  "p2 cbr 6", "p4 f"]
"""
    answer = played(tmp_path, text, strict=True)
    assert answer["errors"] == []
    assert answer["finishing_stacks"] == [49, 53, 50, 48]


@pytest.mark.parametrize("zone", ["Mars", "../Mars", "Europe", 5])
def test_invalid_time_zone_of_a_hand_is_ignored(zone: object) -> None:
    fields = {"year": 2024, "month": 2, "day": 29, "time_zone": zone}
    time = fitting.played_at({"about": {"format": "phh", "fields": fields}}, UTC)
    assert time == fitting.HandTime(datetime(2024, 2, 29, 12, tzinfo=UTC), exact=False)
