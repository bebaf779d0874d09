"""How facts and sums lie in the database: written, read and taken away by plain SQL.

Ids are held as text the way the database keeps them, so that those of a row and those that a
record names are equal: dashed on PostgreSQL, bare digits on SQLite.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, islice
from operator import itemgetter
from typing import Any, TypeVar
from uuid import UUID

from django.db import connection

from league.models import HandFact, Result
from league.stats.facts import Facts, HandRow, ResultRow
from league.stats.tallies import SUMS, Sum, Tallies

MOST_VALUES = 20_000  # of one statement: SQLite takes 32,766
MOST_ALTERNATIVES = 100  # of one condition: SQLite nests them, a thousand deep at most
FEW = 20  # rows that one statement brings to PostgreSQL sooner than a COPY
T = TypeVar("T")
Statement = tuple[str, Sequence[Any]]  # with its values

FACT = str(HandFact._meta.db_table)  # noqa: SLF001 (made to be read)
RESULT = str(Result._meta.db_table)  # noqa: SLF001 (made to be read)
_KEYS = frozenset(("league", "season", "night", "hand", "revision", "dealer", "player"))
FACT_COLUMNS = tuple(f"{name}_id" if name in _KEYS else name for name in HandRow._fields)
RESULT_COLUMNS = tuple(f"{name}_id" if name in _KEYS else name for name in ResultRow._fields)


def _as_text(table: str, name: str) -> str:
    told = f"{table}.{name}"
    return f"CAST({told} AS text)" if name.endswith(("_id", "_at")) else told


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


def insert(table: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Insert rows the quickest way that the database has for so many of them."""
    named = ", ".join(columns)
    with connection.cursor() as cursor:
        if not native():
            statement = f"INSERT INTO {table} ({named}) VALUES {places(columns)}"
            cursor.executemany(statement, rows)
        elif len(rows) > FEW:
            with cursor.copy(f"COPY {table} ({named}) FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
        elif rows:
            lines = ", ".join([places(columns)] * len(rows))
            values = [value for row in rows for value in row]
            cursor.execute(f"INSERT INTO {table} ({named}) VALUES {lines}", values)


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
    told = list(zip(ids, found, strict=True))
    insert(FACT, ("id", *FACT_COLUMNS), [(key, *each.hand) for key, each in told])
    results = [(key, *row) for key, each in told for row in each.results]
    insert(RESULT, ("fact_id", *RESULT_COLUMNS), results)


# Ids and moments are read as text, as they are written: nobody here reckons with them.
_READ = ", ".join(
    (
        "f.id",
        *(_as_text("f", name) for name in FACT_COLUMNS),
        *(_as_text("r", name) for name in RESULT_COLUMNS),
    )
)


def read_facts(where: str, values: Sequence[Any]) -> dict[int, Facts]:
    """Return stored facts by their ids, in order; `where` speaks of the table as f."""
    rows = query(
        f"SELECT {_READ} FROM {FACT} f LEFT JOIN {RESULT} r ON r.fact_id = f.id"
        f" WHERE {where} ORDER BY f.id, r.position",
        values,
    )
    width = 1 + len(FACT_COLUMNS)
    found = {}
    for key, some in groupby(rows, key=itemgetter(0)):
        lines = list(some)
        results = tuple(_result(list(row[width:])) for row in lines if row[width] is not None)
        found[key] = Facts(_hand(list(lines[0][1:width])), results)
    return found


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
    for at in _HAND_FLAGS:
        row[at] = bool(row[at])
    return HandRow(*row)


def _result(row: list[Any]) -> ResultRow:
    for at in _RESULT_FLAGS:
        row[at] = None if row[at] is None else bool(row[at])
    return ResultRow(*row)


def delete_facts(ids: Sequence[int]) -> None:
    """Delete facts with their results."""
    if ids:
        _together(
            [
                (f"DELETE FROM {RESULT} WHERE fact_id IN {places(ids)}", ids),
                (f"DELETE FROM {FACT} WHERE id IN {places(ids)}", ids),
            ]
        )


def write_sums(tallies: Tallies) -> None:
    """Add what was tallied to the tables; a row that no hand is in any more goes."""
    changed = {table: tallies.changed(table) for table in SUMS}
    _together([each for table, kept in changed.items() for each in _upserts(table, kept)])
    for table, kept in changed.items():
        _drop_empty(table, [key for key, numbers in kept.items() if numbers[0] < 0])


def _together(statements: Sequence[Statement]) -> None:
    """Run statements that touch different rows; PostgreSQL takes them all in one go."""
    if not native() or len(statements) < 2:
        for sql, values in statements:
            execute(sql, values)
        return
    *first, (last, _) = statements
    parts = ", ".join(f"step{at} AS ({sql})" for at, (sql, _) in enumerate(first))
    execute(f"WITH {parts} {last}", [value for _, values in statements for value in values])


def read_sums(table: Sum, seasons: Sequence[Any]) -> dict[tuple[Any, ...], tuple[int, ...]]:
    """Return the rows of these seasons, by key."""
    width = len(table.key_columns)
    rows = query(
        f"SELECT {', '.join(table.all_columns)} FROM {table.table}"
        f" WHERE season_id IN {places(seasons)}",
        seasons,
    )
    return {key_of(table, row[:width]): tuple(row[width:]) for row in rows}


def key_of(table: Sum, values: Sequence[Any]) -> tuple[Any, ...]:
    """Return the key of a row as counting has it."""
    named = zip(table.key_columns, values, strict=True)
    return tuple(
        bool(value) if name == "verified" else str(value) if name.endswith("_id") else value
        for name, value in named
    )


def _upserts(table: Sum, changed: Mapping[tuple[Any, ...], Sequence[int]]) -> Iterator[Statement]:
    columns = table.all_columns
    named, line = ", ".join(columns), places(columns)
    added = ", ".join(
        f"{name} = {table.table}.{name} + excluded.{name}" for name in ("hands", *table.columns)
    )
    for some in batched(changed.items(), MOST_VALUES // len(columns)):
        lines = ", ".join([line] * len(some))
        into = f"INSERT INTO {table.table} ({named}) VALUES {lines}"
        sql = f"{into} ON CONFLICT ({', '.join(table.key_columns)}) DO UPDATE SET {added}"
        yield sql, [value for key, numbers in some for value in (*key, *numbers)]


def _drop_empty(table: Sum, keys: Sequence[tuple[Any, ...]]) -> None:
    line = " AND ".join(f"{name} = %s" for name in table.key_columns)
    for some in batched(keys, MOST_ALTERNATIVES):
        lines = " OR ".join([f"({line})"] * len(some))
        execute(
            f"DELETE FROM {table.table} WHERE hands = 0 AND ({lines})",
            [value for key in some for value in key],
        )


def replace_sums(table: Sum, tallies: Tallies, seasons: Sequence[Any]) -> None:
    """Put what was tallied in place of what the table holds of these seasons."""
    if seasons:
        execute(f"DELETE FROM {table.table} WHERE season_id IN {places(seasons)}", seasons)
    rows = [(*key, *numbers) for key, numbers in tallies.changed(table).items()]
    insert(table.table, table.all_columns, rows)


def delete_facts_where(where: str, values: Sequence[Any]) -> None:
    """Delete facts with their results, by a condition on the facts."""
    facts = f"SELECT id FROM {FACT} WHERE {where}"
    execute(f"DELETE FROM {RESULT} WHERE fact_id IN ({facts})", values)
    execute(f"DELETE FROM {FACT} WHERE {where}", values)
