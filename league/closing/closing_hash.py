"""Seal a closed night: add a journal entry that covers all rows that the night depends on."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from league.journal import entries
from league.journal.sealed_rows import TABLES
from league.models import (
    BuyIn,
    CashOut,
    Charge,
    ChargeShare,
    Closing,
    ClosingLine,
    ConflictingRecord,
    GameDocument,
    JournalEntry,
    League,
    PaymentPlan,
    PaymentReplacement,
    PlannedPayment,
    Player,
    Revision,
    Seat,
)
from ledger.models import Posting


def last_hash(league: League) -> tuple[int, str]:
    """Return the sequence number and hash of the league's last closing, or 0 and ""."""
    rows = Closing.objects.filter(league=league).order_by("-sequence")
    return rows.values_list("sequence", "hash").first() or (0, "")


def seal(closing: Closing) -> None:
    """Seal all rows that the night's receipt, or a dispute about the night, can depend on.

    The lines and the plan must be stored first.
    """
    night = closing.night
    dealt = Revision.objects.filter(hand__night=night).values_list("document", flat=True)
    second = ConflictingRecord.objects.filter(night=night).values_list("document", flat=True)
    before = Closing.objects.filter(league=closing.league, sequence=closing.sequence - 1).first()
    posted = Posting.objects.filter(book=closing.league.book_id, pk__lte=closing.posting_id)
    rows: list[QuerySet[Any]] = [
        *(table.rows.filter(**{table.night: night.pk}) for table in TABLES if table.night),
        GameDocument.objects.filter(pk__in={*dealt, *second}),
        Player.with_box.filter(pk__in=_players_of_night(closing)),
        Closing.objects.filter(pk=closing.pk),
        ClosingLine.objects.filter(closing=closing),
        *_rows_of_plans(PaymentPlan.objects.filter(closing=closing)),
        posted.filter(pk__gt=before.posting_id if before else 0),
    ]
    entry = entries.append(closing.league, entries.Kind.CLOSED, *rows)
    closing.hash = entry.hash
    closing.save(update_fields=["hash"])


def _players_of_night(closing: Closing) -> set[UUID]:
    """Return the players who had a seat, handled cash or were included in a charge."""
    night = closing.night
    players = {*closing.lines.values_list("player", flat=True)}
    players |= {*Seat.objects.filter(night=night).values_list("player", flat=True)}
    for model, column in ((BuyIn, "banker"), (CashOut, "banker"), (Charge, "keeper")):
        handled = model._default_manager.filter(night=night)  # noqa: SLF001
        players |= {*handled.exclude(**{column: None}).values_list(column, flat=True)}
    shares = ChargeShare.objects.filter(charge__night=night)
    return players | {*shares.values_list("player", flat=True)}


def seal_plan(plan: PaymentPlan) -> None:
    """Seal a plan without a closing, with its payments and the payments that it replaces."""
    rows = _rows_of_plans(PaymentPlan.objects.filter(pk=plan.pk))
    entries.append(plan.season.league_id, entries.Kind.PLANNED, *rows)


def hash_of(closing: Closing) -> str:
    """Return the expected hash of the closing, or "" if the journal has no entry for it."""
    entry = JournalEntry.objects.filter(pk=closing.hash, chain=closing.league_id).first()
    mine = [Closing._meta.db_table, str(closing.pk)]  # noqa: SLF001 (public)
    named = entry and any(row[:2] == mine for row in entry.rows)
    return entries.hash_of(entry) if entry and named else ""


def _rows_of_plans(plans: "QuerySet[PaymentPlan]") -> Iterator["QuerySet[Any]"]:
    payments = PlannedPayment.objects.filter(plan__in=plans)
    replaced = PaymentReplacement.objects.filter(plan__in=plans)
    people = {player for pair in payments.values_list("payer", "payee") for player in pair}
    yield plans
    yield payments
    yield replaced
    yield Player.with_box.filter(pk__in=people)
