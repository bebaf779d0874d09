"""Write everything of a season into one file: people, nights, hands, books, payments."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from datetime import date
from typing import Any
from uuid import UUID

from django.db.models import Model, QuerySet
from django.utils.text import slugify

from league.archive.file_format import FORMAT, POSTING_KINDS, TABLES, TERMS
from league.integrity.ownership import foreign_keys
from league.journal.sealed_rows import CHIPS
from league.models import (
    BuyIn,
    CashOut,
    Charge,
    ChargeShare,
    Closing,
    Count,
    GameDocument,
    Hand,
    JournalEntry,
    Line,
    Night,
    Payment,
    PaymentStep,
    Plan,
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
    """The number of each row that was written, by table and key: small ones, from 1.

    `after` is the closing after which each plan of the season was made.
    """

    given: dict[str, dict[str, int]] = field(default_factory=dict)
    after: Mapping[UUID, UUID | None] = field(default_factory=dict)

    def give(self, table: str, key: object) -> int:
        mine = self.given.setdefault(table, {})
        return mine.setdefault(str(key), len(mine) + 1)

    def of(self, table: str, key: object) -> int | None:
        """Return the number of a row, None for one that is not in the file."""
        return self.given.get(table, {}).get(str(key))


def export_season(season: Season) -> Iterator[str]:
    """Yield the lines of the file, a JSON object each."""
    league = season.league
    terms = {name: getattr(league, name) for name in TERMS}
    yield _line(FORMAT | {"league": terms | {"name": league.name}})
    numbers = Numbers(after=_plans_after(season))
    for model, rows in _rows(season).items():
        for row in rows.iterator(BATCH):
            if isinstance(row, Revision):
                yield from _rules(numbers, row)
            yield _row(numbers, model, row)
    yield from _postings(season, numbers)
    yield from _proofs(season, numbers)


def file_name(season: Season) -> str:
    """Return what the file is called."""
    return f"{slugify(f'{season.league.name} {season}') or 'season'}.jsonl"


def _rows(season: Season) -> dict[type[Model], QuerySet[Any]]:
    """Return what belongs to the season, by table."""
    of_night = {"night__season": season}
    of_plan = {"plan__season": season}
    revisions = Revision.objects.filter(hand__night__season=season)
    return {
        Season: Season.objects.filter(pk=season.pk),
        Player: Player.objects.filter(league=season.league_id).order_by("name"),
        Night: Night.objects.filter(season=season).order_by("number"),
        Seat: Seat.objects.filter(**of_night).order_by("night__number", "pk"),
        Hand: Hand.objects.filter(**of_night).order_by("night__number", "number"),
        Revision: revisions.select_related("document").order_by(
            "hand__night__number", "hand__number", "number"
        ),
        BuyIn: BuyIn.objects.filter(**of_night).order_by("made_at", "pk"),
        CashOut: CashOut.objects.filter(**of_night).order_by("made_at", "pk"),
        Charge: Charge.objects.filter(**of_night).order_by("made_at", "pk"),
        ChargeShare: ChargeShare.objects.filter(charge__night__season=season).order_by(
            "charge__made_at", "pk"
        ),
        Count: Count.objects.filter(**of_night).order_by("night__number", "number"),
        Closing: Closing.objects.filter(**of_night).order_by("sequence"),
        Line: Line.objects.filter(closing__night__season=season).order_by(
            "closing__sequence", "pk"
        ),
        Plan: Plan.objects.filter(season=season).order_by("made_at", "pk"),
        PlannedPayment: PlannedPayment.objects.filter(**of_plan).order_by(
            "plan__made_at", "plan", "position"
        ),
        Payment: Payment.objects.filter(planned__plan__season=season).order_by("made_at", "pk"),
        PaymentStep: PaymentStep.objects.filter(payment__planned__plan__season=season).order_by(
            "payment__made_at", "payment", "number"
        ),
    }


def _row(numbers: Numbers, model: type[Model], row: Any) -> str:
    name = model.__name__
    told = _told(numbers, model, row)
    return _line({"row": name, "id": numbers.give(name, row.pk), **told})


def _rules(numbers: Numbers, revision: Revision) -> Iterator[str]:
    """Yield the document that a record means by a name, before the first record that does."""
    named = not revision.voids and isinstance(revision.record["variant"], str)
    if named and not numbers.of("GameDocument", revision.document_id):
        yield _row(numbers, GameDocument, revision.document)


def _told(numbers: Numbers, model: type[Model], row: Any) -> Values:
    """Return what the file says of a row, the rows that it names by their numbers."""
    named = {key.name: key for key in foreign_keys(model)}
    said = SAID[model](numbers, row) if model in SAID else {}
    told = {}
    for name in TABLES[model.__name__].fields:
        if name in said:
            told[name] = said[name]
        elif key := named.get(name):
            told[name] = numbers.of(key.related_model.__name__, getattr(row, key.attname))
        else:
            told[name] = getattr(row, name)
    return told


def _night(numbers: Numbers, night: Night) -> Values:
    pots = [
        _pot(numbers, pot) | {"from": numbers.of("Night", pot["from"])}
        for pot in night.opening_pots
    ]
    return {"opening_pots": pots}


def _closing(numbers: Numbers, closing: Closing) -> Values:
    return {"kept": [_pot(numbers, pot) for pot in closing.kept]}


def _plan(numbers: Numbers, plan: Plan) -> Values:
    return {"after": numbers.of("Closing", numbers.after.get(plan.pk))}


def _pot(numbers: Numbers, pot: Values) -> Values:
    players = [numbers.of("Player", player) for player in pot["for"]]
    return {"amount": pot["amount"], "for": players}


def _revision(numbers: Numbers, revision: Revision) -> Values:
    """Of the answer the chips alone: whoever reads the file settles the hand again."""
    if revision.voids:
        return dict.fromkeys(("record", "document", "names", "answer"))
    said: Values = {
        "names": {name: numbers.of("Player", who) for name, who in revision.names.items()},
        "answer": {key: revision.answer[key] for key in CHIPS},
    }
    return said if isinstance(revision.record["variant"], str) else {**said, "document": None}


SAID: dict[type[Model], Callable[[Numbers, Any], Values]] = {
    Night: _night,
    Closing: _closing,
    Plan: _plan,
    Revision: _revision,
}


# --- when the season was settled ----------------------------------------------------------------


def _plans_after(season: Season) -> dict[UUID, UUID | None]:
    """Return after which closing of the season each of its plans was made that are of none.

    The journal says so; of what is older than the journal, the clock.
    """
    sealed = _sealed_plans(season)
    closings = Closing.objects.filter(night__season=season).order_by("sequence")
    closed = list(closings.values_list("pk", "made_at", "hash"))
    entries = JournalEntry.objects.filter(chain=season.league_id, kind=JournalEntry.Kind.CLOSED)
    places = dict(entries.values_list("hash", "sequence"))
    found: dict[UUID, UUID | None] = {}
    for key, made_at in season.plans.filter(closing=None).values_list("pk", "made_at"):
        place = sealed.get(str(key))
        before = [
            closing
            for closing, closed_at, its_hash in closed
            if (closed_at <= made_at if place is None else places.get(its_hash, 0) < place)
        ]
        found[key] = before[-1] if before else None
    return found


def _sealed_plans(season: Season) -> dict[str, int]:
    """Return the place in the journal of each plan that was sealed as it was made."""
    entries = JournalEntry.objects.filter(chain=season.league_id, kind=JournalEntry.Kind.PLANNED)
    return {
        key: sequence
        for sequence, rows in entries.values_list("sequence", "rows").iterator(BATCH)
        for table, key, *_ in rows
        if table == Plan._meta.db_table  # noqa: SLF001 (public)
    }


# --- what was done ------------------------------------------------------------------------------


def _postings(season: Season, numbers: Numbers) -> Iterator[str]:
    """Yield what was done of which the file tells, in the order in which it was done."""
    book = season.league.book_id
    rows = Posting.objects.filter(book=book).order_by("pk").values_list("pk", "key")
    for some in batched(rows.iterator(BATCH), BATCH):
        chips = _chips([pk for pk, _ in some])
        for pk, key in some:
            kind, of = _posting_kind(numbers, key)
            if of:
                number = numbers.give("Posting", pk)
                told = {"kind": kind, "of": of, "chips": CARRIED.get(kind, 0) * chips.get(pk, 0)}
                yield _line({"row": "Posting", "id": number, **told})


def _posting_kind(numbers: Numbers, key: str) -> tuple[str, int | None]:
    """Return what was done by the posting with this key, and to which row of the file."""
    prefix, _, pk = key.partition(":")
    for kind, posting_kind in POSTING_KINDS.items():
        if posting_kind.prefix == prefix and (of := numbers.of(posting_kind.of, pk)):
            return kind, of
    return "", None


# The chips that such a posting moved from drift to carry count, one way or the other.
CARRIED = {"hand": 1, "carry put right": -1}


def _chips(postings: list[int]) -> dict[int, int]:
    """Return the chips that these postings moved from drift to carry, less those back."""
    found: dict[int, int] = {}
    for sides, sign in ((("drift", "carry"), 1), (("carry", "drift"), -1)):
        debit, credit = sides
        rows = Transfer.objects.filter(posting__in=postings, debit__kind=debit, credit__kind=credit)
        for posting, amount in rows.values_list("posting", "amount"):
            found[posting] = found.get(posting, 0) + sign * amount
    return found


def _proofs(season: Season, numbers: Numbers) -> Iterator[str]:
    """Yield what was signed of the closings, for whoever checks the file by itself."""
    for closing, proof in proofs_of(Closing.objects.filter(night__season=season)):
        told = {"row": "Proof", "id": numbers.give("Proof", closing.pk)}
        yield _line(told | {"closing": numbers.of("Closing", closing.pk)} | asdict(proof))


def _line(told: Values) -> str:
    return json.dumps(told, default=_plain)


def _plain(value: object) -> str:
    return value.isoformat() if isinstance(value, date) else str(value)
