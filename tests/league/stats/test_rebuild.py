"""A rebuild goes on beside the table: it keeps nobody waiting and loses no hand."""

from datetime import timedelta
from uuid import UUID, uuid4

import pytest
import time_machine
from django.utils import timezone

from league.closing.open import open_night
from league.games import documents
from league.models import HandFact, Night, StaleMark, StatsState
from league.nights.nights import buy_in
from league.recording.corrections import revise_hand
from league.recording.record import record_hand
from league.stats.update import count, luck, rebuild
from rules.documents import catalog
from tests.helpers.league.histories import history
from tests.helpers.league.house_games import a_house_game, crossed
from tests.helpers.league.leagues import a_night, holdem, qualifiers
from tests.helpers.league.stats_rows import count_all, rows

pytestmark = pytest.mark.django_db


@pytest.fixture
def night(monkeypatch: pytest.MonkeyPatch) -> Night:
    """The first of two nights, each of which is a step of its own."""
    monkeypatch.setattr(rebuild, "BATCH", 1)
    night = a_night()
    record_hand(night, uuid4(), holdem(), by=None)
    other = open_night(night.league, players=night.league.players.all())
    for player in night.league.players.all():
        buy_in(other, player, 100, buy_in_id=uuid4(), by=None)
    record_hand(other, uuid4(), holdem(), by=None)
    return night


def test_what_is_recorded_and_corrected_during_a_rebuild_is_counted_after_it(night: Night) -> None:
    league = night.league
    hands = [night.hands.get()]

    def deal(done: int, whole: int) -> None:
        """Correct a hand that has been told anew, and record one, after each step."""
        hands.append(record_hand(night, uuid4(), qualifiers(), by=None).hand)
        revise_hand(hands[0], uuid4(), holdem(button=done % 2), by=None)
        assert count.count_marked(league.pk) == 0  # they wait
        assert luck.find_luck(league.pk, deals=10) >= 0
        with pytest.raises(rebuild.RebuildRunningError):
            rebuild.rebuild(league.pk)

    assert rebuild.rebuild(league.pk, deal) in (2, 3)  # as the nights are told
    assert StaleMark.objects.filter(league=league).exists()
    count_all(league)
    counted = rows(league)
    rebuild.rebuild(league.pk)
    assert rows(league) == counted
    assert HandFact.objects.count() == 4


def test_hands_of_the_house_s_own_games_are_told_with_their_documents(night: Night) -> None:
    """Those with actions are played to their end, whichever documents nobody knows by name."""
    game = a_house_game(night)
    own = {**catalog.document("no-limit-holdem"), "name": "Ours"}
    record_hand(night, uuid4(), crossed(f"{game.slug}"), by=None)
    record_hand(night, uuid4(), history(variant=own), by=None)
    count_all(night.league)
    counted = rows(night.league)
    documents._KNOWN.clear()
    assert rebuild.rebuild(night.league.pk) == 4
    assert rows(night.league) == counted
    assert set(HandFact.objects.values_list("game", flat=True)) >= {"Ours", game.slug}


def test_a_rebuild_that_was_killed_is_done_again_when_its_lease_runs_out(night: Night) -> None:
    league = night.league
    rebuild.rebuild(league.pk)
    right = rows(league)

    def die(done: int, whole: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        rebuild.rebuild(league.pk, die)
    assert rebuild.unfinished() == [league.pk]
    assert rebuild.finish(league.pk)
    assert rebuild.unfinished() == []
    assert rows(league) == right
    assert not rebuild.finish(league.pk)  # the word came twice


def test_whoever_lost_the_lease_changes_nothing_any_more(night: Night) -> None:
    league = night.league

    def lose(done: int, whole: int) -> None:
        _lease(league.pk, uuid4())

    with pytest.raises(rebuild.RebuildRunningError):
        rebuild.rebuild(league.pk, lose)
    state = StatsState.objects.get(pk=league.pk)
    assert state.rebuilt_at is None
    assert state.rebuilding_until
    assert state.rebuilding_until > timezone.now()


@pytest.mark.parametrize("days", [-400, 400])
def test_a_clock_that_is_wrong_takes_no_lease_from_whoever_rebuilds(
    night: Night, days: int
) -> None:
    """Seen with two workers of which one's clock had jumped: the command had lost its lease."""
    league, seen = night.league, []

    def look(done: int, whole: int) -> None:
        with time_machine.travel(timezone.now() + timedelta(days=days)):
            seen.append(rebuild.unfinished())
            with pytest.raises(rebuild.RebuildRunningError):
                rebuild.rebuild(league.pk)

    rebuild.rebuild(league.pk, look)
    assert seen == [[], []]
    with time_machine.travel(timezone.now() + timedelta(days=days)):
        rebuild.rebuild(league.pk)


def _lease(league: UUID, lease: UUID) -> None:
    until = timezone.now() + timedelta(minutes=1)
    StatsState.objects.filter(pk=league).update(rebuilder=lease, rebuilding_until=until)
