"""`manage.py stats`, `manage.py season` and the demo of a season."""

from io import StringIO
from pathlib import Path
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command

from league.closing.payments import unpaid
from league.integrity.audit import audit
from league.models import Hand, HandFact, League, Night, Revision
from league.people.leagues import make_league
from league.recording.record import record_hand
from ledger.balances import balances
from tests.helpers.league.books import total
from tests.helpers.league.leagues import a_night, a_user, holdem

pytestmark = pytest.mark.django_db


def run(*arguments: str) -> str:
    out = StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


def test_stats_rebuild_counts_every_league() -> None:
    night = a_night()
    record_hand(night, uuid4(), holdem(), by=None)
    assert "Tuesday: 1 hands counted" in run("stats", "rebuild")
    assert run("stats", "rebuild", "--league", str(night.league.pk))
    assert HandFact.objects.count() == 1


def test_stats_rebuild_refuses_an_unknown_league() -> None:
    with pytest.raises(CommandError):
        run("stats", "rebuild", "--league", str(uuid4()))


def test_season_survives_export_and_import_with_the_command(tmp_path: Path) -> None:
    night = a_night()
    record_hand(night, uuid4(), holdem(), by=None)
    file = tmp_path / "season.jsonl"
    run("season", "export", str(night.season_id), str(file))
    empty = make_league(a_user(), "Empty")
    run("season", "import", str(empty.pk), str(file))
    assert sorted(balances(empty.book).values()) == sorted(balances(night.league.book).values())
    with pytest.raises(CommandError):
        run("season", "import", str(empty.pk), str(file))


def test_demo_with_many_players_is_a_season_with_correct_books() -> None:
    output = run("demo", "--hands", "200", "--players", "9")
    assert "200 hands were dealt" in output
    league = League.objects.get()
    assert Hand.objects.count() == 200 == HandFact.objects.count()
    assert league.players.count() == 9
    assert {each.depth for each in Revision.objects.all()} == {"showdown", "result"}
    assert total(league.book) == 0
    assert audit(league) == []
    # every night has been closed and paid
    assert set(Night.objects.values_list("state", flat=True)) == {Night.State.CLOSED}
    assert not unpaid().exists()
    assert set(balances(league.book).values()) == {0}
