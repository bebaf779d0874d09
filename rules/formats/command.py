"""The commands for histories: replay and convert."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from rules.errors import Problem
from rules.formats.files import (
    LEDGER,
    TARGETS,
    convert,
    convert_ledger,
    read_file,
    replay_files,
)
from rules.formats.pokernow.log import AMOUNTS
from rules.formats.text_files import read_bytes

OK, FAILED = 0, 1


def add_commands(commands: Any) -> None:
    """`replay` and `convert` beside the other commands."""
    replaying = commands.add_parser("replay", help="replay hand histories, a line a hand")
    replaying.add_argument("--strict", action="store_true", help="what breaks a rule is an error")
    replaying.set_defaults(command=replay)
    converting = commands.add_parser("convert", help="hand histories into another format")
    converting.add_argument("--to", choices=TARGETS, default="records")
    converting.add_argument("--output", type=Path, help="a file instead of standard output")
    converting.add_argument(
        "--hero",
        default="",
        help="the player whose cards PokerStars' text shows (all), or who exported PokerNow's log",
    )
    converting.set_defaults(command=convert_files)
    for reading in (replaying, converting):
        reading.add_argument(
            "--amounts", choices=AMOUNTS, default="", help="what PokerNow's numbers count"
        )
        reading.add_argument("file", nargs="+", type=Path)


def replay(options: argparse.Namespace) -> int:
    """One JSON line a hand; 1 when any of them has an error."""
    failed = False
    for answer in replay_files(options.file, strict=options.strict, amounts=options.amounts):
        failed |= bool(answer["errors"])
        sys.stdout.write(json.dumps(answer) + "\n")
    return FAILED if failed else OK


def convert_files(options: argparse.Namespace) -> int:
    """The hands of all files as one text; what could not be read or held is told, and 1."""
    wrong: list[tuple[Path, str | int | None, Problem]] = []
    records: list[dict[str, Any]] = []
    ledgers = ""
    for path in options.file:
        if options.amounts and (text := _ledger_of(path)):
            lines, bad = convert_ledger(text, options.amounts)
            ledgers += lines
            wrong += [(path, None, problem) for problem in bad]
            continue
        for hand in read_file(path, options.amounts, options.hero):
            wrong += [(path, hand.hand, problem) for problem in hand.problems]
            records += [] if hand.record is None else [hand.record]
    text, unheld = convert(records, options.to, options.hero)
    wrong += [(Path(options.to), None, problem) for problem in unheld]
    _put_out(ledgers + text, options.output)
    for where, name, problem in wrong:
        place = " ".join(str(part) for part in (name, problem.where) if part not in (None, ""))
        sys.stderr.write(f"{where}: {place + ': ' if place else ''}{problem.text}\n")
    return FAILED if wrong else OK


def _ledger_of(path: Path) -> str:
    """The text of a ledger, "" for what is none."""
    try:
        text, _ = read_bytes(path.read_bytes())
    except OSError:
        return ""
    return text if LEDGER.match(text) else ""


def _put_out(text: str, output: Path | None) -> None:
    if output is None:
        sys.stdout.write(text)
    else:
        output.write_text(text, encoding="utf-8")
