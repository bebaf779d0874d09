"""The errors raised by functions that write to a league.

A function that raises one has not written anything. `ledger.validation` has a `Problem` and a
`refuse` of its own, for postings.
"""

from collections.abc import Iterable, Iterator
from typing import Any

# a path, a code and a text; errors in game documents also have a line, a word and suggestions
Problem = dict[str, Any]


def problem(where: str, code: str, text: str) -> Problem:
    """Return a problem with a path into the request, a documented code and a sentence."""
    return {"where": where, "code": code, "text": text}


def wrong_number(
    where: str, number: object, least: int, most: int, *, code: str
) -> Iterator[Problem]:
    """Yield a problem with this code unless the number is a whole number in the range."""
    if type(number) is not int or not least <= number <= most:
        yield problem(where, code, f"this must be a whole number from {least} to {most}")


class RefusedError(Exception):
    """The request is invalid. `errors` lists all of its problems."""

    def __init__(self, errors: Iterable[Problem]) -> None:
        self.errors = list(errors)
        super().__init__("; ".join(each["text"] for each in self.errors))


class IdReusedError(Exception):
    """The id is already used for different content, which stays unchanged."""


class NightClosedError(Exception):
    """The night is closed, so it does not accept hands or chips."""


class HandChangedError(Exception):
    """The hand has changed since the user saw the version to correct."""


def refuse(errors: Iterable[Problem]) -> None:
    """Raise RefusedError if there are any errors."""
    if problems := list(errors):
        raise RefusedError(problems)
