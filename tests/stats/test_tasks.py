"""Words to workers may be lost, doubled or late, and workers may die: the stats end the same."""

from typing import Any
from uuid import uuid4

import pytest

from league import tasks
from league.models import HandFact, League, PlayerTally, StaleMark
from league.recording import record_hand, void_hand
from league.stats import counting, rebuilding
from league.stats.writing import write
from tests.league.tables import a_night, holdem
from tests.stats.told import rows

pytestmark = pytest.mark.django_db


@pytest.fixture
def league() -> League:
    """Three hands, one of them taken back, that nobody has counted."""
    night = a_night()
    hands = [record_hand(night, uuid4(), holdem(), by=None).hand for _ in range(3)]
    void_hand(hands[1], by=None)
    return night.league


def holds(league: League) -> bool:
    counted = rows(league)
    rebuilding.rebuild(league.pk)
    return counted == rows(league)


def test_a_word_that_is_lost_is_sent_again_and_one_that_comes_twice_counts_once(
    league: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    words: list[str] = []
    for task in (tasks.count_hands, tasks.find_luck):
        monkeypatch.setattr(task, "delay", words.append)
    tasks.sweep_stats()  # this one is lost
    tasks.sweep_stats()
    assert words == [str(league.pk)] * 2
    for _ in range(3):
        tasks.count_hands(words[-1])
    words.clear()
    tasks.sweep_stats()
    assert words == []
    assert HandFact.objects.count() == 3
    tasks.sweep_luck()
    for _ in range(2):
        tasks.find_luck(words[0])
    assert holds(league)


def test_whoever_dies_while_counting_leaves_the_marks(
    league: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(*changes: Any, **more: Any) -> None:
        write(*changes, **more)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(counting, "write", die)  # all stands by then
        with pytest.raises(KeyboardInterrupt):
            tasks.count_hands(str(league.pk))
    assert StaleMark.objects.count() == 4
    assert not PlayerTally.objects.exists()
    tasks.count_hands(str(league.pk))
    assert holds(league)
