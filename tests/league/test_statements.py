"""Queries with compiled SQL return the same rows as the ORM."""

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.db.models import (
    BigIntegerField,
    BooleanField,
    CharField,
    DateTimeField,
    OuterRef,
    Subquery,
    UUIDField,
)
from django.test.utils import CaptureQueriesContext

from league.common.statements import AnyOf, Given, RowLookup, RowQuery, Statement, _compile
from league.models import Hand, Membership, Night, Player, Revision
from league.recording.record import record_hand
from ledger.models import Posting
from tests.helpers.league.leagues import a_night, holdem, player

pytestmark = pytest.mark.django_db

COLUMNS = ("id", "made_at", "voided", "number", "night__name")
HANDS = Hand.objects.filter(
    night=Given("night", UUIDField()),
    made_at__gt=Given("after", DateTimeField()),
    voided=Given("voided", BooleanField()),
).order_by("number")
STATEMENT = Statement(HANDS, *COLUMNS, limited=True)


def a_night_of(hands: int) -> Night:
    night = a_night()
    for _ in range(hands):
        record_hand(night, uuid4(), holdem(), by=None)
    return night


def test_statement_returns_the_same_values_as_the_orm() -> None:
    night = a_night_of(3)
    given: dict[str, Any] = {"after": night.started_at - timedelta(days=1), "voided": False}
    for _ in range(2):  # first with new SQL, then with cached SQL
        rows = STATEMENT.rows(night=night.pk, most=2, **given)
        assert rows == list(night.hands.order_by("number").values_list(*COLUMNS)[:2])
        assert [list(map(type, row)) for row in rows] == [
            list(map(type, row)) for row in night.hands.values_list(*COLUMNS)[:2]
        ]
    assert STATEMENT.rows(night=night.pk, most=2, **{**given, "voided": True}) == []
    assert STATEMENT.rows(night=uuid4(), most=2, **given) == []


def test_any_of_finds_rows_by_a_list_of_ids() -> None:
    a_night_of(2)
    ids = list(Posting.objects.order_by("pk").values_list("pk", flat=True))
    statement = Statement(Posting.objects.filter(AnyOf("id", "ids")).order_by("-pk"), "pk")
    for wanted in ([], ids[:1], ids[1:], ids):
        assert [key for (key,) in statement.rows(ids=wanted)] == wanted[::-1]


def test_string_is_passed_as_a_query_parameter() -> None:
    ann = player(a_night(), "ann")
    named = Statement(Player.objects.filter(name=Given("name", CharField())), "pk")
    for name in ("%s", "' OR 1 = 1 --", "ann"):
        Player.objects.filter(pk=ann.pk).update(name=name)
        assert named.rows(name=name) == [(ann.pk,)]
        assert named.rows(name=f"{name}x") == []


def test_missing_parameter_raises_an_error() -> None:
    lookup = Statement(Hand.objects.filter(number=Given("number", BigIntegerField())), "pk")
    with pytest.raises(KeyError):
        lookup.rows(other=1)


ROLES = Membership.objects.filter(
    league=OuterRef("season__league"), user=Given("user", BigIntegerField())
)
NIGHTS = Night.objects.select_related("season__league__book").annotate(
    role=Subquery(ROLES.values("role"))
)
LOOKUP = RowLookup(NIGHTS.filter(pk=Given("night", UUIDField())))


def columns_of(row: object) -> dict[str, object]:
    return {key: value for key, value in vars(row).items() if not key.startswith("_")}


def test_row_lookup_returns_all_columns_of_the_row_and_its_selected_rows() -> None:
    night = Night.objects.select_related("season__league__book").get(pk=a_night().pk)
    host = night.league.created_by
    assert host is not None
    with CaptureQueriesContext(connection) as queries:
        row = LOOKUP.first(night=night.pk, user=host.pk)
        assert row is not None
        for mine, theirs in ((row.season, night.season), (row.league, night.league)):
            assert columns_of(mine) == columns_of(theirs)
        assert row.league.book == night.league.book
    assert len(queries) == 1
    assert columns_of(row) == columns_of(night) | {"role": "host"}
    assert not row._state.adding


def test_row_lookup_uses_the_values_from_each_call() -> None:
    first, second = a_night(), a_night()
    for night in (first, second, first):
        row = LOOKUP.first(night=night.pk, user=None)
        assert row is not None
        assert (row.pk, vars(row)["role"]) == (night.pk, None)
    assert LOOKUP.first(night=uuid4(), user=None) is None


def test_missing_selected_row_is_none() -> None:
    """A player without a user has no user row."""
    lookup = RowLookup(Player.objects.select_related("user").filter(pk=Given("id", UUIDField())))
    player = Player.objects.filter(league=a_night().league, user=None).first()
    assert player is not None
    row = lookup.first(id=player.pk)
    assert row is not None
    assert row.user is None


def test_row_query_returns_all_rows_in_order_without_deferred_columns() -> None:
    night = a_night_of(3)
    rows = Revision.objects.select_related("hand", "document").order_by("-hand__number")
    query = RowQuery(
        rows.defer("document__document").filter(hand__night=Given("night", UUIDField()))
    )
    found = query.all(night=night.pk)
    assert list(map(columns_of, found)) == list(map(columns_of, rows))
    assert [row.hand for row in found] == [row.hand for row in rows]
    assert found[0].document.get_deferred_fields() == {"document"}
    assert query.all(night=uuid4()) == []


@pytest.fixture
def _frequent_switches() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("_frequent_switches")
def test_threads_that_compile_a_query_at_the_same_time_get_the_same_sql() -> None:
    """The first requests of a process do so. One got SQL without a table, and so did all later."""
    nights = Night.objects.select_related("season__league__book").filter(
        pk=Given("id", UUIDField()), season__league=Given("league", UUIDField())
    )
    start = Barrier(8)

    def compiled(_thread: int) -> set[str]:
        start.wait()
        return {_compile(nights).sql for _ in range(20)}

    with ThreadPoolExecutor(8) as threads:
        found = set().union(*threads.map(compiled, range(8)))
    assert found == {_compile(nights).sql}
