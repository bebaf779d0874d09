"""The command line: exit codes, bad input, pipes (docs/record.md and the README)."""

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from rules import settle
from rules.documents import catalog
from tests.helpers.laws.records import record
from tests.helpers.rules.command import ROOT, run, settled, started
from tests.helpers.rules.tables import deal, seat

HOLDEM = deal("texas-holdem", seat("ann", "Ac Ad"), seat("bob", "Kc Kd"), board="2h 7d 9s Jd Qc")
GOOD = json.dumps(HOLDEM)
ERRORS = [
    json.loads(line)
    for line in (ROOT / "tests" / "vectors" / "errors.jsonl").read_text("utf-8").splitlines()
]


def with_paid(paid: str) -> str:
    return GOOD.replace('"paid": 10', f'"paid": {paid}', 1)


# --- settle -------------------------------------------------------------------------------------


def test_valid_record_is_settled_with_exit_code_0() -> None:
    assert settled([GOOD]) == ([settle(HOLDEM)], 0)


def test_settle_prints_nothing_for_empty_input() -> None:
    for sent in (b"", b"\n \n"):
        done = run("settle", sent=sent)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_brief_option_omits_hands_and_story() -> None:
    answers, code = settled([GOOD], "--brief")
    assert answers == [settle(HOLDEM, brief=True)]
    assert not answers[0].keys() & {"hands", "story", "reasons"}
    assert code == 0


def test_settle_continues_after_a_bad_line_and_exits_with_1() -> None:
    """docs/record.md: `settle` continues with the next line and exits with 1 at the end."""
    answers, code = settled([GOOD, "{", GOOD, json.dumps(HOLDEM | {"button": 9}), GOOD])
    assert ["errors" in answer for answer in answers] == [False, True, False, True, False]
    assert answers[1]["errors"][0]["code"] == "not-json"
    assert answers[3]["errors"][0]["code"] == "bad-button"
    assert code == 1


def test_answers_are_printed_in_the_order_of_the_lines() -> None:
    records = [HOLDEM | {"carried": number} for number in range(1_000)]
    answers, code = settled(json.dumps(record) for record in records)
    assert [answer["won"]["ann"] for answer in answers] == [20 + number for number in range(1_000)]
    assert code == 0


def test_command_refuses_every_record_in_the_error_examples() -> None:
    """docs/record.md: each example has exactly the documented error code and path."""
    lines = [line["text"] if "text" in line else json.dumps(line["record"]) for line in ERRORS]
    answers, code = settled(lines)
    errors = [[(e["where"], e["code"]) for e in answer["errors"]] for answer in answers]
    assert errors == [[(line["where"], line["code"])] for line in ERRORS]
    assert code == 1


def test_every_documented_error_code_has_an_example() -> None:
    codes = """not-json missing wrong-type unknown-key unknown-game bad-game unknown-modifier
        modifier-does-not-fit unknown-option bad-option bad-button no-players name-twice bad-chips
        bad-card card-not-in-deck card-twice card-count unknown-card not-declared bad-declaration
        unknown-player tiebreak-lacks-player took-missing took-does-not-add-up bad-runs"""
    assert {line["code"] for line in ERRORS} == set(codes.split())


def nested(depth: int) -> str:
    return "[" * depth + "]" * depth


# Long lines are built on demand, because every test worker imports this module.
BAD_LINES: dict[str, tuple[bytes | Callable[[], bytes], str]] = {
    "no json": (b"ann won 20", "not-json"),
    "half an object": (b'{"variant": ', "not-json"),
    "two objects": (b"{} {}", "not-json"),
    "not a number": (with_paid("NaN").encode(), "not-json"),
    "infinity": (with_paid("-Infinity").encode(), "not-json"),
    "a key twice": (
        GOOD.replace('"variant"', '"variant": "omaha-8", "variant"').encode(),
        "not-json",
    ),
    "a name twice": (GOOD.replace('"name"', '"name": "x", "name"', 1).encode(), "not-json"),
    "5,000 digits": (with_paid("9" * 5_000).encode(), "not-json"),
    "100,000 levels": (nested(100_000).encode(), "not-json"),
    "no utf-8": (b'{"variant": "\xff\xfe"}', "not-json"),
    "a NUL": (b'{"variant": "\x00"}', "not-json"),
    "17 MB": (lambda: b'{"variant": "' + b"x" * 17_000_000 + b'"}', "not-json"),
    "a list": (b"[]", "wrong-type"),
    "a number": (b"7", "wrong-type"),
    "null": (b"null", "wrong-type"),
    "31 digits": (with_paid(str(10**30)).encode(), "bad-chips"),
    "a large exponent": (with_paid("1e999").encode(), "bad-chips"),
    "half a chip": (with_paid("2.5").encode(), "bad-chips"),
    "ten as a float": (with_paid("10.0").encode(), "bad-chips"),
    "a chip too many": (with_paid(str(10**12 + 1)).encode(), "bad-chips"),
    "chips in words": (with_paid('"ten"').encode(), "wrong-type"),
    "true chips": (with_paid("true").encode(), "wrong-type"),
    "a NUL in a name": (GOOD.replace("ann", "a\\u0000").encode(), "wrong-type"),
    "a lone surrogate": (GOOD.replace("ann", "a\\ud800").encode(), "wrong-type"),
    "10,000 letters": (GOOD.replace("ann", "a" * 10_000).encode(), "wrong-type"),
    "no letters": (GOOD.replace("ann", "").encode(), "wrong-type"),
    "10 MB in a key": (
        lambda: GOOD.replace('"variant"', f'"{"x" * 10_000_000}"').encode(),
        "unknown-key",
    ),
    "10 MB in a name": (lambda: GOOD.replace("ann", "x" * 10_000_000).encode(), "wrong-type"),
    "10 MB in a game": (lambda: GOOD.replace("texas-", "x" * 10_000_000).encode(), "unknown-game"),
    "10 MB in a card": (lambda: GOOD.replace("Ac", "x" * 10_000_000).encode(), "bad-card"),
}


