"""After a plan changes, answers stay, likely players are notified, and no player loses a seat."""

from datetime import time, timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from league.common.errors import RefusedError
from league.models import League, Notice, PlannedNight, Role, User
from league.people.leagues import add_member, add_player
from league.planned_nights.answers import answer_for, attendance_of
from league.planned_nights.planning import Details, cancel, change_planned, plan, update_planned
from league.planned_nights.series import Rhythm, make_series, plan_ahead
from tests.helpers.league.leagues import a_league
from tests.helpers.league.push_service import switched_on
from tests.helpers.league.receiver import Receiver

pytestmark = pytest.mark.django_db
IN_THREE_DAYS = timedelta(days=3)


@pytest.fixture
def league() -> League:
    return a_league()


def a_plan(league: League, **details: object) -> PlannedNight:
    starts_at = timezone.now() + IN_THREE_DAYS
    return plan(league, uuid4(), starts_at, Details(**details), by=None)  # type: ignore[arg-type]


def codes(told: pytest.ExceptionInfo[RefusedError]) -> list[str]:
    return [each["code"] for each in told.value.errors]


def test_players_who_may_come_are_notified_of_a_new_time_once(
    league: League, service: Receiver
) -> None:
    planned, users = a_plan(league), {}
    for name, says in (("ann", "yes"), ("bob", "maybe"), ("cat", "no"), ("dan", "yes")):
        users[name] = User.objects.create_user(name)
        add_member(league, users[name], Role.PLAYER)
        switched_on(users[name], service, name)
        answer_for(planned, add_player(league, name, user=users[name]), says)
    later = planned.starts_at + timedelta(hours=1)
    for _ in range(2):
        changed = change_planned(planned, later, Details(place="Bob's"), by=users["dan"])
    notices = Notice.objects.filter(kind="night-changed").order_by("user__username")
    assert [row.user.username for row in notices.select_related("user")] == ["ann", "bob"]
    assert "Bob's. Are you still coming?" in notices[0].body
    assert (changed.sequence, changed.moved) == (1, True)
    assert [row.says for row in changed.answers.order_by("pk")] == ["yes", "maybe", "no", "yes"]


def test_update_keeps_what_another_host_changed_meanwhile(league: League) -> None:
    planned = a_plan(league, seats=6)
    stale = PlannedNight.objects.get(pk=planned.pk)
    update_planned(planned, {"place": "Bob's"}, by=None)
    changed = update_planned(stale, {"note": "bring chairs"}, by=None)
    assert (changed.place, changed.note, changed.seats) == ("Bob's", "bring chairs", 6)


def test_changing_the_note_does_not_notify_players(league: League, service: Receiver) -> None:
    planned, ann = a_plan(league), User.objects.create_user("ann")
    add_member(league, ann, Role.PLAYER)
    switched_on(ann, service, "ann")
    answer_for(planned, add_player(league, "ann", user=ann), "yes")
    change_planned(planned, planned.starts_at, Details(note="bring chairs"), by=None)
    assert not Notice.objects.filter(kind="night-changed").exists()
    planned.refresh_from_db()
    assert (planned.note, planned.moved) == ("bring chairs", False)


def test_adding_seats_promotes_waiting_players_and_seats_cannot_be_removed(league: League) -> None:
    planned = a_plan(league, seats=1)
    ann, bob = (add_player(league, name) for name in ("ann", "bob"))
    for player in (ann, bob):
        answer_for(planned, player, "yes")
    planned = change_planned(planned, planned.starts_at, Details(seats=2), by=None)
    assert len(attendance_of(planned).seated) == 2
    with pytest.raises(RefusedError) as refusal:
        change_planned(planned, planned.starts_at, Details(seats=1), by=None)
    assert codes(refusal) == ["seats-taken"]


def test_all_errors_are_reported_together_without_changing_anything(league: League) -> None:
    planned = a_plan(league)
    with pytest.raises(RefusedError) as refused:
        change_planned(planned, timezone.now(), Details(name="x" * 61, seats=101), by=None)
    assert sorted(each["where"] for each in refused.value.errors) == ["name", "seats", "starts_at"]
    cancel(planned)
    with pytest.raises(RefusedError) as refused:
        change_planned(planned, planned.starts_at, Details(), by=None)
    assert codes(refused) == ["night-cancelled"]


def test_moved_night_in_a_series_keeps_its_time_in_a_new_time_zone(league: League) -> None:
    rhythm = Rhythm(starts_on=(timezone.now() + IN_THREE_DAYS).date(), at=time(20))
    weekly = make_series(league, uuid4(), rhythm, Details(), by=None)
    first = weekly.nights.earliest("starts_at")
    later = first.starts_at + timedelta(days=1)
    change_planned(first, later, Details(), by=None)
    league.time_zone = "America/New_York"
    league.save()
    weekly.refresh_from_db()
    assert plan_ahead(weekly) == 0
    moved = {night.pk: night.starts_at for night in weekly.nights.all()}
    assert moved.pop(first.pk) == later
    assert {start.hour for start in moved.values()} <= {0, 1}  # 20:00 in New York
