"""A row for each transfer of the league's book; none is ever changed."""

from typing import Any

import django_filters
from django.db.models import Exists, OuterRef, Q, QuerySet
from django_filters.rest_framework.filterset import FilterSet

from api.feeds.columns import Column, Kind, sources
from api.feeds.row_feed import Feed, FeedQuery, Page, first_ids
from api.feeds.versions import Columns, posted_at
from api.http.filters import DateTimeFilter
from ledger.models import LONGEST_KEY, Posting, Transfer


def _touching(account: str) -> Q:
    return Q(debit__key=account) | Q(credit__key=account)


class PostingRows(FilterSet):
    """Of postings; `after` and `before` are times at which they were made."""

    account = django_filters.CharFilter(method="of_account", max_length=LONGEST_KEY)
    after = DateTimeFilter("made_at", "gte")
    before = DateTimeFilter("made_at", "lt")

    class Meta:
        model = Posting
        fields = ()

    def of_account(self, rows: QuerySet[Posting], name: str, value: Any) -> QuerySet[Posting]:
        moves = Transfer.objects.filter(_touching(value), posting=OuterRef("pk"))
        return rows.filter(Exists(moves))


class Transfers(Feed):
    """The cursor is that of the posting: its transfers stand or fall together."""

    name = "transfers"
    row = "TransferRow"
    summary = "Every transfer of the league's book, in the order posted"
    columns = (
        Column("cursor", Kind.INTEGER, "posting_id", note="of the posting"),
        Column("transfer", Kind.INTEGER, "pk"),
        Column("posting", Kind.TEXT, "posting__key"),
        Column("memo", Kind.TEXT, "posting__memo"),
        Column("made_at", Kind.TIME, "posting__made_at"),
        Column("debit", Kind.TEXT, "debit__key", note="the account that chips left"),
        Column("debit_kind", Kind.TEXT, "debit__kind"),
        Column("credit", Kind.TEXT, "credit__key", note="the account that chips entered"),
        Column("credit_kind", Kind.TEXT, "credit__kind"),
        Column("amount", Kind.INTEGER),
        Column("reverses", Kind.INTEGER, "reverses_id", empty=True, note="the transfer taken back"),
    )
    filters = PostingRows

    def version(self, at: str) -> Columns:
        return posted_at(at)

    def page(self, query: FeedQuery, after: int, most: int) -> Page:
        heads = query.filters.filter_queryset(Posting.objects.filter(book=query.league.book_id))
        postings, more = first_ids(heads, after, most)
        rows = Transfer.objects.filter(posting__in=postings).order_by("posting", "position")
        if account := query.filters.form.cleaned_data["account"]:
            rows = rows.filter(_touching(account))
        found = list(rows.values_list(*sources(query.columns)))
        return Page(found, postings[-1] if postings else None, more)
