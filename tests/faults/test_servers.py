"""If a web process, worker, scheduler, PostgreSQL or Redis fails, nothing is lost or repeated.

To kill a process in the middle of its work, the tests first lock the table that it writes next.
"""

import contextlib
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import psycopg
import pytest

from tests.faults.conftest import Servers
from tests.faults.machines import children, kill_all, until_the_end, wait_until
from tests.faults.table import Phone, a_fault, answered, finished, phones, twins_of
from tests.faults.world import NAMES
from tests.helpers.league.push_service import push_service
from tests.helpers.league.receiver import receiver

pytestmark = pytest.mark.faults
DAY = 86_400
WAITS = "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = '{}'::regclass"


@contextlib.contextmanager
def held_before(house: Servers, table: str) -> Iterator[None]:
    """Lock the table, which stops a process before it writes to it and commits."""
    with psycopg.connect(house.machine.variables["DATABASE_URL"]) as connection:
        connection.execute(f"LOCK TABLE {table} IN SHARE MODE")
        yield
        connection.rollback()


def somebody_waits(house: Servers, table: str) -> None:
    wait_until(lambda: house.rows(WAITS.format(table)), f"a writer of {table}")


def recorded(recording: list[Phone], hands: int) -> None:
    wait_until(lambda: answered(recording) >= hands, f"{hands} hands")


def test_acknowledged_hands_survive_a_killed_web_worker(house: Servers) -> None:
    web, chance = house.web, Random(1)
    recording = phones(house.leagues(4), web.port, hands=15, pause=0.05)
    for number in (10, 25, 40):
        recorded(recording, number)
        a_fault()
        chance.choice(web.workers).kill()
    house.check_hands(web.port, finished(recording))
    house.audited()


@pytest.mark.scheduled
def test_backup_of_the_servers_during_writes_is_consistent(house: Servers, tmp_path: Path) -> None:
    web = house.web
    recording = phones(house.leagues(2), web.port, hands=15, pause=0.2)
    recorded(recording, 4)
    before = answered(recording)
    copy = house.backed_up(tmp_path)
    house.check_hands(web.port, finished(recording))
    stored = len(house.rows("SELECT id FROM league_hand"))
    sent = sum(len(phone.hands) for phone in recording)
    assert stored - sent + before <= len(copy.rows("SELECT id FROM league_hand")) <= stored


def test_web_worker_killed_before_the_last_row_leaves_no_partial_hand(
    house: Servers,
) -> None:
    web, leagues = house.web, house.leagues(3)
    with held_before(house, "league_stalemark"):
        recording = phones(leagues, web.port, hands=2)
        somebody_waits(house, "league_stalemark")
        a_fault()
        for worker in web.workers:
            worker.kill()
    house.check_hands(web.port, finished(recording))
    house.audited()


def test_night_closes_once_if_a_workers_child_process_is_killed(house: Servers) -> None:
    """The chips are posted but not committed.

    The task is rejected, and the next attempt closes the night.
    """
    worker, _, due = house.worker, house.beat, house.due(2)
    with held_before(house, "league_closing"):
        somebody_waits(house, "league_closing")
        a_fault()
        for child in children(worker):
            child.kill()
    house.closed_once(due)
    house.audited()


def test_night_closes_once_if_the_worker_is_killed(house: Servers) -> None:
    """The task is not rejected, but delivered again when its visibility timeout expires."""
    worker, _, due = house.worker, house.beat, house.due(2)
    with held_before(house, "league_closing"):
        somebody_waits(house, "league_closing")
        a_fault()
        kill_all(worker)
    assert house.still_open(due) == len(due)
    assert house.worker
    house.closed_once(due)
    house.audited()


def test_stats_are_counted_once_if_the_worker_is_killed(house: Servers) -> None:
    worker, _, web, leagues = house.worker, house.beat, house.web, house.leagues(2)
    with held_before(house, "league_playertally"):
        hands = finished(phones(leagues, web.port, hands=5))
        somebody_waits(house, "league_playertally")
        a_fault()
        kill_all(worker)
    assert house.marks()
    assert house.worker
    house.check_hands(web.port, hands)
    house.counted_right()
    house.audited()


def test_each_notification_is_shown_once_if_the_worker_is_killed(house: Servers) -> None:
    """A message may be sent again under its topic, which replaces the first one on the phone."""
    with push_service() as service:
        service.answers.clear()
        worker, _, due = house.worker, house.beat, house.past(2)
        house.machine.run("listen", str(service.port), *(league["night"] for league in due))
        house.make_due(due)
        wait_until(lambda: service.came, "a notice")
        a_fault()
        kill_all(worker)
        service.answers.set()
        assert house.worker
        house.closed_once(due)
        query = "SELECT p.notice_id, p.done_at, p.outcome FROM league_push p"
        waiting = f"{query} WHERE p.done_at IS NULL"
        wait_until(lambda: house.stands() and not house.rows(waiting), "the notices")
        pushes = house.rows(query)
    shown = {(path, headers["topic"]) for path, headers, _ in service.came}
    assert {outcome for _, _, outcome in pushes} == {"delivered"}
    assert len(shown) == len(pushes) == len({notice for notice, *_ in pushes}) >= 2 * len(NAMES)
    assert len(service.came) > len(shown)
    house.audited()


