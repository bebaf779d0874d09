"""Read and check game documents.

A document is the JSON form of the TOML that a person writes. `check` reports the errors of all
combinations of the document's options. Each error gives the line, the unknown word and the words
that are possible there. `game` builds the game for one combination of options.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import product
from typing import Any

from rules.documents import playability
from rules.documents.toml_text import MOST_BYTES, as_toml, line_of, parse
from rules.errors import GameError, OptionError, Problem, bad_game, nearest
from rules.game import workload
from rules.game.builder import read_game, wrong_word
from rules.game.game import Game, Option
from rules.game.grammar import PLACEHOLDER, GrammarError
from rules.game.shape import (
    LISTS,
    MOST_TEXT,
    TABLE_OPTIONS,
    TEXTS,
    all_options,
    defaults,
    option_problems,
    own_options,
    read_choices,
    shape_problems,
)

__all__ = [
    "MOST_BYTES",
    "GameError",
    "OptionError",
    "canonical",
    "check",
    "check_text",
    "content_hash",
    "game",
    "option_problems",
    "own_options",
    "parse",
    "require",
]

ENOUGH = 16  # a check stops after this many combinations of options if it has found errors


def canonical(document: Mapping[str, Any]) -> str:
    return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def content_hash(document: Mapping[str, Any]) -> str:
    """Return the SHA-256 of the canonical JSON. Identical documents have the same hash."""
    import hashlib  # noqa: PLC0415 - loads a library of its own that no settlement needs

    return hashlib.sha256(canonical(document).encode()).hexdigest()


def game(document: Mapping[str, Any], options: Mapping[str, str | int] | None = None) -> Game:
    """Return the game of a document with these options. Other options are at their defaults.

    Raises GameError if the document is invalid, and OptionError for an unknown option. Games are
    cached.
    """
    wanted = tuple(sorted(read_choices(document, options or {}).items()))
    return _game(_as_written(document), wanted)


def _as_written(document: Mapping[str, Any]) -> str:
    """Return the cache key of a document. Its options keep their order."""
    return json.dumps(document)


@lru_cache(maxsize=1024)
def _game(text: str, wanted: tuple[tuple[str, str | int], ...]) -> Game:
    document = _document(text)
    for problem in option_problems(document, dict(wanted)):
        raise OptionError(problem)
    idle = {name: choice for name, choice in wanted if name in TABLE_OPTIONS and name not in text}
    if idle:  # unused table options do not affect how the document is parsed
        same = _game(text, tuple(pair for pair in wanted if pair[0] not in idle))
        return replace(same, chosen={**same.chosen, **idle})
    if too_much := _workload_problems(text):
        raise GameError(too_much)
    problems, game = _read(document, dict(wanted))
    problems = problems or _unplayable(game)
    if game is None or problems:
        raise GameError(problems)
    return game


@lru_cache(maxsize=1024)
def _workload_problems(text: str) -> tuple[Problem, ...]:
    return tuple(workload.of_document(_document(text)))


@lru_cache(maxsize=1024)
def _document(text: str) -> dict[str, Any]:
    """Return the parsed document, which the games of all choices share. It is never modified."""
    document: dict[str, Any] = json.loads(text)
    return document


def _read(
    document: Mapping[str, Any], wanted: Mapping[str, str | int]
) -> tuple[list[Problem], Game | None]:
    """Return the errors of a document with these options, or no errors and its game."""
    options = all_options(document)
    chosen = defaults(options) | dict(wanted)
    resolved, misreads = _put_in(document, options, chosen)
    read, more = read_game(document, resolved, options, chosen)
    misread = [*misreads, *more][: workload.MOST_DOCUMENT_PROBLEMS]
    problems = [_as_problem(where, error) for where, error in misread]
    return problems, None if problems else read


def _as_problem(where: str, error: GrammarError) -> Problem:
    could_be = nearest(error.word, error.could_be) or error.could_be[:12]
    return bad_game(where, str(error), error.word, could_be)


def _unplayable(game: Game | None) -> list[Problem]:
    return playability.problems(game)[: workload.MOST_DOCUMENT_PROBLEMS] if game else []


def _put_in(
    document: Mapping[str, Any], options: Iterable[Option], chosen: Mapping[str, str | int]
) -> tuple[dict[str, Any], list[tuple[str, GrammarError]]]:
    """Return the document with each `{name}` replaced by the string of the choice."""
    by_name = {option.name: option for option in options}
    misreads: list[tuple[str, GrammarError]] = []

    def text_of(name: str) -> str:
        option = by_name[name]
        if option.is_number:
            return str(chosen[name])
        return next(choice.text for choice in option.choices if choice.word == chosen[name])

    def put(where: str, text: str) -> str:
        for name in PLACEHOLDER.findall(text):
            if name not in chosen:
                misreads.append(
                    (where, GrammarError(name, f"there is no option {name!r}", by_name))
                )
                return text
        return PLACEHOLDER.sub(lambda match: text_of(match[1]), text)

    resolved: dict[str, Any] = {
        key: put(key, document[key]) for key in TEXTS if key in document
    } | {
        key: [put(f"{key}/{index}", item) for index, item in enumerate(document[key])]
        for key in LISTS
        if key in document
    }
    return resolved, misreads


def check(source: Mapping[str, Any] | str) -> list[Problem]:
    """Return all errors of a document or TOML text, for all combinations of options."""
    if isinstance(source, str):
        try:
            document = parse(source)
        except GameError as bad:
            return list(bad.problems)
        return check_text(source, document)
    return shape_problems(source)[: workload.MOST_DOCUMENT_PROBLEMS] or list(
        _checked(_as_written(source))
    )


def check_text(text: str, document: Mapping[str, Any]) -> list[Problem]:
    """Return all errors of a document with their lines in its source text."""
    return [replace(problem, line=line_of(text, problem.where)) for problem in check(document)]


DEFAULTS = {"hand": "any 5", "players": "[2, 8]", "deck": "52", "lines": "the rows of the board"}


# enough for every catalog game with each of its modifiers
@lru_cache(maxsize=4096)
def _checked(text: str) -> tuple[Problem, ...]:
    document = _document(text)
    if too_much := _workload_problems(text):
        return too_much
    repeated = list(workload.repeats(document))
    problems = list(dict.fromkeys([*_problems_of_options(document), *repeated]))
    problems = problems[: workload.MOST_DOCUMENT_PROBLEMS]
    for at, problem in enumerate(problems):
        key = problem.where.partition("/")[0]
        if key in DEFAULTS and key not in document:
            default = f"{key} is not given and defaults to {DEFAULTS[key]}"
            problems[at] = replace(problem, text=f"{problem.text}; {default}")
    return tuple(problems)


def _problems_of_options(document: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield the errors of a document for all combinations of the options that it uses."""
    options = workload.named_options(document)
    names = [option.name for option in options]
    looked, problem_count = 0, 0
    for tried, choices in enumerate(product(*map(workload.values, options))):
        if problem_count and tried >= ENOUGH:
            return
        problems, read = _read(document, dict(zip(names, choices, strict=True)))
        looked += workload.count_measurements(read) if read else 0
        problems = problems or (workload.of_ways(looked) if tried else []) or _unplayable(read)
        problem_count += len(problems)
        yield from problems
    for key, option in workload.separate_options(document).items():
        wrong = (wrong_word(key, choice.text) for choice in option.choices)
        yield from (_as_problem(key, error) for error in wrong if error)


def require(document: Mapping[str, Any]) -> None:
    """Raise GameError with all errors of an invalid document."""
    problems = check(document)
    if problems:
        raise GameError(problems)


# Document keys that do not affect the rules.
NEUTRAL = ("name", "by", "source", "aliases")


def with_texts(document: Mapping[str, Any], change: Callable[[str], str]) -> dict[str, Any]:
    """Return the document with `change` applied to the strings that have no effect on the rules."""

    def changed(value: Any) -> Any:
        if isinstance(value, list):
            return [changed(item) for item in value]
        parts = PLACEHOLDER.split(value)  # literal strings alternating with option names
        joined = (f"{{{part}}}" if at % 2 else change(part) for at, part in enumerate(parts))
        return "".join(joined)[:MOST_TEXT]

    return {key: changed(value) if key in NEUTRAL else value for key, value in document.items()}


def toml_with_texts(text: str, document: dict[str, Any], change: Callable[[str], str]) -> str:
    """Return the TOML of a document from `with_texts`, based on the TOML of the original.

    Comments and layout are kept, unless `change` would change a rule.
    """
    written = change(text)
    try:
        same = parse(written) == document
    except GameError:
        same = False
    return written if same else as_toml(document)
