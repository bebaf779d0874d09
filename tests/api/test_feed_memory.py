"""Issue 6: NDJSON is streamed; its memory does not grow with its rows."""

import tracemalloc
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from league.models import Hand, HandFact, Night, Result, Revision
from league.recording import record_hand
from league.stats.counting import count_marked
from ledger.models import Posting
from tests.api.world import link_to
from tests.league.tables import a_night, holdem

pytestmark = pytest.mark.django_db

FEW, MANY = 2_000, 20_000
SLACK = 1_000_000  # bytes: of caches that fill, not of rows


def store(night: Night, results: int) -> None:
    """Store copies of one counted hand, two results each, by bulk inserts."""
    first = HandFact.objects.get(hand__night=night, number=1)
    source = Revision.objects.select_related("hand", "posting").get(pk=first.revision_id)
    players = list(first.results.order_by("position"))
    start = Hand.objects.filter(night=night).count()
    for begins in range(start, results // 2, 500):
        numbers = range(begins + 1, min(begins + 500, results // 2) + 1)
        hands = [_copy(source.hand, id=uuid4(), number=number) for number in numbers]
        Hand.objects.bulk_create(hands)
        postings = [_copy(source.posting, id=None, key=f"copy:{each.pk}") for each in hands]
        Posting.objects.bulk_create(postings)
        pairs = zip(hands, postings, strict=True)
        told = [_copy(source, id=hand.pk, hand=hand, posting=posting) for hand, posting in pairs]
        Revision.objects.bulk_create(told)
        facts = [
            _copy(first, id=None, hand=each.hand, revision=each, number=each.hand.number)
            for each in told
        ]
        HandFact.objects.bulk_create(facts)
        Result.objects.bulk_create(
            _copy(each, id=None, fact=fact) for fact in facts for each in players
        )


def _copy(row: Any, **changes: Any) -> Any:
    values = {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}
    for name in changes:
        values.pop(name, None), values.pop(f"{name}_id", None)
    return type(row)(**values, **changes)


def exported(at: str) -> tuple[int, int]:
    """How many rows came, and the most bytes that were held meanwhile."""
    answer = Client().get(at)
    tracemalloc.start()
    try:
        rows = sum(text.count(b"\n") for text in answer.streaming_content)  # type: ignore[union-attr]
        return rows, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.slow
@pytest.mark.parametrize("form", ["ndjson", "csv"])
def test_memory_does_not_grow_with_the_rows(form: str) -> None:
    night = a_night()
    record_hand(night, uuid4(), holdem(), by=None)
    count_marked(night.league.pk)
    at = f"/api/v1/leagues/{night.league.pk}/feeds/results.{form}?key={link_to(night.league)}"
    head = int(form == "csv")
    exported(at)
    store(night, FEW)
    rows, few = exported(at)
    assert rows == FEW + head
    store(night, MANY)
    rows, many = exported(at)
    assert rows == MANY + head
    assert many <= few + SLACK
