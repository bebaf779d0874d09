"""Write everything of a season into one file: people, nights, hands, books, payments."""

import json
from collections.abc import Iterator
from datetime import date
from typing import Any

from django.db.models import Model, Q, QuerySet
from django.utils.text import slugify

from league.models import (
    BuyIn,
    CashOut,
    Closing,
    Count,
    GameDocument,
    Hand,
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
from league.stats.season_file import FORMAT, MODELS, TERMS, columns, is_planned, posting_field
from ledger.models import Account, Posting, Transfer

BATCH = 500


def export_season(season: Season) -> Iterator[str]:
    """Yield the lines of the file, a JSON object each."""
    league = season.league
    terms = {name: getattr(league, name) for name in TERMS}
    yield _line(FORMAT | {"league": terms | {"name": league.name}})
    rows = _rows(season)
    for model in MODELS[:4]:
        yield from _of_model(model, rows[model])
    yield from _postings(season)
    for model in MODELS[4:]:
        yield from _of_model(model, rows[model])


def file_name(season: Season) -> str:
    """Return what the file is called."""
    return f"{slugify(f'{season.league.name} {season}') or 'season'}.jsonl"


def _rows(season: Season) -> dict[type[Model], QuerySet[Any]]:
    """Return what belongs to the season, by table."""
    of_night = {"night__season": season}
    of_plan = {"plan__season": season}
    return {
        Season: Season.objects.filter(pk=season.pk),
        Player: Player.objects.filter(league=season.league_id).order_by("name"),
        GameDocument: GameDocument.objects.filter(
            pk__in=Revision.objects.filter(hand__night__season=season).values("document")
        ).order_by("pk"),
        Night: Night.objects.filter(season=season).order_by("number"),
        Seat: Seat.objects.filter(**of_night).order_by("night__number", "pk"),
        Hand: Hand.objects.filter(**of_night).order_by("night__number", "number"),
        Revision: Revision.objects.filter(hand__night__season=season).order_by(
            "hand__night__number", "hand__number", "number"
        ),
        BuyIn: BuyIn.objects.filter(**of_night).order_by("made_at", "pk"),
        CashOut: CashOut.objects.filter(**of_night).order_by("made_at", "pk"),
        Count: Count.objects.filter(**of_night).order_by("night__number", "number"),
        Closing: Closing.objects.filter(**of_night).order_by("sequence"),
        Line: Line.objects.filter(closing__night__season=season).order_by(
            "closing__sequence", "pk"
        ),
        Plan: Plan.objects.filter(season=season).order_by("made_at", "pk"),
        PlannedPayment: PlannedPayment.objects.filter(**of_plan).order_by("plan", "position"),
        Payment: Payment.objects.filter(planned__plan__season=season).order_by("made_at", "pk"),
        PaymentStep: PaymentStep.objects.filter(payment__planned__plan__season=season).order_by(
            "payment", "number"
        ),
    }


def _of_model(model: type[Model], rows: QuerySet[Any]) -> Iterator[str]:
    fields, posting = columns(model), posting_field(model)
    related = [name for name in (posting, *(f.name for f in fields if is_planned(f))) if name]
    for row in rows.select_related(*related).iterator(BATCH) if related else rows.iterator(BATCH):
        told = {field.attname: getattr(row, field.attname) for field in fields}
        for field in fields:
            if is_planned(field):
                planned = getattr(row, field.name)
                told[field.attname] = [planned.plan_id, planned.position]
        if posting:
            found = getattr(row, posting)
            told[posting] = found and found.key
        yield _line({"row": model.__name__, **told})


def _postings(season: Season) -> Iterator[str]:
    """Yield the postings of the season in the order in which they were made."""
    rows = Posting.objects.filter(pk__in=_posting_ids(season)).order_by("pk")
    for posting in rows.select_related("reverses").iterator(BATCH):
        moved = posting.transfers.order_by("position").values_list(
            "debit__key", "debit__kind", "credit__key", "credit__kind", "amount"
        )
        yield _line(
            {
                "row": "Posting",
                "key": posting.key,
                "memo": posting.memo,
                "reverses": posting.reverses and posting.reverses.key,
                "moves": [] if posting.reverses_id else list(moved),
            }
        )


def _posting_ids(season: Season) -> set[int]:
    """Return what moved chips of the season's nights, what its rows name, and their reversals."""
    book = season.league.book_id
    accounts = Account.objects.filter(_of_nights(season), book=book)
    numbers = list(accounts.values_list("pk", flat=True))
    found: set[int] = set()
    for at in range(0, len(numbers), BATCH):
        some = numbers[at : at + BATCH]
        touched = Transfer.objects.filter(Q(debit__in=some) | Q(credit__in=some))
        found.update(touched.values_list("posting", flat=True))
    for model, rows in _rows(season).items():
        if name := posting_field(model):
            found.update(key for key in rows.values_list(name, flat=True) if key)
    back = Posting.objects.filter(book=book, reverses__isnull=False)
    found.update(pk for pk, reverses in back.values_list("pk", "reverses") if reverses in found)
    return found


def _of_nights(season: Season) -> Q:
    wanted = Q(pk__in=[])
    for night in season.nights.values_list("pk", flat=True):
        wanted |= Q(key__startswith=f"stack:{night}:") | Q(
            key__in=[f"carry:{night}", f"drift:{night}"]
        )
    return wanted


def _line(told: dict[str, Any]) -> str:
    return json.dumps(told, default=_plain)


def _plain(value: object) -> str:
    return value.isoformat() if isinstance(value, date) else str(value)
