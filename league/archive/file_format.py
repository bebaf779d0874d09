"""The format of a season file: one line of JSON a row, each table after those that it names.

A row has a small whole number, unique in its table; other rows name it by this number. The file
contains no key of a database, and nothing in it is looked up in one. What follows from other rows
is not in the file: accounts, transfers, hashes, which revision counts, whether a night is closed,
the sums of a closing, the reason of a planned payment. Users who did something are left out.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Model

from league.archive import fields
from league.archive.fields import FieldReader, Ref, optional
from league.journal.sealed_rows import CHIPS
from league.models import (
    LONGEST_REASON,
    MOST_CHIPS,
    Charge,
    ChipCount,
    ClosingLine,
    Payment,
    PaymentPlan,
    Scoring,
)
from league.proofs.verification import LONGEST_TEXT
from ledger import models as books

MEDIA_TYPE = "application/x-ndjson"
FORMAT = {"format": "dealers-choice season", "version": 4}
OLDEST = FORMAT | {"version": 1}
# Version 3 came with charges, version 4 with proofs.
STILL_READ = (FORMAT | {"version": 2}, FORMAT | {"version": 3}, FORMAT)
# Bounds that hold before a line is parsed.
MOST_LINES = 1_000_000
LONGEST_LINE = 2 * 1024 * 1024  # characters, as much as a hand may be when it is sent
DEEPEST = 40  # a record may be 32 deep
MOST_ERRORS = 50
LONGEST_KEY = 100  # letters of base64url, and of a signature

# The terms of a league that say what its chips are.
TERMS = ("currency", "time_zone", "chip_value", "closing_hour", "settles", "uncounted", "leftover")
HEAD = {*FORMAT, "league"}

# Rows are named after their models, except those whose model was renamed after files were written.
EARLIER_NAMES: dict[type[Model], str] = {
    ClosingLine: "Line",
    ChipCount: "Count",
    PaymentPlan: "Plan",
}


def row_name(model: type[Model]) -> str:
    """Return the name that the file gives a row of a model."""
    return EARLIER_NAMES.get(model, model.__name__)


@dataclass(frozen=True, slots=True)
class Table:
    """A table of the file: the reader of each field, and the fields that are unique together.

    `added` are the values of fields that files before version 3 leave out.
    """

    fields: Mapping[str, FieldReader]
    once: tuple[tuple[str, ...], ...] = ()
    added: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PostingKind:
    """A kind of posting: the table of its subject, the prefix of its key, its memo.

    One that `undoes` another kind is its reversal.
    """

    of: str
    prefix: str
    memo: str
    undoes: str = ""


_HAND, _NIGHT = "hand {hand}, revision {number}", "night {night}, closing {number}"
POSTING_KINDS = {
    "buy-in": PostingKind("BuyIn", "buy-in", "buy-in"),
    "buy-in undone": PostingKind("BuyIn", "undo", "a mistake", "buy-in"),
    "cash-out": PostingKind("CashOut", "cash-out", "cash-out"),
    "cash-out undone": PostingKind("CashOut", "undo", "a mistake", "cash-out"),
    "charge": PostingKind("Charge", "charge", "{kind}"),
    "charge undone": PostingKind("Charge", "undo", "a mistake", "charge"),
    "hand": PostingKind("Revision", "hand", _HAND),
    "hand taken back": PostingKind("Revision", "back", f"{_HAND} taken back", "hand"),
    "carry put right": PostingKind("Revision", "carry", "carry after a correction of hand {hand}"),
    "pots handed on": PostingKind("Night", "carry-on", "pots kept from nights before"),
    "closing": PostingKind("Closing", "close", _NIGHT),
    "closing taken back": PostingKind("Closing", "open", f"{_NIGHT} taken back", "closing"),
    "payment": PostingKind("Payment", "payment", "payment"),
    "payment taken back": PostingKind("Payment", "unpaid", "payment", "payment"),
}

_chips = fields.integer(1, MOST_CHIPS)
_sum = fields.integer(-books.MOST_CHIPS, books.MOST_CHIPS)
_back = fields.integer(0, books.MOST_CHIPS)
_number = fields.integer(1, 2**31 - 1)
_position = fields.integer(0, 2**15 - 1)
_coin: dict[str, FieldReader] = {"chip_value": _chips, "currency": fields.currency}
_over_the_counter: dict[str, FieldReader] = {
    "night": Ref("Night"),
    "player": Ref("Player"),
    "chips": _chips,
    "banker": optional(Ref("Player")),
    "made_at": fields.moment,
}

TABLES: dict[str, Table] = {
    "Season": Table(
        {
            "name": fields.text(),
            "starts_on": fields.day,
            "ends_on": optional(fields.day),
            "scoring": fields.among(Scoring.values),
            "points": fields.list_of(fields.anything),
            "best_nights": optional(fields.anything),
        }
    ),
    "Player": Table({"name": fields.text(), "is_guest": fields.flag}),
    "GameDocument": Table({"document": fields.json_object}),
    "Night": Table(
        {
            "number": _number,
            "name": fields.text(needed=False),
            "started_at": fields.moment,
            **_coin,
            "usual_buy_in": _chips,
            "opening_pots": fields.list_of(fields.opening_pot),
        },
        once=(("number",),),
    ),
    "Seat": Table(
        {
            "night": Ref("Night"),
            "player": Ref("Player"),
            "position": _position,
            "joined_at": fields.moment,
            "left_at": optional(fields.moment),
        },
        once=(("night", "player"),),
    ),
    "Hand": Table(
        {"night": Ref("Night"), "number": _number, "made_at": fields.moment},
        once=(("night", "number"),),
    ),
    "Revision": Table(
        {
            "hand": Ref("Hand"),
            "number": _number,
            "voids": fields.flag,
            "record": optional(fields.json_object),
            "document": optional(Ref("GameDocument")),
            "names": optional(fields.object_of(Ref("Player"))),
            "answer": optional(fields.with_keys(CHIPS)),
            "made_at": fields.moment,
            "reason": fields.text(LONGEST_REASON, needed=False),
        },
        once=(("hand", "number"),),
    ),
    "BuyIn": Table(_over_the_counter),
    "CashOut": Table(_over_the_counter),
    "Count": Table(
        {
            "night": Ref("Night"),
            "player": Ref("Player"),
            "number": _number,
            "chips": optional(fields.integer(0, MOST_CHIPS)),
            "made_at": fields.moment,
        },
        once=(("night", "number"),),
    ),
    "Charge": Table(
        {
            "night": Ref("Night"),
            "kind": fields.among(Charge.Kind.values),
            "title": fields.text(LONGEST_REASON, needed=False),
            "hand": optional(Ref("Hand")),
            "fund": _sum,
            "keeper": optional(Ref("Player")),
            "made_at": fields.moment,
        }
    ),
    "ChargeShare": Table(
        {
            "charge": Ref("Charge"),
            "player": Ref("Player"),
            "gets": fields.integer(0, MOST_CHIPS),
            "owes": fields.integer(0, MOST_CHIPS),
            "place": optional(_number),
        },
        once=(("charge", "player"),),
    ),
    "Closing": Table(
        {
            "night": Ref("Night"),
            "number": _number,
            "by_hands": fields.flag,
            "kept": fields.list_of(fields.pot),
            "reason": fields.text(LONGEST_REASON, needed=False),
            "made_at": fields.moment,
        },
        once=(("night", "number"),),
    ),
    "Line": Table(
        {
            "closing": Ref("Closing"),
            "player": Ref("Player"),
            "position": _position,
            "back": _back,
            "counted": optional(_back),
            "bears": _sum,
        },
        once=(("closing", "player"),),
    ),
    # A plan of a closing, or one of the season, made `after` a closing or before all of them.
    "Plan": Table(
        {
            "closing": optional(Ref("Closing")),
            "after": optional(Ref("Closing")),
            **_coin,
            "waits_below": fields.integer(0, MOST_CHIPS),
            "made_at": fields.moment,
        },
        added={"waits_below": 0},
    ),
    "PlannedPayment": Table(
        {
            "plan": Ref("Plan"),
            "position": _position,
            "payer": Ref("Player"),
            "payee": Ref("Player"),
            "chips": fields.integer(1, books.MOST_CHIPS),
        },
        once=(("plan", "position"),),
    ),
    "Payment": Table(
        {
            "planned": Ref("PlannedPayment"),
            "chips": _chips,
            "state": fields.among(Payment.State.values),
            "made_at": fields.moment,
        }
    ),
    "PaymentStep": Table(
        {
            "payment": Ref("Payment"),
            "number": _position,
            "state": fields.among(Payment.State.values),
            "note": fields.text(LONGEST_REASON, needed=False),
            "made_at": fields.moment,
        },
        once=(("payment", "number"),),
    ),
    # In the order in which they were made. `chips` are carried chips that a hand took although no
    # hand before had left them, or that a correction took from the carry (below zero: gave to it).
    "Posting": Table(
        {"kind": fields.among(list(POSTING_KINDS)), "of": _number, "chips": _sum},
        once=(("kind", "of"),),
    ),
    # What was signed for a closing: see `league.proofs`.
    "Proof": Table(
        {
            "closing": Ref("Closing"),
            "statement": fields.text(LONGEST_TEXT),
            "signature": fields.text(LONGEST_KEY),
            "key": fields.text(LONGEST_KEY),
            "chips": fields.text(LONGEST_TEXT),
            "names": fields.text(LONGEST_TEXT, needed=False),
        },
        once=(("closing",),),
    ),
}
