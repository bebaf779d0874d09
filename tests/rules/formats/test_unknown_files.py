"""Files in unknown formats get one error message, and other JSON is not accepted as a record."""

import io
import json
import zipfile
from pathlib import Path

import pytest

from rules.__main__ import main
from rules.formats.files import convert, read_file, read_text
from tests.helpers.rules.hands import record

WINAMAX = """\
Winamax Poker - CashGame - HandId: #1-1-1 - Holdem no limit (0.02€/0.05€) - 2024/03/12 20:14:33 UTC
Table: 'Nice' 5-max (real money) Seat #3 is the button
Seat 1: Ann (5€)
"""
# The first lines of fpdb-3's test files for other rooms, exports and spreadsheets.
TEXTS = {
    WINAMAX: "Winamax",
    "***** 888poker Hand History for Game 1 *****\n$0.01/$0.02 Blinds": "888poker",
    "#Game No : 10\n***** 888.es Hand History for Game 10 *****\n": "888poker",
    "Poker Hand #RC123: Hold'em No Limit ($0.05/$0.1) - 2021/01/01 00:00:00\n": "GGPoker",
    "Poker Hand #TM1: Tournament #2, Spin Hold'em No Limit - Level1(10/20)\n": "GGPoker",
    "Full Tilt Poker Game #1: Table Nice (6 max) - $0.05/$0.10 - No Limit Hold'em\n": "Full Tilt",
    "Game #1 starts.\n\n#Game No : 1\n***** Hand History for Game 1 *****\n": "partypoker",
    "***** Hand History for Game 1 *****\n$25 USD NL Texas Hold'em\n": "partypoker",
    "Ignition Hand #1: HOLDEMZonePoker No Limit - 2016-01-01\n": "Bovada",
    '<?xml version="1.0"?>\n<session sessioncode="1">\n<game gamecode="2">': "iPoker",
    "PokerStars Tournament #1, No Limit Hold'em\nBuy-In: $5/$0.50 USD\n": "tournament summary",
    "Date,Description,Category,Cost,Currency,Ann,Bob\n2024-01-01,Pizza,Food,20,EUR": "Splitwise",
    "Name,Buy-in,Cash-out\nAnn,20,40\nBob,20,0\n": "a spreadsheet",
    "Name;Buy-in;Cash-out\nAnn;20;40\n": "a spreadsheet",
    "Dear Ann\n": "is unknown",
}  # fmt: skip


@pytest.mark.parametrize(("text", "kind"), TEXTS.items())
def test_text_in_an_unknown_format_gets_one_problem_listing_the_formats(
    text: str, kind: str
) -> None:
    (only,) = read_text(text * 5, ".txt")
    (problem,) = only.problems
    assert (only.record, problem.code) == (None, "unknown-format")
    assert kind in problem.text
    assert "PokerNow" in problem.text
    assert "Expecting" not in problem.text


def workbook() -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as packed:
        packed.writestr("xl/workbook.xml", "<workbook/>")
    return content.getvalue()


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (workbook(), "save it as CSV"),
        (b"%PDF-1.7\n\0", "a PDF"),
        (b"\x00\x01\x02" * 99, "binary data"),
    ],
)
def test_binary_file_gets_one_problem(content: bytes, kind: str, tmp_path: Path) -> None:
    (tmp_path / "a.xlsx").write_bytes(content)
    (only,) = read_file(tmp_path / "a.xlsx")
    assert [(each.code, kind in each.text) for each in only.problems] == [("unknown-format", True)]


def written(*records: dict[str, object]) -> str:
    text, problems = convert(list(records), "ohh")
    assert not problems
    return text


def test_open_hand_history_is_detected_wherever_its_key_is() -> None:
    """The whywaita/pokernow2gw tool writes an id before the hand."""
    played = record("no-limit-holdem", [100, 100], ["d dh p1 AsAh", "d dh p2 KdKc", "p2 f"],
                    stakes={"blinds": [1, 2], "min": 2})  # fmt: skip
    plain = json.loads(written(played))
    before = {"id": "h1", **plain}
    texts = [json.dumps(plain), json.dumps(before), json.dumps([before], indent=1)]
    texts.append("\n\n".join([json.dumps(before, indent=1)] * 2))
    records = [[each.record for each in read_text(text)] for text in texts]
    assert records[0][0] is not None
    assert records == [records[0], records[0], records[0], records[0] * 2]


@pytest.mark.parametrize(
    "line",
    [
        '{"foo": 1}',
        "5",
        "[]",
        '{"variant": "holdem"}',
        "null",
        '{"variant": "a", "players": [], "foo": 1}',
    ],
)
@pytest.mark.parametrize("target", ["records", "phh", "ohh"])
def test_convert_refuses_json_that_is_not_a_record(
    line: str, target: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.jsonl").write_text(line)
    assert main(["convert", "--to", target, str(tmp_path / "a.jsonl")]) == 1
    output = capsys.readouterr()
    assert output.out == ""
    assert "record" in output.err or "hands" in output.err or target != "records"


def test_convert_numbers_hands_starting_at_one_and_reports_the_reason() -> None:
    lines = Path("docs/history.jsonl").read_text().splitlines()
    _, problems = convert([json.loads(line) for line in lines], "ohh")
    assert "hand 4/variant" in {problem.where for problem in problems}
    assert all(problem.text.split("; the format's games are")[0] for problem in problems)
    assert not [
        problem for problem in problems if problem.text.startswith("the format's games are")
    ]
