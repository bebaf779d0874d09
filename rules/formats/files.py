"""Files of hands: which format they are in, what came of replaying them, and other formats out."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from rules.errors import Problem
from rules.formats.amounts import from_units
from rules.formats.game_fit import why_none
from rules.formats.import_result import Imported
from rules.formats.ohh.exporter import write_ohh
from rules.formats.ohh.importer import read_ohh
from rules.formats.phh.exporter import write_phh
from rules.formats.phh.importer import read_phh
from rules.formats.pokernow.ledger import read_ledger
from rules.formats.pokernow.log import read_log
from rules.formats.pokerstars.text_reader import STARTS, read_pokerstars
from rules.formats.pokerstars.text_writer import write_pokerstars
from rules.game.hand import RESULT
from rules.history import begin, replay_many
from rules.json_text import past_space, read_json, why_not
from rules.settlement import checks
from rules.settlement.core import settle_hands

Answer = dict[str, Any]
PHH = (".phh", ".phhs")
OHH = re.compile(r'\s*+(?:\[\s*+)?\{\s*+"ohh"\s*+:')
LOG = re.compile(r'"?entry"?,')
LEDGER = re.compile(r'"?player_nickname"?,')
LONGEST_START = 40
BATCH = 512
TARGETS = ("records", "phh", "ohh", "pokerstars")


# --- in -----------------------------------------------------------------------------------------


def read_file(path: Path, amounts: str = "", hero: str = "") -> list[Imported]:
    """The hands of a file; `amounts` is needed for PokerNow's, which do not state their unit.

    `hero` is the name or id of the player who exported PokerNow's log: it has their cards.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8"
        return [Imported(None, [Problem("", "not-read", str(reason))])]
    return read_text(text, path.suffix.lower(), amounts, hero)


def read_text(text: str, suffix: str = "", amounts: str = "", hero: str = "") -> list[Imported]:
    """The hands of a text: PHH by its file's ending, the others by how they begin."""
    if suffix in PHH:
        return read_phh(text)
    if OHH.match(text):
        return read_ohh(text)
    if LOG.match(text) or LEDGER.match(text):
        return _read_csv(text, amounts, hero)
    if text[: past_space(text, 0) + LONGEST_START].lstrip().startswith(STARTS):
        return read_pokerstars(text)
    return read_lines(text)


def read_lines(text: str) -> list[Imported]:
    """Records, one a line."""
    return [
        _record(line, number) for number, line in enumerate(text.splitlines(), 1) if line.strip()
    ]


def _record(line: str, number: int) -> Imported:
    try:
        record = read_json(line)
    except (ValueError, RecursionError) as error:
        return Imported(None, [Problem("", "not-json", why_not(error))], number, number)
    return Imported(record, [], number, number)


def _read_csv(text: str, amounts: str, hero: str) -> list[Imported]:
    """The hands of a log, then every line of it that could not be read, then its last stacks."""
    if not amounts:
        asked = "are its amounts cents or units? the file does not say"
        return [Imported(None, [Problem("", "amounts-not-told", asked)])]
    if LEDGER.match(text):
        return [Imported(None, [Problem("", "a-ledger", "a ledger holds no hands: convert it")])]
    log = read_log(text, amounts, hero)
    unread = [
        Imported(
            None, [Problem(f"line {line.number}", "not-read", line.text[:200])], line=line.number
        )
        for line in log.lines
        if line.why == "unread"
    ]
    return log.hands + unread + ([Imported(None, before=log.after)] if log.after else [])


# --- replay -------------------------------------------------------------------------------------


def replay_files(
    paths: Iterable[Path], *, strict: bool = False, amounts: str = ""
) -> Iterator[Answer]:
    """One answer a hand: file, hand, stacks, winnings, errors, findings."""
    waiting: list[tuple[Path, Imported]] = []
    for path in paths:
        waiting += [(path, hand) for hand in read_file(path, amounts) if hand.is_hand]
        if len(waiting) >= BATCH:
            yield from _answers(waiting, strict=strict)
            waiting = []
    yield from _answers(waiting, strict=strict)


