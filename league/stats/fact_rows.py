"""Facts in the database: read and replaced by plain SQL."""

from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import Any

from league.models import HandFact, Result
from league.stats.facts import Facts, HandRow, ResultRow
from ledger.sql import batched, execute, listed, native, parsed, places, query

FACT = str(HandFact._meta.db_table)  # noqa: SLF001 (documented)
RESULT = str(Result._meta.db_table)  # noqa: SLF001 (documented)
MOST_VALUES = 20_000  # of one statement: SQLite takes 32,766
_KEYS = frozenset(("league", "season", "night", "hand", "revision", "dealer", "player"))
_FACT_COLUMNS = tuple(f"{name}_id" if name in _KEYS else name for name in HandRow._fields)
_RESULT_COLUMNS = tuple(f"{name}_id" if name in _KEYS else name for name in ResultRow._fields)
_FLAGS = frozenset(
    "verified voided mistaken showdown won_high won_low scooped was_right entered raised three_bet"
    " saw_second stayed".split()
)


def read_facts(hands: Sequence[str]) -> dict[str, Facts]:
    """Return the stored facts of these hands, by hand.

    Ids and times are read as text, as they are written. Results come as a list with their fact: to
    plan a join of the two, PostgreSQL reads their indexes past everything that was deleted lately.
    """
    array = "json_build_array" if native() else "json_array"
    results = listed(f"{array}({', '.join(_as_text('r', name) for name in _RESULT_COLUMNS)})")
    columns = ", ".join(_as_text("f", name) for name in _FACT_COLUMNS)
    rows = query(
        f"SELECT {columns}, (SELECT {results} FROM {RESULT} r WHERE r.fact_id = f.id)"
        f" FROM {FACT} f WHERE f.hand_id IN {places(hands)}",
        hands,
    )
    found = {}
    for *hand, text in rows:
        fact = HandRow(*_with_flags(HandRow._fields, hand))
        parts = [
            ResultRow(*_with_flags(ResultRow._fields, result)) for result in parsed(text or "[]")
        ]
        found[fact.hand] = Facts(fact, tuple(sorted(parts, key=attrgetter("position"))))
    return found


def _as_text(table: str, name: str) -> str:
    column = f"{table}.{name}"
    return f"CAST({column} AS text)" if name.endswith(("_id", "_at")) else column


def _with_flags(names: Sequence[str], row: Sequence[Any]) -> Iterator[Any]:
    """Yield the values of a row; SQLite stores flags as numbers."""
    for name, value in zip(names, row, strict=True):
        yield bool(value) if name in _FLAGS and value is not None else value


def replace_facts(found: Sequence[Facts]) -> None:
    """Store the facts of these hands in place of those that are stored, with new ids."""
    for some in batched((each.hand.hand for each in found), MOST_VALUES):
        old = f"SELECT id FROM {FACT} WHERE hand_id IN {places(some)}"
        execute(f"DELETE FROM {RESULT} WHERE fact_id IN ({old})", some)
        execute(f"DELETE FROM {FACT} WHERE hand_id IN {places(some)}", some)
    hands = [each.hand for each in found]
    ids = [row[0] for row in _insert(FACT, _FACT_COLUMNS, hands)]
    results = [(key, *row) for key, each in zip(ids, found, strict=True) for row in each.results]
    _insert(RESULT, ("fact_id", *_RESULT_COLUMNS), results)


def _insert(table: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> list[Any]:
    """Insert rows and return their ids, in the same order."""
    into, line = f"INSERT INTO {table} ({', '.join(columns)})", places(columns)
    ids = []
    for some in batched(rows, MOST_VALUES // len(columns)):
        values = [value for row in some for value in row]
        ids += query(f"{into} VALUES {', '.join([line] * len(some))} RETURNING id", values)
    return ids
