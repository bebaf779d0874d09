"""The sealed columns of each table, as data, and the digests of rows.

A row has several digests: one for the columns that never change, one for the words that an erasure
or a new name may rewrite, and one for the state that may change after a seal. Users are sealed by
their ids. Therefore a name can be erased without changing anything else. The digest of the words is
salted, so an erased name can't be found by trying names.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import cached_property
from hashlib import sha256
from itertools import groupby, islice
from operator import itemgetter
from typing import Any
from uuid import UUID

from django.db.models import Model, QuerySet

from league.models import (
    Announcement,
    BuyIn,
    CashOut,
    Charge,
    ChargeShare,
    ChipCount,
    Closing,
    ClosingLine,
    ConflictingRecord,
    Erasure,
    GameDocument,
    Hand,
    HouseGameVersion,
    HouseRule,
    LogbookEntry,
    Night,
    Objection,
    ObjectionAnswer,
    Payment,
    PaymentPlan,
    PaymentReplacement,
    PaymentStep,
    PlannedPayment,
    Player,
    Revision,
    Seat,
)
from ledger.models import Posting, Transfer
from rules.api import rename_players

# Half the digits of a SHA-256 hash. With 128 bits, finding a different row with the same digest is
# infeasible.
DIGITS = 32
ROWS_AT_ONCE = 500
BY_USER = ("made_by_id",)
# The parts of an answer that affect chips. Everything else in an answer counts as text.
CHIPS = ("paid", "returned", "won", "net", "carry", "carries")
TRANSFERRED = (
    "pk",
    "book_id",
    "position",
    "debit_id",
    "debit__book_id",
    "debit__key",
    "debit__kind",
    "credit_id",
    "credit__book_id",
    "credit__key",
    "credit__kind",
    "amount",
    "reverses_id",
)

Values = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class SealedRow:
    """The digests of a row, or "" for digests that its table does not have.

    `who` maps columns to users. `was` is the digest of the words before an erasure or a new
    name rewrote them. If the table has `rewritable` columns, `was` is the former `fixed` instead. A
    deleted row has no digests.
    """

    table: str
    key: str
    fixed: str
    words: str = ""
    state: str = ""
    who: dict[str, int | None] = field(default_factory=dict)
    was: str = ""

    def as_json(self) -> list[Any]:
        return [self.table, self.key, self.fixed, self.words, self.state, self.who, self.was]


@dataclass(frozen=True)
class Table:
    """How a table is sealed. Columns that are not listed are fixed.

    `league` is the path to the league, or "" if rows belong to several leagues. `night` is the path
    to the night, if any. Only an erasure or a new name rewrites `words`. `who` contains columns
    with users, which are emptied when the user is deleted, and `later` contains the ones that are
    empty at first. The triggers restrict changes to `state`. `left` maps each unsealed column to
    the reason. `core` returns the part of the words that is fixed as well. `added` columns are also
    fixed, but were added when rows were already sealed, so they are sealed only if they differ from
    the values in `added`. `rewritable` columns are fixed, but an erasure may replace a name in
    them. The erasure's entry contains the digest of the row before and after.
    """

    model: type[Model]
    league: str
    night: str = ""
    words: tuple[str, ...] = ()
    state: tuple[str, ...] = ()
    who: tuple[str, ...] = ()
    later: tuple[str, ...] = ()
    left: Mapping[str, str] = field(default_factory=dict)
    rewritable: tuple[str, ...] = ()
    core: Callable[[Values], Any] | None = None
    deletable: bool = False
    added: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def name(self) -> str:
        return str(self.model._meta.db_table)  # noqa: SLF001 (public)

    @cached_property
    def columns(self) -> tuple[str, ...]:
        return tuple(each.attname for each in self.model._meta.concrete_fields)  # noqa: SLF001

    @cached_property
    def fixed(self) -> tuple[str, ...]:
        others = {*self.words, *self.state, *self.who, *self.left}
        return tuple(name for name in self.columns if name not in others)

    @property
    def rows(self) -> "QuerySet[Any]":
        return self.model._base_manager.all()  # noqa: SLF001 (includes hidden rows)


def _core_of_hand(row: Values) -> Any:
    """Return a record's and an answer's cards and chips, keyed by player id."""
    names = row["names"] if isinstance(row["names"], dict) else {}
    record, answer = row["record"], row["answer"]
    core = {key: each for key, each in _items(record) if key not in {"about", "variant"}}
    chips = {key: each for key, each in _items(answer) if key in CHIPS}
    ids = {name: str(player) for name, player in names.items()}
    comment_free = _without_comments(rename_players(core, ids))
    return [comment_free, rename_players(chips, ids), sorted(ids.values())]


def _items(value: Any) -> Iterable[tuple[str, Any]]:
    return value.items() if isinstance(value, dict) else [("", value)]


def _without_comments(value: Any) -> Any:
    """Return the value with comments removed from its actions."""
    if isinstance(value, dict):
        return {str(key): _without_comments(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_without_comments(each) for each in value]
    return value.partition("#")[0].rstrip() if isinstance(value, str) and " " in value else value


FOLLOWS = "follows from other rows, and is compared with them"
TABLES = (
    Table(
        Night,
        "season__league",
        "pk",
        words=("name",),
        left={
            "state": FOLLOWS,
            "ended_at": FOLLOWS,
            "imported": "decides how an open night is shown, not its result",
            "version": "counts what phones have to look at again, and says nothing",
        },
    ),
    Table(
        Seat,
        "night__season__league",
        "night",
        state=("position", "left_at"),
        left={"leaving_at": "announces when a player leaves; left_at is when the player left"},
    ),
    Table(BuyIn, "night__season__league", "night", who=BY_USER),
    Table(CashOut, "night__season__league", "night", who=BY_USER),
    Table(Charge, "night__season__league", "night", words=("title",), who=BY_USER),
    Table(ChargeShare, "charge__night__season__league", "charge__night", added={"place": None}),
    Table(ChipCount, "night__season__league", "night", who=BY_USER),
    Table(Hand, "night__season__league", "night", left={"voided": FOLLOWS}),
    Table(
        Revision,
        "hand__night__season__league",
        "hand__night",
        words=("record", "answer", "names", "reason"),
        who=BY_USER,
        left={"current": FOLLOWS},
        core=_core_of_hand,
    ),
    Table(
        ConflictingRecord,
        "night__season__league",
        "night",
        words=("record", "answer", "names"),
        who=(*BY_USER, "decided_by_id"),
        later=("decided_by_id",),
        state=("state", "decided_at"),
        core=_core_of_hand,
    ),
    Table(Announcement, "hand__night__season__league", "hand__night", words=("variant",)),
    Table(
        Objection,
        "hand__night__season__league",
        "hand__night",
        words=("reason",),
        who=BY_USER,
    ),
    Table(
        ObjectionAnswer,
        "objection__hand__night__season__league",
        "objection__hand__night",
        words=("text",),
        who=BY_USER,
    ),
    Table(
        GameDocument,
        "",
        rewritable=("name", "document", "rewritten"),
        added={"rewritten": ""},
    ),
    Table(
        HouseGameVersion,
        "game__league",
        rewritable=("text", "document_id"),
        who=("written_by_id",),
        deletable=True,
    ),
    Table(HouseRule, "league", words=("text",), who=BY_USER),
    Table(
        Player,
        "league",
        words=("name",),
        left={
            "user_id": "goes from phone to phone; the logbook says when",
            "added_at": "orders lists; players of before it was stored have the migration's",
        },
        added={"is_box": False},
    ),
    Table(Closing, "league", words=("reason",), who=BY_USER, left={"hash": FOLLOWS}),
    Table(ClosingLine, "closing__league", added={"charged": 0, "entered": 0, "prizes": 0}),
    Table(PaymentPlan, "season__league", who=BY_USER, added={"waits_below": 0}),
    Table(PlannedPayment, "plan__season__league"),
    Table(PaymentReplacement, "plan__season__league"),
    Table(Payment, "planned__plan__season__league", state=("state", "posting_id")),
    Table(PaymentStep, "payment__planned__plan__season__league", words=("note",), who=BY_USER),
    Table(LogbookEntry, "league", who=(*BY_USER, "of_id")),
    Table(Erasure, "player__league", who=BY_USER),
    Table(Posting, "book__league"),
)
BY_MODEL: dict[type[Model], Table] = {table.model: table for table in TABLES}
BY_NAME = {table.name: table for table in TABLES}


def sealed(rows: "QuerySet[Any]", salt: str) -> Iterator[SealedRow]:
    """Yield the digests of the rows as they are currently stored."""
    table = BY_MODEL[rows.model]
    names = ("pk", *table.fixed, *table.words, *table.state, *table.who)
    lines = rows.values_list(*names).iterator(ROWS_AT_ONCE)
    row_values = (dict(zip(names, row, strict=True)) for row in lines)
    while part := list(islice(row_values, ROWS_AT_ONCE)):
        transfers = _transfers(part) if table.model is Posting else {}
        for row in part:
            fixed = [row[name] for name in table.fixed if name not in table.added]
            if table.core:
                fixed.append(table.core(row))
            fixed += transfers.get(row["pk"], [])
            added = {name: row[name] for name, usual in table.added.items() if row[name] != usual}
            if added:
                fixed.append(added)
            yield SealedRow(
                table.name,
                str(row["pk"]),
                fixed=digest(fixed),
                words=digest([salt, *(row[name] for name in table.words)]) if table.words else "",
                state=digest([row[name] for name in table.state]) if table.state else "",
                who={name: row[name] for name in table.who},
            )


def _transfers(postings: list[dict[str, Any]]) -> dict[int, list[Any]]:
    """Return the transfers of each posting. A posting is sealed with its transfers."""
    numbers = [each["pk"] for each in postings]
    rows = Transfer.objects.filter(posting__in=numbers).order_by("posting", "position", "pk")
    moved = rows.values_list("posting", *TRANSFERRED)
    return {
        posting: [row[1:] for row in transfers]
        for posting, transfers in groupby(moved, itemgetter(0))
    }


def digest(values: Any) -> str:
    """Return the digest of columns, which is the same on both databases."""
    text = _dumped(values)
    if _REWRITTEN.search(text):
        text = _dumped(_as_stored(json.loads(text)))
    return sha256(text.encode()).hexdigest()[:DIGITS]


def _dumped(values: Any) -> str:
    return json.dumps(values, sort_keys=True, separators=(",", ":"), default=_as_text)


# PostgreSQL returns some numbers in a different form: 1e+16 as 10000000000000000, and -0.0 as 0.0.
_REWRITTEN = re.compile(r"\de\+\d|-0\.0")


def _as_stored(value: Any) -> Any:
    """Return the JSON value with its numbers as PostgreSQL stores them."""
    if isinstance(value, dict):
        return {key: _as_stored(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_as_stored(each) for each in value]
    if not isinstance(value, float):
        return value
    return int(Decimal(repr(value))) if "e+" in repr(value) else value or 0.0


def _as_text(value: object) -> str:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, UUID | date):
        return str(value)
    raise TypeError(f"{value!r} can't be sealed")
