"""Check whether external text and values can be stored and shown.

PostgreSQL can't store NUL. Databases and pages do not accept half of a surrogate pair. JSON has no
infinity, although Python reads 1e999 as infinity.
"""

import math
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Protocol, TypeVar

from league.common.errors import Problem, problem
from league.models import LONGEST_NAME
from rules.api import KEYED_BY_PLAYER, NAMING_PLAYERS, is_name, seen_as
from rules.errors import escaped

DEEPEST = 32
# limits the faults reported per value, because their paths could be larger than the value itself
MOST_FAULTS = 200
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
_CONTROL = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\x7f]")
# Characters that change the direction of the following text (Unicode 16, UAX #9, 2.3).
_DIRECTION = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
# Capital letters of other alphabets that look like Latin capitals (UTS #39, confusables).
_TWINS = str.maketrans("АВЕЅІЈКМНОРСТУХҺԀԚԜԌӀΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABESIJKMHOPCTYXHDQWGIABEZHIKMNOPTYX")
_LONGEST_SHOWN = 600


def tidy(text: str) -> str:
    """Return the text on one line, with single spaces between words."""
    return " ".join(text.split())


def shown(text: str) -> str:
    """Return the text in a form that errors can quote: shortened and without lone surrogates."""
    whole = _UNSTORABLE.sub("\N{REPLACEMENT CHARACTER}", text)
    return whole if len(whole) <= _LONGEST_SHOWN else f"{whole[:_LONGEST_SHOWN]}…"


def contains_words(text: str, words: str) -> bool:
    """Check whether the text contains the words as whole words."""
    at = text.find(words) if words else -1
    while at >= 0:
        if not (_is_word(text[at - 1 : at]) or _is_word(text[at + len(words) :][:1])):
            return True
        at = text.find(words, at + 1)
    return False


def _is_word(letter: str) -> bool:
    return letter.isalnum() or letter == "_"


def wrong_text(
    where: str, text: object, *, longest: int = LONGEST_NAME, needed: bool = True
) -> Iterator[Problem]:
    """Yield the problems with a name or note that a user typed."""
    if not isinstance(text, str):
        yield problem(where, "wrong-type", "this must be a string")
    elif needed and not text.strip():
        yield problem(where, "missing", "this must not be empty")
    elif len(text) > longest:
        yield problem(where, "too-long", f"this is longer than {longest} characters")
    elif _UNSTORABLE.search(text) or _CONTROL.search(text):
        yield problem(where, "wrong-type", "this contains a NUL or half a character")
    elif _DIRECTION.search(text):
        yield problem(
            where, "wrong-type", "this contains a mark that changes the direction of text"
        )


def wrong_name(name: object) -> Iterator[Problem]:
    """Yield the problems with a player's name, which must also be valid in a hand record."""
    wrong = list(wrong_text("name", name))
    yield from wrong
    if not wrong and not is_name(tidy(str(name))):
        yield problem("name", "wrong-type", "this contains an invisible letter")


def lookalike_key(name: str) -> str:
    """Return a key that is the same for all names that look alike.

    Case, width, invisible characters, and Cyrillic or Greek letters that look like Latin letters
    make no difference.
    """
    plain = unicodedata.normalize("NFKC", seen_as(name))
    return plain.casefold().upper().translate(_TWINS)


class _Named(Protocol):
    @property
    def name(self) -> str: ...


NamedT = TypeVar("NamedT", bound=_Named)


def without_accents(text: str) -> str:
    letters = unicodedata.normalize("NFKD", text)
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def name_order(name: str) -> tuple[str, str]:
    """Return the sort key of a name in lists that people read. Case and accents don't count."""
    return without_accents(name).casefold(), name


def by_name(rows: Iterable[NamedT]) -> list[NamedT]:
    """Return the rows sorted by name, as people read them."""
    return sorted(rows, key=lambda row: name_order(row.name))


def unstorable(value: object) -> Iterator[Problem]:
    """Yield a problem for each part of a JSON value that can't be stored, up to a limit."""
    if is_storable(value):  # in the usual case, paths are not needed
        return
    faults = 0
    for path, item in _walk(value):
        reason = f"nested more than {DEEPEST} deep" if len(path) > DEEPEST else _reason(item)
        if reason:
            yield problem(shown("/".join(map(escaped, path))), "wrong-type", reason)
            faults += 1
        if faults == MOST_FAULTS:
            return


def controlled(value: object) -> Iterator[tuple[str, ...]]:
    """Yield the path of each string or key in a JSON value that contains a control character.

    Tabs and line breaks are allowed, because strings can have several lines.
    """
    for path, each in _walk(value):
        texts = (each,) if isinstance(each, str) else each if isinstance(each, dict) else ()
        if any(_CONTROL.search(text) for text in texts):
            yield tuple(_CONTROL.sub("\N{REPLACEMENT CHARACTER}", shown(part)) for part in path)


