"""An option of a game: a named choice, and the texts that it puts in."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Choice:
    """One choice of an option: the word that is said and the text that it puts in."""

    word: str
    text: str


@dataclass(frozen=True)
class Option:
    """A named choice. A number option has `least` and `most` and no choices."""

    name: str
    choices: tuple[Choice, ...] = ()
    least: int = 0
    most: int = 0
    asked: bool = False  # a fact that the record must state

    @property
    def is_number(self) -> bool:
        return not self.choices

    @property
    def default(self) -> str | int | None:
        if self.asked:
            return None
        return self.least if self.is_number else self.choices[0].word
