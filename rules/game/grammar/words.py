"""Read the words of a string from left to right, including numbers and ranks."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeVar

from rules.cards import RANKS

T = TypeVar("T")

MOST_CARDS = 60  # maximum number of cards that a document can name


class GrammarError(Exception):
    """A word of a document is invalid. `could_be` contains possible words."""

    def __init__(self, word: str, text: str, could_be: Iterable[str] = ()) -> None:
        super().__init__(text)
        self.word = word
        self.text = text
        self.could_be = tuple(could_be)


@dataclass(frozen=True)
class Names:
    """The names that a document defines."""

    slots: frozenset[str] = frozenset()
    piles: frozenset[str] = frozenset()
    options: frozenset[str] = frozenset()
    chosen: dict[str, str | int] = field(default_factory=dict)
    words: dict[str, tuple[str, ...]] = field(default_factory=dict)  # each option's choices


MOST_LETTERS = 200  # maximum length of a cached string


def in_game(read: Callable[[str, Names], T], names: Names) -> Callable[[str], T]:
    """Return a function that parses strings with the names of a game.

    Strings that do not depend on options are parsed once for all games with the same names.
    """

    def read_text(text: str) -> T:
        if "when" in text or len(text) > MOST_LETTERS:
            return read(text, names)
        result: T = _read_once(read, text, names.slots, names.piles, names.options)
        return result

    return read_text


@lru_cache(maxsize=2048)
def _read_once(
    read: Callable[[str, Names], Any],
    text: str,
    slots: frozenset[str],
    piles: frozenset[str],
    options: frozenset[str],
) -> Any:
    return read(text, Names(slots, piles, options))


class Words:
    """The words of one string, taken from the left."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.items = text.split()
        self.at = 0

    @property
    def more(self) -> bool:
        return self.at < len(self.items)

    def peek(self, ahead: int = 0) -> str:
        place = self.at + ahead
        return self.items[place] if place < len(self.items) else ""

    def take(self) -> str:
        word = self.peek()
        self.at += 1
        return word

    def take_if(self, *wanted: str) -> str:
        return self.take() if self.peek() in wanted and self.more else ""

    def expect(self, *wanted: str) -> str:
        if self.peek() in wanted:
            return self.take()
        raise self.misread(wanted)

    def misread(self, could_be: Iterable[str], reason: str = "") -> GrammarError:
        word = self.peek()
        could_be = tuple(could_be)
        if hyphened := self._hyphened(could_be):
            reason = f"{' '.join(hyphened.split('-'))!r} must be written with hyphens"
            return GrammarError(word, reason, (hyphened,))
        message = reason or (f"{word!r} is not valid here" if word else "the text ends too soon")
        return GrammarError(word or self.text, message, could_be)

    def _hyphened(self, could_be: Iterable[str]) -> str:
        """Join words that are written without hyphens: `trips or better`, `no limit`."""
        for pieces in (2, 3, 4):
            word = "-".join(self.items[self.at : self.at + pieces])
            if word in could_be or (pieces > 2 and word.endswith("-or-better")):
                return word
        return ""

    def done(self) -> None:
        if self.more:
            raise self.misread((), f"{self.peek()!r} is not valid at the end")


def is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) <= 9


def read_number(words: Words, *, most: int = MOST_CARDS) -> int:
    if not is_number(words.peek()):
        raise words.misread(("a number",))
    if int(words.peek()) > most:
        raise words.misread((), f"{words.peek()} is more than {most}")
    return int(words.take())


def is_count(word: str) -> bool:
    return all(is_number(part) for part in word.split("-")) and word.count("-") <= 1


def read_count(words: Words) -> tuple[int, int]:
    """Parse `3` or `0-3`."""
    if not is_count(words.peek()):
        raise words.misread(("a number", "a range such as 0-3"))
    ends = [int(part) for part in words.peek().split("-")]
    if ends[-1] > MOST_CARDS or ends[0] > ends[-1]:
        raise words.misread((), f"{words.peek()} is not a range up to {MOST_CARDS}")
    words.take()
    return ends[0], ends[-1]


def is_rank(word: str) -> bool:
    return word == "10" or (len(word) == 1 and word in RANKS)


def read_rank(words: Words) -> int:
    if not is_rank(words.peek()):
        raise words.misread(tuple(RANKS))
    return RANKS.index(words.take().replace("10", "T"))


def read_ranks(words: Words) -> list[int]:
    """Parse `2 3 4 5` or `2-5` as ranks 0..12."""
    ranks: list[int] = []
    while words.more and words.peek() != "+":
        low, dash, high = words.peek().partition("-")
        if not (is_rank(low) and (is_rank(high) if dash else True)):
            raise words.misread(tuple(RANKS))
        words.take()
        first = RANKS.index(low.replace("10", "T"))
        last = RANKS.index(high.replace("10", "T")) if dash else first
        ranks += range(first, last + 1)
    return ranks


OPTION_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}\Z")
SLOT_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,15}\Z")
PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
