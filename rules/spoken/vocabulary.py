"""The words of a language, loaded from its word list (english.toml)."""

import re
import tomllib
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from rules.cards import SUIT_SIGNS

HERE = Path(__file__).parent
KINDS = (
    "rank ranks suit joker hand group way row declares result pays table zone link filler number"
).split()
BREAKS = frozenset(",.;:!?\n")
SEPARATORS = frozenset(",.")  # characters allowed between the digits of a number

_WORD = re.compile(r"[^\W_]+")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+")
_APOSTROPHES = frozenset("'\N{RIGHT SINGLE QUOTATION MARK}")


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text and its position. `begins` is true at the start and after punctuation."""

    text: str
    start: int
    end: int
    begins: bool
    is_upper: bool


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The meaning of each phrase, grouped by kind."""

    phrases: Mapping[tuple[str, ...], Mapping[str, str]]
    longest: int

    def at(self, words: Sequence[Word], place: int, kind: str) -> tuple[str, int] | None:
        """Return the meaning of the longest phrase of a kind at a position, and its word count."""
        for count in range(min(self.longest, len(words) - place), 0, -1):
            run = words[place : place + count]
            meaning = self.phrases.get(tuple(word.text for word in run), {}).get(kind)
            if meaning is not None and not any(word.begins for word in run[1:]):
                return meaning, count
        return None

    def has(self, word: str) -> bool:
        """Return whether this word alone is a phrase."""
        return (word,) in self.phrases


def plain(text: str) -> str:
    """Return a word without case, accents and thousands separators, for comparison."""
    if _THOUSANDS.fullmatch(text):
        return text.replace(",", "")
    if not text.isalnum():
        return text
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in parts if letter.isalnum()) or text


def split(text: str) -> list[Word]:
    """Split a text into words. An `s` after an apostrophe is dropped.

    A number with separators is one word. The same applies to a decimal fraction, which has no
    meaning.
    """
    # In cards, suit symbols are read as letters. Each replacement is as long as the original.
    read = "".join(SUIT_SIGNS.get(letter, letter) for letter in text)
    ranges: list[tuple[int, int]] = []
    after_digits = False
    for match in _WORD.finditer(read):
        start, end = match.span()
        is_digits = match[0].isdecimal()
        if after_digits and is_digits and read[ranges[-1][1] : start] in SEPARATORS:
            ranges[-1] = ranges[-1][0], end
        else:
            ranges.append((start, end))
        after_digits = is_digits
    words: list[Word] = []
    last, begins = 0, True
    for start, end in ranges:
        word, between, last = read[start:end], read[last:start], end
        begins = begins or not BREAKS.isdisjoint(between)
        if word in {"s", "S"} and between in _APOSTROPHES:
            continue
        words.append(Word(plain(word), start, end, begins, word.isupper()))
        begins = False
    return words


@cache
def vocabulary(language: str = "english") -> Vocabulary:
    """Return the words of a language. Raises ValueError if the word list is invalid."""
    tables = tomllib.loads((HERE / f"{language}.toml").read_text("utf-8"))
    if sorted(tables) != sorted(KINDS):
        raise ValueError(f"the tables of a word list are {', '.join(KINDS)}")
    phrases: dict[tuple[str, ...], dict[str, str]] = {}
    for kind, meanings in tables.items():
        for meaning, spellings in meanings.items():
            for spelling in spellings:
                words = tuple(word.text for word in split(spelling))
                if phrases.setdefault(words, {}).setdefault(kind, meaning) != meaning:
                    raise ValueError(f"{kind}: {spelling!r} has two meanings")
    return Vocabulary(phrases, max(map(len, phrases)))