def _answers(waiting: list[tuple[Path, Imported]], *, strict: bool) -> Iterator[Answer]:
    records = [hand.record for _, hand in waiting if hand.record is not None]
    played = iter(_replayed(records, strict=strict))
    for path, hand in waiting:
        answer: Answer = {"file": str(path), "hand": hand.hand}
        if hand.record is None:
            errors = [problem.as_dict() for problem in hand.problems]
            yield answer | NO_ANSWER | {"errors": errors}
        else:
            yield answer | in_own_unit(next(played), hand.record)


def _replayed(records: Sequence[Any], *, strict: bool) -> list[Answer]:
    """The answers to records; a result without actions is settled by what each player took."""
    played = iter(replay_many([each for each in records if not _is_result(each)], strict=strict))
    return [_of_result(each) if _is_result(each) else next(played) for each in records]


def _is_result(record: object) -> bool:
    return isinstance(record, dict) and "actions" not in record and record.get("depth") == RESULT


def _of_result(record: Mapping[str, Any]) -> Answer:
    hand, problems = checks.read(record)
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


def in_own_unit(answer: Answer, record: object) -> Answer:
    """An answer in the unit of the file it came from, and compared with what the file tells."""
    about = record.get("about") if isinstance(record, dict) else None
    if not isinstance(about, dict):
        return answer
    places = about.get("places", 0)
    if type(places) is not int or not 0 <= places <= 9:
        return answer
    for key in ("starting_stacks", "finishing_stacks", "won"):
        if answer[key] is not None:
            answer[key] = [_shown(chips, places) for chips in answer[key]]
    fields = about.get("fields")
    stacks = fields.get("finishing_stacks") if isinstance(fields, dict) else None
    if isinstance(stacks, list) and answer["finishing_stacks"] is not None:
        stacks = [_plain(chips) for chips in stacks]
        if stacks != answer["finishing_stacks"]:
            text = f"the file says {stacks}, the rules {answer['finishing_stacks']}"
            finding = {"where": "finishing_stacks", "code": "stacks-differ", "text": text}
            answer["findings"].append(finding)
    return answer


def _shown(chips: int | None, places: int) -> int | float | None:
    if chips is None:
        return None
    number = from_units(chips, places)
    return number if isinstance(number, int) else float(number)


def _plain(chips: object) -> int | float | None:
    """A number of the file as an answer shows it."""
    if isinstance(chips, dict) and isinstance(chips.get("toml"), str):
        number = _number(chips["toml"])
        return int(number) if number is not None and number.is_integer() else number
    return chips if isinstance(chips, int) else None


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:  # a record of somebody's own may say anything here
        return None


# --- out ----------------------------------------------------------------------------------------


def convert(
    records: Sequence[dict[str, Any]], target: str, hero: str = ""
) -> tuple[str, list[Problem]]:
    """Records as a text of another format, and those that it can't hold; `hero` is whose cards
    PokerStars' text tells."""
    if target == "records":
        return "".join(json.dumps(record) + "\n" for record in records), []
    written, wrong = [], []
    good = []
    for at, record in enumerate(records):
        problems = begin(record)[1]
        wrong += [replace(problem, where=f"{at}/{problem.where}") for problem in problems]
        if not problems:
            good.append(record)
    if target == "phh":
        return (write_phh(good) if good else ""), wrong
    for at, record in enumerate(good):
        text, problems = _written(record, target, hero)
        wrong += [replace(problem, where=f"{at}/{problem.where}") for problem in problems]
        written += [] if text is None else [text + "\n\n"]
    return "".join(written), wrong


def _written(record: dict[str, Any], target: str, hero: str) -> tuple[str | None, list[Problem]]:
    if target == "pokerstars":
        return write_pokerstars(record, hero)
    text = write_ohh(record)
    return text, [] if text is not None else [why_none(record, "ohh")]


def convert_ledger(text: str, amounts: str) -> tuple[str, list[Problem]]:
    """PokerNow's ledger as JSON, one player a line, and the rows that can't be read."""
    ledger = read_ledger(text, amounts)
    lines = "".join(
        json.dumps(asdict(player) | {"places": ledger.places}) + "\n" for player in ledger.players
    )
    wrong = [Problem(f"line {line.number}", line.why, line.text) for line in ledger.lines]
    if ledger.balance:
        wrong.append(Problem("net", "does-not-add-up", f"all nets come to {ledger.balance}"))
    return lines, wrong
