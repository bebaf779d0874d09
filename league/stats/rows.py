"""How facts and sums lie in the database: written, read and taken away by plain SQL.

Ids are held as text the way the database keeps them, so that those of a row and those that a
record names are equal: dashed on PostgreSQL, bare digits on SQLite.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, TypeVar
from uuid import UUID

from django.db import connection

from league.models import HandFact, Result
from league.stats.facts import Facts, HandRow, ResultRow
from league.stats.tallies import SUMS, Sum, Tallies

MOST_VALUES = 20_000  # of one statement: SQLite takes 32,766
MOST_ALTERNATIVES = 100  # of one condition: SQLite nests them, a thousand deep at most
T = TypeVar("T")

FACT = str(HandFact._meta.db_table)  # noqa: SLF001 (made to be read)
RESULT = str(Result._meta.db_table)  # noqa: SLF001 (made to be read)
_KEYS = frozenset(("league", "season", "night", "hand", "revision", "dealer", "player"))
FACT_COLUMNS = tuple(f"{name}_id" if name in _KEYS else name for name in HandRow._fields)
RESULT_COLUMNS = tuple(f"{name}_id" if name in _KEYS else name for name in ResultRow._fields)


def native() -> bool:
    """Tell whether the database knows what an id is; else it keeps the digits as text."""
    return connection.vendor == "postgresql"


def plain(key: UUID | str) -> str:
    """Return an id as text, the way this database keeps it."""
    text = str(key)
    return text if native() else text.replace("-", "")


def query(sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
    """Return the rows of a query."""
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows


def execute(sql: str, values: Sequence[Any] = ()) -> None:
    """Run a statement that returns nothing."""
    with connection.cursor() as cursor:
        cursor.execute(sql, values)


def places(values: Sequence[Any]) -> str:
    """Return the placeholders of a list of values."""
    return f"({', '.join(['%s'] * len(values))})"


def batched(rows: Iterable[T], size: int) -> Iterator[list[T]]:
    """Yield the rows in lists of this length."""
    waiting = iter(rows)
    while some := list(islice(waiting, size)):
        yield some


def insert(table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Insert many rows the quickest way that the database has."""
    named = ", ".join(columns)
    with connection.cursor() as cursor:
        if native():
            with cursor.copy(f"COPY {table} ({named}) FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
        else:
            statement = f"INSERT INTO {table} ({named}) VALUES {places(columns)}"
            cursor.executemany(statement, list(rows))


def reserve(table: str, number: int) -> list[int]:
    """Return so many ids that no other row of the table has or will get, ascending.

    On SQLite one transaction writes at a time, and the caller's does.
    """
    if native():
        sql = "SELECT nextval(pg_get_serial_sequence(%s, 'id')) FROM generate_series(1, %s)"
        return [row[0] for row in query(sql, [table, number])]
    found = query("SELECT seq FROM sqlite_sequence WHERE name = %s", [table])
    last = found[0][0] if found else 0
    return list(range(last + 1, last + 1 + number))


def write_facts(found: Sequence[Facts]) -> None:
    """Store the facts of hands that have none."""
    ids = reserve(FACT, len(found))
    told = zip(ids, found, strict=True)
    insert(FACT, ("id", *FACT_COLUMNS), ((key, *each.hand) for key, each in told))
    results = ((key, *row) for key, each in zip(ids, found, strict=True) for row in each.results)
    insert(RESULT, ("fact_id", *RESULT_COLUMNS), results)


def read_facts(where: str, values: Sequence[Any]) -> dict[int, Facts]:
    """Return stored facts by their ids, in order; `where` speaks of the table as f."""
    columns = ", ".join(f"f.{name}" for name in FACT_COLUMNS)
    hands = query(f"SELECT f.id, {columns} FROM {FACT} f WHERE {where} ORDER BY f.id", values)
    columns = ", ".join(f"r.{name}" for name in RESULT_COLUMNS)
    rows = query(
        f"SELECT r.fact_id, {columns} FROM {RESULT} r JOIN {FACT} f ON f.id = r.fact_id"
        f" WHERE {where} ORDER BY r.fact_id, r.position",
        values,
    )
    results: dict[int, list[ResultRow]] = {}
    for key, *row in rows:
        results.setdefault(key, []).append(_result(row))
    return {key: Facts(_hand(row), tuple(results.get(key, ()))) for key, *row in hands}


_HAND_IDS = tuple(at for at, name in enumerate(HandRow._fields) if name in _KEYS)
_HAND_FLAGS = tuple(
    at
    for at, name in enumerate(HandRow._fields)
    if name in {"verified", "voided", "showdown", "mistaken"}
)
_RESULT_FLAGS = tuple(
    at
    for at, name in enumerate(ResultRow._fields)
    if name in {"showdown", "won_high", "won_low", "scooped", "was_right"}
)


def _hand(row: list[Any]) -> HandRow:
    for at in _HAND_IDS:
        row[at] = str(row[at])
    for at in _HAND_FLAGS:
        row[at] = bool(row[at])
    return HandRow(*row)


def _result(row: list[Any]) -> ResultRow:
    row[0] = str(row[0])
    for at in _RESULT_FLAGS:
        row[at] = None if row[at] is None else bool(row[at])
    return ResultRow(*row)


def delete_facts(ids: Sequence[int]) -> None:
    """Delete facts with their results."""
    if ids:
        execute(f"DELETE FROM {RESULT} WHERE fact_id IN {places(ids)}", ids)
        execute(f"DELETE FROM {FACT} WHERE id IN {places(ids)}", ids)


def write_sums(tallies: Tallies) -> None:
    """Add what was tallied to the tables; a row that no hand is in any more goes."""
    for table in SUMS:
        changed = tallies.changed(table)
        if changed:
            _upsert(table, changed)
            _drop_empty(table, [key for key, numbers in changed.items() if numbers[0] < 0])


def insert_sums(tallies: Tallies, seasons: Sequence[Any]) -> None:
    """Fill the tables, that hold nothing of these seasons, from what was tallied or is stored."""
    for table in SUMS:
        if table.in_sql:
            _sum_up(table, seasons)
        else:
            rows = ((*key, *numbers) for key, numbers in tallies.changed(table).items())
            insert(table.table, table.all_columns, rows)


# A column of a tally that is called otherwise among the results.
_NAMED = {"way": "declared"}


def summed(table: Sum, seasons: Sequence[Any]) -> str:
    """Return the query for the sums of these seasons, straight from the facts."""
    keys = ", ".join(
        f"{'f' if name in FACT_COLUMNS else 'r'}.{_NAMED.get(name, name)}"
        for name in table.key_columns
    )
    numbers = ", ".join(["count(*)", *(source for _, source in table.sources)])
    joined = f" JOIN {RESULT} r ON r.fact_id = f.id" if table.of_results else ""
    return (
        f"SELECT {keys}, {numbers} FROM {FACT} f{joined}"
        f" WHERE f.season_id IN {places(seasons)} AND {table.only} GROUP BY {keys}"
    )


def _sum_up(table: Sum, seasons: Sequence[Any]) -> None:
    if seasons:
        named = ", ".join(table.all_columns)
        execute(f"INSERT INTO {table.table} ({named}) {summed(table, seasons)}", seasons)


def read_sums(table: Sum, seasons: Sequence[Any]) -> dict[tuple[Any, ...], tuple[int, ...]]:
    """Return the rows of these seasons, by key."""
    width = len(table.key_columns)
    rows = query(
        f"SELECT {', '.join(table.all_columns)} FROM {table.table}"
        f" WHERE season_id IN {places(seasons)}",
        seasons,
    )
    return {_key(table, row[:width]): tuple(row[width:]) for row in rows}


def _key(table: Sum, values: Sequence[Any]) -> tuple[Any, ...]:
    named = zip(table.key_columns, values, strict=True)
    return tuple(
        bool(value) if name == "verified" else str(value) if name.endswith("_id") else value
        for name, value in named
    )


def _upsert(table: Sum, changed: Mapping[tuple[Any, ...], Sequence[int]]) -> None:
    columns = table.all_columns
    named, line = ", ".join(columns), places(columns)
    added = ", ".join(
        f"{name} = {table.table}.{name} + excluded.{name}" for name in ("hands", *table.columns)
    )
    for some in batched(changed.items(), MOST_VALUES // len(columns)):
        execute(
            f"INSERT INTO {table.table} ({named}) VALUES {', '.join([line] * len(some))}"
            f" ON CONFLICT ({', '.join(table.key_columns)}) DO UPDATE SET {added}",
            [value for key, numbers in some for value in (*key, *numbers)],
        )


def _drop_empty(table: Sum, keys: Sequence[tuple[Any, ...]]) -> None:
    line = " AND ".join(f"{name} = %s" for name in table.key_columns)
    for some in batched(keys, MOST_ALTERNATIVES):
        lines = " OR ".join([f"({line})"] * len(some))
        execute(
            f"DELETE FROM {table.table} WHERE hands = 0 AND ({lines})",
            [value for key in some for value in key],
        )


def delete_all(league: Any, seasons: Sequence[Any]) -> None:
    """Delete every fact and sum of a league."""
    execute(
        f"DELETE FROM {RESULT} WHERE fact_id IN (SELECT id FROM {FACT} WHERE league_id = %s)",
        [league],
    )
    execute(f"DELETE FROM {FACT} WHERE league_id = %s", [league])
    for table in SUMS if seasons else ():
        execute(f"DELETE FROM {table.table} WHERE season_id IN {places(seasons)}", seasons)
