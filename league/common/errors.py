"""The errors that a league's writers raise. A writer that raises one has written nothing."""

from collections.abc import Iterable
from typing import Any

# where, code, text; for a game document also line, word and possible words
Problem = dict[str, Any]


def problem(where: str, code: str, text: str) -> Problem:
    """Return a problem with a path into the request, a documented code and a sentence."""
    return {"where": where, "code": code, "text": text}


class RefusedError(Exception):
    """The request is invalid. `errors` lists all of its problems."""

    def __init__(self, errors: Iterable[Problem]) -> None:
        self.errors = list(errors)
        super().__init__("; ".join(each["text"] for each in self.errors))


class IdReusedError(Exception):
    """The id already belongs to other content, which stays unchanged."""


class NightClosedError(Exception):
    """The night is closed, so it accepts no hands and no chips."""


def refuse(errors: Iterable[Problem]) -> None:
    """Raise RefusedError if there are any errors."""
    if found := list(errors):
        raise RefusedError(found)
