"""A worker imports large files. If it dies, another one continues."""

from collections.abc import Callable
from datetime import timedelta
from html import unescape
from re import search
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.utils import timezone

from league.common import row_limits
from league.common.errors import RefusedError
from league.imports import jobs
from league.imports.contents import LARGEST_FILES, ImportOptions
from league.integrity.audit import audit
from league.models import Hand, ImportJob, League, Night, Role
from league.pages.imports import CARRIED
from tests.helpers.api.clients import member
from tests.helpers.league.hand_files import hand, on
from tests.helpers.league.leagues import a_league, a_user
from tests.helpers.league.leases import let_leases_run_out
from tests.helpers.league.pages import html
from tests.helpers.rules.large_files import poker_now_log, poker_stars_text
from tests.helpers.security.measured import peak_memory, reset_peak_memory
from tests.helpers.stages import sample

pytestmark = pytest.mark.django_db(transaction=True)

NIGHTS = "\n".join(f"[{day}]\n{hand(at=on(day))}" for day in range(1, 7))
FILES = {"log.csv": poker_now_log, "hands.txt": poker_stars_text}


class WorkerDiedError(BaseException):
    pass


def a_job(league: League, text: str = NIGHTS, **options: Any) -> ImportJob:
    chosen = ImportOptions(add_players=True, **options)
    return jobs.start_import(league, "may.phhs", text, chosen, by=a_user())


def record(job: ImportJob) -> None:
    jobs.restart(job, ImportOptions(**job.options), records=True)


def die_at_night(number: int) -> Callable[..., Any]:
    """Return a statement wrapper that kills the worker after `number` recorded nights."""
    done = 0

    def execute(run: Callable[..., Any], sql: str, params: Any, many: Any, context: Any) -> Any:
        nonlocal done
        if sql.startswith('UPDATE "league_importjob"') and '"hands_done"' in sql:
            done += 1
            if done > number + 1:  # the first update only stores the number of hands
                raise WorkerDiedError
        return run(sql, params, many, context)

    return execute


def test_number_of_waiting_files_per_league_is_limited() -> None:
    """docs/threats.md limits a league to 5 large files waiting for a worker."""
    league = a_league()
    waiting = [a_job(league) for _ in range(row_limits.IMPORTS.most)]
    with pytest.raises(RefusedError, match="5 large files"):
        a_job(league)
    assert ImportJob.objects.count() == len(waiting)
    assert jobs.run_next(league.pk)
    a_job(league)


def test_new_file_replaces_the_oldest_preview() -> None:
    league = a_league()
    first, *others = (a_job(league) for _ in range(jobs.MOST_PREVIEWS))
    for _ in range(jobs.MOST_PREVIEWS):
        assert jobs.run_next(league.pk)
    new = a_job(league)
    assert {*ImportJob.objects.values_list("pk", flat=True)} == {
        new.pk,
        *(job.pk for job in others),
    }
    assert not ImportJob.objects.filter(pk=first.pk).exists()


def test_preview_made_by_a_worker_records_nothing() -> None:
    league = a_league()
    job = a_job(league)
    assert jobs.run_next(league.pk)
    job.refresh_from_db()
    assert (job.hands, job.hands_done) == (6, 6)
    assert job.summary["recorded"] == 6
    assert job.done_at is not None
    assert not Hand.objects.exists()
    assert not jobs.run_next(league.pk)


def test_import_interrupted_by_a_dead_worker_is_continued_by_another() -> None:
    league = a_league()
    job = a_job(league, close=True)
    jobs.run_next(league.pk)
    record(job)
    with connection.execute_wrapper(die_at_night(2)), pytest.raises(WorkerDiedError):
        jobs.run_next(league.pk)
    assert Hand.objects.count() == 3
    assert not jobs.run_next(league.pk)  # the dead worker's lease has not expired
    let_leases_run_out()
    assert jobs.run_next(league.pk)
    job.refresh_from_db()
    assert (job.hands, job.hands_done) == (6, 6)
    assert (job.summary["recorded"], job.summary["known"]) == (6, 0)
    assert job.content == b""
    assert Hand.objects.count() == 6
    assert audit(league) == []


