"""Export a season to a file: players, nights, hands, bookkeeping and payments."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from datetime import date
from typing import Any
from uuid import UUID

from django.db.models import Model, QuerySet
from django.utils.text import slugify

from league.archive.file_format import FORMAT, POSTING_KINDS, TABLES, TERMS, row_name
from league.integrity.row_owners import foreign_keys
from league.journal.sealed_rows import CHIPS
from league.models import (
    BuyIn,
    CashOut,
    Charge,
    ChargeShare,
    ChipCount,
    Closing,
    ClosingLine,
    GameDocument,
    Hand,
    JournalEntry,
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
    Season,
    Seat,
)
from league.proofs.signing import proofs_of
from ledger.models import Posting, Transfer
from ledger.sql import batched

BATCH = 500
Values = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Numbers:
    """The numbers of exported rows, counted from 1, keyed by table and key.

    `after` maps each plan of the season to the closing after which it was made.
    """

    given: dict[str, dict[str, int]] = field(default_factory=dict)
    after: Mapping[UUID, UUID | None] = field(default_factory=dict)

    def give(self, table: str, key: object) -> int:
        numbers = self.given.setdefault(table, {})
        return numbers.setdefault(str(key), len(numbers) + 1)

    def of(self, table: str, key: object) -> int | None:
        """Return the number of a row, or None if it is not in the file."""
        return self.given.get(table, {}).get(str(key))

    def pot(self, pot: Values) -> Values:
        return {"amount": pot["amount"], "for": [self.of("Player", key) for key in pot["for"]]}


def export_season(season: Season) -> Iterator[str]:
    """Yield the lines of the file. Each line is a JSON object."""
    league = season.league
    terms = {name: getattr(league, name) for name in TERMS}
    yield _line(FORMAT | {"league": terms | {"name": league.name}})
    numbers = Numbers(after=_plans_after(season))
    for model, rows in _rows(season).items():
        for row in rows.iterator(BATCH):
            has_document = isinstance(row, Revision) and not row.voids and _is_named(row)
            if has_document and not numbers.of("GameDocument", row.document_id):
                yield _row(numbers, GameDocument, row.document)
            yield _row(numbers, model, row)
    yield from _postings(season, numbers)
    for closing, proof in proofs_of(Closing.objects.filter(night__season=season)):
        values = {"row": "Proof", "id": numbers.give("Proof", closing.pk)}
        values["closing"] = numbers.of("Closing", closing.pk)
        # the rows of the file have current names only
        renamed = {"names": ""} if closing.signed.names else {}
        yield _line(values | asdict(proof) | renamed)


def file_name(season: Season) -> str:
    return f"{slugify(f'{season.league.name} {season}') or 'season'}.jsonl"


def _rows(season: Season) -> dict[type[Model], QuerySet[Any]]:
    """Return the season's rows, keyed by table."""
    of_night = {"night__season": season}
    of_plan = {"plan__season": season}
    revisions = Revision.objects.filter(hand__night__season=season)
    return {
        Season: Season.objects.filter(pk=season.pk),
        Player: Player.with_box.filter(league=season.league_id).order_by("name"),
        Night: Night.objects.filter(season=season).order_by("number"),
        Seat: Seat.objects.filter(**of_night).order_by("night__number", "pk"),
        Hand: Hand.objects.filter(**of_night).order_by("night__number", "number"),
        Revision: revisions.select_related("document").order_by(
            "hand__night__number", "hand__number", "number"
        ),
        Objection: Objection.objects.filter(hand__night__season=season).order_by("made_at", "pk"),
        ObjectionAnswer: ObjectionAnswer.objects.filter(
            objection__hand__night__season=season
        ).order_by("made_at", "pk"),
        BuyIn: BuyIn.objects.filter(**of_night).order_by("made_at", "pk"),
        CashOut: CashOut.objects.filter(**of_night).order_by("made_at", "pk"),
        Charge: Charge.objects.filter(**of_night).order_by("made_at", "pk"),
        ChargeShare: ChargeShare.objects.filter(charge__night__season=season).order_by(
            "charge__made_at", "pk"
        ),
        ChipCount: ChipCount.objects.filter(**of_night).order_by("night__number", "number"),
        Closing: Closing.objects.filter(**of_night).order_by("sequence"),
        ClosingLine: ClosingLine.objects.filter(closing__night__season=season).order_by(
            "closing__sequence", "pk"
        ),
        PaymentPlan: PaymentPlan.objects.filter(season=season).order_by("made_at", "pk"),
        PlannedPayment: PlannedPayment.objects.filter(**of_plan).order_by(
            "plan__made_at", "plan", "position"
        ),
        PaymentReplacement: PaymentReplacement.objects.filter(**of_plan).order_by(
            "plan__made_at", "plan", "pk"
        ),
        Payment: Payment.objects.filter(planned__plan__season=season).order_by("made_at", "pk"),
        PaymentStep: PaymentStep.objects.filter(payment__planned__plan__season=season).order_by(
            "payment__made_at", "payment", "number"
        ),
    }


