"""Audits that verify the ledger's rules from its rows.

They also find errors that the triggers can't prevent: a transfer inserted into an old posting
(`altered`), and a reversal that omits a transfer (`half_reversals`). Each audit returns a list of
findings. `book` limits an audit to one book.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any, TypeAlias, TypeVar
from uuid import UUID

from django.db import connection
from django.db.models import Count, F, Model, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from ledger import guards
from ledger.models import MOST_CHIPS, Book, Posting, Transfer
from ledger.posting import digest

_Row = TypeVar("_Row", bound=Model)
# A posting's id, digest, book, key and reversed key, then a transfer's debit, credit and amount.
_Line: TypeAlias = tuple[int, str, UUID, str, str | None, str, str, int | None]


@dataclass(frozen=True, slots=True)
class Finding:
    """A broken rule. `code` names the rule, and `ids` are the rows that break it."""

    code: str
    text: str
    ids: tuple[str, ...] = ()


def audit(book: Book | None = None) -> list[Finding]:
    return [*audit_rows(book), *unguarded()]


def audit_rows(book: Book | None = None) -> list[Finding]:
    """Run all audits of rows. `audit` also looks for missing database triggers."""
    return [
        *unbalanced(book),
        *in_other_books(book),
        *impossible(book),
        *wrong_mirrors(book),
        *half_reversals(book),
        *altered(book),
    ]


def unbalanced(book: Book | None = None) -> list[Finding]:
    """Find books whose accounts do not sum to zero.

    A transfer adds the amount that it subtracts, so only transfers between two books can cause
    this.
    """
    books = _in_book(Book.objects.all(), book, "pk")
    entered = dict(_sums(books, "accounts__credits__amount"))
    left = dict(_sums(books, "accounts__debits__amount"))
    return [
        Finding("unbalanced", f"the accounts of book {pk} sum to {chips - left[pk]}", (str(pk),))
        for pk, chips in entered.items()
        if chips != left[pk]
    ]


def in_other_books(book: Book | None = None) -> list[Finding]:
    """Find transfers whose posting or accounts belong to a different book."""
    rows = _in_book(Transfer.objects.all(), book).exclude(
        posting__book=F("book"), debit__book=F("book"), credit__book=F("book")
    )
    return _findings(
        rows, "in-other-books", "the posting or an account of the transfer is in another book"
    )


def impossible(book: Book | None = None) -> list[Finding]:
    """Find transfers with an invalid amount, or with the same account on both sides."""
    rows = _in_book(Transfer.objects.all(), book).filter(
        Q(amount__lt=1) | Q(amount__gt=MOST_CHIPS) | Q(debit=F("credit"))
    )
    return _findings(
        rows, "impossible", "the transfer has an invalid amount or the same account on both sides"
    )


def wrong_mirrors(book: Book | None = None) -> list[Finding]:
    """Find reversing transfers that do not mirror the transfer that they reference."""
    rows = _in_book(Transfer.objects.filter(reverses__isnull=False), book).exclude(
        debit=F("reverses__credit"),
        credit=F("reverses__debit"),
        amount=F("reverses__amount"),
        posting__reverses=F("reverses__posting"),
    )
    return _findings(rows, "crooked-mirror", "the transfer does not mirror the one it reverses")


def half_reversals(book: Book | None = None) -> list[Finding]:
    """Find reversals that omit or add a transfer, cross books or reverse a reversal."""
    reversals = _in_book(Posting.objects.filter(reverses__isnull=False), book).annotate(
        transfers_made=_count("pk", "pk"),
        with_original=_count("pk", "reverses"),
        expected=_count("reverses", "pk"),
    )
    rows = reversals.exclude(
        transfers_made=F("expected"),
        with_original=F("expected"),
        reverses__book=F("book"),
        reverses__reverses=None,
    )
    return _findings(rows, "half-reversal", "the posting does not exactly reverse another one")


def altered(book: Book | None = None) -> list[Finding]:
    """Find postings whose transfers do not match their digest.

    Rows are streamed, so memory use stays low.
    """
    lines: Iterator[_Line] = (
        _in_book(Posting.objects.all(), book)
        .order_by("pk")
        .values_list(
            "pk",
            "digest",
            "book",
            "key",
            "reverses__key",
            "transfers__debit__key",
            "transfers__credit__key",
            "transfers__amount",
        )
        .iterator()
    )
    findings = []
    for pk, group in groupby(lines, itemgetter(0)):
        rows = tuple(group)
        _, expected, book_id, key, reverses, *_ = rows[0]
        transfers = [
            (debit, credit, amount) for *_, debit, credit, amount in rows if amount is not None
        ]
        if digest(book_id, key, transfers, reverses) != expected:
            text = f"the transfers of posting {pk} do not match its digest"
            findings.append(Finding("altered", text, (str(pk),)))
    return findings


def unguarded() -> list[Finding]:
    """Find triggers of any app that are absent, altered or disabled."""
    return [
        Finding("unguarded", f"the database lacks the trigger {name}", (name,))
        for app_guards in guards.REGISTERED
        for name in guards.missing(connection, app_guards)
    ]


def _in_book(rows: QuerySet[_Row], book: Book | None, field: str = "book") -> QuerySet[_Row]:
    return rows.filter(**{field: book.pk}) if book else rows


def _findings(rows: QuerySet[Any], code: str, text: str) -> list[Finding]:
    keys = rows.order_by("pk").values_list("pk", flat=True)
    return [Finding(code, f"{text}: {key}", (str(key),)) for key in keys]


def _sums(books: QuerySet[Book], amounts: str) -> QuerySet[Book, tuple[UUID, int]]:
    return books.order_by().values_list("pk").annotate(chips=Coalesce(Sum(amounts), 0))


def _count(posting: str, counted: str) -> Coalesce:
    """Count the non-null values of `counted` among the transfers of the outer query's `posting`."""
    rows = Transfer.objects.filter(posting=OuterRef(posting)).order_by().values("posting")
    return Coalesce(Subquery(rows.annotate(number=Count(counted)).values("number")), 0)