def test_page_shows_how_many_hands_have_been_recorded() -> None:
    league = a_league()
    job = a_job(league)
    address = f"/leagues/{league.pk}/imports/{job.pk}"
    host = member(league, Role.HOST)
    assert "Reading the file" in html(host.get(address))
    jobs.run_next(league.pk)
    record(job)
    with connection.execute_wrapper(die_at_night(2)), pytest.raises(WorkerDiedError):
        jobs.run_next(league.pk)
    page = html(host.get(address))
    assert "Importing" in page
    assert 'max="6"' in page
    assert 'value="2"' in page
    assert "2 of 6" in page


def test_import_that_failed_three_times_can_be_restarted() -> None:
    league = a_league()
    job = a_job(league)
    host = member(league, Role.HOST)
    for _ in range(3):
        with connection.execute_wrapper(die_at_night(-1)), pytest.raises(WorkerDiedError):
            jobs.run_next(league.pk)
        let_leases_run_out()
    assert jobs.run_next(league.pk)
    address = f"/leagues/{league.pk}/imports/{job.pk}"
    assert "The preview stopped because of an error. Nothing was imported." in html(
        host.get(address)
    )
    # the names in the file are not known, so Ann could be one of them
    sent = {"add_players": "on", "close": "on", "bears": "Ann"}
    assert host.post(address, sent).status_code == 302
    jobs.run_next(league.pk)
    assert "Preview" in html(host.get(address))


def test_recorded_import_does_not_start_again() -> None:
    league = a_league()
    job = a_job(league)
    record(job)
    jobs.run_next(league.pk)
    record(job)
    assert not jobs.run_next(league.pk)
    assert Hand.objects.count() == 6


def test_jobs_are_deleted_after_a_day() -> None:
    league = a_league()
    job = a_job(league)
    jobs.delete_old()
    assert ImportJob.objects.exists()
    ImportJob.objects.filter(pk=job.pk).update(made_at=timezone.now() - timedelta(days=2))
    jobs.delete_old()
    assert not ImportJob.objects.exists()


def upload(host: Client, league: League, name: str, text: str) -> str:
    """Upload a file on the page, have a worker record it, and return the result page."""
    options = {"add_players": "on"}
    file = SimpleUploadedFile(name, text.encode())
    answer = host.post(f"/leagues/{league.pk}/import", options | {"file": file})
    address = answer.headers["Location"]
    jobs.run_next(league.pk)
    assert host.get(address, headers={"HX-Request": "true"}).headers["HX-Refresh"] == "true"
    preview = html(host.get(address))
    assert "Preview" in preview
    seen = search(r'name="seen" value="([\d.]+)"', preview)
    assert seen is not None
    options |= {"record": "1", "chip": seen[1], "seen": seen[1]}
    assert host.post(address, options).status_code == 302
    jobs.run_next(league.pk)
    return unescape(html(host.get(address)))


@pytest.mark.parametrize("name", sample(FILES, 1))
def test_file_that_is_too_large_for_the_page_is_recorded_by_a_worker(name: str) -> None:
    league = a_league()
    text, hands = FILES[name](CARRIED + 20_000)
    page = upload(member(league, Role.HOST), league, name, text)
    assert "Imported" in page
    assert Hand.objects.count() == hands
    assert f"{hands} hands" in page
    assert Night.objects.exists()


@pytest.mark.scheduled
@pytest.mark.parametrize("name", FILES)
def test_largest_file_is_imported_with_limited_memory(name: str) -> None:
    """In memory, 20 MB of text with suit symbols take 40 MB. The rest is compressed."""
    league = a_league()
    text, hands = FILES[name](LARGEST_FILES)
    options = ImportOptions(add_players=True, amounts="units" if name == "log.csv" else "")
    job = jobs.start_import(league, name, text, options, by=a_user())
    del text
    record(job)
    before = reset_peak_memory()
    assert jobs.run_next(league.pk)
    assert peak_memory() - before < 160_000_000
    assert Hand.objects.count() == hands
