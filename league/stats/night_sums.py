"""The nightly sums: their tables, and the SQL that computes each table from the facts.

A night's rows are deleted and inserted again. A season is the sum of its nights.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from django.db.models import Model

from league.models import (
    AllInTally,
    BettingTally,
    CallTally,
    ChoiceTally,
    DealerTally,
    DeclareTally,
    FlowTally,
    LuckTally,
    NightTally,
    PlayerTally,
    SeatTally,
)
from league.stats.facts import FACT, RESULT
from league.stats.scopes import DEALT, DECLARED, HOUR, SEAT, STAYED
from ledger.sql import execute, is_postgresql, placeholders, query

_RESULTS = f"{FACT} f JOIN {RESULT} r ON r.fact_id = f.id"


@dataclass(frozen=True)
class Sum:
    """A table of sums.

    `keys` and `sums` map the table's columns to SQL over `rows`, in which facts are `f`. The
    columns are the night and `verified`, the keys, the number of hands, and the sums.
    """

    model: type[Model]
    keys: Mapping[str, str]
    sums: Mapping[str, str]
    rows: str = field(default=_RESULTS)
    only: str = "TRUE"

    @property
    def table(self) -> str:
        return str(self.model._meta.db_table)  # noqa: SLF001 (documented)

    @property
    def columns(self) -> str:
        return ", ".join(("night_id", "verified", *self.keys, "hands", *self.sums))

    def grouped(self, nights: Sequence[str]) -> str:
        """Return the query that computes the rows for these nights."""
        keys = ", ".join(("f.night_id", "f.verified", *self.keys.values()))
        return (
            f"SELECT {', '.join((keys, 'count(*)', *self.sums.values()))} FROM {self.rows}"
            f" WHERE f.night_id IN {placeholders(nights)} AND NOT f.voided AND {self.only}"
            f" GROUP BY {keys}"
        )


def sum_nights(nights: Sequence[str]) -> None:
    """Replace the sums of these nights with the sums of their facts.

    The caller must hold the lock from `counting`.
    """
    for tally in all_sums():
        execute(f"DELETE FROM {tally.table} WHERE night_id IN {placeholders(nights)}", nights)
        execute(f"INSERT INTO {tally.table} ({tally.columns}) {tally.grouped(nights)}", nights)


def read_sums(nights: Sequence[str]) -> dict[str, list[tuple[Any, ...]]]:
    """Return the stored sums of these nights, keyed by table, in a fixed order."""
    where = f"WHERE night_id IN {placeholders(nights)}"
    return {
        each.table: sorted(query(f"SELECT {each.columns} FROM {each.table} {where}", nights))
        for each in all_sums()
    }


def _count(condition: str) -> str:
    return f"count(*) FILTER (WHERE {condition})"


_NET = {"net": "sum(r.net)"}
_PLAYER = {"player_id": "r.player_id"}
# The choices that a player's part in a hand counts towards. Seats and hours are counted across all
# games.
_KINDS = " UNION ALL ".join(
    f"SELECT '{kind}' AS kind" for kind in (SEAT, HOUR, DEALT, STAYED, DECLARED)
)
_CHOICES = (
    f"{_RESULTS} JOIN ({_KINDS}) c ON c.kind IN ('{SEAT}', '{HOUR}')"
    f" OR (c.kind = '{DEALT}' AND r.position = 0)"
    f" OR (c.kind = '{STAYED}' AND COALESCE(r.stayed, r.showdown))"
    f" OR (c.kind = '{DECLARED}' AND r.declared <> '')"
)
_PLAIN = (
    Sum(
        PlayerTally,
        {**_PLAYER, "game": "f.game"},
        {
            **_NET,
            "put": "sum(r.put)",
            "won": "sum(r.won)",
            "showdowns": _count("r.showdown"),
            "showdowns_won": _count("r.showdown AND r.won > 0"),
            "highs": _count("r.won_high IS NOT NULL"),
            "highs_won": _count("r.won_high"),
            "lows": _count("r.won_low IS NOT NULL"),
            "lows_won": _count("r.won_low"),
            "splits": _count("r.scooped IS NOT NULL"),
            "scoops": _count("r.scooped"),
            "mistakes": _count("r.moved <> 0"),
            "moved": "sum(r.moved)",
        },
    ),
    Sum(
        DeclareTally,
        {**_PLAYER, "way": "r.declared"},
        {"times_right": _count("r.was_right"), **_NET},
        only="r.declared <> ''",
    ),
    Sum(
        BettingTally,
        {**_PLAYER, "game": "f.game", "position": "r.position"},
        {
            "choices": _count("r.entered IS NOT NULL"),
            "entered": _count("r.entered"),
            "raised": _count("r.raised"),
            "three_bet_choices": _count("r.three_bet IS NOT NULL"),
            "three_bets": _count("r.three_bet"),
            "saw_second": _count("r.saw_second"),
            "stayed": _count("r.stayed"),
            "stayed_won": _count("r.stayed AND r.won > 0"),
            "bets": "sum(r.bets)",
            "calls": "sum(r.calls)",
        },
        only="r.bets IS NOT NULL",
    ),
    Sum(CallTally, {"dealer_id": "f.dealer_id", "game": "f.game", **_PLAYER}, _NET),
    Sum(
        DealerTally,
        {"dealer_id": "f.dealer_id", "game": "f.game"},
        {
            "pot": "sum(f.pot)",
            "carried": "sum(f.carried)",
            "carry": "sum(f.carry)",
            "carries": _count("f.carry > 0"),
            "showdowns": _count("f.showdown"),
            "mistakes": _count("f.mistaken"),
            "moved": "sum(f.moved)",
        },
        rows=f"{FACT} f",
    ),
    Sum(SeatTally, {**_PLAYER, "position": "r.position"}, _NET),
    Sum(NightTally, _PLAYER, _NET),
    Sum(
        ChoiceTally,
        {
            **_PLAYER,
            "game": f"CASE WHEN c.kind IN ('{SEAT}', '{HOUR}') THEN '' ELSE f.game END",
            "choice": (
                f"CASE c.kind WHEN '{SEAT}' THEN '{SEAT}:' || r.position"
                f" WHEN '{HOUR}' THEN '{HOUR}:' || f.hour"
                f" WHEN '{DECLARED}' THEN '{DECLARED}:' || r.declared ELSE c.kind END"
            ),
        },
        _NET,
        rows=_CHOICES,
    ),
)


@cache
def all_sums() -> tuple[Sum, ...]:
    """Return all tables.

    Three tables are computed from JSON, which each database reads differently.
    """
    if is_postgresql():
        flows, shares = "jsonb_array_elements(f.flows::jsonb) e", "jsonb_each(l.shares) e"
        item, player = "(e.value->>{})::bigint".format, "e.key::uuid"
    else:
        flows, shares = "json_each(f.flows) e", "json_each(l.shares) e"
        item, player = "json_extract(e.value, '$[{}]')".format, "e.key"
    luck = (
        f"{FACT} f JOIN league_luck l ON l.revision_id = f.revision_id AND f.luck = 2"
        f" CROSS JOIN {shares}"
    )
    return (
        *_PLAIN,
        Sum(
            FlowTally,
            {"loser_id": "a.player_id", "winner_id": "b.player_id"},
            {"chips": f"sum({item(2)})"},
            # this order prevents SQLite from joining all pairs of results before reading the flows
            rows=f"{FACT} f CROSS JOIN {flows} CROSS JOIN {RESULT} a CROSS JOIN {RESULT} b",
            only=(
                f"a.fact_id = f.id AND a.position = {item(0)}"
                f" AND b.fact_id = f.id AND b.position = {item(1)}"
            ),
        ),
        Sum(
            LuckTally,
            {"player_id": player},
            {
                "won": f"sum({item(0)})",
                "expected": f"sum({item(1)})",
                "variance": f"sum({item(2)})",
            },
            rows=luck,
        ),
        Sum(
            AllInTally,
            {"player_id": player},
            {
                "won": f"sum({item(0)})",
                "adjusted": f"sum({item(3)})",
                "exact": f"sum({item(4)})",
            },
            rows=luck,
            only=f"{item(3)} IS NOT NULL",
        ),
    )
