"""The words of a language, loaded from its word list (english.toml), and players' names."""

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import groupby
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


MOST_WORDS = 4  # maximum number of words in a name
LONG = 4  # minimum number of letters in a word for one letter to differ

_LETTERS = str.maketrans("vwcqgzxjy", "ffkkkssii")  # letters that sound alike
_SILENT = frozenset("aeiouh")


class Names:
    """The names of the players at a table, found even if they are spelled the way they sound.

    Names are compared in four ways: by the whole name, by its first word, by sound, and with one
    different letter. The first way that finds a player is used. If it finds several players, the
    name is ambiguous.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self.names = list(dict.fromkeys(names))
        self._words = {name: tuple(word.text for word in split(name)) for name in self.names}
        lengths = [len(words) for words in self._words.values()]
        self.longest = min(MOST_WORDS, max(lengths, default=0))
        self._exact: dict[tuple[str, ...], list[str]] = {}
        self._sounds: dict[str, list[str]] = {}
        for name, words in self._words.items():
            for run in {words[:MOST_WORDS]} - {()}:
                self._exact.setdefault(run, []).append(name)
            for spelled in {"".join(words), *words[:1]} - {""}:
                self._sounds.setdefault(sound(spelled), []).append(name)
        self._near: dict[str, list[str]] = {}

    def exact(self, words: Sequence[Word], place: int) -> tuple[list[str], int] | None:
        """Return the players whose name or first name is at a position, and its number of words."""
        for count in range(min(self.longest, len(words) - place), 0, -1):
            run = tuple(word.text for word in words[place : place + count])
            if names := self._exact.get(run):
                return names, count
        first = words[place].text
        names = [name for name, run in self._words.items() if run[:1] == (first,)]
        return (names, 1) if names else None

    def similar(self, words: Sequence[Word], place: int) -> tuple[list[str], int] | None:
        """Return the players whose names sound like the words at a position, or nearly so."""
        text = words[place].text
        if names := self._sounds.get(sound(text)):
            return names, 1
        if text not in self._near:
            self._near[text] = [
                name
                for name, run in self._words.items()
                if any(_differs_once(text, spelled) for spelled in {"".join(run), *run[:1]})
            ]
        return (self._near[text], 1) if self._near[text] else None


@lru_cache(maxsize=4096)
def sound(text: str) -> str:
    """Return the first letter and the consonants, using one letter for all that sound alike."""
    parts = unicodedata.normalize("NFKD", text.casefold())
    letters = "".join(letter for letter in parts if letter.isascii() and letter.isalpha())
    if not letters:
        return text
    letters = letters.replace("ph", "f").replace("ck", "k").translate(_LETTERS)
    consonants = (letter for letter in letters[1:] if letter not in _SILENT)
    return letters[0] + "".join(letter for letter, _ in groupby(consonants))


def _differs_once(text: str, other: str) -> bool:
    """Return whether one letter is replaced, added or left out. Takes linear time."""
    if len(text) > len(other):
        text, other = other, text
    if len(text) < LONG or len(other) - len(text) > 1:
        return False
    pairs = zip(text, other, strict=False)
    place = next((at for at, (one, two) in enumerate(pairs) if one != two), len(text))
    rest = place + 1 if len(text) == len(other) else place
    return text[rest:] == other[place + 1 :]
