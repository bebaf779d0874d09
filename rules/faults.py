"""What is wrong with a game's document, or with the options that a record chose of it."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """What is wrong with a document, and where: a path, and a line when it came as text."""

    where: str
    text: str
    word: str = ""
    could_be: tuple[str, ...] = ()
    line: int | None = None

    def __str__(self) -> str:
        place = f"line {self.line}, {self.where}" if self.line else self.where
        hint = f" It could be: {', '.join(self.could_be)}." if self.could_be else ""
        return f"{place}: {self.text}.{hint}" if place else f"{self.text}.{hint}"


class BadGame(Exception):
    """A document that defines no game. `faults` says everything that is wrong with it."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("; ".join(str(fault) for fault in self.faults))


class BadOption(Exception):
    """An option that a game does not have, or a choice that the option does not have."""

    def __init__(self, name: str, code: str, text: str) -> None:
        super().__init__(text)
        self.name = name
        self.code = code
        self.text = text
