"""Game documents: their shape, their options, their identity, and the games they define.

A document is the JSON form of the TOML that a person writes. `check` lists everything that is
wrong with one, over every combination of its options, with the line, the word and what could
have stood there. `game` reads one under one choice of options.
"""

import hashlib
import json
import re
import tomllib
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice, product
from typing import Any

from rules import soundness
from rules.building import read_game
from rules.game import Choice, Game, Option
from rules.grammar import OPTION_NAME, PLACEHOLDER, Misread
from rules.nearest import nearest
from rules.quoting import shown

MOST_TEXT = 200
MOST_ITEMS = 64
MOST_OPTIONS = 12
MOST_COMBINATIONS = 256
MOST_BYTES = 64 * 1024
MOST_UNKNOWN = 20  # keys that are told one by one
MOST_DOTS = 64  # in a line: the time to read a key of many parts grows with their square
ENOUGH = 16  # combinations of options to look at once one of them has faults

TEXTS = ("name", "by", "source", "deck", "direction", "betting", "declare", "both_ways", "alone",
         "unwon", "ties")  # fmt: skip
LISTS = ("deal", "board", "lines", "hand", "wild", "bug", "kill", "points", "top", "order",
         "shares", "dues")  # fmt: skip
TABLES = ("options", "asked")
KEYS = (*TEXTS, *LISTS, *TABLES, "players")

# options of the table, that every game (or every game with dues) has besides its own
ODD_CHIP = Option("odd_chip", (Choice("seat", "seat"), Choice("high card", "high card")))
UNIT = Option("unit", least=1, most=1_000_000)


@dataclass(frozen=True)
class Fault:
    """What is wrong with a document, and where: a path, and a line when it came as text."""

    where: str
    text: str
    word: str = ""
    could_be: tuple[str, ...] = ()
    line: int | None = None

    def __str__(self) -> str:
        place = f"line {self.line}, {self.where}" if self.line else self.where
        hint = f" It could be: {', '.join(self.could_be)}." if self.could_be else ""
        return f"{place}: {self.text}.{hint}" if place else f"{self.text}.{hint}"


class BadGame(Exception):
    """A document that defines no game. `faults` says everything that is wrong with it."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("; ".join(str(fault) for fault in self.faults))


class BadOption(Exception):
    """An option that a game does not have, or a choice that the option does not have."""

    def __init__(self, name: str, code: str, text: str) -> None:
        super().__init__(text)
        self.name = name
        self.code = code
        self.text = text


# --- identity -----------------------------------------------------------------------------------


def canonical(document: Mapping[str, Any]) -> str:
    return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def content_hash(document: Mapping[str, Any]) -> str:
    """The SHA-256 of a document's canonical JSON: the same words, the same game."""
    return hashlib.sha256(canonical(document).encode()).hexdigest()


# --- text ---------------------------------------------------------------------------------------


def parse(text: str) -> dict[str, Any]:
    """The document written in a TOML text. Raises BadGame."""
    if len(text.encode("utf-8", "replace")) > MOST_BYTES:
        raise BadGame([Fault("", f"the document is larger than {MOST_BYTES // 1024} kB")])
    for number, written in enumerate(text.split("\n"), start=1):
        if written.count(".") > MOST_DOTS:
            raise BadGame([Fault("", f"more than {MOST_DOTS} dots in a line", line=number)])
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        found = re.search(r"\(at line (\d+)", str(error))
        line = int(found[1]) if found else None
        reason = str(error).partition(" (at")[0] or "not a TOML document"
        raise BadGame([Fault("", f"not TOML: {reason}", line=line)]) from None


