"""The statistics are the same if messages are lost, repeated or late, or if workers die."""

from collections.abc import Sequence
from uuid import uuid4

import pytest

from league import tasks
from league.models import HandFact, League, PlayerTally, StaleMark
from league.recording.corrections import void_hand
from league.recording.record import record_hand
from league.stats import count, luck
from league.stats.night_sums import sum_nights
from tests.helpers.league.leagues import a_night, holdem
from tests.helpers.league.stats_rows import rows

pytestmark = pytest.mark.django_db


@pytest.fixture
def league() -> League:
    """Three uncounted hands, one of them voided."""
    night = a_night()
    hands = [record_hand(night, uuid4(), holdem(), by=None).hand for _ in range(3)]
    void_hand(hands[1], by=None)
    return night.league


def holds(league: League) -> bool:
    counted = rows(league)
    count.rebuild(league.pk)
    return counted == rows(league)


@pytest.mark.usefixtures("tasks_at_once")
def test_lost_message_is_recovered_and_a_duplicate_is_counted_once(
    league: League,
) -> None:
    assert count.leagues_behind() == [league.pk]  # the message for the first sweep is lost
    for _ in range(3):
        tasks.sweep_stats()
    assert count.leagues_behind() == []
    assert HandFact.objects.count() == 3
    assert luck.leagues_waiting() == [league.pk]
    for _ in range(2):
        tasks.sweep_luck()
    assert luck.leagues_waiting() == []
    assert holds(league)


def test_worker_that_dies_while_counting_leaves_its_marks(
    league: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(nights: Sequence[str]) -> None:
        sum_nights(nights)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(count, "sum_nights", die)  # by then, all rows have been written
        with pytest.raises(KeyboardInterrupt):
            count.count_marked(league.pk)
    assert StaleMark.objects.count() == 4
    assert not PlayerTally.objects.exists()
    count.count_marked(league.pk)
    assert holds(league)
