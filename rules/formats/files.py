"""Hand history files: detect the format, replay the hands, and convert them to other formats."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from rules.errors import Problem, quoted
from rules.formats.amounts import in_file_unit
from rules.formats.hands import Imported
from rules.formats.ledgers import is_past_nights, read_ledger
from rules.formats.ohh.exporter import write_ohh
from rules.formats.ohh.importer import read_ohh
from rules.formats.phh import iter_phh, write_phh
from rules.formats.pokernow.log import Log, iter_log
from rules.formats.pokerstars.text_reader import STARTS, iter_pokerstars
from rules.formats.pokerstars.text_writer import write_pokerstars
from rules.formats.text_files import (
    LONGEST_HAND,
    LONGEST_START,
    lines,
    read_bytes,
    unknown_text,
)
from rules.game.hand import RECORD_KEYS, RESULT
from rules.history import begin, replay_many
from rules.json_text import EXACT, describe_error, next_value, read_json
from rules.settlement import reading
from rules.settlement.settle import settle_hands

Answer = dict[str, Any]
PHH = (".phh", ".phhs")
SEP = r"\ufeff?(?:sep=.)?\s*+"  # the first line of Excel's files, which specifies the separator
LOG = re.compile(rf'{SEP}"?entry"?[,;\t|]')
LEDGER = re.compile(
    rf'{SEP}(?:[^\n]{{0,2000}}[,;\t|])?"?player_nickname"?\s*(?:[,;\t|\n]|$)', re.IGNORECASE
)
POKERSTARS = re.compile(rf"^\ufeff?(?:{'|'.join(map(re.escape, STARTS))})", re.MULTILINE)
A_JSON_LINE = re.compile(r"^[^\S\n]*+[{\[]", re.MULTILINE)
BATCH = 512
NO_RECORD = Problem("", "no-record", "this is not the record of a hand")
TARGETS = ("records", "phh", "ohh", "pokerstars")


# --- import -------------------------------------------------------------------------------------


def read_file(path: Path, amounts: str = "", hero: str = "") -> list[Imported]:
    """Read the hands of a file. PokerNow's files need `amounts`, because they don't state the unit.

    `hero` is the name or id of the player who exported PokerNow's log. The log contains that
    player's cards.
    """
    try:
        text, wrong = read_bytes(path.read_bytes())
    except OSError as error:
        return [Imported(None, [Problem("", "not-read", str(error.strerror))])]
    if wrong is not None:
        return [Imported(None, [wrong])]
    return read_text(text, path.suffix.lower(), amounts, hero)


def read_text(text: str, suffix: str = "", amounts: str = "", hero: str = "") -> list[Imported]:
    """Read hands from text. The suffix identifies PHH, and the first characters other formats."""
    return list(iter_text(text, suffix, amounts, hero))


def iter_text(text: str, suffix: str = "", amounts: str = "", hero: str = "") -> Iterable[Imported]:
    """Yield the hands of a text one by one, so that not all of them are in memory."""
    text = text.removeprefix("\ufeff")
    match format_of(text, suffix):
        case "phh":
            return iter_phh(text)
        case "pokernow-log" | "pokernow-ledger":
            return _read_csv(text, amounts, hero)
        case "past-nights":
            return [
                Imported(None, [Problem("", "a-ledger", "a table of past nights has no hands")])
            ]
        case "pokerstars":
            return iter_pokerstars(text)
        case "ohh":
            return read_ohh(text)
        case "records":
            return read_lines(text)
    return [Imported(None, [unknown_text(text)], line=1)] if text.strip() else []


def format_of(text: str, suffix: str = "") -> str:
    """Return the name of the text's format, or "" if the format is unknown."""
    text = text.removeprefix("\ufeff")
    if suffix in PHH:
        return "phh"
    if LOG.match(text):
        return "pokernow-log"
    if LEDGER.match(text):
        return "pokernow-ledger"
    if is_past_nights(text):
        return "past-nights"
    if POKERSTARS.search(text[:LONGEST_START]):
        return "pokerstars"
    if _is_ohh(text):
        return "ohh"
    return "records" if A_JSON_LINE.search(text) else ""


def _is_ohh(text: str) -> bool:
    """Return whether the first JSON object has the key `ohh` at any position."""
    if '"ohh"' not in text:
        return False
    try:
        at, _ = next_value(text, 0, is_listed=False)
        first, _ = EXACT.raw_decode(text[at : at + LONGEST_HAND])
    except (ValueError, RecursionError):
        return text[:LONGEST_START].lstrip(" \t\r\n[{").startswith('"ohh"')
    return isinstance(first, dict) and "ohh" in first


def read_lines(text: str) -> Iterator[Imported]:
    """Yield the records of a file with one record per line."""
    for number, full in enumerate(lines(text), 1):
        line = full.rstrip("\r\n")
        if not line.strip():
            continue
        if len(line) > LONGEST_HAND:
            too_long = f"a record has more than {LONGEST_HAND:,} characters"
            yield Imported(None, [Problem("", "too-long", too_long)], number, number)
            continue
        record, problems = None, []
        try:
            record = read_json(line)
        except (ValueError, RecursionError) as error:
            problems = [Problem("", "not-json", describe_error(error))]
        else:
            if record is None:
                problems = [Problem("", "wrong-type", "a record must be an object")]
        yield Imported(record, problems, number, number)


