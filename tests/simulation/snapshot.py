"""The current state of the service, read directly from the tables."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.db import connection

from tests.simulation.beginning import SETTINGS
from tests.simulation.deals import Chips

_ACCOUNTS = """
    SELECT key, SUM(chips) FROM (
        SELECT credit_id AS account, amount AS chips FROM ledger_transfer
        UNION ALL SELECT debit_id, -amount FROM ledger_transfer) AS moved
    JOIN ledger_account ON ledger_account.id = account GROUP BY key ORDER BY key"""
_HANDS = """
    SELECT league_hand.id, night_id, COUNT(*), voided FROM league_hand
    JOIN league_revision ON hand_id = league_hand.id
    GROUP BY league_hand.id, night_id, voided, league_hand.number
    ORDER BY night_id, league_hand.number"""
_NIGHTS = "SELECT id, state FROM league_night"
_PAYMENTS = "SELECT id, state FROM league_payment"
_OBJECTIONS = """
    SELECT league_objection.id, kind FROM league_objection
    LEFT JOIN league_objectionanswer ON objection_id = league_objection.id"""
_SEATS = "SELECT night_id, player_id, leaving_at, left_at FROM league_seat"
_BETS = "SELECT id, kind FROM league_charge WHERE kind IN ('bounty', 'stand-up')"
_RULES = "SELECT topic, text FROM league_houserule ORDER BY topic, number"
_SETTINGS = f"SELECT {', '.join(SETTINGS)} FROM league_league"  # noqa: S608 (our own names)
_ANSWERS = "SELECT planned_night_id, player_id, says FROM league_answer"
_TABLES = ("buyin", "cashout", "count", "payment", "plannednight", "tournament", "tournamentevent")
# The id of a tournament's charge is derived from the tournament's id.
_ROWS = " UNION ALL ".join(
    [
        "SELECT id FROM league_charge WHERE kind <> 'tournament'",
        *(f"SELECT id FROM league_{table}" for table in _TABLES),  # noqa: S608 (our own names)
    ]
)


@dataclass(frozen=True)
class Snapshot:
    """Chips by account, hands as in the model, nights, payments, and the ids of all other rows.

    `objections` maps ids to the kind of the answer, or "". `answers` contains the answers to each
    planned night, `seats` the times when players are leaving and left, `bets` the kinds of charged
    side bets, and `rules` the versions of house rules by topic.
    """

    accounts: Chips
    hands: dict[str, tuple[int, bool]]
    night_of: dict[str, str]
    open_nights: set[str]
    nights: set[str]
    payments: dict[str, str]
    rows: set[str]
    objections: dict[str, str]
    answers: set[tuple[str, str, str]]
    seats: set[tuple[str, str, datetime | None, datetime | None]]
    bets: dict[str, str]
    rules: dict[str, tuple[str, ...]]
    settings: dict[str, Any]
    now: datetime


def look(names: Mapping[str, str]) -> Snapshot:
    """Return the current state. `names` maps player ids to names."""
    hands = [(_text(key), _text(night), *rest) for key, night, *rest in _query(_HANDS)]
    nights = {_text(key): state for key, state in _query(_NIGHTS)}
    return Snapshot(
        accounts=_accounts(names),
        hands={key: (number, bool(voided)) for key, _, number, voided in hands},
        night_of={key: night for key, night, *_ in hands},
        open_nights={key for key, state in nights.items() if state == "open"},
        nights=set(nights),
        payments={_text(key): state for key, state in _query(_PAYMENTS)},
        rows={_text(key) for (key,) in _query(_ROWS)},
        objections={_text(key): kind or "" for key, kind in _query(_OBJECTIONS)},
        answers={(_text(key), names[_text(who)], says) for key, who, says in _query(_ANSWERS)},
        seats={
            (_text(night), names[_text(who)], _in_utc(leaving), _in_utc(left))
            for night, who, leaving, left in _query(_SEATS)
        },
        bets={_text(key): kind for key, kind in _query(_BETS)},
        rules=_rules(),
        settings=_settings(),
        now=datetime.now(UTC),
    )


def _rules() -> dict[str, tuple[str, ...]]:
    versions: dict[str, tuple[str, ...]] = {}
    for topic, text in _query(_RULES):
        versions[topic] = (*versions.get(topic, ()), text)
    return versions


def _settings() -> dict[str, Any]:
    [values] = _query(_SETTINGS)
    stored = dict(zip(SETTINGS, values, strict=True))
    return stored | {"chip_set": json.loads(stored["chip_set"])}


def _accounts(names: Mapping[str, str]) -> Chips:
    accounts = {}
    for key, chips in _query(_ACCOUNTS):
        place, _, player = key.rpartition(":")
        if chips:
            accounts[f"{place}:{names.get(player, player)}"] = int(chips)
    return dict(sorted(accounts.items()))


def _query(sql: str) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(sql)
        return list(cursor.fetchall())


def _in_utc(at: datetime | None) -> datetime | None:
    """Return a time, which SQLite stores without its zone."""
    return at and at.replace(tzinfo=UTC)


def _text(key: object) -> str:
    return str(key) if isinstance(key, UUID) else str(UUID(str(key)))