@pytest.fixture(scope="module")
def bad_answers() -> dict[str, tuple[dict[str, Any], int]]:
    """Return the answers to all bad lines and their lengths.

    One process reads the lines, with good lines in between.
    """
    bad = [line() if callable(line) else line for line, _ in BAD_LINES.values()]
    lines = [part for line in bad for part in (line, GOOD.encode())]
    answers, code = settled(lines)
    assert code == 1
    assert all(answer == settle(HOLDEM) for answer in answers[1::2])
    return {
        name: (answer, len(json.dumps(answer)))
        for name, answer in zip(BAD_LINES, answers[::2], strict=True)
    }


@pytest.mark.parametrize("name", BAD_LINES)
def test_bad_line_causes_a_short_error_without_a_traceback(
    name: str, bad_answers: dict[str, tuple[dict[str, Any], int]]
) -> None:
    """The answer contains no traceback and does not repeat long input."""
    answer, length = bad_answers[name]
    assert BAD_LINES[name][1] in {error["code"] for error in answer["errors"]}
    assert length < 3_000
    assert all(error["text"].isprintable() for error in answer["errors"])


DOCUMENT: dict[str, Any] = {
    "name": "Big",
    "deal": ["5 down"],
    "hand": ["5 down"],
    "shares": ["high"],
}


def slots(count: int) -> str:
    return " ".join(f"s{number}" for number in range(count))


BAD_DOCUMENTS: dict[str, Callable[[], dict[str, Any]]] = {
    "10,000 rows": lambda: DOCUMENT | {"board": [f"a{n}" for n in range(10_000)]},
    "a row of 100,000 slots": lambda: DOCUMENT | {"board": [slots(100_000)]},
    "a deal of a million lines": lambda: DOCUMENT | {"deal": ["5 down"] * 1_000_000},
    "a deal of a million words": lambda: DOCUMENT | {"deal": [" ".join(["5 down"] * 500_000)]},
    "a million cards": lambda: DOCUMENT | {"deal": ["1000000 down"]},
    "10,000 patterns": lambda: DOCUMENT | {"hand": ["5 down"] * 10_000},
    "60 cards of 60": lambda: DOCUMENT
    | {"deal": ["52 down"], "hand": ["26 down"], "players": [1, 1]},
    "100,000 options": lambda: DOCUMENT | {"options": {f"o{n}": ["a"] for n in range(100_000)}},
    "12 options of 9 choices": lambda: DOCUMENT
    | {"options": {f"o{n}": [*"abcdefghi"] for n in range(12)}},
    "a million shares": lambda: DOCUMENT | {"shares": ["high"] * 1_000_000},
    "10,000 unknown keys": lambda: DOCUMENT | {f"key{n}": 1 for n in range(10_000)},
    "a name of a million letters": lambda: DOCUMENT | {"name": "x" * 1_000_000},
    "aces that count in forty ways": lambda: DOCUMENT
    | {"points": ["A " + " ".join(map(str, range(40)))], "shares": ["closest 21"]},
    "a long chain of else": lambda: DOCUMENT | {"shares": [" else ".join(["high"] * 10_000)]},
    "choices of every five of forty": lambda: DOCUMENT
    | {"deal": ["5 down", f"board {slots(40)}"], "board": [slots(40)],
       "hand": ["any 5"], "players": [1, 1]},
}  # fmt: skip