STRING = re.compile(r'"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'')


def line_of(text: str, where: str) -> int | None:
    """The line of a TOML text on which the value at `where` stands, such as `deal/3`."""
    keys = where.split("/")
    name = keys[1] if keys[0] in TABLES and len(keys) > 1 else keys[0]
    start = re.search(rf"^[ \t]*(?:\w+\.)?{re.escape(name)}[ \t]*=", text, re.MULTILINE)
    if not name or start is None:
        return None
    offset = start.start()
    if keys[-1].isdigit():
        strings = islice(STRING.finditer(text, start.end()), int(keys[-1]), None)
        offset = next((found.start() for found in strings), offset)
    return text.count("\n", 0, offset) + 1


# --- shape --------------------------------------------------------------------------------------


def _is_text(value: object) -> bool:
    return (
        isinstance(value, str)
        and len(value) <= MOST_TEXT
        and value.isprintable()  # refuses control characters and lone surrogates alike
    )


def _text_fault(where: str, value: object) -> Fault | None:
    if _is_text(value):
        return None
    return Fault(where, f"a text of at most {MOST_TEXT} printable characters is needed here")


def _list_faults(where: str, value: object) -> Iterator[Fault]:
    if not isinstance(value, list):
        yield Fault(where, "a list of texts is needed here")
    elif len(value) > MOST_ITEMS:
        yield Fault(where, f"{len(value)} items are more than {MOST_ITEMS}")
    else:
        for index, item in enumerate(value):
            if fault := _text_fault(f"{where}/{index}", item):
                yield fault


def _table_faults(where: str, value: object) -> Iterator[Fault]:
    if not isinstance(value, dict) or len(value) > MOST_OPTIONS:
        yield Fault(where, f"a table of at most {MOST_OPTIONS} lists is needed here")
        return
    for name, choices in value.items():
        if not (isinstance(name, str) and OPTION_NAME.match(name)):
            yield Fault(where, f"{shown(name)} is no name for an option", shown(name, quote=False))
        elif choices == []:
            yield Fault(f"{where}/{name}", "an option needs at least one choice")
        else:
            yield from _list_faults(f"{where}/{name}", choices)


def _players_faults(value: object) -> Iterator[Fault]:
    whole = isinstance(value, list) and [type(item) for item in value] == [int, int]
    if not whole or not 1 <= value[0] <= value[1] <= 52:  # type: ignore[index]
        yield Fault("players", "the fewest and the most players are needed, such as [2, 8]")


def _unknown_keys(document: Mapping[str, Any]) -> Iterator[Fault]:
    unknown = [shown(key, quote=False) for key in document if key not in KEYS]
    for key in unknown[:MOST_UNKNOWN]:
        yield Fault(key, "no such key", key, nearest(key, KEYS))
    if len(unknown) > MOST_UNKNOWN:
        yield Fault("", f"{len(unknown) - MOST_UNKNOWN} more keys that no game has")


def shape_faults(document: object) -> list[Fault]:
    """What is wrong with a document before a word of it is read."""
    if not isinstance(document, Mapping):
        return [Fault("", "a game document is a table of keys")]
    faults = list(_unknown_keys(document))
    for key in (key for key in TEXTS if key in document):
        faults += filter(None, [_text_fault(key, document[key])])
    for key in (key for key in LISTS if key in document):
        faults += _list_faults(key, document[key])
    for key in (key for key in TABLES if key in document):
        faults += _table_faults(key, document[key])
    if "players" in document:
        faults += _players_faults(document["players"])
    if not faults:
        faults += _option_faults(document)
    if not document.get("name"):
        faults.append(Fault("name", "the game needs a name"))
    if not document.get("shares") and not document.get("dues"):
        faults.append(Fault("shares", "a game needs shares, or dues"))
    return faults


def _option_faults(document: Mapping[str, Any]) -> Iterator[Fault]:
    """Options that can't be: one name for two, ranges that run down, the table's own misused."""
    seen: set[str] = set()
    for option in own_options(document):
        where = f"{'asked' if option.asked else 'options'}/{option.name}"
        if option.name in seen:
            yield Fault(where, "there is an option of this name already", option.name)
        seen.add(option.name)
        if option.least > option.most:
            yield Fault(where, "a range runs from the fewest to the most, such as 1-5")
        if option.name == UNIT.name and not option.is_number:
            yield Fault(where, "the unit is a number of chips, such as 1-100", option.name)
        words = {choice.word for choice in option.choices}
        if option.name == ODD_CHIP.name and not words <= {c.word for c in ODD_CHIP.choices}:
            yield Fault(where, "the odd chip goes by seat or by high card", option.name)


# --- options ------------------------------------------------------------------------------------

NUMBERS = re.compile(r"(\d{1,9})-(\d{1,9})\Z")


def _read_option(name: str, choices: list[str], *, asked: bool) -> Option:
    if len(choices) == 1 and (numbers := NUMBERS.match(choices[0])):
        return Option(name, least=int(numbers[1]), most=int(numbers[2]), asked=asked)
    return Option(name, tuple(_read_choice(choice) for choice in choices), asked=asked)


def _read_choice(text: str) -> Choice:
    word, equals, put_in = text.partition("=")
    return Choice(word.strip(), put_in.strip() if equals else text.strip())


def own_options(document: Mapping[str, Any]) -> tuple[Option, ...]:
    """The options that a document (of the right shape) brings, and the facts it asks for."""
    return tuple(
        _read_option(name, choices, asked=table == "asked")
        for table in TABLES
        for name, choices in document.get(table, {}).items()
    )


def table_options(document: Mapping[str, Any]) -> tuple[Option, ...]:
    moved_by_rows = any(
        str(due).split(" ")[0] in {"put", "take"} for due in document.get("dues", ())
    )
    own = {option.name for option in own_options(document)}
    wanted = (ODD_CHIP, UNIT) if moved_by_rows else (ODD_CHIP,)
    return tuple(option for option in wanted if option.name not in own)


def all_options(document: Mapping[str, Any]) -> tuple[Option, ...]:
    return own_options(document) + table_options(document)


def option_problems(
    document: Mapping[str, Any], wanted: Mapping[str, object]
) -> Iterator[tuple[str, str, str]]:
    """What is wrong with the options of a record: name, code, text."""
    options = {option.name: option for option in all_options(document)}
    for name, value in wanted.items():
        if name not in options:
            known = ", ".join(options)
            yield name, "unknown-option", f"the game has no option {shown(name)}; it has {known}"
        elif reason := _refuse(options[name], value):
            yield name, "bad-option", reason
    for option in options.values():
        if option.asked and option.name not in wanted:
            yield option.name, "missing", f"the record must state {option.name}"


def _refuse(option: Option, value: object) -> str:
    if option.is_number:
        if type(value) is int and option.least <= value <= option.most:
            return ""
        return f"{option.name} is a whole number from {option.least} to {option.most}"
    words = [choice.word for choice in option.choices]
    return "" if value in words else f"{option.name} is one of {', '.join(words)}"


def defaults(options: Iterable[Option]) -> dict[str, str | int]:
    return {option.name: option.default for option in options if option.default is not None}


# --- games --------------------------------------------------------------------------------------


def game(document: Mapping[str, Any], options: Mapping[str, str | int] | None = None) -> Game:
    """The game of a document under these options, the defaults for the others.

    Raises BadGame when the document defines none, BadOption for an option it does not have.
    A document is read whole once, then remembered.
    """
    wanted = tuple(sorted((options or {}).items()))
    return _game(_as_written(document), wanted)


def _as_written(document: Mapping[str, Any]) -> str:
    """A document as a key to remember it by; options keep the order they were written in."""
    return json.dumps(document)


@lru_cache(maxsize=4096)
def _game(text: str, wanted: tuple[tuple[str, str | int], ...]) -> Game:
    document = json.loads(text)
    for name, code, reason in option_problems(document, dict(wanted)):
        raise BadOption(name, code, reason)
    faults, found = _read(document, dict(wanted))
    if found is None or faults:
        raise BadGame(faults)
    return found


def _read(
    document: Mapping[str, Any], wanted: Mapping[str, str | int]
) -> tuple[list[Fault], Game | None]:
    options = all_options(document)
    chosen = defaults(options) | dict(wanted)
    resolved, misreads = _put_in(document, options, chosen)
    read, more = read_game(document, resolved, options, chosen)
    faults = [_fault(where, misread) for where, misread in [*misreads, *more]]
    if read is not None and not faults:
        faults = [Fault(where, text, word) for where, text, word in soundness.problems(read)]
    return faults, read


def _fault(where: str, misread: Misread) -> Fault:
    near = nearest(misread.word, misread.could_be)
    return Fault(where, str(misread), misread.word, near or misread.could_be[:12])


def _put_in(
    document: Mapping[str, Any], options: Iterable[Option], chosen: Mapping[str, str | int]
) -> tuple[dict[str, Any], list[tuple[str, Misread]]]:
    """The document with the chosen text in place of each `{name}`."""
    by_name = {option.name: option for option in options}
    misreads: list[tuple[str, Misread]] = []

    def text_of(name: str) -> str:
        option = by_name[name]
        if option.is_number:
            return str(chosen[name])
        return next(choice.text for choice in option.choices if choice.word == chosen[name])

    def put(where: str, text: str) -> str:
        for name in PLACEHOLDER.findall(text):
            if name not in chosen:
                misreads.append((where, Misread(name, f"there is no option {name!r}", by_name)))
                return text
        return PLACEHOLDER.sub(lambda found: text_of(found[1]), text)

    resolved: dict[str, Any] = {
        key: put(key, document[key]) for key in TEXTS if key in document
    } | {
        key: [put(f"{key}/{index}", item) for index, item in enumerate(document[key])]
        for key in LISTS
        if key in document
    }
    return resolved, misreads


# --- the whole check ----------------------------------------------------------------------------


def check(source: Mapping[str, Any] | str) -> list[Fault]:
    """Everything that is wrong with a document or its TOML text, however its options are set."""
    if isinstance(source, str):
        try:
            document = parse(source)
        except BadGame as bad:
            return list(bad.faults)
        return [replace(fault, line=line_of(source, fault.where)) for fault in check(document)]
    return shape_faults(source) or list(_checked(_as_written(source)))


@lru_cache(maxsize=512)
def _checked(text: str) -> tuple[Fault, ...]:
    document = json.loads(text)
    choices = [_values(option) for option in own_options(document)]
    count = 1
    for values in choices:
        count *= len(values)
    if count > MOST_COMBINATIONS:
        reason = f"the options combine in {count} ways, more than {MOST_COMBINATIONS}"
        return (Fault("options", reason),)
    faults: OrderedDict[Fault, None] = OrderedDict()
    for tried, combination in enumerate(product(*choices)):
        if faults and tried >= ENOUGH:
            break
        faults |= OrderedDict.fromkeys(_read(document, dict(combination))[0])
    return tuple(faults)


def _values(option: Option) -> list[tuple[str, str | int]]:
    if option.is_number:
        return [(option.name, value) for value in sorted({option.least, option.most})]
    return [(option.name, choice.word) for choice in option.choices]


def require(document: Mapping[str, Any]) -> None:
    """Raise BadGame with every fault of a document that defines no game."""
    faults = check(document)
    if faults:
        raise BadGame(faults)
