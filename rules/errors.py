"""What is wrong with a record, a game's document or a file of hands: one shape for all of them."""

from collections.abc import Iterable
from dataclasses import dataclass

BAD_GAME = "bad-game"  # whatever is wrong with a document


@dataclass(frozen=True)
class Problem:
    """What is wrong, and where: a path, a code for programs, and words for people.

    Of a document also the word that was not understood, what could have stood there, and the line
    when it came as text.
    """

    where: str
    code: str
    text: str
    word: str = ""
    could_be: tuple[str, ...] = ()
    line: int | None = None

    def as_dict(self) -> dict[str, str]:
        """The problem of a record, as an answer tells it."""
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
    """What is wrong with a game's document."""
    return Problem(where, BAD_GAME, text, word, could_be, line)


class BadGame(Exception):
    """A document that defines no game. `problems` says everything that is wrong with it."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(str(problem) for problem in self.problems))


class BadOption(Exception):
    """An option that a game does not have, or a choice that the option does not have."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.text)
        self.problem = problem


class BadHands(ValueError):
    """An array that holds no hands of a game: says which hand, and what is wrong with it."""
