"""NDJSON is streamed, so memory does not grow with the number of rows.

bench/feeds.py exports 500,000 rows. A few pages are enough here to detect buffering.
"""

import tracemalloc
from uuid import uuid4

import pytest
from django.test import Client

from api.feeds.row_feed import AT_ONCE
from bench import feeds as bench
from league.models import HandFact
from league.recording.record import record_hand
from league.stats.count import count_marked
from tests.helpers.api.sample_league import link_to
from tests.helpers.league.leagues import a_night, holdem

FEW, MANY = 2 * AT_ONCE + 1, 5 * AT_ONCE  # hands with two results each
SLACK = 500_000  # number of bytes that caches may grow by: a third of the size of the rows


def exported(at: str) -> tuple[int, int]:
    """Return the number of rows and the peak memory allocated during an export, in bytes."""
    tracemalloc.start()
    try:
        answer = Client().get(at)
        rows = sum(text.count(b"\n") for text in answer)
        return rows, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.slow
@pytest.mark.django_db
def test_memory_does_not_grow_with_the_number_of_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    # so that both exports are longer than this
    monkeypatch.setattr("api.feeds.exports.MOST_HELD", 2**17)
    night = a_night()
    record_hand(night, uuid4(), holdem(), by=None)
    count_marked(night.league.pk)
    at = f"/api/v1/leagues/{night.league.pk}/feeds/results.%s?key={link_to(night.league)}"
    forms = {"ndjson": 0, "csv": 1}  # each format, with its number of header lines
    for form in forms:
        exported(at % form)
    bench.copy(HandFact, FEW)
    few = {}
    for form, head in forms.items():
        rows, few[form] = exported(at % form)
        assert rows == 2 * FEW + head
    bench.copy(HandFact, MANY, after=FEW)
    for form, head in forms.items():
        rows, many = exported(at % form)
        assert rows == 2 * MANY + head
        assert many <= few[form] + SLACK
