"""Finding a game by plain words of its rules: "low spade in the hole wins half".

Each game of the catalog has the words of its rules page, with what players call the same thing.
Words that most games have tell none apart: they are left out, and skipped where somebody types
them. Scripts search the same words (games/filter-games.js), by the index that they fetch.
"""

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache

from league.pages.games.game_rules import rules_of
from rules.documents import catalog

WORD = re.compile(r"\w+")
SHORT = 3  # letters of a word that is no plural, as "ace" or "yes"
COMMON = 0.5  # the share of all games from which a word tells none apart
# What a rules page says, and what players type for it.
ALIKE = {
    "down": "hole pocket hidden",
    "up": "open exposed showing face",
    "board": "community common shared",
    "divided": "half halves",
    "lowest": "low",
    "highest": "high",
    "exchange": "draw discard replace swap trade",
    "draw": "exchange discard replace",
    "twos": "deuce deuces",
    "two": "2",
    "three": "3",
    "threes": "trey treys",
    "four": "4",
    "five": "5",
    "six": "6",
    "seven": "7",
    "eight": "8",
    "nine": "9",
    "declare": "declares chips fist",
    "match": "matches",
    "axe": "king diamonds",
    "suicide": "king hearts",
    "spade": "spades",
    "joker": "jokers",
}
FILLERS = """
    a an the in of with for from at by and or to if is are be has have get gets getting take takes
    win wins winning winner who whoever whose when where which that this it your you my game games
    play played playing poker card cards hand hands pot hold holds holding
"""


def words_of(texts: Iterable[str]) -> set[str]:
    """Return the words of some texts, and what players call the same."""
    found = {word for text in texts for word in WORD.findall(text.lower())}
    return found | {each for word in found for each in ALIKE.get(word, "").split()}


@cache
def _all_words() -> dict[str, set[str]]:
    """Return all words of each game of the catalog."""
    pages = {slug: rules_of(slug).page["sections"] for slug in catalog.slugs()}
    return {
        slug: words_of(
            line for section in sections for line in (section["title"], *section["lines"])
        )
        for slug, sections in pages.items()
    }


@cache
def common_words() -> frozenset[str]:
    """Return the words that tell no games apart."""
    games = _all_words()
    counted = Counter(word for words in games.values() for word in words)
    most = len(games) * COMMON
    return frozenset((*FILLERS.split(), *(word for word, n in counted.items() if n > most)))


@cache
def rule_words(slug: str) -> str:
    """Return the words by which the rules of a game of the catalog differ from others."""
    return " ".join(sorted(_all_words()[slug] - common_words()))


def has_rules(slug: str, names: str, typed: Iterable[str]) -> bool:
    """Tell whether a game's rules or `names` have all that is typed beside common words."""
    if slug not in catalog.slugs():
        return False
    telling = [word for word in typed if not {word, _single(word)} & common_words()]
    words = f" {rule_words(slug)}"
    return bool(telling) and all(f" {_single(word)}" in words or word in names for word in telling)


def _single(word: str) -> str:
    """Return the word without the s of a plural."""
    return word.removesuffix("s") if len(word) > SHORT else word