def _row(numbers: Numbers, model: type[Model], row: Any) -> str:
    """Return the line for a row, with foreign keys replaced by row numbers."""
    name, named = row_name(model), {key.name: key for key in foreign_keys(model)}
    values = {"row": name, "id": numbers.give(name, row.pk)}
    special = SPECIAL[model](numbers, row) if model in SPECIAL else {}
    for column in TABLES[name].fields:
        if column in special:
            values[column] = special[column]
        elif key := named.get(column):
            values[column] = numbers.of(row_name(key.related_model), getattr(row, key.attname))
        else:
            values[column] = getattr(row, column)
    return _line(values)


def _is_named(revision: Revision) -> bool:
    """Return whether the record contains its game's name instead of the game's rules."""
    return isinstance(revision.record["variant"], str)


def _night(numbers: Numbers, night: Night) -> Values:
    pots = [
        numbers.pot(pot) | {"from": numbers.of("Night", pot["from"])} for pot in night.opening_pots
    ]
    return {"opening_pots": pots}


def _revision(numbers: Numbers, revision: Revision) -> Values:
    """Return the names and the chips of the answer. An import settles the hand again."""
    if revision.voids:
        return dict.fromkeys(("record", "document", "names", "answer"))
    values: Values = {
        "names": {name: numbers.of("Player", key) for name, key in revision.names.items()},
        "answer": {key: revision.answer[key] for key in CHIPS},
    }
    return values if _is_named(revision) else {**values, "document": None}


# Functions that compute the values that are not stored as columns.
SPECIAL: dict[type[Model], Callable[[Numbers, Any], Values]] = {
    Night: _night,
    Closing: lambda numbers, closing: {"kept": [numbers.pot(pot) for pot in closing.kept]},
    PaymentPlan: lambda numbers, plan: {"after": numbers.of("Closing", numbers.after.get(plan.pk))},
    Revision: _revision,
}


# --- settlement times -----------------------------------------------------------------------------


def _plans_after(season: Season) -> dict[UUID, UUID | None]:
    """Return the closing after which each plan without a closing was made.

    The order is taken from the journal. For plans older than the journal, times are compared.
    """
    entries = JournalEntry.objects.filter(chain=season.league_id)
    planned = entries.filter(kind=JournalEntry.Kind.PLANNED).values_list("sequence", "rows")
    sealed: dict[str, int] = {
        key: sequence
        for sequence, rows in planned.iterator(BATCH)
        for table, key, *_ in rows
        if table == PaymentPlan._meta.db_table  # noqa: SLF001 (public)
    }
    closings = Closing.objects.filter(night__season=season).order_by("sequence")
    closed = list(closings.values_list("pk", "made_at", "hash"))
    places = dict(entries.filter(kind=JournalEntry.Kind.CLOSED).values_list("hash", "sequence"))
    closing_of: dict[UUID, UUID | None] = {}
    for key, made_at in season.plans.filter(closing=None).values_list("pk", "made_at"):
        place = sealed.get(str(key))
        before = [
            closing
            for closing, closed_at, its_hash in closed
            if (closed_at <= made_at if place is None else places.get(its_hash, 0) < place)
        ]
        closing_of[key] = before[-1] if before else None
    return closing_of


# --- actions --------------------------------------------------------------------------------------


# For each of these posting kinds, the sign of the chips moved from drift to carry.
CARRIED = {"hand": 1, "carry put right": -1}


def _postings(season: Season, numbers: Numbers) -> Iterator[str]:
    """Yield the postings of exported rows, in posting order."""
    book = season.league.book_id
    rows = Posting.objects.filter(book=book).order_by("pk").values_list("pk", "key")
    for batch in batched(rows.iterator(BATCH), BATCH):
        # the net chips that each posting moved from drift to carry
        chips: dict[int, int] = {}
        for debit, credit, sign in (("drift", "carry", 1), ("carry", "drift", -1)):
            transfers = Transfer.objects.filter(
                posting__in=[pk for pk, _ in batch], debit__kind=debit, credit__kind=credit
            )
            for pk, amount in transfers.values_list("posting", "amount"):
                chips[pk] = chips.get(pk, 0) + sign * amount
        for pk, key in batch:
            prefix, _, subject = key.partition(":")
            for kind, posting_kind in POSTING_KINDS.items():
                of = numbers.of(posting_kind.of, subject) if posting_kind.key == prefix else None
                if of:
                    carried = CARRIED.get(kind, 0) * chips.get(pk, 0)
                    values = {"row": "Posting", "id": numbers.give("Posting", pk)}
                    yield _line(values | {"kind": kind, "of": of, "chips": carried})
                    break


def _line(values: Values) -> str:
    return json.dumps(
        values,
        default=lambda value: value.isoformat() if isinstance(value, date) else str(value),
    )
