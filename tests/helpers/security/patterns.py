"""All regular expressions in the code, how they are used, and strings that are hard for them."""

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

ROOT = Path(__file__).parents[3]
PACKAGES = ("rules", "league", "api", "config", "ledger")
FUNCTIONS = frozenset("compile search match fullmatch sub subn split findall finditer".split())
# Functions that match anywhere in a string, so an unbounded part is tried at every position.
SEARCHING = frozenset("search sub subn split findall finditer".split())
REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT)
MANY = 100  # a part that can repeat at least this often counts as unbounded
EVERYTHING = frozenset(range(0x100)) | {0x2028, 0x2660, 0x10FFFF}


def sources() -> Iterator[tuple[str, ast.Module]]:
    """Yield every module's name and syntax tree."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            if "migrations" not in path.parts:
                name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
                yield name.removesuffix(".__init__"), ast.parse(path.read_text("utf-8"))


def patterns() -> dict[str, "re.Pattern[str]"]:
    """Return the modules' compiled expressions, by location."""
    expressions: dict[str, re.Pattern[str]] = {}
    for package in PACKAGES:
        module = importlib.import_module(package)
        for info in pkgutil.walk_packages(module.__path__, f"{package}."):
            if "migrations" in info.name or info.name.endswith(("__main__", ".wsgi", ".asgi")):
                continue
            for name, value in vars(importlib.import_module(info.name)).items():
                expressions |= dict(_in(f"{info.name}.{name}", value))
    return {where: info for where, info in expressions.items() if isinstance(info.pattern, str)}


def _in(where: str, value: Any) -> Iterator[tuple[str, "re.Pattern[str]"]]:
    if isinstance(value, re.Pattern):
        yield where, value
    elif type(value) in (tuple, list, set, frozenset):
        for at, child in enumerate(value):
            yield from _in(f"{where}/{at}", child)
    elif type(value) is dict:
        for key, child in value.items():
            yield from _in(f"{where}/{key}", child)


def loose() -> list[str]:
    """Return the places that use an expression not stored in a module."""
    return [
        f"{name}:{node.lineno}"
        for name, tree in sources()
        for node in _calls(tree)
        if not _is_held(tree, node)
    ]


def _calls(tree: ast.Module) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            base = node.func.value
            if isinstance(base, ast.Name) and base.id == "re" and node.func.attr in FUNCTIONS:
                yield node


def _is_held(tree: ast.Module, call: ast.Call) -> bool:
    held = (each for each in tree.body if isinstance(each, ast.Assign | ast.AnnAssign))
    return any(call is inner for each in held for inner in ast.walk(each))


@cache
def searched() -> set[str]:
    """Return the names of expressions that any module uses for searching."""
    return {
        node.value.id
        for _name, tree in sources()
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and node.attr in SEARCHING
        and isinstance(node.value, ast.Name)
    } | {"SECRETS"}  # its patterns are used in a loop


# --- static analysis -----------------------------------------------------------------------------


def ambiguous(pattern: "re.Pattern[str]", *, searching: bool) -> list[str]:
    """Return the reasons why parts of an expression can match a text in too many ways."""
    tree = parser.parse(pattern.pattern, pattern.flags)
    reasons = list(_nested(tree, inside=None))
    reasons += _adjacent([_ANYTHING, *_needed(list(tree))] if searching else list(tree))
    return reasons


_ANYTHING = (codes.MAX_REPEAT, (0, codes.MAXREPEAT, [(codes.ANY, None)]))


def _needed(items: list[Any]) -> list[Any]:
    """Return the items without trailing ones that always match. A search ends before these."""
    while items and _may_be_empty(*items[-1]):
        items = items[:-1]
    if not items:
        return []
    code, value = items[-1]
    if code is codes.SUBPATTERN:
        return [*items[:-1], (code, (*value[:3], _needed(list(value[3]))))]
    if code is codes.BRANCH:
        return [*items[:-1], (code, (None, [_needed(list(each)) for each in value[1]]))]
    if code in REPEATS and value[1] >= MANY:
        # the minimum number of repetitions is enough
        return [*items[:-1], *list(value[2]) * value[0]]
    return items


def _nested(items: Iterable[Any], inside: Any) -> Iterator[str]:
    """Yield unbounded parts inside an unbounded part whose repetitions are not separated."""
    for code, value in items:
        if code in REPEATS and value[1] >= MANY:
            body = list(value[2])
            if inside is not None and not _separated(inside):
                yield f"a part without end in one: {sorted(_letters(body))[:5]}"
            yield from _nested(body, body)
        else:
            for branch in _branches(code, value):
                yield from _nested(branch, inside)


def _separated(body: list[Any]) -> bool:
    """Return whether each repetition starts with a character that no unbounded part matches."""
    code, value = body[0]
    fixed = not (code in REPEATS and value[0] == 0)
    endless = [node for node in _flat(body) if node[0] in REPEATS and node[1][1] >= MANY]
    eaten = [_letters(list(node[1][2])) for node in endless]
    return fixed and not any(_letters([(code, value)]) & node for node in eaten)


def _flat(items: Iterable[Any]) -> Iterator[Any]:
    for code, value in items:
        yield code, value
        for branch in _branches(code, value):
            yield from _flat(branch)


def _adjacent(items: list[Any]) -> Iterator[str]:
    """Yield each pair of unbounded parts whose border is ambiguous."""
    for line in _lines(items):
        for at, (code, value) in enumerate(line):
            if code in REPEATS and value[1] >= MANY:
                yield from _meets(_letters(list(value[2])), line[at + 1 :])


