"""Check the shape of a document, its options and the choices of a record."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rules.errors import Problem, bad_game, counted, escaped, nearest, path_part, quoted
from rules.game.game import Choice, Option
from rules.game.grammar import OPTION_NAME

TABLES = ("options", "asked")

# table options: every game (or every game with dues) has these in addition to its own options
ODD_CHIPS = ("seat", "high card", "by suit")
ODD_CHIP = Option("odd_chip", tuple(Choice(word, word) for word in ODD_CHIPS))
UNIT = Option("unit", least=1, most=1_000_000)
TABLE_OPTIONS = frozenset((ODD_CHIP.name, UNIT.name))

# dues whose amount is in units
IN_UNITS = re.compile(r"put |take |losers (under half )?pay [^p]|losers .* up to ")
NUMBERS = re.compile(r"(\d{1,9})-(\d{1,9})\Z")


def own_options(document: Mapping[str, Any]) -> tuple[Option, ...]:
    """Return the options of a document with a valid shape, including the facts that it requires."""
    options = []
    for table in TABLES:
        for name, texts in document.get(table, {}).items():
            is_asked = table == "asked"
            if len(texts) == 1 and (ends := NUMBERS.match(texts[0])):
                options.append(Option(name, least=int(ends[1]), most=int(ends[2]), asked=is_asked))
                continue
            parts = [text.partition("=") for text in texts]
            choices = (
                Choice(word.strip(), (put_in if equals else word).strip())
                for word, equals, put_in in parts
            )
            options.append(Option(name, tuple(choices), asked=is_asked))
    return tuple(options)


def table_options(document: Mapping[str, Any]) -> tuple[Option, ...]:
    in_units = any(IN_UNITS.match(str(due)) for due in document.get("dues", ()))
    own = {option.name for option in own_options(document)}
    wanted = (ODD_CHIP, UNIT) if in_units else (ODD_CHIP,)
    return tuple(option for option in wanted if option.name not in own)


def all_options(document: Mapping[str, Any]) -> tuple[Option, ...]:
    return own_options(document) + table_options(document)


def option_problems(document: Mapping[str, Any], wanted: Mapping[str, object]) -> Iterator[Problem]:
    """Yield the errors in a record's options."""
    options = {option.name: option for option in all_options(document)}
    for name, value in wanted.items():
        option = options.get(name)
        if option is None:
            known = ", ".join(options)
            text = f"the game has no option {quoted(name)}; its options are {known}"
            yield _problem(name, "unknown-option", text)
        elif option.is_number:
            if type(value) is not int or not option.least <= value <= option.most:
                text = f"{name} must be a whole number from {option.least} to {option.most}"
                yield _problem(name, "bad-option", text)
        else:
            words = [choice.word for choice in option.choices]
            if _as_word(option, value) not in words:
                shown = ", ".join("10" if word == "T" else word for word in words)
                yield _problem(name, "bad-option", f"{name} must be one of {shown}")
    for option in options.values():
        if option.asked and option.name not in wanted:
            yield _problem(option.name, "missing", f"the record must state {option.name}")


def _problem(name: str, code: str, text: str) -> Problem:
    return Problem(f"options/{path_part(name)}", code, text)


def _as_word(option: Option, value: object) -> object:
    """Return a choice as spelled in the document: "4" for 4, and T for a rank of 10."""
    words = [choice.word for choice in option.choices]
    text = str(value) if type(value) is int else value
    return "T" if text == "10" and "T" in words and "10" not in words else text


def read_choices(
    document: Mapping[str, Any], wanted: Mapping[str, str | int]
) -> Mapping[str, str | int]:
    """Return a record's choices as spelled in the document. Unknown choices are unchanged."""
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


MOST_TEXT = 200
MOST_ITEMS = 64
MOST_OPTIONS = 12
MOST_UNKNOWN = 20  # up to this number, unknown keys are reported one by one

TEXTS = ("name", "by", "source", "deck", "direction", "betting", "declare", "both_ways",
         "lost_both", "alone", "unwon", "ties", "straights")  # fmt: skip
