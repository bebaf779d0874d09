"""Account balances and statements.

A balance is credits less debits, in chips. The database computes it on each call, and it is never
stored. Each function runs one query.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import (
    BigIntegerField,
    Case,
    F,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
    Value,
    When,
    Window,
)
from django.db.models.expressions import CombinedExpression
from django.db.models.functions import Coalesce

from ledger.models import Account, Book, Transfer
from ledger.sql import fetch

_CHIPS_AT = """
    SELECT a.key,
        coalesce((SELECT sum(t.amount) FROM ledger_transfer t WHERE t.credit_id = a.id), 0)
        - coalesce((SELECT sum(t.amount) FROM ledger_transfer t WHERE t.debit_id = a.id), 0)
    FROM ledger_account a WHERE a.book_id = %s AND a.key IN %s"""


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a statement. `amount` is negative if chips left. `balance` is the one after it."""

    transfer: int
    posting: str
    made_at: datetime
    memo: str
    other: str
    amount: int
    balance: int


def balance(account: Account) -> int:
    return _balance_of(account, Transfer.objects.all())


def balance_at(account: Account, moment: datetime) -> int:
    """Return the account balance at `moment`, including postings made at exactly that time."""
    return _balance_of(account, Transfer.objects.filter(posting__made_at__lte=moment))


def balances(
    book: Book,
    *,
    kind: str | None = None,
    keys: Collection[str] | None = None,
    nonzero: bool = False,
) -> dict[str, int]:
    """Return balances by account key, optionally only of a kind, of some keys, or nonzero ones."""
    accounts = accounts_with_chips(book, kind=kind, keys=keys, nonzero=nonzero)
    rows = accounts.order_by("key").values_list("key", "chips")  # type: ignore[misc] # annotated
    return dict(rows)


def chips_at(book_id: UUID, keys: Sequence[str]) -> dict[str, int]:
    """Return balances by account key. This uses plain SQL because it runs for every hand."""
    return {key: int(chips) for key, chips in fetch(_CHIPS_AT, book_id, keys)}


def accounts_with_chips(
    book: Book,
    *,
    kind: str | None = None,
    keys: Collection[str] | None = None,
    nonzero: bool = False,
) -> QuerySet[Account]:
    """Return a queryset of accounts, each annotated with its balance as `chips`, for paging."""
    accounts = _chosen(book, kind, keys).annotate(chips=_balance(Transfer.objects.all()))
    if nonzero:
        return accounts.exclude(chips=0)
    return accounts


def total(book: Book, *, kind: str | None = None, keys: Collection[str] | None = None) -> int:
    """Return the sum of the balances. It is always zero for a whole book."""
    chips = (
        _chosen(book, kind, keys)
        .annotate(chips=_balance(Transfer.objects.all()))
        .aggregate(all=Sum("chips"))
    )
    return int(chips["all"] or 0)


def statement(account: Account, *, last: int | None = None) -> list[Entry]:
    """Return the entries of an account, oldest first. `last` limits them to the newest n."""
    is_credit = Q(credit=account)
    rows = (
        Transfer.objects.filter(Q(debit=account) | is_credit)
        .annotate(
            change=Case(When(is_credit, then=F("amount")), default=-F("amount")),
            other=Case(When(is_credit, then=F("debit__key")), default=F("credit__key")),
        )
        .annotate(after=Window(Sum("change"), order_by="id"))
        .order_by("-id")
        .values_list(
            "id", "posting__key", "posting__made_at", "posting__memo", "other", "change", "after"
        )
    )
    return [Entry(*row) for row in rows[:last]][::-1]


def _chosen(book: Book, kind: str | None, keys: Collection[str] | None) -> QuerySet[Account]:
    accounts = Account.objects.filter(book=book)
    if kind is not None:
        accounts = accounts.filter(kind=kind)
    if keys is not None:
        accounts = accounts.filter(key__in=keys)
    return accounts


def _balance_of(account: Account, transfers: QuerySet[Transfer]) -> int:
    row = Account.objects.filter(pk=account.pk).values_list(_balance(transfers))
    return int(row.get()[0])


def _balance(transfers: QuerySet[Transfer]) -> CombinedExpression:
    """Return credits less debits of the outer query's account. Both columns have an index."""
    return _sum(transfers, "credit") - _sum(transfers, "debit")


def _sum(transfers: QuerySet[Transfer], side: str) -> Coalesce:
    rows = transfers.filter(**{side: OuterRef("pk")}).order_by()
    chips = rows.values(side).annotate(chips=Sum("amount")).values("chips")
    return Coalesce(Subquery(chips), Value(0), output_field=BigIntegerField())
