"""A rebuild runs while hands are recorded and counted. Other workers wait for one step only."""

import importlib
from uuid import uuid4

import pytest
from django.apps import apps
from django.db import connection

from league.games import documents
from league.models import HandFact, Night, StaleMark
from league.nights.buy_ins import buy_in
from league.nights.opening import open_night
from league.recording.corrections import revise_hand
from league.recording.record import record_hand
from league.stats import count, luck
from ledger.sql import execute
from rules.documents import catalog
from tests.helpers.league.histories import history
from tests.helpers.league.house_games import a_house_game, crossed
from tests.helpers.league.leagues import a_night, holdem, qualifiers
from tests.helpers.league.stats_rows import count_all, rows

pytestmark = pytest.mark.django_db


@pytest.fixture
def night(monkeypatch: pytest.MonkeyPatch) -> Night:
    """The first of two nights. A rebuild counts each night's hands in one step."""
    monkeypatch.setattr(count, "AT_ONCE", 1)
    night = a_night()
    record_hand(night, uuid4(), holdem(), by=None)
    other = open_night(night.league, players=night.league.players.all())
    for player in night.league.players.all():
        buy_in(other, player, 100, buy_in_id=uuid4(), by=None)
    record_hand(other, uuid4(), holdem(), by=None)
    return night


def test_hands_can_be_recorded_corrected_and_counted_during_a_rebuild(night: Night) -> None:
    league = night.league
    hands = [night.hands.get()]

    def deal(done: int, whole: int) -> None:
        """After each step, correct a hand that was already recounted and record another one."""
        hands.append(record_hand(night, uuid4(), qualifiers(), by=None).hand)
        revise_hand(hands[0], uuid4(), holdem(button=done % 2), by=None)
        if done == 1:
            assert count.count_marked(league.pk)
            luck.find_luck(league.pk, deals=10)

    assert count.rebuild(league.pk, deal) == 2
    assert StaleMark.objects.filter(league=league).exists()
    count_all(league)
    counted = rows(league)
    count.rebuild(league.pk)
    assert rows(league) == counted
    assert HandFact.objects.count() == 4


def test_rebuild_fixes_facts_and_totals_and_keeps_the_ids_of_correct_facts(night: Night) -> None:
    league = night.league
    count_all(league)
    right, ids = rows(league), set(HandFact.objects.values_list("pk", flat=True))
    execute("UPDATE league_seattally SET net = net + 1")
    count.rebuild(league.pk)
    assert rows(league) == right
    assert set(HandFact.objects.values_list("pk", flat=True)) == ids
    execute("UPDATE league_result SET net = net + 1")
    count.rebuild(league.pk)
    assert rows(league) == right
    assert not ids & set(HandFact.objects.values_list("pk", flat=True))


def test_interrupted_rebuild_leaves_every_night_counted(night: Night) -> None:
    league = night.league
    count_all(league)
    right = rows(league)

    def stop(done: int, whole: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        count.rebuild(league.pk, stop)
    assert rows(league) == right


def test_migration_marks_all_hands_for_recounting(night: Night) -> None:
    """The migration creates the tables of totals again.

    They are empty until workers have counted the hands.
    """
    league = night.league
    count_all(league)
    right = rows(league)
    execute("DELETE FROM league_nighttally")
    migration = importlib.import_module("league.migrations.0029_sums_of_nights")
    migration.mark_hands(apps, connection.schema_editor())
    assert StaleMark.objects.filter(league=league).count() == 2
    count_all(league)
    assert rows(league) == right


def test_house_game_hands_are_counted_by_their_documents(night: Night) -> None:
    """Hands with actions are replayed to the end under their own document."""
    game = a_house_game(night)
    own = {**catalog.document("no-limit-holdem"), "name": "Ours"}
    record_hand(night, uuid4(), crossed(f"{game.slug}"), by=None)
    record_hand(night, uuid4(), history(variant=own), by=None)
    count_all(night.league)
    counted = rows(night.league)
    documents._KNOWN.clear()
    assert count.rebuild(night.league.pk) == 4
    assert rows(night.league) == counted
    assert set(HandFact.objects.values_list("game", flat=True)) >= {"Ours", game.slug}
