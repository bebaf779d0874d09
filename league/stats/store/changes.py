"""What a step changes, written: marks that are off, facts in place of others, sums added to."""

from collections.abc import Mapping, Sequence
from typing import Any

from league.stats.facts import Facts
from league.stats.store import sum_rows
from league.stats.store.bulk_rows import as_one_value, delete
from league.stats.store.counted_hands import MARK
from league.stats.store.fact_rows import (
    FACT,
    FACT_COLUMNS,
    RESULT,
    RESULT_COLUMNS,
    delete_facts,
    load_facts,
)
from league.stats.sums import SUMS, Sum
from league.stats.tallies import Kept, Tallies
from ledger.sql import native, query

Changed = Mapping[Sum, Kept]
Part = tuple[str, Any]  # of one statement: SQL by a name, and the one value that it has


def write(
    tallies: Tallies,
    found: Sequence[Facts] = (),
    *,
    gone: Sequence[int] = (),
    marks: Sequence[int] = (),
) -> None:
    """Add the tallies to the sums, store these facts in place of those gone, take marks off.

    A row of sums that no hand is in any more goes. Every hand of a fact that is gone has a new one.
    """
    changed = {table: kept for table in SUMS if (kept := tallies.changed(table))}
    if native():
        empty = _write_together(changed, found, gone, marks)
    else:
        delete(MARK, "id", marks)
        delete_facts(gone)
        load_facts(found, len(found))
        empty = {table: sum_rows.add(table, kept) for table, kept in changed.items()}
    for table, ids in empty.items():
        delete(table.table, "id", ids)


def _write_together(
    changed: Changed, found: Sequence[Facts], gone: Sequence[int], marks: Sequence[int]
) -> dict[Sum, list[int]]:
    """Write all by one statement: each that is sent costs a way there and back.

    Its parts touch different rows. Returns the ids of sums that no hand is in any more.
    """
    parts: dict[str, Part] = {}
    if marks:
        parts["unmarked"] = f"DELETE FROM {MARK} WHERE id = ANY(%s::bigint[])", list(marks)
    if gone:  # the facts themselves are written over
        parts["taken"] = f"DELETE FROM {RESULT} WHERE fact_id = ANY(%s::bigint[])", list(gone)
    if found:
        parts |= _facts(found)
    tables = list(changed)
    for at, table in enumerate(tables):
        values = sum_rows.sums_as_one_value(table, changed[table])
        parts[f"sum{at}"] = sum_rows.adding_one_value(table), values
    if not parts:
        return {}
    steps = ", ".join(f"{name} AS ({sql})" for name, (sql, _) in parts.items())
    empty = [f"SELECT {at}, id FROM sum{at} WHERE hands = 0" for at in range(len(tables))]
    asked = " UNION ALL ".join(empty or ["SELECT 1"])
    rows = query(f"WITH {steps} {asked}", [value for _, value in parts.values()])
    return {table: [row[1] for row in rows if row[0] == at] for at, table in enumerate(tables)}


def _facts(found: Sequence[Facts]) -> dict[str, Part]:
    """Return how facts are stored; results find the key of theirs by its place in the list."""
    hands = [(at, *each.hand) for at, each in enumerate(found)]
    results = [(at, *row) for at, each in enumerate(found) for row in each.results]
    return {
        "made": (_MADE, len(found)),
        "facts": (_FACTS, as_one_value(("id", *FACT_COLUMNS), hands)),
        "results": (_RESULTS, as_one_value(("fact_id", *RESULT_COLUMNS), results)),
    }


def _keyed(table: str, key: str, columns: Sequence[str]) -> str:
    """Return how rows that are written as one value come in with the keys that were made."""
    given = ", ".join(f"row.{name}" for name in columns)
    return (
        f"INSERT INTO {table} ({key}, {', '.join(columns)}) SELECT made.key, {given}"
        f" FROM json_populate_recordset(NULL::{table}, %s) row JOIN made ON made.place = row.{key}"
    )


_MADE = (
    f"SELECT place, nextval(pg_get_serial_sequence('{FACT}', 'id')) AS key"
    " FROM generate_series(0, %s - 1) place"
)
# A hand that is counted again gets a new id: whoever reads facts on from the last one meets it.
_AGAIN = ", ".join(f"{name} = excluded.{name}" for name in ("id", *FACT_COLUMNS))
_FACTS = f"{_keyed(FACT, 'id', FACT_COLUMNS)} ON CONFLICT (hand_id) DO UPDATE SET {_AGAIN}"
_RESULTS = _keyed(RESULT, "fact_id", RESULT_COLUMNS)
