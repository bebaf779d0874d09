"""How sums lie in the database: added to, read and replaced by plain SQL."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from league.stats.store.bulk_rows import MOST_VALUES, as_one_value, copy_in, inserting
from league.stats.sums import Sum
from league.stats.tallies import Kept, Tallies
from ledger.sql import batched, execute, places, query


@cache
def adding_one_value(table: Sum) -> str:
    """Return how PostgreSQL adds rows that are written as one value, and says what comes of it."""
    return inserting(table.table, table.all_columns) + _adding(table)


def sums_as_one_value(table: Sum, kept: Kept) -> str:
    """Return rows to be added as one value."""
    return as_one_value(table.all_columns, ((*key, *numbers) for key, numbers in kept.items()))


def add(table: Sum, kept: Kept) -> list[int]:
    """Add to the table, row by row; return the ids of the rows that no hand is in any more."""
    line, empty = places(table.all_columns), []
    for some in batched(kept.items(), MOST_VALUES // len(table.all_columns)):
        into = f"INSERT INTO {table.table} ({', '.join(table.all_columns)})"
        sql = f"{into} VALUES {', '.join([line] * len(some))}{_adding(table)}"
        rows = query(sql, [value for key, numbers in some for value in (*key, *numbers)])
        empty += [key for key, hands in rows if not hands]
    return empty


def _adding(table: Sum) -> str:
    """Return how an insert ends that adds to rows that are there, and says how many hands then."""
    added = ", ".join(
        f"{name} = {table.table}.{name} + excluded.{name}" for name in ("hands", *table.columns)
    )
    keys = ", ".join(table.key_columns)
    return f" ON CONFLICT ({keys}) DO UPDATE SET {added} RETURNING id, hands"


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
    copy_in(table.table, table.all_columns, rows)