def test_chat_message_is_sent_once_if_the_worker_is_killed(house: Servers) -> None:
    """A chat message that may have been sent is not sent again, because it cannot be withdrawn."""
    with receiver() as service:
        service.status = 200
        service.answers.clear()
        worker, _, due = house.worker, house.beat, house.past(1)
        house.machine.run("chat", str(service.port), due[0]["night"])
        wait_until(lambda: service.came, "a word")
        a_fault()
        kill_all(worker)
        service.answers.set()
        assert house.worker
        house.closed_once(house.make_due(due))
        posts = "SELECT p.outcome FROM league_chatpost p"
        query = f"{posts} WHERE p.done_at IS {{}} ORDER BY p.made_at, p.id"
        wait_until(lambda: house.stands() and not house.rows(query.format("NULL")), "the recap")
        assert house.rows(query.format("NOT NULL")) == [("unsure",), ("delivered",)]
    assert len(service.came) == 2
    house.audited()


def test_no_job_is_lost_if_the_scheduler_is_killed_and_restarted(house: Servers) -> None:
    beat, worker, due = house.beat, house.worker, house.due(3)
    wait_until(lambda: house.still_open(due) < len(due), "a closing")
    a_fault()
    kill_all(beat)
    due += house.due(1)
    assert house.beat != beat
    house.closed_once(due)
    assert worker.is_running()
    house.audited()


def test_no_work_is_lost_if_redis_is_killed_and_flushed(house: Servers) -> None:
    assert house.store
    web, _, _, due = house.web, house.worker, house.beat, house.due(3)
    recording = phones(house.leagues(3), web.port, hands=15, pause=0.1)
    recorded(recording, 10)
    a_fault()
    house.store.crash()
    recorded(recording, 25)  # while Redis is down
    house.store.start()
    a_fault()
    house.store.flush()
    hands = finished(recording)
    house.check_hands(web.port, hands)
    assert sum(hand.tries for hand in hands) == 2 * len(hands)
    house.leases_run_out()
    house.closed_once(due)
    house.counted_right()
    house.audited()


def test_acknowledged_hands_survive_a_crash_of_postgresql_under_load(house: Servers) -> None:
    assert house.cluster
    web, _, _, due = house.web, house.worker, house.beat, house.due(3)
    recording = phones(house.leagues(3), web.port, hands=15, pause=0.1)
    for number in (10, 25):
        recorded(recording, number)
        a_fault()
        house.cluster.crash()
        time.sleep(0.5)
        house.cluster.start()
    hands = finished(recording)
    refusals_are_clear(recording)
    house.check_hands(web.port, hands)
    house.leases_run_out()
    house.closed_once(due)
    house.counted_right()
    house.audited()


def refusals_are_clear(recording: list[Phone]) -> None:
    """Check that requests rejected during the fault got a problem document that asks to retry."""
    said = [each for phone in recording for each in phone.refused]
    assert {(status, answer.get("status")) for status, answer in said} <= {(503, 503)}


@pytest.mark.scheduled
def test_no_work_is_lost_or_repeated_with_jumping_clocks_and_duplicate_processes(
    house: Servers, tmp_path: Path
) -> None:
    """Two processes of each kind run, one of them with a changing, wrong clock.

    The same hands are sent to both web processes at the same time. Both schedulers and both workers
    process the nights.
    """
    clock = tmp_path / "clock"
    clock.write_text("0")
    moved = {"CLOCK_FILE": str(clock), "LD_PRELOAD": str(built_clock(tmp_path))}
    web, _, _ = house.web, house.worker, house.beat
    other, machine = house.machine.web(**moved), house.machine
    with until_the_end(other.process, machine.worker(**moved), machine.beat(**moved)):
        other.wait()
        due = house.due(4)
        recording = phones(house.leagues(3), web.port, other.port, hands=15, pause=0.1)
        twins = twins_of(recording, other.port, web.port)
        for number, days in enumerate((2, -300, 300), start=1):
            recorded(recording, 10 * number)
            a_fault()
            clock.write_text(str(days * DAY))
        hands, same = finished(recording), finished(twins)
        house.check_hands(web.port, hands)
        house.check_hands(other.port, same)
        house.leases_run_out()
        house.closed_once(due)
        house.counted_right()
    house.audited()


def built_clock(folder: Path) -> Path:
    built, source = folder / "clock.so", Path(__file__).parent / "clock.c"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", built, source, "-ldl"], check=True)
    return built
