"""Open Hand History, PokerNow, and conversion on the command line."""

import json
from pathlib import Path
from random import Random
from re import sub
from typing import Any

import pytest

from rules.formats import fitting
from rules.formats.amounts import Chip
from rules.formats.files import convert, in_file_unit, read_text
from rules.formats.ledgers import read_ledger
from rules.formats.ohh.exporter import write_ohh
from rules.formats.ohh.importer import read_ohh
from rules.history import replay_record
from tests.helpers.laws.histories import history
from tests.helpers.league import hand_files
from tests.helpers.rules.command import run
from tests.helpers.rules.hands import ROOT
from tests.helpers.rules.poker_now import LEDGER, LOG, read_log


def log_record() -> dict[str, Any]:
    (hand,) = read_log(LOG, "units").hands
    assert hand.record is not None, hand.problems
    return hand.record


# --- PokerNow -----------------------------------------------------------------------------------


def test_log_that_starts_with_the_newest_line_is_sorted_and_replayed() -> None:
    """The newest line comes first. Names contain @, and two players have the same name."""
    record = log_record()
    assert [player["name"] for player in record["players"]] == [
        "Al (aaa111)",
        "Bob @ home",
        "Al (ccc333)",
    ]
    answer = replay_record(record, strict=True)
    assert answer["finishing_stacks"] == [99, 231, 30]
    assert record["took"] == {"Bob @ home": 61}
    assert (answer["errors"], answer["findings"]) == ([], [])


def test_log_lines_outside_hands_are_returned_with_a_reason() -> None:
    lines = [(line.number, line.why) for line in read_log(LOG, "units").lines]
    assert lines == [(16, "unread")]


def test_log_with_decimal_amounts_is_refused_when_read_in_cents() -> None:
    split = LOG.replace("small blind of 1", "small blind of 0.50").replace("ed 61", "ed 60.50")
    (units,) = read_log(split, "units").hands
    assert units.record is not None
    assert units.record["about"]["places"] == 1
    (cents,) = read_log(split, "cents").hands
    assert [problem.code for problem in cents.problems] == ["bad-chips"]


def test_ledger_is_summed_by_player_and_reports_unreadable_lines() -> None:
    ledger = read_ledger(LEDGER, "cents")
    nets = {player.id: (player.name, player.buy_in, player.net) for player in ledger.players}
    assert nets == {"aaa111": ("Al, Jr.", 2000, 500), "bbb222": ("Bob", 2000, -500)}
    assert ledger.balance == 0
    [line] = ledger.lines
    assert (line.number, line.why) == (5, "unread")
    assert line.text == "the buy-in “x” is not an amount: “nobody,,,,x,,,”"


def test_ledger_in_units_is_read_without_rounding() -> None:
    ledger = read_ledger(LEDGER.replace("2000,,2500,500", "0.10,,0.30,0.20"), "units")
    assert (ledger.places, ledger.players[0].net) == (1, 2)


# --- Open Hand History --------------------------------------------------------------------------


@pytest.mark.parametrize("slug", ["no-limit-holdem", "limit-holdem", "pot-limit-omaha"])
def test_hand_survives_a_round_trip_through_open_hand_history(slug: str) -> None:
    for seed in range(20):
        record = history(Random(seed), slug)
        text, problems = write_ohh(record)
        assert text is not None, problems
        (back,) = read_ohh(text)
        assert back.record is not None, back.problems
        assert replay_record(back.record)["won"] == replay_record(record)["won"]
        (again,) = read_ohh(write_ohh(back.record)[0] or "")
        assert again.record == back.record


def test_pots_determine_the_meaning_of_a_raise_amount() -> None:
    """Amounts are the chips added, as in the specification, or the total, as in some files."""
    data = json.loads(write_ohh(log_record() | {"about": {}})[0] or "")
    put_in = next(iter(read_ohh(json.dumps(data)))).record
    raises = data["ohh"]["rounds"][0]["actions"]
    assert put_in is not None
    assert [action["action"] for action in raises].count("Raise") == 1
    assert replay_record(put_in)["won"] == [0, 61, 0]


