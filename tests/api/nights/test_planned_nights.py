"""Planning a night, answering and cancelling through the API."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from league.models import League, PlannedNight, Role, Scope
from tests.helpers.api.clients import ask, member, refusal, reported_errors
from tests.helpers.api.sample_league import with_token
from tests.helpers.league.leagues import a_night, player

pytestmark = pytest.mark.django_db


def planned(league: League, client: Client, **changes: Any) -> Any:
    at = (datetime.now(UTC) + timedelta(days=3)).isoformat()
    body = {"id": str(uuid4()), "starts_at": at, "seats": 1, **changes}
    return ask(client, "post", f"/api/v1/leagues/{league.pk}/planned-nights", body)


def test_first_yes_gets_the_last_seat_and_the_next_one_waits() -> None:
    night = a_night()
    client = with_token(night.league, Role.HOST, Scope.MANAGE)
    made = planned(night.league, client)
    assert made.status_code == 201
    at = made["Location"]
    ann, bob = player(night, "ann"), player(night, "bob")
    first = ask(client, "post", f"{at}/answers", {"player": str(ann.pk), "rsvp": "yes"})
    assert first.json()["has_seat"] is True
    second = ask(client, "post", f"{at}/answers", {"player": str(bob.pk), "rsvp": "yes"})
    assert second.json()["has_seat"] is False
    guest = ask(client, "post", f"{at}/answers", {"guest": "Zoe", "rsvp": "maybe"})
    assert guest.json()["player"] is None
    body = client.get(at).json()
    assert [answer["player_name"] for answer in body["seated"]] == ["ann"]
    assert [answer["player_name"] for answer in body["waiting"]] == ["bob"]
    assert [answer["rsvp"] for answer in body["answers"]] == ["yes", "yes", "maybe"]
    ask(client, "post", f"{at}/answers", {"player": str(ann.pk), "rsvp": "no"})
    [listed] = client.get(f"/api/v1/leagues/{night.league.pk}/planned-nights").json()["results"]
    assert [answer["player_name"] for answer in listed["seated"]] == ["bob"]
    assert listed["seed"] is None
    assert client.delete(at).status_code == 204
    assert client.get(at).json()["state"] == "cancelled"
    late = ask(client, "post", f"{at}/answers", {"player": str(ann.pk), "rsvp": "yes"})
    assert reported_errors(late) == [("planned_night", "night-cancelled")]


def test_rsvp_without_a_player_applies_to_the_caller() -> None:
    night = a_night()
    client = member(night.league, Role.PLAYER)
    host = with_token(night.league, Role.HOST, Scope.MANAGE)
    at = f"{planned(night.league, host)['Location']}/answers"
    refusal(ask(client, "post", at, {"rsvp": "yes"}), 403)
    player(night, "ann")
    user = client.session["_auth_user_id"]
    night.league.players.filter(name="ann").update(user=user)
    assert ask(client, "post", at, {"rsvp": "yes", "guests": 2}).json()["player_name"] == "ann"
    again = ask(client, "post", at, {"rsvp": "yes", "brings": "crisps"}).json()
    assert (again["guests"], again["brings"]) == (2, "crisps")
    refusal(ask(client, "post", at, {"guest": "Zoe", "rsvp": "yes"}), 403)
    other = str(player(night, "bob").pk)
    refusal(ask(client, "post", at, {"player": other, "rsvp": "yes"}), 403)


def test_out_of_range_value_is_refused() -> None:
    night = a_night()
    client = with_token(night.league, Role.HOST, Scope.MANAGE)
    response = planned(night.league, client, seats=101, name="x" * 61, note="x" * 501)
    assert sorted(where for where, _ in reported_errors(response)) == ["name", "note", "seats"]
    late = (datetime.now(UTC) + timedelta(weeks=53)).isoformat()
    assert reported_errors(planned(night.league, client, starts_at=late)) == [
        ("starts_at", "out-of-range")
    ]
    assert not PlannedNight.objects.exists()


def test_patch_changes_only_the_given_fields() -> None:
    night = a_night()
    client = with_token(night.league, Role.HOST, Scope.MANAGE)
    made = planned(night.league, client, place="Ann's", seats=8)
    at = made["Location"]
    body = ask(client, "patch", at, {"place": "Bob's"}).json()
    assert (body["place"], body["seats"], body["starts_at"]) == (
        "Bob's",
        8,
        made.json()["starts_at"],
    )
    assert reported_errors(ask(client, "patch", at, {"starts_at": "2001-01-01T20:00:00Z"})) == [
        ("starts_at", "out-of-range")
    ]
    viewer = member(night.league, Role.PLAYER)
    refusal(ask(viewer, "patch", at, {"place": "mine"}), 403)


def test_series_is_created_once_and_can_be_listed_and_ended() -> None:
    night = a_night()
    client = with_token(night.league, Role.HOST, Scope.MANAGE)
    at = f"/api/v1/leagues/{night.league.pk}/night-series"
    day = (datetime.now(UTC) + timedelta(days=3)).date().isoformat()
    body = {"id": str(uuid4()), "starts_on": day, "time": "20:00", "every_weeks": 2, "seats": 7}
    for status in (201, 200):
        made = ask(client, "post", at, body)
        assert (made.status_code, made.json()["every_weeks"]) == (status, 2)
    assert PlannedNight.objects.filter(series=body["id"], seats=7).count() == 4
    [listed] = client.get(at).json()["results"]
    assert (listed["id"], listed["time"]) == (body["id"], "20:00:00")
    for no_time in ("8:00", "24:00", "20:00Z", "2000", 20):
        refused = ask(client, "post", at, {**body, "id": str(uuid4()), "time": no_time})
        assert reported_errors(refused) == [("time", "wrong-type")], no_time
    assert reported_errors(ask(client, "post", at, {**body, "id": str(uuid4()), "every_weeks": 9}))
    assert client.delete(f"/api/v1/night-series/{body['id']}").status_code == 204
    assert client.get(at).json()["results"] == []
    assert not PlannedNight.objects.filter(state="planned").exists()
