"""A name put in place of another wherever a kept text or JSON says it."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from rules.api import KEYED_BY_PLAYER, NAMING_PLAYERS

# Whose keys are names of players, in records, in answers and in what the service tells of them.
BY_NAME = KEYED_BY_PLAYER | {"names"}
# What a single word may mean; anywhere else only words among others are taken for a name.
NAMED = NAMING_PLAYERS | {"payer", "payee", "dealer", "banker", "players", "from", "to"}
Words = Callable[[str], str]


def in_words(called: Mapping[str, str], known: Iterable[str]) -> Words:
    """Return what renames in free text, in whatever letters; longer names of others stay."""
    lower = {name.lower(): new for name, new in called.items()}
    longer = {name for name in known if any(old in name.lower() for old in lower)}
    wanted = sorted({*called, *longer}, key=len, reverse=True)
    pattern = re.compile(
        "|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in wanted) or r"(?!)", re.IGNORECASE
    )
    return lambda text: pattern.sub(lambda found: lower.get(found[0].lower(), found[0]), text)


def in_json(value: Any, called: Mapping[str, str], words: Words, under: str = "") -> Any:
    """Return the value with names renamed, where they are keys, where they stand for a player, and
    in sentences: "high" may be a name and is a way to win as well.
    """
    if isinstance(value, dict):
        keys = called if under in BY_NAME else {}
        return {
            keys.get(key, key): in_json(each, called, words, key) for key, each in value.items()
        }
    if isinstance(value, list):
        return [in_json(each, called, words, under) for each in value]
    if not isinstance(value, str):
        return value
    if under in NAMED and value in called:
        return called[value]
    return words(value) if " " in value else value
