"""Issue 6: an iCal feed of nights (RFC 5545), read back by another reader of calendars."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from icalendar import Calendar

from league.models import Night
from league.recording.record import record_hand
from tests.helpers.api.feeds import reads
from tests.helpers.league.leagues import a_night, holdem
from tests.helpers.league.tampering import unguarded

pytestmark = pytest.mark.django_db


def events(night: Night) -> tuple[Any, list[Any]]:
    answer = reads(night.league, "nights.ics")
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    calendar = Calendar.from_ical(answer.content)
    return calendar, calendar.walk("VEVENT")


def test_a_night_stands_in_the_zone_of_its_league() -> None:
    night = a_night()
    began = datetime(2026, 7, 4, 1, 30, tzinfo=UTC)
    with unguarded():
        Night.objects.update(started_at=began, ended_at=began + timedelta(hours=4))
    night.league.time_zone = "America/Chicago"
    night.league.save()
    calendar, [event] = events(night)
    assert event.decoded("dtstart").isoformat() == "2026-07-03T20:30:00-05:00"
    assert event.decoded("dtend") - event.decoded("dtstart") == timedelta(hours=4)
    [zone] = calendar.walk("VTIMEZONE")
    assert str(zone["TZID"]) == "America/Chicago"
    assert str(event["SUMMARY"]) == "Tuesday: Night 1"
    assert str(event["URL"]).endswith(f"/nights/{night.pk}")


def test_a_night_keeps_its_id_and_its_sequence_grows() -> None:
    night = a_night()
    _, [before] = events(night)
    record_hand(night, uuid4(), holdem(), by=None)
    _, [after] = events(night)
    assert after["UID"] == before["UID"]
    assert int(after["SEQUENCE"]) > int(before["SEQUENCE"])
    assert "DTEND" not in after  # it is still open
