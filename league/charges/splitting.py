"""Who owes how much of a cost: evenly, or by parts; odd chips go round in the order given."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

Who = TypeVar("Who")


def by_parts(chips: int, parts: Mapping[Who, int]) -> dict[Who, int]:
    """Return what each owes of the chips, by how many parts each has; together it is all of them.

    Each owes the whole chips of its parts; what is left goes one chip each to the largest rests, of
    equal ones to whoever is named first.
    """
    all_parts = sum(parts.values())
    if not all_parts:
        return {}
    owes = {who: chips * part // all_parts for who, part in parts.items()}
    rests: Sequence[Who] = sorted(
        (who for who, part in parts.items() if part),
        key=lambda who: -(chips * parts[who] % all_parts),
    )
    for who in rests[: chips - sum(owes.values())]:
        owes[who] += 1
    return {who: owed for who, owed in owes.items() if owed}
