"""One row per transfer in the league's book. Transfers never change."""

from functools import lru_cache
from typing import Any

import django_filters
from django.db.models import CharField, Exists, OuterRef, Q, QuerySet, UUIDField
from django_filters.rest_framework.filterset import FilterSet

from api.feeds.columns import EXAMPLES, Column, Kind, sources
from api.feeds.row_feed import (
    MOST_STATEMENTS,
    Feed,
    FeedQuery,
    Page,
    first_rows,
    rows_after,
)
from api.feeds.versions import posted_with_names
from api.http.filters import DateTimeFilter
from league.common.statements import AnyOf, Given, Statement
from league.nights.accounts import names_of_accounts
from ledger.models import LONGEST_KEY, Posting, Transfer

IN_WORDS = frozenset({"debit_name", "credit_name"})


def _uses_account(account: str | Given) -> Q:
    return Q(debit__key=account) | Q(credit__key=account)


class PostingRows(FilterSet):
    """Filters for postings. `after` and `before` refer to when the postings were made."""

    account = django_filters.CharFilter(method="of_account", max_length=LONGEST_KEY)
    after = DateTimeFilter("made_at", "gte")
    before = DateTimeFilter("made_at", "lt")

    class Meta:
        model = Posting
        fields = ()

    def of_account(self, rows: QuerySet[Posting], name: str, value: Any) -> QuerySet[Posting]:
        moves = Transfer.objects.filter(_uses_account(value), posting=OuterRef("pk"))
        return rows.filter(Exists(moves))


class Transfers(Feed):
    """All transfers. Transfers in the same posting share a cursor and are reversed together."""

    name = "transfers"
    row = "TransferRow"
    summary = "All transfers of the league's ledger, in the order posted"
    columns = (
        Column(
            "cursor",
            Kind.INTEGER,
            "posting_id",
            note="cursor of the posting; its transfers are on one page",
            unit="cursor",
            example=812,
        ),
        Column(
            "transfer", Kind.INTEGER, "pk", note="id of the transfer", unit="number", example=3120
        ),
        Column(
            "posting",
            Kind.TEXT,
            "posting__key",
            note="key of the posting",
            example=f"hand:{EXAMPLES[Kind.ID]}",
        ),
        Column("memo", Kind.TEXT, "posting__memo", note="memo of the posting", example="hand 12"),
        Column("posted_at", Kind.TIME, "posting__made_at", note="when it was posted, in UTC"),
        Column(
            "debit",
            Kind.TEXT,
            "debit__key",
            note="the key of the account that chips left",
            example=f"tab:{EXAMPLES[Kind.ID]}",
        ),
        Column(
            "debit_kind",
            Kind.TEXT,
            "debit__kind",
            note="tab, stack, pot, carry, drift, fund or keeper",
            example="tab",
        ),
        Column(
            "debit_name", Kind.TEXT, "debit__key", note="name of that account", example="Ann's tab"
        ),
        Column(
            "credit",
            Kind.TEXT,
            "credit__key",
            note="the key of the account that chips entered",
            example=f"pot:{EXAMPLES[Kind.ID]}",
        ),
        Column(
            "credit_kind",
            Kind.TEXT,
            "credit__kind",
            note="tab, stack, pot, carry, drift, fund or keeper",
            example="pot",
        ),
        Column(
            "credit_name",
            Kind.TEXT,
            "credit__key",
            note="name of that account",
            example="the pot of hand 12, night 3 of Spring 2026",
        ),
        Column("chips", Kind.INTEGER, "amount", note="chips transferred", unit="chips", example=30),
        Column(
            "reverses",
            Kind.INTEGER,
            "reverses_id",
            empty=True,
            note="the reversed transfer",
            unit="number",
            example=3119,
        ),
    )
    filters = PostingRows
    counts = "Postings"
    version = posted_with_names()

    def page(self, query: FeedQuery, after: int, most: int) -> Page:
        statement = _postings(query.filters)
        keys, more = first_rows(statement, query, after, most, book=query.league.book_id)
        postings = [key for (key,) in keys]
        account = query.values.get("account")
        transfers = _transfers(query.columns, of_account=account is not None)
        rows = transfers.rows(postings=postings, account=account)
        in_words = [at for at, each in enumerate(query.columns) if each.name in IN_WORDS]
        if in_words:  # replace the keys of accounts with their names
            names = names_of_accounts(query.league, {row[at] for row in rows for at in in_words})
            rows = [
                tuple(names[cell] if at in in_words else cell for at, cell in enumerate(row))
                for row in rows
            ]
        return Page(rows, postings[-1] if postings else None, more)


@lru_cache(maxsize=MOST_STATEMENTS)
def _postings(filters: frozenset[str]) -> Statement:
    rows = Posting.objects.filter(book=Given("book", UUIDField()))
    return Statement(rows_after(rows, PostingRows, filters), "pk", limited=True)


@lru_cache(maxsize=MOST_STATEMENTS)
def _transfers(columns: tuple[Column, ...], *, of_account: bool) -> Statement:
    """Return the query for the transfers in postings, for all accounts or for one."""
    rows = Transfer.objects.filter(AnyOf("posting_id", "postings")).order_by("posting", "position")
    if of_account:
        rows = rows.filter(_uses_account(Given("account", CharField())))
    return Statement(rows, *sources(columns))
