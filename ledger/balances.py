"""Account balances and statements.

A balance is credits minus debits, in chips. It is computed on each call and never stored.
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
from django.db.models.functions import Coalesce

from ledger.models import Account, Book, Transfer
from ledger.sql import query_by_keys

# Plain SQL for speed, because balances are read with every hand.
_BALANCES = """
    SELECT a.key,
        coalesce((SELECT sum(t.amount) FROM ledger_transfer t WHERE t.credit_id = a.id), 0)
        - coalesce((SELECT sum(t.amount) FROM ledger_transfer t WHERE t.debit_id = a.id), 0)
    FROM ledger_account a WHERE a.book_id = %s"""


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a statement. `amount` is negative if chips left. `balance` is the new balance."""

    transfer: int
    posting: str
    made_at: datetime
    memo: str
    other: str
    amount: int
    balance: int


def balances(
    book: Book,
    *,
    kind: str | None = None,
    keys: Collection[str] | None = None,
    nonzero: bool = False,
) -> dict[str, int]:
    """Return balances, keyed by account key.

    `kind`, `keys` and `nonzero` limit the result. Keys without an account are omitted.
    """
    sql = _BALANCES
    values: list[UUID | str | Sequence[str]] = [book.pk]
    if kind is not None:
        sql += " AND a.kind = %s"
        values.append(kind)
    if keys is not None:
        sql += " AND a.key IN %s"
        values.append(tuple(keys))
    rows = query_by_keys(f"{sql} ORDER BY a.key", *values)
    return {key: int(chips) for key, chips in rows if chips or not nonzero}


def accounts_with_chips(book: Book) -> QuerySet[Account]:
    """Return the accounts, each annotated with its balance as `chips`, for filtering and paging."""
    return Account.objects.filter(book=book).annotate(chips=_sum("credit") - _sum("debit"))


def statement(account: Account, *, last: int | None = None) -> list[Entry]:
    """Return the entries of an account, oldest first. `last` limits them to the newest entries."""
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


def _sum(side: str) -> Coalesce:
    """Return the chips on one side of the outer query's account. Both columns have an index."""
    rows = Transfer.objects.filter(**{side: OuterRef("pk")}).order_by()
    chips = rows.values(side).annotate(chips=Sum("amount")).values("chips")
    return Coalesce(Subquery(chips), Value(0), output_field=BigIntegerField())
