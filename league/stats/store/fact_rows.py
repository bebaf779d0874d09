"""How facts and sums lie in the database: written, read and taken away by plain SQL."""

from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter
from typing import Any

from league.models import HandFact, Result
from league.stats.facts import Facts, HandRow, ResultRow
from league.stats.store.bulk_rows import copy_in, delete, reserve
from ledger.sql import execute, listed, native, parsed, query

FACT = str(HandFact._meta.db_table)  # noqa: SLF001 (made to be read)
RESULT = str(Result._meta.db_table)  # noqa: SLF001 (made to be read)
_KEYS = frozenset(("league", "season", "night", "hand", "revision", "dealer", "player"))
FACT_COLUMNS = tuple(f"{name}_id" if name in _KEYS else name for name in HandRow._fields)
RESULT_COLUMNS = tuple(f"{name}_id" if name in _KEYS else name for name in ResultRow._fields)


def _as_text(table: str, name: str) -> str:
    column = f"{table}.{name}"
    return f"CAST({column} AS text)" if name.endswith(("_id", "_at")) else column


def load_facts(found: Iterable[Facts], most: int) -> int:
    """Store the facts of hands that have none, at most so many; return how many they were.

    Results go before their facts: PostgreSQL takes them in while the next facts are made.
    """
    ids = reserve(FACT, most) if most else []
    hands: list[tuple[Any, ...]] = []

    def results() -> Iterator[tuple[Any, ...]]:
        for key, each in zip(ids, found, strict=False):
            hands.append((key, *each.hand))
            for row in each.results:
                yield (key, *row)

    copy_in(RESULT, ("fact_id", *RESULT_COLUMNS), results())
    copy_in(FACT, ("id", *FACT_COLUMNS), hands)
    return len(hands)


# Ids and moments are read as text, as they are written: nobody here reckons with them.
_FACT = ", ".join(("f.id", *(_as_text("f", name) for name in FACT_COLUMNS)))
_RESULT = ", ".join(_as_text("r", name) for name in RESULT_COLUMNS)


def fact_columns() -> str:
    """Return the columns of a stored fact f with its results, for `stored` to read.

    Results come as a list with their fact: to plan a join of the two PostgreSQL looks for the
    highest fact in their indexes, and wades through all that was deleted since it last tidied up.
    """
    array = "json_build_array" if native() else "json_array"
    results = listed(f"{array}({_RESULT})")
    return f"{_FACT}, (SELECT {results} FROM {RESULT} r WHERE r.fact_id = f.id)"


def stored(columns: Sequence[Any]) -> tuple[int, Facts]:
    """Return a stored fact and its id from its columns."""
    key, *hand, results = columns
    return key, Facts(_hand(hand), _results(results))


def read_facts(where: str, values: Sequence[Any]) -> dict[int, Facts]:
    """Return stored facts by their ids, in order; `where` speaks of the table as f."""
    sql = f"SELECT {fact_columns()} FROM {FACT} f WHERE {where} ORDER BY f.id"
    return dict(map(stored, query(sql, values)))


def _results(text: str | None) -> tuple[ResultRow, ...]:
    """Return results that are written as a list, by position."""
    found = [_result(row) for row in parsed(text or "[]")]
    return tuple(sorted(found, key=attrgetter("position")))


_HAND_FLAGS = tuple(
    at
    for at, name in enumerate(HandRow._fields)
    if name in {"verified", "voided", "showdown", "mistaken"}
)
_FLAGS = frozenset(
    "showdown won_high won_low scooped was_right entered raised three_bet saw_second stayed".split()
)
_RESULT_FLAGS = tuple(at for at, name in enumerate(ResultRow._fields) if name in _FLAGS)


def _hand(row: list[Any]) -> HandRow:
    for at in _HAND_FLAGS:
        row[at] = bool(row[at])
    return HandRow(*row)


def _result(row: list[Any]) -> ResultRow:
    for at in _RESULT_FLAGS:
        row[at] = None if row[at] is None else bool(row[at])
    return ResultRow(*row)


def delete_facts(ids: Sequence[int]) -> None:
    """Delete these facts with their results."""
    delete(RESULT, "fact_id", ids)
    delete(FACT, "id", ids)


def delete_facts_where(where: str, values: Sequence[Any]) -> None:
    """Delete facts with their results, by a condition on the facts."""
    facts = f"SELECT id FROM {FACT} WHERE {where}"
    execute(f"DELETE FROM {RESULT} WHERE fact_id IN ({facts})", values)
    execute(f"DELETE FROM {FACT} WHERE {where}", values)