@pytest.mark.parametrize("text", ["{", '{"ohh": 3}', '{"ohh": {"game_type": "Whist"}}', "[7]"])
def test_invalid_hand_is_refused(text: str) -> None:
    (hand,) = read_ohh(text)
    assert hand.record is None
    assert hand.problems


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{"ohh": 1},\n{"ohh": 2}', "line 1 column 11"),
        ('{"ohh": 1}\n]', "line 2 column 1"),
        ('[{"ohh": 1}, ]', "line 1 column 14"),
        ('[{"ohh": 1}\n{"ohh": 2}]', "line 2 column 1"),
        ('[{"ohh": 1}', "line 1 column 12"),
        ('{"ohh": 1}\n\n{"ohh": x}', "line 3 column 9"),
    ],
)
def test_text_that_is_not_json_is_refused_with_its_place(text: str, place: str) -> None:
    *_, last = read_ohh(text)
    assert [problem.code for problem in last.problems] == ["not-json"]
    assert place in last.problems[0].text


def test_hands_in_lists_and_hands_that_follow_each_other_are_read() -> None:
    hand = write_ohh(log_record() | {"about": {}})[0] or ""
    for text in (f"{hand}\n{hand}", f"[{hand},\n{hand}]", f"[]\n[{hand}]\n[{hand}] "):
        records = [read.record for read in read_ohh(text)]
        assert len(records) == 2
        assert records[0] == records[1] is not None


@pytest.mark.parametrize(
    ("kind", "lacking"),
    [
        ("Stud", "bring-in"),
        ("StudHiLo", "cards are up"),
        ("Draw", "discards"),
        ("Whist", "the format's games are"),
    ],
)
def test_game_that_open_hand_history_does_not_support_is_refused_with_a_reason(
    kind: str, lacking: str
) -> None:
    """Specification 1.4.7 mentions stud and draw but has no streets or actions for them."""
    told = {"game_type": kind, "bet_limit": {"bet_type": "FL"}, "players": [], "rounds": []}
    (found,) = read_ohh(json.dumps({"ohh": told}))
    [problem] = found.problems
    assert (problem.where, problem.code) == ("game_type", "unknown-game")
    assert lacking in problem.text


@pytest.mark.parametrize("slug", ["razz", "seven-card-stud", "badugi", "five-card-stud"])
def test_stud_or_draw_hand_is_not_exported_to_open_hand_history(slug: str) -> None:
    assert write_ohh(history(Random(1), slug))[0] is None


def test_duplicate_key_is_refused() -> None:
    """Duplicate keys are ambiguous in records, Open Hand History and our field in PHH files."""
    texts = ('{"variant": "razz", "variant": "razz"}', '{"ohh": {"id": 1, "id": 2}}')
    field = """_record = '{"a": {"b": 1, "b": 1}}'\n"""
    for hand in (*(read_text(text)[0] for text in texts), read_text(field, ".phh")[0]):
        assert hand.record is None
        assert [problem.code for problem in hand.problems] == ["not-json"]


# --- the command line ---------------------------------------------------------------------------


def test_convert_writes_every_format_and_reads_it_back(tmp_path: Path) -> None:
    source = str(ROOT / "docs" / "history.jsonl")
    out = tmp_path / "hands.phhs"
    done = run("convert", "--to", "phh", "--output", str(out), source)
    assert (done.returncode, done.stderr) == (0, b"")
    back = run("convert", str(out))
    told = (ROOT / "docs" / "history.jsonl").read_text().splitlines()
    assert list(map(json.loads, back.stdout.splitlines())) == list(map(json.loads, told))


def test_convert_prints_the_players_of_a_ledger(tmp_path: Path) -> None:
    path = tmp_path / "ledger.csv"
    path.write_text(LEDGER, "utf-8")
    done = run("convert", "--amounts", "cents", str(path))
    first, _ = map(json.loads, done.stdout.splitlines())
    assert first == {
        "id": "aaa111",
        "name": "Al, Jr.",
        "buy_in": 2000,
        "buy_out": 0,
        "stack": 2500,
        "net": 500,
        "sessions": [{"session_start_at": "2024-01-01T10:00:00Z"}],
        "places": 0,
    }