@pytest.mark.parametrize("name", BAD_DOCUMENTS)
def test_document_that_is_too_large_is_refused_quickly(name: str) -> None:
    started = time.process_time()
    answer = settle(HOLDEM | {"variant": BAD_DOCUMENTS[name]()})
    assert {error["code"] for error in answer["errors"]} == {"bad-game"}
    assert all(error["where"].startswith("variant") for error in answer["errors"])
    assert len(json.dumps(answer)) < 60_000
    assert time.process_time() - started < 2  # without a limit, this would take hours


def test_same_records_have_the_same_output_in_every_process() -> None:
    """Answers do not depend on the iteration order of sets."""
    chance = Random(3)
    lines = [json.dumps(record(chance, slug)) for slug in catalog.slugs()]
    lines += [json.dumps(line["record"]) for line in ERRORS if "record" in line]
    sent = "\n".join(lines)
    one, other = (started("settle", sent=sent, PYTHONHASHSEED=seed) for seed in ("1", "2"))
    assert one.stderr == b""
    assert one.stdout == other.stdout


# --- pipes --------------------------------------------------------------------------------------


def test_command_ends_without_an_error_if_its_pipe_closes(tmp_path: Path) -> None:
    """As in `... | head -1`, the reader closes the pipe early."""
    (tmp_path / "records.jsonl").write_text((GOOD + "\n") * 20_000)
    command = f"{sys.executable} -W error -m rules settle < {tmp_path}/records.jsonl | head -1"
    done = subprocess.run(
        ["/bin/bash", "-o", "pipefail", "-c", command],
        cwd=ROOT,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert json.loads(done.stdout) == settle(HOLDEM)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("arguments", [["games"], ["show", "omaha-8"]])
def test_output_that_is_already_closed_is_not_an_error(arguments: list[str]) -> None:
    command = f"{sys.executable} -W error -m rules {' '.join(arguments)} | true"
    done = subprocess.run(
        ["/bin/bash", "-o", "pipefail", "-c", command],
        cwd=ROOT,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")


# --- games, show, check -------------------------------------------------------------------------


def test_games_lists_every_game() -> None:
    done = run("games")
    lines = done.stdout.decode().splitlines()
    assert done.returncode == 0
    assert [line.split()[0] for line in lines] == list(catalog.slugs())
    assert all(catalog.document(line.split()[0])["name"] in line for line in lines)


def test_show_prints_a_games_rules_page() -> None:
    done = run("show", "omaha-8")
    assert (done.returncode, done.stderr) == (0, b"")
    assert "Omaha-8" in done.stdout.decode()


def test_show_accepts_modifiers_and_options() -> None:
    done = run("show", "omaha-8", "two-row", "--option", "declare=row")
    assert (done.returncode, done.stderr) == (0, b"")
    plain = run("show", "omaha-8")
    assert done.stdout != plain.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["show", "omaha"], "pot-limit-omaha or omaha-8"),
        (["show", "PLO"], "pot-limit-omaha"),
        (["show", "Thermonuclear Pineapple"], "thermonuclear-armageddon-pineapple"),
        (["show", "pineaple"], "pineapple"),
        (["show", "omaha-8", "tworow"], "tworow"),
        (["show", "five-card-21", "miami"], "miami"),
        (["show", "omaha-8", "--option", "low=lowest"], "low"),
        (["show", "omaha-8", "--option", "speed=fast"], "speed"),
        (["show"], "game"),
        (["sing"], "sing"),
        ([], "COMMAND"),
    ],
)
def test_invalid_arguments_are_reported(arguments: list[str], message: str) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert done.stdout == b""
    assert message in done.stderr.decode()
    assert "Traceback" not in done.stderr.decode()


BAD_GAME = """name = "Half a game"
players = [2, 8]
deal = ["5 down", "bet",
        "brd a b c"]
board = ["a b c"]
hand = ["2 dwn + 3 board"]
shares = ["hihg"]
"""


def test_check_reports_line_word_and_suggestions(tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(BAD_GAME)
    done = run("check", str(path))
    lines = done.stdout.decode().splitlines()
    assert done.returncode == 1
    assert done.stderr == b""
    for line, word, hint in ((4, "brd", "board"), (6, "dwn", "down"), (7, "hihg", "high")):
        assert any(f"line {line}," in one and word in one and hint in one for one in lines), lines


def test_check_accepts_a_valid_document(tmp_path: Path) -> None:
    path = tmp_path / "good.toml"
    path.write_text(catalog.source_text("omaha-8"))
    done = run("check", str(path))
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode() == f"{path}: good\n"


@pytest.mark.parametrize(
    "text", [b"", b"name = ", b"\xff\xfe", b"\x00", b'name = "x"\n' * 2, b"a" * 1_000_000]
)
def test_check_refuses_an_invalid_document(text: bytes, tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_bytes(text)
    done = run("check", str(path), str(tmp_path / "nowhere.toml"))
    assert (done.returncode, done.stderr) == (1, b"")
    assert len(done.stdout.splitlines()) >= 2