def _walk(value: object) -> Iterator[tuple[tuple[str, ...], object]]:
    """Yield each value in a JSON value with its path, down to the maximum depth.

    The function uses an explicit stack, because the sender chooses the depth and recursion could
    overflow. The stack has one iterator for each level, instead of a path for each remaining value.
    """
    waiting: list[Iterator[tuple[tuple[str, ...], object]]] = [iter([((), value)])]
    while waiting:
        for path, item in waiting[-1]:
            yield path, item
            if isinstance(item, dict | list) and len(path) <= DEEPEST and not _reason(item):
                waiting.append(_inside(path, item))
                break
        else:
            waiting.pop()


def too_deep(value: object) -> bool:
    """Check whether a JSON value is nested deeper than any record can be."""
    level = [value]
    for _ in range(DEEPEST + 1):
        below: list[object] = []
        for item in level:
            if isinstance(item, dict):
                below += item.values()
            elif isinstance(item, list):
                below += item
        level = below
    return bool(level)


def is_storable(value: object) -> bool:
    """Check in one pass whether a JSON value can be stored.

    If it can be stored, `unstorable` does not yield any problems.
    """
    texts: list[str] = []
    level = [value]
    for _ in range(DEEPEST + 1):
        below: list[object] = []
        for item in level:
            if isinstance(item, str):
                texts.append(item)
            elif isinstance(item, dict):
                texts += item
                below += item.values()
            elif isinstance(item, list):
                below += item
            elif isinstance(item, float) and not math.isfinite(item):
                return False
        level = below
    return not level and not _UNSTORABLE.search("".join(texts))


def _reason(value: object) -> str:
    if isinstance(value, str):
        return "this text contains a NUL or half a character" if _UNSTORABLE.search(value) else ""
    if isinstance(value, float):
        return "" if math.isfinite(value) else "this is not a number"
    if isinstance(value, dict) and any(map(_UNSTORABLE.search, value)):
        return "a key contains a NUL or half a character"
    return ""


def _inside(path: tuple[str, ...], value: Any) -> Iterator[tuple[tuple[str, ...], object]]:
    match value:
        case dict():
            yield from (((*path, key), item) for key, item in value.items())
        case list():
            yield from (((*path, str(place)), item) for place, item in enumerate(value))


def whole_number(text: str) -> int | None:
    """Return the number in a form field or URL, or None if it is not one to eight digits."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 9 else None


# A formula starts with one of these characters or its full-width form, possibly after white space
# or a
# quote.
FORMULAS = frozenset("=+-@＝＋－＠")
BEFORE = " \t\r\n\v\f\u00a0\u200b\ufeff\"'"
# Characters at which a spreadsheet may start a new cell: line ends, and the separators of some
# locales. Quoting prevents this only in the first cell of a row.
APART = re.compile(r"([;\t\r\n|])")


def safe_cell(cell: object) -> object:
    """Return the cell escaped so that spreadsheets do not run any part of it as a formula.

    An apostrophe precedes each possible start of a formula. Numbers stay numbers.
    """
    if isinstance(cell, int) or str(cell).removeprefix("-").replace(".", "", 1).isdecimal():
        return cell
    text = str(cell)
    if FORMULAS.isdisjoint(text):
        return cell
    parts = APART.split(text)
    safe = "".join(f"'{part}" if part.lstrip(BEFORE)[:1] in FORMULAS else part for part in parts)
    return f"'{safe}" if safe[0] in "\t\r" else safe


# Fields of records, answers and API responses that are keyed by player name.
BY_NAME = KEYED_BY_PLAYER | {"names"}
# Keys whose whole value may be a name. In all other values, names are replaced only within
# sentences.
NAMED = NAMING_PLAYERS | {"payer", "payee", "dealer", "banker", "players", "from", "to"}
NAMED |= {"player_name", "payer_name", "payee_name", "dealer_name"}
Words = Callable[[str], str]


def in_words(called: Mapping[str, str], known_names: Iterable[str]) -> Words:
    """Return a function that renames players in free text, ignoring case.

    Longer names that contain a renamed name stay unchanged.
    """
    lower = {name.lower(): new for name, new in called.items()}
    longer = {name for name in known_names if any(old in name.lower() for old in lower)}
    wanted = sorted({*called, *longer}, key=len, reverse=True)
    pattern = re.compile(
        "|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in wanted) or r"(?!)", re.IGNORECASE
    )
    return lambda text: pattern.sub(lambda match: lower.get(match[0].lower(), match[0]), text)


def in_json(value: Any, called: Mapping[str, str], words: Words, under: str = "") -> Any:
    """Return a JSON value with players renamed in keys, in name values and in sentences.

    Other values stay unchanged. For example, "high" may be a player's name or a way to win.
    """
    if isinstance(value, dict):
        keys = called if under in BY_NAME else {}
        return {
            keys.get(key, key): in_json(item, called, words, key) for key, item in value.items()
        }
    if isinstance(value, list):
        return [in_json(item, called, words, under) for item in value]
    if not isinstance(value, str):
        return value
    if under in NAMED and value in called:
        return called[value]
    return words(value) if " " in value else value


def game_of(variant: str | dict[str, Any], name: str) -> str:
    """Return the slug of a record's game, or `name` if the record contains the game itself."""
    return variant if isinstance(variant, str) else name
