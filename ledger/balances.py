"""What stands in the accounts: sums that the database makes afresh, and statements.

A balance is credits less debits, in chips; nothing is cached. Each call here is one query.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

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

from ledger.asked import ask
from ledger.models import Account, Book, Transfer

_CHIPS_AT = """
    SELECT a.key,
        coalesce((SELECT sum(t.amount) FROM ledger_transfer t WHERE t.credit_id = a.id), 0)
        - coalesce((SELECT sum(t.amount) FROM ledger_transfer t WHERE t.debit_id = a.id), 0)
    FROM ledger_account a WHERE a.book_id = %s AND a.key IN %s"""


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a statement: chips that came (or went, below zero), and the balance after it."""

    transfer: int
    posting: str
    made_at: datetime
    memo: str
    other: str
    amount: int
    balance: int


def balance(account: Account) -> int:
    """Chips in the account now."""
    return _only(account, Transfer.objects.all())


def balance_at(account: Account, moment: datetime) -> int:
    """Chips in the account by what was posted up to and at the moment."""
    return _only(account, Transfer.objects.filter(posting__made_at__lte=moment))


def balances(
    book: Book,
    *,
    kind: str | None = None,
    keys: Collection[str] | None = None,
    nonzero: bool = False,
) -> dict[str, int]:
    """Chips by account key: of the whole book, of a kind, of some keys, or where there are any."""
    accounts = accounts_with_chips(book, kind=kind, keys=keys, nonzero=nonzero)
    rows = accounts.order_by("key").values_list("key", "chips")  # type: ignore[misc] # annotated
    return dict(rows)


def ask_chips(book: Book, keys: Sequence[str]) -> Callable[[], dict[str, int]]:
    """Ask for chips by the keys of accounts, as `balances` has them; returns what waits for them.

    For what every hand asks: inside `pipelined` it is sent with all the rest.
    """
    asked = ask(_CHIPS_AT, book.pk, keys)
    return lambda: {key: int(chips) for key, chips in asked.rows()}


def accounts_with_chips(
    book: Book,
    *,
    kind: str | None = None,
    keys: Collection[str] | None = None,
    nonzero: bool = False,
) -> QuerySet[Account]:
    """The accounts themselves, each with its `chips`, for who reads them page by page."""
    accounts = _chosen(book, kind, keys).annotate(chips=_balance(Transfer.objects.all()))
    if nonzero:
        return accounts.exclude(chips=0)
    return accounts


def total(book: Book, *, kind: str | None = None, keys: Collection[str] | None = None) -> int:
    """Chips in the chosen accounts together; of a whole book it is always zero."""
    chips = (
        _chosen(book, kind, keys)
        .annotate(chips=_balance(Transfer.objects.all()))
        .aggregate(all=Sum("chips"))
    )
    return int(chips["all"] or 0)


def statement(account: Account, *, last: int | None = None) -> list[Entry]:
    """The entries of the account, oldest first, with running balances; `last` keeps the newest."""
    rows = (
        Transfer.objects.filter(Q(debit=account) | Q(credit=account))
        .annotate(change=_change(account), other=_other(account))
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


def _only(account: Account, transfers: QuerySet[Transfer]) -> int:
    row = Account.objects.filter(pk=account.pk).values_list(_balance(transfers))
    return int(row.get()[0])


def _balance(transfers: QuerySet[Transfer]) -> CombinedExpression:
    """Credits less debits of the outer query's account, each read from an index of its own."""
    return _sum(transfers, "credit") - _sum(transfers, "debit")


def _sum(transfers: QuerySet[Transfer], side: str) -> Coalesce:
    rows = transfers.filter(**{side: OuterRef("pk")}).order_by()
    chips = rows.values(side).annotate(chips=Sum("amount")).values("chips")
    return Coalesce(Subquery(chips), Value(0), output_field=BigIntegerField())


def _change(account: Account) -> Case:
    return Case(When(credit=account, then=F("amount")), default=-F("amount"))


def _other(account: Account) -> Case:
    return Case(When(credit=account, then=F("debit__key")), default=F("credit__key"))
