"""A series such as "every second Thursday at 20:00" keeps its league's local time."""

from datetime import UTC, date, datetime, time, timedelta
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
import time_machine
from hypothesis import assume, given
from hypothesis import strategies as st

from league import tasks
from league.common import row_limits
from league.common.errors import IdReusedError, RefusedError
from league.models import League, PlannedNight
from league.planned_nights.answers import answer_for
from league.planned_nights.planning import Details, cancel, upcoming
from league.planned_nights.series import (
    Rhythm,
    end_series,
    make_series,
    next_days,
    plan_ahead,
    start_time,
)
from tests.helpers.league.leagues import a_league

ZONES = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Sao_Paulo", "UTC"]
NOW = datetime(2026, 3, 10, 12, tzinfo=UTC)  # a Tuesday; clocks in Berlin change on the 29th
THURSDAY = date(2026, 3, 12)


def a_series(league: League, **said: object) -> None:
    told = {"starts_on": THURSDAY, "at": time(20), "every_weeks": 2, **said}
    make_series(league, uuid4(), Rhythm(**told), Details(seats=8), by=None)  # type: ignore[arg-type]


def in_berlin() -> League:
    league = a_league()
    league.time_zone = "Europe/Berlin"
    league.save()
    return league


@given(
    zone=st.sampled_from(ZONES).map(ZoneInfo),
    at=st.times().map(lambda each: each.replace(second=0, microsecond=0, fold=0)),
    first=st.dates(date(2020, 1, 1), date(2035, 1, 1)),
    weeks=st.integers(1, 8),
    hours=st.integers(0, 130_000),
)
def test_series_keeps_its_local_time_and_weekday(
    zone: ZoneInfo, at: time, first: date, weeks: int, hours: int
) -> None:
    """PEP 495: an existing local time survives a conversion to UTC and back."""
    rhythm = Rhythm(starts_on=first, at=at, every_weeks=weeks)
    now = datetime(2020, 1, 1, tzinfo=UTC) + timedelta(hours=hours)
    days = next_days(rhythm, zone, now)
    for day in days:
        local = start_time(day, at, zone).astimezone(zone)
        shown = datetime.combine(day, at, zone)
        assume(shown.utcoffset() == shown.replace(fold=1).utcoffset())  # skipped or repeated hour
        assert (local.date(), local.time()) == (day, at)
        assert local.weekday() == first.weekday()
        assert (day - first) % timedelta(weeks=weeks) == timedelta()
    assert days == sorted(set(days))


@pytest.mark.parametrize(
    ("day", "at", "utc"),
    [
        (date(2026, 3, 29), time(2, 30), "2026-03-29T01:30:00+00:00"),  # skipped hour
        (date(2026, 10, 25), time(2, 30), "2026-10-25T00:30:00+00:00"),  # repeated hour
    ],
)
def test_skipped_or_repeated_local_time_becomes_one_point_in_time(
    day: date, at: time, utc: str
) -> None:
    assert start_time(day, at, ZoneInfo("Europe/Berlin")).isoformat() == utc


@pytest.mark.django_db
@time_machine.travel(NOW, tick=False)
def test_next_four_nights_are_planned_across_a_clock_change() -> None:
    league = in_berlin()
    a_series(league)
    told = [each.starts_at.isoformat() for each in upcoming(league)]
    assert told == [
        "2026-03-12T19:00:00+00:00",
        "2026-03-26T19:00:00+00:00",
        "2026-04-09T18:00:00+00:00",
        "2026-04-23T18:00:00+00:00",
    ]


@pytest.mark.django_db
def test_planning_again_creates_no_duplicates_and_no_cancelled_nights() -> None:
    with time_machine.travel(NOW, tick=False) as clock:
        league = in_berlin()
        a_series(league)
        tasks.plan_nights()
        assert upcoming(league).count() == 4
        cancel(upcoming(league)[1])
        tasks.plan_nights()
        assert upcoming(league).count() == 3
        clock.move_to(NOW + timedelta(days=5))
        tasks.plan_nights()
    days = [each.day for each in PlannedNight.objects.order_by("day")]
    assert days == [THURSDAY + timedelta(weeks=2 * step) for step in range(5)]


@pytest.mark.django_db
@time_machine.travel(NOW, tick=False)
def test_series_stops_at_its_end_date_and_nights_not_started_lapse() -> None:
    league = in_berlin()
    a_series(league, every_weeks=1, ends_on=THURSDAY + timedelta(weeks=1))
    assert upcoming(league).count() == 2
    with time_machine.travel(NOW + timedelta(days=5), tick=False):
        tasks.plan_nights()
        assert upcoming(league).count() == 1


@pytest.mark.django_db
@time_machine.travel(NOW, tick=False)
def test_changing_the_leagues_time_zone_keeps_the_local_time() -> None:
    league = in_berlin()
    a_series(league)
    league.time_zone = "America/New_York"
    league.save()
    plan_ahead(league.night_series.get())
    assert upcoming(league)[0].starts_at.isoformat() == "2026-03-13T00:00:00+00:00"


@pytest.mark.django_db
@time_machine.travel(NOW, tick=False)
def test_ending_a_series_keeps_answered_nights() -> None:
    league = in_berlin()
    a_series(league)
    first = upcoming(league)[0]
    answer_for(first, "Zoe", "maybe")
    end_series(league.night_series.get())
    assert list(upcoming(league)) == [first]
    tasks.plan_nights()
    assert list(upcoming(league)) == [first]


@pytest.mark.django_db
@time_machine.travel(NOW, tick=False)
def test_invalid_series_is_refused() -> None:
    league, key = in_berlin(), uuid4()
    wrong = Rhythm(starts_on=date(2030, 1, 1), at=time(20), every_weeks=9, ends_on=THURSDAY)
    with pytest.raises(RefusedError) as refused:
        make_series(league, key, wrong, Details(seats=0, name="x" * 100), by=None)
    where = [each["where"] for each in refused.value.errors]
    assert where == ["every_weeks", "starts_on", "ends_on", "name", "seats"]
    for _ in range(row_limits.NIGHT_SERIES.most):
        a_series(league)
    with pytest.raises(RefusedError, match="already has 8 series"):
        a_series(league)


@pytest.mark.django_db
@time_machine.travel(NOW, tick=False)
def test_series_is_created_once_per_id() -> None:
    league, key = in_berlin(), uuid4()
    rhythm = Rhythm(starts_on=THURSDAY, at=time(20))
    made = make_series(league, key, rhythm, Details(), by=None)
    assert make_series(league, key, rhythm, Details(), by=None) == made
    for where, details in ((league, Details(seats=7)), (a_league(), Details())):
        with pytest.raises(IdReusedError):
            make_series(where, key, rhythm, details, by=None)
