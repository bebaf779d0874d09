"""How many rows a league may hold, and the one check of it; docs/threats.md lists every bound.

A page draws what it lists, so a list without a bound is a page without one. A writer checks a bound
inside its transaction, after it has locked what the rows are counted under: two requests at the
same time cannot both take the last place.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from league.common.errors import Problem, problem


class Rows(Protocol):
    """A query set, or the manager of a relation."""

    def count(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Bound:
    """At most so many rows; `text` is the sentence of the refusal, with the number as {most}."""

    most: int
    text: str

    def exceeded(
        self, rows: "Rows | int", *, adding: int = 1, where: str = ""
    ) -> Iterator[Problem]:
        """Yield the reason to refuse `adding` more rows to these, or to this number of rows."""
        known = rows if isinstance(rows, int) else rows.count()
        if known + adding > self.most:
            yield problem(where, "too-many", str(self))

    def __str__(self) -> str:
        return self.text.format(most=f"{self.most:,}")


PLAYERS = Bound(500, "a league has at most {most} players")
