"""The command line: settle records, list and show games, check a document.

python -m rules settle [--brief] [--game FILE.toml] < records.jsonl
python -m rules games
python -m rules show GAME|FILE.toml [MODIFIER ...] [--option NAME=CHOICE ...]
python -m rules check FILE.toml ...
python -m rules replay [--strict] [--amounts cents|units] FILE ...
python -m rules convert [--to records|phh|ohh|pokerstars] [--amounts cents|units] [--hero NAME]
    [--output FILE] FILE ...
"""

import argparse
import json
import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from rules.api import Read, read_record, settle_read
from rules.documents import catalog, documents
from rules.errors import GameError, Problem, bad_game
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
from rules.json_text import describe_error, read_json
from rules.presentation import rules_page
from rules.presentation.form import game_of
from rules.settlement import odds
from rules.settlement.settle import collector_paused

# lines per batch; the first batch is small, so that output appears quickly
FIRST_BATCH, MOST_BATCH = 256, 8192
MOST_BATCH_BYTES = 8 * 1024 * 1024
MOST_LINE = 16 * 1024 * 1024
as_json = json.JSONEncoder(check_circular=False).encode  # answers do not contain reference cycles
MARK = "\ufeff"  # byte order mark
OK, FAILED, USAGE = 0, 1, 2


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m rules", description="Dealer's choice rules")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    settling = commands.add_parser("settle", help="settle records, one per line")
    settling.add_argument("--brief", action="store_true", help="leave out hands, story and reasons")
    settling.add_argument("--game", type=Path, help="a draft game for records that name no game")
    settling.set_defaults(command=settle)
    commands.add_parser("games", help="list the games").set_defaults(command=list_games)
    showing = commands.add_parser("show", help="the rules page of a game")
    showing.set_defaults(command=show)
    expecting = commands.add_parser("odds", help="the odds of a game, from random deals")
    expecting.add_argument("--players", type=int, default=5)
    expecting.add_argument("--deals", type=int, default=20_000)
    expecting.add_argument("--seed", type=int, default=1)
    expecting.add_argument("--json", action="store_true", help="as JSON, for programs")
    expecting.set_defaults(command=expect)
    for naming in (showing, expecting):
        naming.add_argument("game", help="a game of the catalog, or a draft FILE.toml")
        naming.add_argument("modifier", nargs="*", default=[])
        naming.add_argument("--option", action="append", default=[], metavar="NAME=CHOICE")
    checking = commands.add_parser("check", help="check game documents")
    checking.add_argument("file", nargs="+", type=Path)
    checking.set_defaults(command=check)
    add_commands(commands)
    options = parser.parse_args(arguments)
    command: Any = options.command
    return int(command(options))


# --- settle -------------------------------------------------------------------------------------


def settle(options: argparse.Namespace) -> int:
    """Settle standard input. Return 1 if any line has an error."""
    failed = False
    draft: dict[str, Any] = {}
    if options.game is not None:
        try:
            draft = {"variant": _draft(options.game)}
        except GameError as bad:
            return _complain("\n".join(str(problem) for problem in bad.problems))
    for lines in _batches(sys.stdin.buffer):
        answers = []
        with collector_paused():
            # an invalid line does not affect the others
            read = [_read(line, draft) for line in lines]
            for answer in settle_read(read, brief=options.brief):
                failed |= "errors" in answer
                answers.append(as_json(answer))
        _print_line("\n".join(answers))
        sys.stdout.flush()
    return FAILED if failed else OK


def _batches(lines: Iterable[bytes]) -> Iterator[list[bytes]]:
    """Yield lines to settle together: single lines on a terminal, batches from a file or a pipe."""
    most = 1 if sys.stdin.isatty() else FIRST_BATCH
    batch, size = [], 0
    for line in lines:
        if not line.strip():
            continue
        batch.append(line)
        size += len(line)
        if len(batch) >= most or size >= MOST_BATCH_BYTES:
            yield batch
            batch, size = [], 0
            most = MOST_BATCH if most > 1 else 1
    if batch:
        yield batch


def _read(line: bytes, draft: dict[str, Any]) -> Read:
    """Return the hand on a line, or its errors."""
    record, wrong = None, ""
    if len(line) > MOST_LINE:
        wrong = f"the line is longer than {MOST_LINE} bytes"
    else:
        try:
            text = line.decode().removeprefix(MARK)  # six times as fast as with utf-8-sig
            record = read_json(text.rstrip("\r\n"))
        except UnicodeDecodeError:
            wrong = "not UTF-8"
        except RecursionError:
            wrong = "the JSON is nested too deeply"
        except ValueError as error:
            wrong = f"this is not JSON: {describe_error(error)}"
    if wrong:
        return None, [Problem("", "not-json", wrong)]
    return read_record(draft | record if draft and type(record) is dict else record)


# --- games --------------------------------------------------------------------------------------


def list_games(options: argparse.Namespace) -> int:
    for slug in catalog.slugs():
        document = catalog.document(slug)
        _print_line(f"{slug:26} {document['name']:26} {document.get('source', '')}")
    return OK


def show(options: argparse.Namespace) -> int:
    return _of_game(
        options, lambda *named: _print_line(rules_page.as_text(rules_page.rules_page(*named)))
    )


