"""The options that a document brings, those of the table, and what a record may choose of them."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rules.errors import Problem, path_part, quoted
from rules.game.game import Choice, Option

TABLES = ("options", "asked")

# options of the table, that every game (or every game with dues) has besides its own
ODD_CHIP = Option("odd_chip", (Choice("seat", "seat"), Choice("high card", "high card")))
UNIT = Option("unit", least=1, most=1_000_000)
TABLE_OPTIONS = frozenset((ODD_CHIP.name, UNIT.name))

# dues of so many units
IN_UNITS = re.compile(r"put |take |losers (under half )?pay [^p]|losers .* up to ")
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
    in_units = any(IN_UNITS.match(str(due)) for due in document.get("dues", ()))
    own = {option.name for option in own_options(document)}
    wanted = (ODD_CHIP, UNIT) if in_units else (ODD_CHIP,)
    return tuple(option for option in wanted if option.name not in own)


def all_options(document: Mapping[str, Any]) -> tuple[Option, ...]:
    return own_options(document) + table_options(document)


def option_problems(document: Mapping[str, Any], wanted: Mapping[str, object]) -> Iterator[Problem]:
    """What is wrong with the options of a record."""
    options = {option.name: option for option in all_options(document)}
    for name, value in wanted.items():
        if name not in options:
            known = ", ".join(options)
            text = f"the game has no option {quoted(name)}; it has {known}"
            yield _problem(name, "unknown-option", text)
        elif reason := _refuse(options[name], value):
            yield _problem(name, "bad-option", reason)
    for option in options.values():
        if option.asked and option.name not in wanted:
            yield _problem(option.name, "missing", f"the record must state {option.name}")


def _problem(name: str, code: str, text: str) -> Problem:
    return Problem(f"options/{path_part(name)}", code, text)


def _refuse(option: Option, value: object) -> str:
    if option.is_number:
        if type(value) is int and option.least <= value <= option.most:
            return ""
        return f"{option.name} is a whole number from {option.least} to {option.most}"
    words = [choice.word for choice in option.choices]
    shown = ", ".join("10" if word == "T" else word for word in words)
    return "" if _as_word(option, value) in words else f"{option.name} is one of {shown}"


def _as_word(option: Option, value: object) -> object:
    """A choice as the document writes it: 4 for "4", and 10 for T where ranks are the choices."""
    words = [choice.word for choice in option.choices]
    text = str(value) if type(value) is int else value
    return "T" if text == "10" and "T" in words and "10" not in words else text


def read_choices(
    document: Mapping[str, Any], wanted: Mapping[str, str | int]
) -> Mapping[str, str | int]:
    """The choices of a record as the document writes them; others stay as they are."""
    spelled = {name for name, value in wanted.items() if type(value) is int or value == "10"}
    if not spelled - TABLE_OPTIONS:
        return wanted
    words = {option.name: option for option in own_options(document) if option.choices}
    return {
        name: str(_as_word(words[name], value)) if name in spelled and name in words else value
        for name, value in wanted.items()
    }


def defaults(options: Iterable[Option]) -> dict[str, str | int]:
    return {option.name: option.default for option in options if option.default is not None}