LISTS = ("aliases", "deal", "board", "lines", "hand", "wild", "bug", "kill", "points", "top",
         "order", "shares", "dues", "match")  # fmt: skip
KEYS = (*TEXTS, *LISTS, *TABLES, "players")


def _text_problem(where: str, value: object) -> Problem | None:
    # isprintable() is false for control characters and lone surrogates
    if isinstance(value, str) and len(value) <= MOST_TEXT and value.isprintable():
        return None
    return bad_game(where, f"a string of at most {MOST_TEXT} printable characters is required")


def _list_problems(where: str, value: object) -> Iterator[Problem]:
    if not isinstance(value, list):
        yield bad_game(where, "a list of strings is required")
    elif len(value) > MOST_ITEMS:
        yield bad_game(where, f"the list has {len(value)} items; at most {MOST_ITEMS} are allowed")
    else:
        for index, item in enumerate(value):
            if problem := _text_problem(f"{where}/{index}", item):
                yield problem


def _table_problems(where: str, value: object) -> Iterator[Problem]:
    if not isinstance(value, dict) or len(value) > MOST_OPTIONS:
        yield bad_game(where, f"a table of at most {MOST_OPTIONS} lists is required")
        return
    for name, choices in value.items():
        if not (isinstance(name, str) and OPTION_NAME.match(name)):
            yield bad_game(
                where,
                f"{quoted(name)} is not a valid name for an option",
                quoted(name, quote=False),
            )
        elif choices == []:
            yield bad_game(f"{where}/{name}", "an option needs at least one choice")
        else:
            yield from _list_problems(f"{where}/{name}", choices)


def shape_problems(document: object) -> list[Problem]:
    """Return the errors in the shape of a document, before its words are parsed."""
    if not isinstance(document, Mapping):
        return [bad_game("", "a game document must be a table of keys")]
    unknown = [quoted(key, quote=False) for key in document if key not in KEYS]
    problems = [
        bad_game(escaped(key), "there is no such key", key, nearest(key, KEYS))
        for key in unknown[:MOST_UNKNOWN]
    ]
    if len(unknown) > MOST_UNKNOWN:
        problems.append(
            bad_game(
                "", f"the document has {counted(len(unknown) - MOST_UNKNOWN, 'more unknown key')}"
            )
        )
    for key in (key for key in TEXTS if key in document):
        problems += filter(None, [_text_problem(key, document[key])])
    for key in (key for key in LISTS if key in document):
        problems += _list_problems(key, document[key])
    for key in (key for key in TABLES if key in document):
        problems += _table_problems(key, document[key])
    players = document.get("players", [2, 8])
    whole = isinstance(players, list) and [type(item) for item in players] == [int, int]
    if not whole or not 1 <= players[0] <= players[1] <= 52:
        text = "players must be the fewest and the most players, such as [2, 8]"
        problems.append(bad_game("players", text))
    if not problems:
        problems += _option_problems(document)
    if not document.get("name"):
        problems.append(bad_game("name", "the game needs a name"))
    if not document.get("shares") and not document.get("dues"):
        problems.append(bad_game("shares", "the game needs shares or dues"))
    return problems


def _option_problems(document: Mapping[str, Any]) -> Iterator[Problem]:
    """Check options: unique names, ascending ranges, and valid values of table options."""
    seen: set[str] = set()
    for option in own_options(document):
        where = f"{'asked' if option.asked else 'options'}/{option.name}"
        if option.name in seen:
            yield bad_game(where, "there is already an option of this name", option.name)
        seen.add(option.name)
        if option.least > option.most:
            yield bad_game(where, "a range must go from the fewest to the most, such as 1-5")
        if option.name == UNIT.name and not option.is_number:
            yield bad_game(where, "the unit must be a number of chips, such as 1-100", option.name)
        words = {choice.word for choice in option.choices}
        if option.name == ODD_CHIP.name and not words <= {c.word for c in ODD_CHIP.choices}:
            text = "the odd chip must go by seat, by high card or by suit"
            yield bad_game(where, text, option.name)
