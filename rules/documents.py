"""Game documents: their identity, the games they define, and the whole check of one.

A document is the JSON form of the TOML that a person writes. `check` lists everything that is
wrong with one, over every combination of its options, with the line, the word and what could
have stood there. `game` reads one under one choice of options.
"""

import hashlib
import json
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import product
from typing import Any

from rules import soundness
from rules.building import read_game
from rules.faults import BadGame, BadOption, Fault
from rules.game import Game, Option
from rules.grammar import PLACEHOLDER, Misread
from rules.nearest import nearest
from rules.options import all_options, defaults, option_problems, own_options
from rules.shape import LISTS, TEXTS, shape_faults
from rules.toml_text import MOST_BYTES, line_of, parse

__all__ = [
    "MOST_BYTES",
    "BadGame",
    "BadOption",
    "Fault",
    "canonical",
    "check",
    "content_hash",
    "game",
    "option_problems",
    "own_options",
    "parse",
    "require",
]

MOST_COMBINATIONS = 256
ENOUGH = 16  # combinations of options to look at once one of them has faults


def canonical(document: Mapping[str, Any]) -> str:
    return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def content_hash(document: Mapping[str, Any]) -> str:
    """The SHA-256 of a document's canonical JSON: the same words, the same game."""
    return hashlib.sha256(canonical(document).encode()).hexdigest()


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


def check(source: Mapping[str, Any] | str) -> list[Fault]:
    """Everything that is wrong with a document or its TOML text, however its options are set."""
    if isinstance(source, str):
        try:
            document = parse(source)
        except BadGame as bad:
            return list(bad.faults)
        return [replace(fault, line=line_of(source, fault.where)) for fault in check(document)]
    return shape_faults(source) or list(_checked(_as_written(source)))


# A game with each of its modifiers, for every game of the catalog.
@lru_cache(maxsize=4096)
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
