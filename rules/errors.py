"""The common form of errors in records, game documents and hand histories, with suggestions."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

BAD_GAME = "bad-game"  # the code of all errors in documents


@dataclass(frozen=True)
class Problem:
    """An error: its place as a path, a code for programs, and a message for people.

    Errors in a document add the unknown word, possible words, and the line.
    """

    where: str
    code: str
    text: str
    word: str = ""
    could_be: tuple[str, ...] = ()
    line: int | None = None

    def as_dict(self) -> dict[str, str]:
        """Return the error in the form used in the answer to a record."""
        return {"where": self.where, "code": self.code, "text": self.text}

    def __str__(self) -> str:
        place = f"line {self.line}, {self.where}" if self.line else self.where
        hint = f" It could be: {', '.join(self.could_be)}." if self.could_be else ""
        return f"{place}: {self.text}.{hint}" if place else f"{self.text}.{hint}"


def bad_game(
    where: str,
    text: str,
    word: str = "",
    could_be: tuple[str, ...] = (),
    *,
    line: int | None = None,
) -> Problem:
    """Return an error in a game document."""
    return Problem(where, BAD_GAME, text, word, could_be, line)


class GameError(Exception):
    """A document does not define a game. `problems` contains all its errors."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(str(problem) for problem in self.problems))


class OptionError(Exception):
    """A game does not have an option or one of its choices."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.text)
        self.problem = problem


class HandsError(ValueError):
    """An array contains invalid hands. The message names the first invalid hand and its error."""


# Quoting user input in error messages.


def quoted(value: object, *, quote: bool = True) -> str:
    """Return a short and printable form of a value for an error."""
    text = (value if isinstance(value, str) else str(value))[:60]
    plain = text if text.isprintable() else text.encode("unicode_escape").decode()
    return f"'{plain}'" if quote else plain


def path_part(key: object) -> str:
    """Return a key as a part of a path such as "took/ann", escaped as in a JSON pointer."""
    return escaped(quoted(key, quote=False))


def escaped(part: str) -> str:
    """Escape a part of a JSON pointer (RFC 6901, section 3)."""
    return part.replace("~", "~0").replace("/", "~1")


def counted(count: int, noun: str) -> str:
    """Return a count with its noun, such as "1 card" or "2 cards"."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


# Suggestions for unknown words.


LONGEST = 32  # number of characters to compare, limited because the comparison takes quadratic time
MOST_KNOWN = 1_000


def nearest(
    word: str, known: Iterable[str], *, most: int = 3, among: int = MOST_KNOWN
) -> tuple[str, ...]:
    from difflib import get_close_matches  # noqa: PLC0415 - for errors alone, which most never see

    near = {each.casefold(): each for each in islice(known, among) if len(each) <= 2 * LONGEST}
    beginning = word[:LONGEST].casefold()
    return tuple(near[match] for match in get_close_matches(beginning, near, n=most, cutoff=0.6))
