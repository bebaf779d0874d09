"""The single-process service on SQLite keeps its data if it is killed or the disk is full."""

import contextlib
import resource
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.faults.conftest import Home
from tests.faults.machines import free_port, kill_all, listens, until_the_end, wait_until
from tests.faults.table import a_fault, answered, finished, phones

pytestmark = pytest.mark.faults


@contextlib.contextmanager
def served(home: Home, port: int, *options: str) -> Iterator[psutil.Popen]:
    process = home.machine.start("manage.py", "serve", "--port", str(port), *options)
    with until_the_end(process):
        wait_until(lambda: listens(port), "the service")
        yield process


def test_acknowledged_hands_survive_a_killed_service(home: Home) -> None:
    port = free_port()
    with served(home, port, "--only-web") as first:
        recording = phones(home.leagues(3), port, hands=12, pause=0.02)
        wait_until(lambda: answered(recording) >= 12, "hands")
        a_fault()
        kill_all(first)
    with served(home, port, "--only-web"):
        home.check_hands(port, finished(recording))
    home.audited()


@pytest.mark.scheduled
def test_backup_taken_during_writes_is_consistent(home: Home, tmp_path: Path) -> None:
    port = free_port()
    with served(home, port, "--only-web"):
        recording = phones(home.leagues(2), port, hands=15, pause=0.2)
        wait_until(lambda: answered(recording) >= 4, "hands")
        before = answered(recording)
        copy = home.backed_up(tmp_path)
        home.check_hands(port, finished(recording))
    stored = len(home.rows("SELECT id FROM league_hand"))
    sent = sum(len(phone.hands) for phone in recording)
    assert stored - sent + before <= len(copy.rows("SELECT id FROM league_hand")) <= stored


@pytest.mark.scheduled
def test_killed_service_closes_nights_and_counts_their_stats_only_once(home: Home) -> None:
    port, due = free_port(), home.due(6)
    with served(home, port) as first:
        recording = phones(home.leagues(2), port, hands=10, pause=0.1)
        wait_until(lambda: home.still_open(due) < len(due), "a closing")
        a_fault()
        kill_all(first)
    home.leases_run_out()
    with served(home, port) as second:
        wait_until(home.marks, "something to count")
        a_fault()
        kill_all(second)
    home.leases_run_out()
    with served(home, port):
        home.check_hands(port, finished(recording))
        home.closed_once(due)
        home.counted_right()
    home.audited()


@pytest.mark.scheduled
def test_no_hand_is_accepted_on_a_full_disk_until_space_is_freed(home: Home) -> None:
    """A limit on file sizes makes writes fail as on a full disk."""
    port = free_port()
    with served(home, port, "--only-web") as process:
        recording = phones(home.leagues(3), port, hands=12, pause=0.02)
        wait_until(lambda: answered(recording) >= 6, "hands")
        a_fault()
        largest = (home.machine.folder / "league.sqlite3-wal").stat().st_size
        process.rlimit(resource.RLIMIT_FSIZE, (largest, resource.RLIM_INFINITY))
        wait_until(lambda: all(phone.refused for phone in recording), "refusals")
        before = len(home.rows("SELECT id FROM league_hand"))
        home.audited()
        said = [each for phone in recording for each in phone.refused]
        assert {(status, answer["status"]) for status, answer in said} == {(503, 503)}
        process.rlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        hands = finished(recording)
        assert len(home.rows("SELECT id FROM league_hand")) > before
        home.check_hands(port, hands)
    home.audited()
