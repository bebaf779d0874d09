"""The sums as the database makes them of the stored facts: what counting is held against.

Counting adds and takes away in Python, hand by hand; this groups all that is there, in SQL.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from league.stats.scopes import AS_SQL
from league.stats.store.fact_rows import FACT, FACT_COLUMNS, RESULT
from league.stats.store.sum_rows import key_of
from league.stats.sums import ALL_INS, CHOICES, FLOWS, LUCK, Sum
from ledger.sql import native, places, query

# A column of a tally that is called otherwise among the results.
_NAMED = {"way": "declared"}
_RESULTS = f"{FACT} f JOIN {RESULT} r ON r.fact_id = f.id"
_LUCK = f"{FACT} f JOIN league_luck l ON l.revision_id = f.revision_id AND f.luck = 2"


@dataclass(frozen=True)
class _Grouped:
    """How a table follows from the facts: the rows, its keys after season and verified, sums."""

    rows: str
    keys: Sequence[str]
    sums: Sequence[str]
    only: str


def regrouped(table: Sum, seasons: Sequence[Any]) -> dict[tuple[Any, ...], tuple[int, ...]]:
    """Return what the table should hold of these seasons, by key."""
    width = len(table.key_columns)
    found = query(grouping(table, seasons), seasons) if seasons else []
    return {key_of(table, row[:width]): tuple(map(int, row[width:])) for row in found}


def grouping(table: Sum, seasons: Sequence[Any]) -> str:
    """Return the query for the sums of these seasons, straight from the facts."""
    how = _special(table) or _plain(table)
    keys = ", ".join(("f.season_id", "f.verified", *how.keys))
    return (
        f"SELECT {keys}, {', '.join(('count(*)', *how.sums))} FROM {how.rows}"
        f" WHERE f.season_id IN {places(seasons)} AND {how.only} GROUP BY {keys}"
    )


def _plain(table: Sum) -> _Grouped:
    keys = [
        f"{'f' if name in FACT_COLUMNS else 'r'}.{_NAMED.get(name, name)}" for name in table.keys
    ]
    sums = [source for _, source in table.sources]
    rows = _RESULTS if table.of_results else f"{FACT} f"
    return _Grouped(rows, keys, sums, table.only)


def _special(table: Sum) -> _Grouped | None:
    """Return how the tables follow whose numbers are kept as JSON."""
    if table is FLOWS:
        loser, winner, chips = map(_element, range(3))
        each = "jsonb_array_elements(f.flows::jsonb) e" if native() else "json_each(f.flows) e"
        rows = (
            f"{FACT} f CROSS JOIN {each}"
            f" JOIN {RESULT} a ON a.fact_id = f.id AND a.position = {loser}"
            f" JOIN {RESULT} b ON b.fact_id = f.id AND b.position = {winner}"
        )
        return _Grouped(rows, ("a.player_id", "b.player_id"), (f"sum({chips})",), table.only)
    if table in {LUCK, ALL_INS}:
        each = "jsonb_each(l.shares) e" if native() else "json_each(l.shares) e"
        rows = f"{_LUCK} CROSS JOIN {each}"
        if table is LUCK:
            sums = [f"sum({_element(at)})" for at in range(3)]
            return _Grouped(rows, ("e.key",), sums, table.only)
        sums = [f"sum({_element(at)})" for at in (0, 3, 4)]
        only = f"{table.only} AND {_element(3)} IS NOT NULL"
        return _Grouped(rows, ("f.night_id", "e.key"), sums, only)
    if table is CHOICES:
        keys = ("f.night_id", "f.player_id", "f.game", "f.choice")
        return _Grouped(f"({_choices()}) f", keys, ("sum(f.net)",), table.only)
    return None


def _choices() -> str:
    """Return a row for each choice of each result."""
    same = "f.season_id, f.verified, f.voided, f.night_id, r.player_id, r.net"
    return " UNION ALL ".join(
        f"SELECT {same}, {game} AS game, {choice} AS choice FROM {_RESULTS} WHERE {only}"
        for game, choice, only in AS_SQL
    )


def _element(at: int) -> str:
    return f"(e.value->>{at})::bigint" if native() else f"json_extract(e.value, '$[{at}]')"
