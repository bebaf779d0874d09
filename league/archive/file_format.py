"""The format of a season file: one JSON line per row, referenced tables first.

Rows are numbered within their table and reference each other by number. The file contains no
database keys, and no value is looked up in a database. Values that are computed from other rows are
omitted: accounts, transfers, hashes, which revision is current, whether a night is closed, the
totals of a closing, and the reason for a planned payment. The users who made changes are omitted
too.
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
    ObjectionAnswer,
    Payment,
    PaymentPlan,
    Scoring,
)
from league.nights.accounts import PostingKey
from league.proofs.verification import LONGEST_TEXT
from ledger import models as books

MEDIA_TYPE = "application/x-ndjson"
FORMAT = {"format": "dealers-choice season", "version": 7}
OLDEST = FORMAT | {"version": 1}
# Version 3 added charges, version 4 proofs, version 5 objections, version 6 the cash box,
# version 7 replaced payments.
STILL_READ = (*(FORMAT | {"version": version} for version in (2, 3, 4, 5, 6)), FORMAT)
# Limits checked before a line is parsed.
MOST_LINES = 1_000_000
LONGEST_LINE = 2 * 1024 * 1024  # in characters, the same limit as for an uploaded hand
DEEPEST = 40  # a record can be 32 levels deep
MOST_ERRORS = 50
LONGEST_KEY = 100  # in characters of base64url, for keys and signatures

# The league options that define how much chips are worth and how they are settled.
TERMS = ("currency", "time_zone", "chip_value", "closing_hour", "settles", "uncounted", "leftover")
HEAD = {*FORMAT, "league"}

# Rows are named after their models. A renamed model keeps its first name in files.
EARLIER_NAMES: dict[type[Model], str] = {
    ClosingLine: "Line",
    ChipCount: "Count",
    PaymentPlan: "Plan",
}


def is_season_file(text: str) -> bool:
    """Return whether a text begins like a season file."""
    return f'"{FORMAT["format"]}"' in text[:100]


def row_name(model: type[Model]) -> str:
    """Return the name of a model's rows in the file."""
    return EARLIER_NAMES.get(model, model.__name__)


@dataclass(frozen=True, slots=True)
class Table:
    """A table in the file.

    `fields` maps field names to their readers, and `once` lists fields that are unique together.
    `added` contains values for fields that older files omit.
    """

    fields: Mapping[str, FieldReader]
    once: tuple[tuple[str, ...], ...] = ()
    added: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PostingKind:
    """A kind of posting.

    `of` is the table of its subject, and `key` is the start of its ledger key. If `undoes` is set,
    the posting reverses a posting whose kind is `undoes`.
    """

    of: str
    key: PostingKey
    memo: str
    undoes: str = ""


_HAND, _NIGHT = "hand {hand}, revision {number}", "night {night}, closing {number}"
POSTING_KINDS = {
    "buy-in": PostingKind("BuyIn", PostingKey.BUY_IN, "buy-in"),
    "buy-in undone": PostingKind("BuyIn", PostingKey.UNDO, "a mistake", "buy-in"),
    "cash-out": PostingKind("CashOut", PostingKey.CASH_OUT, "cash-out"),
    "cash-out undone": PostingKind("CashOut", PostingKey.UNDO, "a mistake", "cash-out"),
    "charge": PostingKind("Charge", PostingKey.CHARGE, "{kind}"),
    "charge undone": PostingKind("Charge", PostingKey.UNDO, "a mistake", "charge"),
    "hand": PostingKind("Revision", PostingKey.HAND, _HAND),
    "hand taken back": PostingKind("Revision", PostingKey.HAND_BACK, f"{_HAND} taken back", "hand"),
    "carry put right": PostingKind(
        "Revision", PostingKey.CARRY, "carry after a correction of hand {hand}"
    ),
    "pots handed on": PostingKind("Night", PostingKey.CARRY_ON, "pots kept from nights before"),
    "closing": PostingKind("Closing", PostingKey.CLOSE, _NIGHT),
    "closing taken back": PostingKind(
        "Closing", PostingKey.REOPEN, f"{_NIGHT} taken back", "closing"
    ),
    "payment": PostingKind("Payment", PostingKey.PAYMENT, "payment"),
    "payment taken back": PostingKind("Payment", PostingKey.PAYMENT_BACK, "payment", "payment"),
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
            "document": optional(fields.json_object),
            "drop_worst": fields.anything,
        },
        added={"document": None, "drop_worst": 0},
    ),
    "Player": Table(
        {"name": fields.text(), "is_guest": fields.flag, "is_box": fields.flag},
        added={"is_box": False},
    ),
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
    "Objection": Table(
        {
            "hand": Ref("Hand"),
            "revision": Ref("Revision"),
            "player": Ref("Player"),
            "reason": fields.text(LONGEST_REASON),
            "made_at": fields.moment,
        }
    ),
    "ObjectionAnswer": Table(
        {
            "objection": Ref("Objection"),
            "kind": fields.among(ObjectionAnswer.Kind.values),
            "text": fields.text(LONGEST_REASON, needed=False),
            "revision": optional(Ref("Revision")),
            "made_at": fields.moment,
        },
        once=(("objection",),),
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
    # A plan belongs to a closing or to the season. A season's plan was made `after` a closing, or
    # before any closing if `after` is null.
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
    # Chips of a planned payment that a later plan has replaced.
    "PaymentReplacement": Table(
        {
            "plan": Ref("Plan"),
            "planned": Ref("PlannedPayment"),
            "chips": fields.integer(1, books.MOST_CHIPS),
        },
        once=(("plan", "planned"),),
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
    # Postings in the order in which they were made. `chips` are carried chips: either chips that a
    # hand took although no earlier hand had left them, or chips that a correction took from the
    # carry (negative if it added to the carry).
    "Posting": Table(
        {"kind": fields.among(list(POSTING_KINDS)), "of": _number, "chips": _sum},
        once=(("kind", "of"),),
    ),
    # A closing's signed statement. See `league.proofs`.
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
