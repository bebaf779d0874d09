"""The ledger of a league: its accounts with their balances, and all transfers."""

from typing import Any
from uuid import UUID

import django_filters
from django.db.models import Q, QuerySet
from django.http import Http404
from django_filters.rest_framework.filterset import FilterSet
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.http import paging
from api.http.fields import OutputSerializer, RowSerializer
from api.http.filters import BooleanFilter, DateTimeFilter
from api.http.resource import ListResource, Resource
from api.openapi.schema import operation
from league.access import Action, find_league
from league.nights.accounts import KINDS
from ledger.balances import accounts_with_chips, statement
from ledger.models import LONGEST_KEY, Account, Transfer

LATEST = 200


class AccountSerializer(RowSerializer[Account]):
    """An account. `chips` is its balance, credits minus debits."""

    chips = serializers.IntegerField(read_only=True)

    class Meta:
        model = Account
        fields = ("key", "kind", "chips")


class AccountEntrySerializer(OutputSerializer):
    transfer = serializers.IntegerField()
    posting = serializers.CharField()
    posted_at = serializers.DateTimeField(source="made_at")
    memo = serializers.CharField()
    other = serializers.CharField(help_text="the account on the other side")
    chips = serializers.IntegerField(
        source="amount", help_text=("negative if chips left the account")
    )
    balance = serializers.IntegerField()


class AccountStatementSerializer(AccountSerializer):
    """An account with its latest entries, oldest first."""

    entries = serializers.SerializerMethodField()

    class Meta(AccountSerializer.Meta):
        fields = (*AccountSerializer.Meta.fields, "entries")  # type: ignore[assignment]

    @extend_schema_field(AccountEntrySerializer(many=True))
    def get_entries(self, account: Account) -> Any:
        return AccountEntrySerializer(statement(account, last=LATEST), many=True).data


class TransferSerializer(RowSerializer[Transfer]):
    """Chips that left the debit account and entered the credit account."""

    posting = serializers.CharField(source="posting.key", read_only=True)
    memo = serializers.CharField(source="posting.memo", read_only=True)
    posted_at = serializers.DateTimeField(source="posting.made_at", read_only=True)
    debit = serializers.CharField(source="debit.key", read_only=True)
    credit = serializers.CharField(source="credit.key", read_only=True)
    chips = serializers.IntegerField(source="amount", read_only=True)

    class Meta:
        model = Transfer
        fields = ("id", "posting", "memo", "posted_at", "debit", "credit", "chips", "reverses")


class AccountFilters(FilterSet):
    kind = django_filters.ChoiceFilter(choices=[(kind, kind) for kind in KINDS])
    nonzero = BooleanFilter(method="that_hold_chips")

    def that_hold_chips(self, rows: QuerySet[Account], name: str, value: Any) -> Any:
        return rows.exclude(chips=0) if value else rows  # type: ignore[misc] # annotated


class TransferFilters(FilterSet):
    account = django_filters.CharFilter(method="of_account", max_length=LONGEST_KEY)
    after = DateTimeFilter("posting__made_at", "gte")
    before = DateTimeFilter("posting__made_at", "lt")

    def of_account(self, rows: QuerySet[Transfer], name: str, value: str) -> Any:
        return rows.filter(Q(debit__key=value) | Q(credit__key=value))


class Accounts(ListResource[Account]):
    """The accounts in a league's book with their balances, which add up to zero."""

    operation_id = "list_accounts"
    serializer_class = AccountSerializer
    pagination_class = paging.Accounts
    filterset_class = AccountFilters
    queryset = Account.objects.none()
    allows_feed_link = True

    def get_queryset(self) -> QuerySet[Account]:
        league = find_league(self.visitor, Action.VIEW, self.kwargs["league_id"])
        return accounts_with_chips(league.book)


class AccountDetail(Resource):
    allows_feed_link = True

    @operation("get_account", "An account with its latest entries", AccountStatementSerializer)
    def get(self, request: Request, league_id: UUID, key: str) -> Response:
        league = find_league(self.visitor, Action.VIEW, league_id)
        known = "\0" not in key and len(key) <= LONGEST_KEY
        account = accounts_with_chips(league.book).filter(key=key).first() if known else None
        if account is None:
            raise Http404
        return Response(self.serialize(AccountStatementSerializer, account))


class Transfers(ListResource[Transfer]):
    """All transfers in a league's book, in posting order. Transfers never change."""

    operation_id = "list_transfers"
    serializer_class = TransferSerializer
    pagination_class = paging.Transfers
    filterset_class = TransferFilters
    queryset = Transfer.objects.none()
    allows_feed_link = True

    def get_queryset(self) -> QuerySet[Transfer]:
        league = find_league(self.visitor, Action.VIEW, self.kwargs["league_id"])
        rows = Transfer.objects.filter(book=league.book)
        return rows.select_related("posting", "debit", "credit")
