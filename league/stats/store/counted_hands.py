"""Hands as they are recorded now beside what is counted of them, read at once."""

from collections.abc import Sequence
from typing import Any, NamedTuple
from uuid import UUID

from league.models import HandFact, StaleMark
from league.stats.facts import Facts, RecordedHand
from league.stats.store import recorded_hands
from league.stats.store.fact_rows import FACT, fact_columns, stored
from league.stats.tallies import Shares
from ledger.sql import listed, parsed, places, plain, query

MARK = str(StaleMark._meta.db_table)  # noqa: SLF001 (made to be read)


class Counted(NamedTuple):
    """What is stored of a hand: its fact's id, the rows, and its luck where that is counted."""

    key: int
    facts: Facts
    luck: Shares | None


class CurrentHand(NamedTuple):
    """A hand as it is recorded, its luck where that is known, and what is counted of it so far.

    `marks` are those that say it has changed.
    """

    recorded: RecordedHand
    luck: Shares | None
    counted: Counted | None
    marks: Sequence[int]


def marked(league_id: UUID, most: int) -> list[CurrentHand]:
    """Return the hands of the league's oldest marks, oldest first."""
    oldest = f"SELECT hand_id FROM {MARK} WHERE league_id = %s ORDER BY id LIMIT %s"
    where = f"h.id IN (SELECT hand_id FROM ({oldest}) oldest)"
    rows = query(_reading(where), [plain(league_id), most])
    return sorted(map(_current_hand, rows), key=lambda each: min(each.marks))


def current_hands(hands: Sequence[str]) -> list[CurrentHand]:
    """Return the hands with these ids."""
    return [_current_hand(row) for row in query(_reading(f"h.id IN {places(hands)}"), hands)]


def _reading(where: str) -> str:
    marks = f"(SELECT {listed('m.id')} FROM {MARK} m WHERE m.hand_id = h.id)"
    luck = (
        "(SELECT shares FROM league_luck l"
        f" WHERE l.revision_id = f.revision_id AND f.luck = {HandFact.Luck.FOUND.value})"
    )
    columns = ", ".join((*recorded_hands.COLUMNS, marks, luck, fact_columns()))
    return (
        f"SELECT {columns} FROM {recorded_hands.HANDS}"
        f" LEFT JOIN {FACT} f ON f.hand_id = h.id WHERE {where}"
    )


def _current_hand(row: tuple[Any, ...]) -> CurrentHand:
    width = len(recorded_hands.COLUMNS)
    marks, counted_luck, *columns = row[width:]
    counted = None
    if columns[0] is not None:
        luck = None if counted_luck is None else parsed(counted_luck)
        counted = Counted(*stored(columns), luck)
    return CurrentHand(*recorded_hands.recorded_hand(row[:width]), counted, parsed(marks or "[]"))