def _meets(first: frozenset[int], behind: list[Any]) -> Iterator[str]:
    """Yield ambiguities with the following items, up to one that the first part does not match."""
    between: list[frozenset[int]] = []
    for code, value in behind:
        endless = code in REPEATS and value[1] >= MANY
        letters = _letters([(code, value)])
        if endless and not first & _letters(_opening(value[2])):
            continue  # the repetition starts with a character that the first part can't match
        if endless or code is codes.POSSESSIVE_REPEAT:
            both = first & letters
            if both and all(each & both for each in between):
                yield f"two parts without end may both eat {sorted(both)[:5]}"
        if code in (codes.ASSERT_NOT, codes.ASSERT):
            return  # a look-around determines the border
        if code is codes.AT:
            if value in BORDERS:
                return
            continue
        if not _may_be_empty(code, value):
            if not letters & first:
                return
            between.append(letters)


BORDERS = (codes.AT_BOUNDARY, codes.AT_BEGINNING, codes.AT_BEGINNING_STRING)


def _opening(body: Iterable[Any]) -> list[Any]:
    """Return the items that a repetition can start with."""
    items = []
    for code, value in body:
        items.append((code, value))
        if not _may_be_empty(code, value):
            break
    return items


def _lines(items: list[Any]) -> Iterator[list[Any]]:
    """Yield the items with groups expanded, one list for each combination of branches."""
    ways: list[list[Any]] = [[]]
    for code, value in items:
        if code is codes.SUBPATTERN:
            inner = list(_lines(list(value[3])))
        elif code is codes.BRANCH:
            inner = [line for branch in value[1] for line in _lines(list(branch))]
        elif code in REPEATS and value[1] < MANY and value[0] == 0:
            inner = [[], *_lines(list(value[2]))]
        elif code in REPEATS and value[1] == 1:
            inner = list(_lines(list(value[2])))
        else:
            if code in REPEATS and value[1] >= MANY and len(value[2]) > 1:
                yield from _lines([*value[2], *value[2]])
            inner = [[(code, value)]]
        ways = [way + each for way in ways for each in inner][:500]
    yield from ways


def _may_be_empty(code: Any, value: Any) -> bool:
    return code in (*REPEATS, codes.POSSESSIVE_REPEAT) and value[0] == 0


def _branches(code: Any, value: Any) -> list[Any]:
    if code is codes.SUBPATTERN:
        return [value[3]]
    if code is codes.BRANCH:
        return list(value[1])
    if code in REPEATS:
        return [value[2]]
    return []


def _letters(items: list[Any]) -> frozenset[int]:
    """Return the characters, out of a few hundred, that any of the items can match."""
    letters: frozenset[int] = frozenset()
    for code, value in items:
        if code is codes.LITERAL:
            letters |= {value}
        elif code is codes.NOT_LITERAL:
            letters |= EVERYTHING - {value}
        elif code is codes.ANY:
            letters |= EVERYTHING - {10}
        elif code is codes.IN:
            letters |= _class(value)
        elif code is codes.POSSESSIVE_REPEAT:
            letters |= _letters(list(value[2]))
        elif code is codes.ATOMIC_GROUP:
            letters |= _letters(list(value))
        else:
            for branch in _branches(code, value):
                letters |= _letters(list(branch))
    return letters


def _class(members: list[Any]) -> frozenset[int]:
    letters: set[int] = set()
    for code, value in members:
        if code is codes.LITERAL:
            letters.add(value)
        elif code is codes.RANGE:
            letters |= {letter for letter in EVERYTHING if value[0] <= letter <= value[1]}
        elif code is codes.CATEGORY:
            letters |= {letter for letter in EVERYTHING if re.match(CATEGORIES[value], chr(letter))}
    negated = members[0][0] is codes.NEGATE
    return EVERYTHING - letters if negated else frozenset(letters)


CATEGORIES = {
    codes.CATEGORY_DIGIT: r"\d",
    codes.CATEGORY_NOT_DIGIT: r"\D",
    codes.CATEGORY_SPACE: r"\s",
    codes.CATEGORY_NOT_SPACE: r"\S",
    codes.CATEGORY_WORD: r"\w",
    codes.CATEGORY_NOT_WORD: r"\W",
}


# --- difficult inputs -----------------------------------------------------------------------------


def pumps(pattern: "re.Pattern[str]") -> set[tuple[str, str, str]]:
    """Return a head, a part to repeat, and a tail for each repetition in the expression."""
    tree = parser.parse(pattern.pattern, pattern.flags)
    texts: set[tuple[str, str, str]] = set()
    for line in list(_lines(list(tree)))[:40]:
        parts = [_sample([part]) for part in line]
        for at, (code, value) in enumerate(line):
            if code in (*REPEATS, codes.POSSESSIVE_REPEAT) and value[1] >= MANY:
                head, rest = "".join(parts[:at]), "".join(parts[at + 1 :])
                for letter in {parts[at] or _sample(list(value[2])), *' \n"x1.@'}:
                    texts |= {(head, letter, ""), (head, letter, "\0"), ("", head + letter, "\0")}
                texts |= {(head, parts[at] + rest, "\0"), ("", "".join(parts), "\n\0")}
    return {text for text in texts if text[1]}


def _sample(items: list[Any]) -> str:
    """Return a text that the items match, or nearly match."""
    text = ""
    for code, value in items:
        if code in (*REPEATS, codes.POSSESSIVE_REPEAT):
            text += _sample(list(value[2])) * max(1, min(value[0], 8))
        elif code is codes.SUBPATTERN:
            text += _sample(list(value[3]))
        elif code is codes.BRANCH:
            text += _sample(list(value[1][0]))
        elif code is codes.ATOMIC_GROUP:
            text += _sample(list(value))
        elif letters := _letters([(code, value)]):
            text += chr(min(letters, key=lambda each: (not chr(each).isalnum(), each)))
    return text
