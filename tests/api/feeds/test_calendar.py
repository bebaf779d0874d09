"""An iCal feed of nights (RFC 5545), parsed with a different calendar library."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from icalendar import Calendar

from league.models import Night, PlannedNight, Role, Scope
from league.people.api_keys import make_token
from league.people.leagues import add_member
from league.planned_nights import planning
from league.planned_nights.answer_links import player_token, share_answers
from league.recording.record import record_hand
from tests.helpers.api.feeds import reads
from tests.helpers.league.leagues import a_night, a_user, holdem, player
from tests.helpers.league.tampering import unguarded

pytestmark = pytest.mark.django_db


def events(night: Night) -> tuple[Any, list[Any]]:
    answer = reads(night.league, "nights.ics")
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    calendar = Calendar.from_ical(answer.content)
    return calendar, calendar.walk("VEVENT")


def test_calendar_event_uses_the_time_zone_of_its_league() -> None:
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


def test_changed_night_keeps_its_uid_and_increases_its_sequence() -> None:
    night = a_night()
    _, [before] = events(night)
    record_hand(night, uuid4(), holdem(), by=None)
    _, [after] = events(night)
    assert after["UID"] == before["UID"]
    assert int(after["SEQUENCE"]) > int(before["SEQUENCE"])
    assert "DTEND" not in after  # the night is still open


def a_plan(night: Night) -> PlannedNight:
    at = datetime.now(UTC).replace(microsecond=0) + timedelta(days=3)
    details = planning.Details(name="The big one", place="At ann's", note="Bring chairs")
    return planning.plan(night.league, uuid4(), at, details, by=None)


def of_plan(night: Night, planned: PlannedNight) -> Any:
    _, plan_events = events(night)
    [event] = [each for each in plan_events if str(each["UID"]).startswith(str(planned.pk))]
    return event


def test_planned_night_is_in_utc_and_links_to_its_page() -> None:
    """The iCal feed contains planned nights."""
    night = a_night()
    planned = a_plan(night)
    event = of_plan(night, planned)
    assert event.decoded("dtstart") == planned.starts_at
    assert event["DTSTART"].to_ical().endswith(b"Z")
    assert (str(event["LOCATION"]), str(event["STATUS"])) == ("At ann's", "CONFIRMED")
    assert str(event["URL"]).endswith(f"/planned-nights/{planned.pk}")


def test_cancelled_night_is_cancelled_in_calendars() -> None:
    """RFC 5545, 3.8.1.11 and 3.8.7.4: the status changes and the sequence number increases."""
    night = a_night()
    planned = a_plan(night)
    before = of_plan(night, planned)
    planning.cancel(planned)
    after = of_plan(night, planned)
    assert str(after["STATUS"]) == "CANCELLED"
    assert int(after["SEQUENCE"]) > int(before["SEQUENCE"])


def test_planned_night_and_the_started_night_are_one_calendar_event() -> None:
    night = a_night()
    planned = a_plan(night)
    before = of_plan(night, planned)
    ann = player(night, "ann")
    planning.start(planned, planned.pk, [(ann, 5)], by=None)
    after = of_plan(night, planned)
    assert after["UID"] == before["UID"]
    assert int(after["SEQUENCE"]) > int(before["SEQUENCE"])


@pytest.mark.parametrize("scope", [Scope.RECORD, Scope.READ])
def test_calendar_contains_the_players_answer_link_unless_it_is_read_only(
    scope: Scope,
) -> None:
    night = a_night()
    planned, user, ann = a_plan(night), a_user(), player(night, "ann")
    add_member(night.league, user, Role.PLAYER)
    type(ann).objects.filter(pk=ann.pk).update(user=user)
    share_answers(night.league, by=None)
    _, key = make_token(night.league, user, "calendar", scope)
    client = Client(headers={"Authorization": f"Bearer {key}"})
    at = f"/api/v1/leagues/{night.league.pk}/feeds/nights.ics"
    text = client.get(at).content.decode().replace("\r\n ", "")
    own = f"/answers/{player_token(ann)}"
    assert (own in text) == (scope != Scope.READ)
    assert (f"/planned-nights/{planned.pk}" in text) == (scope == Scope.READ)
