"""How facts and sums lie in the database: written, read and taken away by plain SQL.

Ids are held as text the way the database keeps them, so that those of a row and those that a
record names are equal: dashed on PostgreSQL, bare digits on SQLite.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from operator import attrgetter
from typing import Any, TypeVar
from uuid import UUID

from django.db import connection

from league.models import HandFact, Result
from league.stats.facts import Facts, HandRow, ResultRow
from league.stats.tallies import SUMS, Kept, Key, Sum, Tallies
from ledger.rows import from_one_value

MOST_VALUES = 20_000  # of one statement: SQLite takes 32,766
MOST_ALTERNATIVES = 100  # of one condition: SQLite nests them, a thousand deep at most
FEW = 20  # rows that one statement brings to PostgreSQL sooner than a COPY
T = TypeVar("T")

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
            _insert_together(table, columns, rows)
        elif len(rows) > FEW:
            with cursor.copy(f"COPY {table} ({named}) FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
        elif rows:
            cursor.execute(_insert_told(table, columns), [_told(columns, rows)])


def _insert_together(table: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Insert rows into SQLite: many a statement cost half of what each takes by itself.

    Straight through the driver, since Django looks for every placeholder before each statement.
    """
    line = f"({', '.join('?' * len(columns))})"
    for some in batched(rows, MOST_VALUES // len(columns)):
        lines = ", ".join([line] * len(some))
        with connection.wrap_database_errors:
            connection.connection.execute(
                f"INSERT INTO {table} ({', '.join(columns)}) VALUES {lines}",
                [value for row in some for value in row],
            )


def _insert_told(table: str, columns: Sequence[str]) -> str:
    """Return how PostgreSQL inserts rows that are told as one value.

    The driver takes a statement to pieces at each placeholder, which took longer than the rows.
    """
    return f"INSERT INTO {table} ({', '.join(columns)}) {from_one_value(table, columns)}"


def _told(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    return json.dumps([dict(zip(columns, row, strict=True)) for row in rows])


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
    if not found:
        return
    if native() and len(found) <= FEW:
        _write_together(found)
        return
    ids = reserve(FACT, len(found))
    told = list(zip(ids, found, strict=True))
    insert(FACT, ("id", *FACT_COLUMNS), [(key, *each.hand) for key, each in told])
    results = [(key, *row) for key, each in told for row in each.results]
    insert(RESULT, ("fact_id", *RESULT_COLUMNS), results)


def _write_together(found: Sequence[Facts]) -> None:
    """Store some facts on PostgreSQL by one statement.

    The results find the key that their fact got by the fact's place in the list.
    """
    hands = [(at, *each.hand) for at, each in enumerate(found)]
    results = [(at, *row) for at, each in enumerate(found) for row in each.results]
    told = _told(("id", *FACT_COLUMNS), hands), _told(("fact_id", *RESULT_COLUMNS), results)
    execute(_WRITE_TOGETHER, [len(found), *told])


def _keyed(table: str, key: str, columns: Sequence[str]) -> str:
    """Return how rows that are told as one value come in with the keys that were made."""
    given = ", ".join(f"row.{name}" for name in columns)
    return (
        f"INSERT INTO {table} ({key}, {', '.join(columns)}) SELECT made.key, {given}"
        f" FROM json_populate_recordset(NULL::{table}, %s) row JOIN made ON made.place = row.{key}"
    )


_WRITE_TOGETHER = f"""
    WITH made AS MATERIALIZED (
        SELECT place, nextval(pg_get_serial_sequence('{FACT}', 'id')) AS key
        FROM generate_series(0, %s - 1) place
    ), facts AS ({_keyed(FACT, "id", FACT_COLUMNS)})
    {_keyed(RESULT, "fact_id", RESULT_COLUMNS)}"""


# Ids and moments are read as text, as they are written: nobody here reckons with them.
_FACT = ", ".join(("f.id", *(_as_text("f", name) for name in FACT_COLUMNS)))
_RESULT = ", ".join(_as_text("r", name) for name in RESULT_COLUMNS)
_LISTED = {
    "postgresql": "json_agg(json_build_array({}))",
    "sqlite": "json_group_array(json_array({}))",
}


def read_facts(where: str, values: Sequence[Any]) -> dict[int, Facts]:
    """Return stored facts by their ids, in order; `where` speaks of the table as f.

    Results come as a list with their fact: to plan a join of the two PostgreSQL looks for the
    highest fact in their indexes, and wades through all that was deleted since it last tidied up.
    """
    listed = _LISTED[connection.vendor].format(_RESULT)
    results = f"SELECT CAST({listed} AS text) FROM {RESULT} r WHERE r.fact_id = f.id"
    rows = query(f"SELECT {_FACT}, ({results}) FROM {FACT} f WHERE {where} ORDER BY f.id", values)
    return {key: Facts(_hand(row), _results(told)) for key, *row, told in rows}


def _results(told: str | None) -> tuple[ResultRow, ...]:
    """Return results that are told as a list, by position."""
    found = [_result(row) for row in json.loads(told or "[]")]
    return tuple(sorted(found, key=attrgetter("position")))


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


def write_sums(tallies: Tallies, *, gone: Sequence[int] = ()) -> None:
    """Add what was tallied to the tables, and delete the facts that are gone with their results.

    A row of a table that no hand is in any more goes.
    """
    changed = {table: kept for table in SUMS if (kept := tallies.changed(table))}
    if gone:
        _delete_facts(gone)
    for table in _add_sums(changed) if changed else ():
        _drop_empty(table, changed[table])


def _delete_facts(ids: Sequence[int]) -> None:
    results = f"DELETE FROM {RESULT} WHERE fact_id IN {places(ids)}"
    facts = f"DELETE FROM {FACT} WHERE id IN {places(ids)}"
    if native():  # by one statement: each that is sent costs a way there and back
        execute(f"WITH results AS ({results}) {facts}", [*ids, *ids])
    else:
        execute(results, ids)
        execute(facts, ids)


def _add_sums(changed: Mapping[Sum, Kept]) -> list[Sum]:
    """Add to the tables; return those with rows that no hand is in.

    They touch different rows each, so PostgreSQL takes them all in one go.
    """
    if not native():
        return [table for table, kept in changed.items() if _leaves_empty(table, kept)]
    tables = list(changed)
    parts = ", ".join(f"step{at} AS ({_adding_told(table)})" for at, table in enumerate(tables))
    found = " UNION ALL ".join(
        f"SELECT {at} FROM step{at} WHERE hands = 0" for at in range(len(tables))
    )
    told = [_told_sums(table, kept) for table, kept in changed.items()]
    rows = query(f"WITH {parts} {found}", told)
    return [tables[at] for at in sorted({at for (at,) in rows})]


def _told_sums(table: Sum, kept: Kept) -> str:
    return _told(table.all_columns, ((*key, *numbers) for key, numbers in kept.items()))


@cache
def _adding_told(table: Sum) -> str:
    return _insert_told(table.table, table.all_columns) + _adding(table)


def _leaves_empty(table: Sum, kept: Kept) -> bool:
    """Add to the table; tell whether it left rows that no hand is in."""
    line, empty = places(table.all_columns), False
    for some in batched(kept.items(), MOST_VALUES // len(table.all_columns)):
        into = f"INSERT INTO {table.table} ({', '.join(table.all_columns)})"
        sql = f"{into} VALUES {', '.join([line] * len(some))}{_adding(table)}"
        rows = query(sql, [value for key, numbers in some for value in (*key, *numbers)])
        empty = empty or (0,) in rows
    return empty


def _adding(table: Sum) -> str:
    """Return how an insert ends that adds to rows that are there, and says how many hands then."""
    added = ", ".join(
        f"{name} = {table.table}.{name} + excluded.{name}" for name in ("hands", *table.columns)
    )
    keys = ", ".join(table.key_columns)
    return f" ON CONFLICT ({keys}) DO UPDATE SET {added} RETURNING hands"


def _drop_empty(table: Sum, keys: Iterable[Key]) -> None:
    line = " AND ".join(f"{name} = %s" for name in table.key_columns)
    for some in batched(keys, MOST_ALTERNATIVES):
        lines = " OR ".join([f"({line})"] * len(some))
        execute(
            f"DELETE FROM {table.table} WHERE hands = 0 AND ({lines})",
            [value for key in some for value in key],
        )


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
