"""Nights close at their league's local time."""

from datetime import UTC, datetime

import pytest
import time_machine

from league.common.errors import RefusedError
from league.jobs.closing_jobs import next_closing
from league.models import ClosingJob, League, Night
from league.nights.opening import open_night
from league.options import Options, choose
from tests.helpers.league.leagues import a_league


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("zone", "hour", "after", "due"),
    [
        ("UTC", 6, "2026-03-05 20:00", "2026-03-06 06:00"),
        ("UTC", 6, "2026-03-06 05:59", "2026-03-06 06:00"),
        ("UTC", 6, "2026-03-06 06:00", "2026-03-07 06:00"),
        # 20:00 in Sydney is morning in UTC, so the local hour counts.
        ("Australia/Sydney", 6, "2026-01-10 09:00", "2026-01-10 19:00"),
        # Winter and summer in New York: the same local hour, a different hour in UTC.
        ("America/New_York", 6, "2026-03-07 02:00", "2026-03-07 11:00"),
        ("America/New_York", 6, "2026-03-08 02:00", "2026-03-08 10:00"),
        # Clocks skip from 02:00 to 03:00. A skipped hour means the time of the change.
        ("America/New_York", 2, "2026-03-08 02:00", "2026-03-08 07:00"),
        ("America/New_York", 2, "2026-03-08 07:00", "2026-03-09 06:00"),
        # 01:00 occurs twice, but only the first one counts.
        ("America/New_York", 1, "2026-11-01 02:00", "2026-11-01 05:00"),
        ("America/New_York", 1, "2026-11-01 05:00", "2026-11-02 06:00"),
        ("Europe/Berlin", 3, "2026-10-25 00:00", "2026-10-25 02:00"),
        # On Lord Howe Island, clocks change by half an hour.
        ("Australia/Lord_Howe", 2, "2026-10-03 10:00", "2026-10-03 15:30"),
        # 30 December 2011 was skipped in Samoa.
        ("Pacific/Apia", 6, "2011-12-30 02:00", "2011-12-30 16:00"),
        ("Asia/Kathmandu", 6, "2026-05-01 00:00", "2026-05-01 00:15"),
    ],
)
def test_night_closes_at_the_leagues_local_closing_hour(
    zone: str, hour: int, after: str, due: str
) -> None:
    league = League(time_zone=zone, closing_hour=hour)
    assert next_closing(league, at(after)) == at(due)


@pytest.mark.django_db
def test_night_is_scheduled_to_close_when_it_is_opened() -> None:
    with time_machine.travel(at("2026-03-05 20:00"), tick=False):
        night = open_night(a_league())
    assert ClosingJob.objects.get(night=night).due_at == at("2026-03-06 06:00")


@pytest.mark.django_db
def test_backdated_night_stays_open_until_the_next_closing_hour() -> None:
    with time_machine.travel(at("2026-03-09 12:00"), tick=False):
        night = open_night(a_league(), started_at=at("2026-03-05 20:00"))
    assert ClosingJob.objects.get(night=night).due_at == at("2026-03-10 06:00")


@pytest.mark.django_db
def test_changing_the_closing_hour_reschedules_open_nights() -> None:
    league = a_league()
    night = open_night(league)
    before = ClosingJob.objects.get(night=night).due_at
    choose(league, Options(closing_hour=(before.hour + 1) % 24))
    assert ClosingJob.objects.get(night=night).due_at.hour == (before.hour + 1) % 24


@pytest.mark.django_db
def test_all_errors_in_settings_are_reported_together() -> None:
    wrong = Options(closing_hour=24, settles="never", uncounted="", leftover="gone")
    with pytest.raises(RefusedError) as refused:
        choose(a_league(), wrong)
    assert [each["where"] for each in refused.value.errors] == [
        "closing_hour",
        "settles",
        "uncounted",
        "leftover",
    ]
    assert Night.objects.count() == 0
