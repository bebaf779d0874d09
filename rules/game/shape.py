"""The keys of a game's document, and what is wrong with it before a word of it is read."""

from collections.abc import Iterator, Mapping
from typing import Any

from rules.errors import Problem, bad_game, escaped, nearest, quoted
from rules.game.grammar import OPTION_NAME
from rules.game.options import ODD_CHIP, TABLES, UNIT, own_options

MOST_TEXT = 200
MOST_ITEMS = 64
MOST_OPTIONS = 12
MOST_UNKNOWN = 20  # keys that are told one by one

TEXTS = ("name", "by", "source", "deck", "direction", "betting", "declare", "both_ways", "alone",
         "unwon", "ties", "straights")  # fmt: skip
LISTS = ("aliases", "deal", "board", "lines", "hand", "wild", "bug", "kill", "points", "top",
         "order", "shares", "dues", "match")  # fmt: skip
KEYS = (*TEXTS, *LISTS, *TABLES, "players")


def _is_text(value: object) -> bool:
    return (
        isinstance(value, str)
        and len(value) <= MOST_TEXT
        and value.isprintable()  # refuses control characters and lone surrogates alike
    )


def _text_problem(where: str, value: object) -> Problem | None:
    if _is_text(value):
        return None
    return bad_game(where, f"a text of at most {MOST_TEXT} printable characters is needed here")


def _list_problems(where: str, value: object) -> Iterator[Problem]:
    if not isinstance(value, list):
        yield bad_game(where, "a list of texts is needed here")
    elif len(value) > MOST_ITEMS:
        yield bad_game(where, f"{len(value)} items are more than {MOST_ITEMS}")
    else:
        for index, item in enumerate(value):
            if problem := _text_problem(f"{where}/{index}", item):
                yield problem


def _table_problems(where: str, value: object) -> Iterator[Problem]:
    if not isinstance(value, dict) or len(value) > MOST_OPTIONS:
        yield bad_game(where, f"a table of at most {MOST_OPTIONS} lists is needed here")
        return
    for name, choices in value.items():
        if not (isinstance(name, str) and OPTION_NAME.match(name)):
            yield bad_game(
                where, f"{quoted(name)} is no name for an option", quoted(name, quote=False)
            )
        elif choices == []:
            yield bad_game(f"{where}/{name}", "an option needs at least one choice")
        else:
            yield from _list_problems(f"{where}/{name}", choices)


def _players_problems(value: object) -> Iterator[Problem]:
    whole = isinstance(value, list) and [type(item) for item in value] == [int, int]
    if not whole or not 1 <= value[0] <= value[1] <= 52:  # type: ignore[index]
        yield bad_game("players", "the fewest and the most players are needed, such as [2, 8]")


def _unknown_keys(document: Mapping[str, Any]) -> Iterator[Problem]:
    unknown = [quoted(key, quote=False) for key in document if key not in KEYS]
    for key in unknown[:MOST_UNKNOWN]:
        yield bad_game(escaped(key), "no such key", key, nearest(key, KEYS))
    if len(unknown) > MOST_UNKNOWN:
        yield bad_game("", f"{len(unknown) - MOST_UNKNOWN} more keys that no game has")


def shape_problems(document: object) -> list[Problem]:
    """What is wrong with a document before a word of it is read."""
    if not isinstance(document, Mapping):
        return [bad_game("", "a game document is a table of keys")]
    problems = list(_unknown_keys(document))
    for key in (key for key in TEXTS if key in document):
        problems += filter(None, [_text_problem(key, document[key])])
    for key in (key for key in LISTS if key in document):
        problems += _list_problems(key, document[key])
    for key in (key for key in TABLES if key in document):
        problems += _table_problems(key, document[key])
    if "players" in document:
        problems += _players_problems(document["players"])
    if not problems:
        problems += _option_problems(document)
    if not document.get("name"):
        problems.append(bad_game("name", "the game needs a name"))
    if not document.get("shares") and not document.get("dues"):
        problems.append(bad_game("shares", "a game needs shares, or dues"))
    return problems


def _option_problems(document: Mapping[str, Any]) -> Iterator[Problem]:
    """Options that can't be: one name for two, ranges that run down, the table's own misused."""
    seen: set[str] = set()
    for option in own_options(document):
        where = f"{'asked' if option.asked else 'options'}/{option.name}"
        if option.name in seen:
            yield bad_game(where, "there is an option of this name already", option.name)
        seen.add(option.name)
        if option.least > option.most:
            yield bad_game(where, "a range runs from the fewest to the most, such as 1-5")
        if option.name == UNIT.name and not option.is_number:
            yield bad_game(where, "the unit is a number of chips, such as 1-100", option.name)
        words = {choice.word for choice in option.choices}
        if option.name == ODD_CHIP.name and not words <= {c.word for c in ODD_CHIP.choices}:
            yield bad_game(where, "the odd chip goes by seat or by high card", option.name)