def _read_csv(text: str, amounts: str, hero: str) -> Iterator[Imported]:
    """Yield the hands of a log, then the unreadable lines, then the last stated stacks."""
    if not amounts:
        asked = "the file does not say whether its amounts are cents or units"
        yield Imported(None, [Problem("", "amounts-not-told", asked)])
        return
    if LEDGER.match(text):
        yield Imported(None, [Problem("", "a-ledger", "a ledger contains no hands; use convert")])
        return
    log = Log()
    yield from iter_log(text, amounts, hero, log)
    for line in log.lines:
        problem = Problem(f"line {line.number}", "not-read", line.text)
        yield Imported(None, [problem], line=line.number)
    if log.after:
        yield Imported(None, before=log.after)


# --- replay -------------------------------------------------------------------------------------


def replay_files(
    paths: Iterable[Path], *, strict: bool = False, amounts: str = ""
) -> Iterator[Answer]:
    """Yield one answer per hand: file, hand, stacks, winnings, errors, findings."""
    waiting: list[tuple[Path, Imported]] = []
    for path in paths:
        waiting += [(path, hand) for hand in read_file(path, amounts) if hand.is_hand]
        if len(waiting) >= BATCH:
            yield from _answers(waiting, strict=strict)
            waiting = []
    yield from _answers(waiting, strict=strict)


def _answers(waiting: list[tuple[Path, Imported]], *, strict: bool) -> Iterator[Answer]:
    records = [hand.record for _, hand in waiting if hand.record is not None]
    played = iter(replay_many([each for each in records if not _is_result(each)], strict=strict))
    for path, hand in waiting:
        answer: Answer = {"file": str(path), "hand": hand.hand}
        if hand.record is None:
            errors = [problem.as_dict() for problem in hand.problems]
            yield answer | NO_ANSWER | {"errors": errors}
        else:
            # a record without actions is settled based on the chips that players took
            result = _of_result(hand.record) if _is_result(hand.record) else next(played)
            yield answer | in_file_unit(result, hand.record)


def _is_result(record: object) -> bool:
    return isinstance(record, dict) and "actions" not in record and record.get("depth") == RESULT


def _of_result(record: Mapping[str, Any]) -> Answer:
    hand, problems = reading.read(record)
    if hand is None or problems:
        return NO_ANSWER | {"errors": [problem.as_dict() for problem in problems]}
    [answer] = settle_hands([hand], brief=True)
    net = list(answer["net"].values())
    stacks = record.get("stacks") or [None] * len(net)
    return NO_ANSWER | {
        "starting_stacks": stacks,
        "finishing_stacks": [
            None if stack is None else stack + chips
            for stack, chips in zip(stacks, net, strict=True)
        ],
        "won": list(answer["won"].values()),
    }


NO_ANSWER: Answer = {"starting_stacks": [], "finishing_stacks": None, "won": None,
                     "errors": [], "findings": []}  # fmt: skip


# --- export -------------------------------------------------------------------------------------


def convert(records: Sequence[object], target: str, hero: str = "") -> tuple[str, list[Problem]]:
    """Convert records to a different format.

    Return the text, and the errors of the records that can't be converted. Text for PokerStars
    contains the cards of `hero`.
    """
    written: list[str] = []
    wrong: list[Problem] = []
    good: list[dict[str, Any]] = []
    for number, record in enumerate(records, 1):
        if not isinstance(record, dict):
            wrong.append(replace(NO_RECORD, where=f"hand {number}"))
            continue
        text, problems = _written(record, target, hero)
        wrong += [
            replace(problem, where=f"hand {number}/{problem.where}".rstrip("/"))
            for problem in problems
        ]
        written += [] if text is None else [text]
        good += [] if problems else [record]
    if target == "phh":
        return (write_phh(good) if good else ""), wrong
    return "".join(written), wrong


def _written(record: dict[str, Any], target: str, hero: str) -> tuple[str | None, list[Problem]]:
    """Return a record in a format that writes hands one by one, or the problems that prevent it."""
    if target == "records":  # the record may still be invalid
        unknown = sorted(record.keys() - RECORD_KEYS)
        wrong = [Problem("", "no-record", f"a record has no key {quoted(key)}") for key in unknown]
        if not {"variant", "players"} <= record.keys():
            wrong = [NO_RECORD]
        return ("" if wrong else json.dumps(record) + "\n"), wrong
    problems = begin(record)[1]
    if problems or target == "phh":
        return None, problems
    if target == "pokerstars":
        text, problems = write_pokerstars(record, hero)
    else:
        text, problems = write_ohh(record)
    return (None if text is None else text + "\n\n"), problems


def convert_ledger(text: str, amounts: str) -> tuple[str, list[Problem]]:
    """Return PokerNow's ledger as JSON, one player per line, and the unreadable rows."""
    ledger = read_ledger(text, amounts)
    players = [asdict(player) | {"places": ledger.places} for player in ledger.players]
    for player in players:
        del player["line"], player["amounts"]
    written = "".join(f"{json.dumps(player)}\n" for player in players)
    wrong = [Problem(f"line {line.number}", line.why, line.text) for line in ledger.lines]
    if ledger.balance:
        wrong.append(
            Problem(
                "net",
                "does-not-add-up",
                f"the nets of all players add up to {ledger.balance}, not 0",
            )
        )
    return written, wrong
