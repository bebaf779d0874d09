"""Divide chips evenly; the odd ones go one each to the first."""

from collections.abc import Sequence
from typing import TypeVar

Person = TypeVar("Person")


def evenly(chips: int, people: Sequence[Person]) -> dict[Person, int]:
    """Return each one's part of the chips, below zero where the chips are."""
    sign = 1 if chips >= 0 else -1
    each, odd = divmod(abs(chips), len(people))
    return {person: sign * (each + (place < odd)) for place, person in enumerate(people)}