def expect(options: argparse.Namespace) -> int:
    """Print the odds of a game, with a progress bar on a terminal."""
    if not 1 <= options.deals <= odds.MOST_DEALS:
        return _complain(f"--deals must be a number from 1 to {odds.MOST_DEALS}")

    def tell(*named: Any) -> None:
        counts = {"players": options.players, "deals": options.deals, "seed": options.seed}
        answer = odds.odds(game_of(*named), **counts, progress=_bar)
        _print_line(json.dumps(answer) if options.json else odds.as_text(answer))

    return _of_game(options, tell)


def _of_game(options: argparse.Namespace, tell: Callable[..., None]) -> int:
    """Call `tell` with the game given on the command line, or print the game's errors."""
    chosen = dict(pair.partition("=")[::2] for pair in options.option)
    named: str | dict[str, Any] = options.game
    if options.game.endswith(".toml"):
        try:
            named = _draft(Path(options.game))
        except GameError as bad:
            return _complain("\n".join(str(problem) for problem in bad.problems))
    elif options.game not in catalog.slugs():
        near = catalog.candidates(options.game)
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        return _complain(f"no game is called {options.game!r}{hint}")
    try:
        tell(
            named,
            options.modifier,
            {name: int(word) if word.isdigit() else word for name, word in chosen.items()},
        )
    except GameError as bad:
        return _complain("\n".join(str(problem) for problem in bad.problems))
    except odds.OddsError as none:
        return _complain(str(none))
    return OK


def _draft(path: Path) -> dict[str, Any]:
    """Return the game document in a file. Raises GameError with all its errors."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise GameError([bad_game(str(path), f"can't be read: {error}")]) from None
    if problems := documents.check(text):
        raise GameError(problems)
    return documents.parse(text)


def _bar(done: int, whole: int) -> None:
    if sys.stderr.isatty():
        filled = 40 * done // whole
        sys.stderr.write(f"\r[{'#' * filled}{'.' * (40 - filled)}] {done} of {whole}")
        sys.stderr.write("\n" if done == whole else "")


def check(options: argparse.Namespace) -> int:
    """Print all errors in all files with their lines. Return 1 if there are any."""
    failed = False
    for path in options.file:
        try:
            problems = [*map(str, documents.check(path.read_bytes().decode("utf-8-sig")))]
        except (OSError, UnicodeDecodeError) as error:
            problems = [f"can't be read: {error}"]
        failed |= bool(problems)
        for problem in problems:
            _print_line(f"{path}: {problem}")
        if not problems:
            _print_line(f"{path}: good")
    return FAILED if failed else OK


def _print_line(text: str) -> None:
    sys.stdout.write(text + "\n")


def _complain(text: str) -> int:
    sys.stderr.write(text + "\n")
    return USAGE


# --- replay and convert -------------------------------------------------------------------------


def add_commands(commands: Any) -> None:
    """Add the commands `replay` and `convert`."""
    replaying = commands.add_parser("replay", help="replay hand histories, one per line")
    replaying.add_argument(
        "--strict", action="store_true", help="report every broken rule as an error"
    )
    replaying.set_defaults(command=replay)
    converting = commands.add_parser("convert", help="convert hand histories to another format")
    converting.add_argument("--to", choices=TARGETS, default="records")
    converting.add_argument(
        "--output", type=Path, help="write to this file instead of standard output"
    )
    converting.add_argument(
        "--hero",
        default="",
        help="the player whose cards are shown (default: all), or who exported the PokerNow log",
    )
    converting.set_defaults(command=convert_files)
    for reading in (replaying, converting):
        reading.add_argument(
            "--amounts", choices=AMOUNTS, default="", help="unit of PokerNow's numbers"
        )
        reading.add_argument("file", nargs="+", type=Path)


def replay(options: argparse.Namespace) -> int:
    """Print one JSON line per hand. Return 1 if a hand has an error."""
    failed = False
    for answer in replay_files(options.file, strict=options.strict, amounts=options.amounts):
        failed |= bool(answer["errors"])
        sys.stdout.write(json.dumps(answer) + "\n")
    return FAILED if failed else OK


def convert_files(options: argparse.Namespace) -> int:
    """Print the hands of all files in one format. Report errors, and return 1 if there are any."""
    wrong: list[tuple[Path, str | int | None, Problem]] = []
    records: list[dict[str, Any]] = []
    ledgers = ""
    for path in options.file:
        text = ""
        if options.amounts:
            with suppress(OSError):  # reported below
                text, _ = read_bytes(path.read_bytes())
        if LEDGER.match(text):
            lines, bad = convert_ledger(text, options.amounts)
            ledgers += lines
            wrong += [(path, None, problem) for problem in bad]
            continue
        for hand in read_file(path, options.amounts, options.hero):
            wrong += [(path, hand.hand, problem) for problem in hand.problems]
            records += [] if hand.record is None else [hand.record]
    text, unheld = convert(records, options.to, options.hero)
    wrong += [(Path(options.to), None, problem) for problem in unheld]
    if options.output is None:
        sys.stdout.write(ledgers + text)
    else:
        options.output.write_text(ledgers + text, encoding="utf-8")
    for where, name, problem in wrong:
        place = " ".join(str(part) for part in (name, problem.where) if part not in (None, ""))
        sys.stderr.write(f"{where}: {place + ': ' if place else ''}{problem.text}\n")
    return FAILED if wrong else OK


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        code = main()
        sys.stdout.flush()
    except BrokenPipeError:
        # lets the interpreter close the broken pipe without an error
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = OK
    sys.exit(code)
