"""The ways in which the writers of a league say no. Nothing was written then."""

from collections.abc import Iterable
from typing import Any

# where, code, text; of a game's document also line, word and what could stand there
Problem = dict[str, Any]


def problem(where: str, code: str, text: str) -> Problem:
    """One reason to refuse: a path into what was sent, a code of the contract, a sentence."""
    return {"where": where, "code": code, "text": text}


class RefusedError(Exception):
    """What was sent is wrong; `errors` lists everything that is wrong with it."""

    def __init__(self, errors: Iterable[Problem]) -> None:
        self.errors = list(errors)
        super().__init__("; ".join(each["text"] for each in self.errors))


class IdReusedError(Exception):
    """The id was sent before with other content; what stands, stands."""


class NightClosedError(Exception):
    """The night is over: it takes no new hands and no more chips."""


def refuse(errors: Iterable[Problem]) -> None:
    """Raise RefusedError if there is anything to refuse for."""
    if found := list(errors):
        raise RefusedError(found)
