"""Find the players' names in a sentence, even if they are spelled the way they sound.

Names are compared in four ways: by the whole name, by its first word, by sound, and with one
different letter. The first way that finds a player is used. If it finds several players, the name
is ambiguous.
"""

import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import groupby

from rules.spoken.vocabulary import Word, split

MOST_WORDS = 4  # maximum number of words in a name
LONG = 4  # minimum number of letters in a word for one letter to differ

_LETTERS = str.maketrans("vwcqgzxjy", "ffkkkssii")  # letters that sound alike
_SILENT = frozenset("aeiouh")


class Names:
    """The names of the players at a table."""

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
