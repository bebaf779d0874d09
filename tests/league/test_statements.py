"""A query whose SQL is made once reads what the ORM would have read."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.db.models import BigIntegerField, BooleanField, CharField, DateTimeField, UUIDField
from django.test.utils import CaptureQueriesContext

from league.common.statements import AnyOf, Given, Statement
from league.models import Hand, Night, Player
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


def test_its_values_become_what_the_orm_would_have_made_of_them() -> None:
    night = a_night_of(3)
    given: dict[str, Any] = {"after": night.started_at - timedelta(days=1), "voided": False}
    for _ in range(2):  # as it is made, and as it is known
        found = STATEMENT.rows(night=night.pk, most=2, **given)
        assert found == list(night.hands.order_by("number").values_list(*COLUMNS)[:2])
        assert [list(map(type, row)) for row in found] == [
            list(map(type, row)) for row in night.hands.values_list(*COLUMNS)[:2]
        ]
    assert STATEMENT.rows(night=night.pk, most=2, **{**given, "voided": True}) == []
    assert STATEMENT.rows(night=uuid4(), most=2, **given) == []


def test_it_is_one_query_that_the_counters_of_queries_see() -> None:
    night = a_night_of(1)
    with CaptureQueriesContext(connection) as seen:
        STATEMENT.rows(night=night.pk, most=1, after=night.started_at, voided=False)
    assert len(seen) == 1


def test_rows_are_found_among_many_whole_numbers() -> None:
    a_night_of(2)
    ids = list(Posting.objects.order_by("pk").values_list("pk", flat=True))
    some = Statement(Posting.objects.filter(AnyOf("id", "ids")).order_by("-pk"), "pk")
    for wanted in ([], ids[:1], ids[1:], ids):
        assert [key for (key,) in some.rows(ids=wanted)] == wanted[::-1]


def test_a_text_is_a_value_whatever_it_says() -> None:
    ann = player(a_night(), "ann")
    named = Statement(Player.objects.filter(name=Given("name", CharField())), "pk")
    for name in ("%s", "' OR 1 = 1 --", "ann"):
        Player.objects.filter(pk=ann.pk).update(name=name)
        assert named.rows(name=name) == [(ann.pk,)]
        assert named.rows(name=f"{name}x") == []


def test_a_missing_value_is_an_error() -> None:
    lookup = Statement(Hand.objects.filter(number=Given("number", BigIntegerField())), "pk")
    with pytest.raises(KeyError):
        lookup.rows(other=1)