def test_records_are_separated_only_by_line_ends() -> None:
    """A JSON string may contain other separators, such as U+2028."""
    record = log_record() | {"notes": "a\u2028b\x85c"}
    line = json.dumps(record, ensure_ascii=False)
    hands = read_text(f"{line}\r\n\r\n{line}\n{{\r\n")
    assert [hand.record for hand in hands] == [record, record, None]
    assert [hand.line for hand in hands] == [1, 3, 4]
    assert "line 1 column 2" in hands[2].problems[0].text


def test_convert_requires_the_unit_for_pokernow_amounts(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text(LOG, "utf-8")
    refused = run("convert", str(path))
    assert refused.returncode == 1
    assert b"cents or units" in refused.stderr
    converted = run("convert", "--amounts", "units", str(path))
    assert converted.returncode == 1  # because one line could not be read
    assert b"line 16: this line is not understood" in converted.stderr
    assert json.loads(converted.stdout)["variant"] == "no-limit-holdem"


def test_replay_prints_one_line_per_hand_and_exits_with_1_after_an_error(tmp_path: Path) -> None:
    path = tmp_path / "hands.jsonl"
    good = (ROOT / "docs" / "history.jsonl").read_text().splitlines()[1]
    path.write_text(f"{good}\n{{\n")
    done = run("replay", str(path))
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    keys = "file hand starting_stacks finishing_stacks won errors findings".split()
    assert [list(answer) for answer in answers] == [keys, keys]
    assert [answer["hand"] for answer in answers] == [1, 2]
    assert done.returncode == 1


def test_number_with_a_huge_exponent_is_refused() -> None:
    """Regression test for a number found by fuzzing the parser."""
    [read] = read_ohh('{"ohh": {"small_blind_amount": 1e99999999999999999999}}')
    assert [problem.code for problem in read.problems] == ["not-json"]
    assert "1e99999999999999999999" in read.problems[0].text


def test_non_numeric_stacks_are_reported_as_unequal() -> None:
    """A record's copy of the file's fields may contain anything."""
    record = json.loads((ROOT / "docs/history.jsonl").read_text("utf-8").splitlines()[0])
    told = {"format": "phh", "fields": {"finishing_stacks": [{"toml": "a lot"}]}}
    record["about"] = told
    answer = in_file_unit(replay_record(record), record)
    assert "stacks-differ" in [finding["code"] for finding in answer["findings"]]


def test_hand_with_an_unreadable_stack_is_refused() -> None:
    (hand,) = read_log(LOG.replace("#4 ", "4 "), "units").hands
    assert hand.record is None
    assert [(each.where, each.code) for each in hand.problems] == [("players", "not-read")]


QUARTERS = hand_files.hand(small="0.25", big="0.5", stacks="100.50", bet=2)


@pytest.mark.parametrize("target", ["phh", "ohh", "pokerstars"])
def test_hand_in_the_chips_of_a_league_is_written_in_the_unit_of_its_file(target: str) -> None:
    """A chip is a quarter: stacks of 100.50 are 402 chips."""
    [read] = read_text(QUARTERS, ".phh")
    assert read.record is not None
    record, wrong = fitting.in_chips(read.record, Chip(places=2, units=25))
    assert (wrong, record["stacks"], record["stakes"]["blinds"]) == ([], [402, 402], [1, 2])
    assert "p2 cbr 8" in record["actions"]
    texts = (convert([each], target)[0] for each in (record, read.record))
    # PokerStars' number is derived from the record
    text, expected = (sub(r"Hand #\d+", "", each) for each in texts)
    assert text == expected != ""


def test_round_amounts_of_a_record_in_cents_are_written_for_pokerstars() -> None:
    """The text was read back in whole units, and its winnings differed by a factor of 100."""
    [read] = read_text(hand_files.hand(), ".phh")
    assert read.record is not None
    record, _ = fitting.in_chips(read.record, Chip(places=2))
    text, wrong = convert([record], "pokerstars")
    assert wrong == []
    assert "ann (100 in chips)" in text


def test_amounts_that_are_not_whole_chips_are_found_with_their_places() -> None:
    [read] = read_text(QUARTERS, ".phh")
    assert read.record is not None
    _, wrong = fitting.in_chips(read.record, Chip(units=1))
    places = ["stakes/blinds/0", "stakes/blinds/1", "stakes/min", "stacks/0", "stacks/1"]
    assert [each.where for each in wrong] == places
    assert wrong[3].text == "100.5 is not a whole number of chips, which are 1 each in the file"
