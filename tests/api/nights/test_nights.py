"""GET /api/v1/nights and GET /api/v1/nights/{id}"""

from datetime import datetime, timedelta
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from league.models import Role
from league.nights.opening import open_night
from league.recording.record import record_hand
from tests.helpers.api.clients import member, refusal, reported_errors, send, someone
from tests.helpers.league.leagues import a_league, a_night, holdem, player, qualifiers
from tests.helpers.league.matches import deals_on, guts

pytestmark = pytest.mark.django_db


def test_nights_of_all_own_leagues_are_listed_latest_first() -> None:
    league = a_league()
    nights = [open_night(league) for _ in range(2)]
    open_night(a_league())
    body = member(league, Role.VIEWER).get("/api/v1/nights").json()
    assert [each["id"] for each in body["results"]] == [str(each.pk) for each in reversed(nights)]
    assert body["results"][0]["league"] == str(league.pk)


def test_host_can_open_a_past_night_and_record_its_hands() -> None:
    league = a_league()
    night = a_night(league)
    ann, bob = (str(player(night, name).pk) for name in ("ann", "bob"))
    at, host = f"/api/v1/leagues/{league.pk}/nights", member(league, Role.HOST)
    started = timezone.now() - timedelta(days=7)
    wanted = {"id": str(uuid4()), "players": [ann, bob], "started_at": started.isoformat()}
    refusal(send(member(league, Role.SCOREKEEPER), at, wanted), 403)
    future = {"players": [], "started_at": (timezone.now() + timedelta(hours=1)).isoformat()}
    assert reported_errors(send(host, at, future)) == [("started_at", "bad-option")]
    opened = send(host, at, wanted)
    assert opened.status_code == 201
    assert datetime.fromisoformat(opened.json()["started_at"]) == started
    assert send(host, at, wanted).json()["id"] == wanted["id"]
    hands = f"/api/v1/nights/{wanted['id']}/hands"
    dealt = started + timedelta(hours=2)
    hand = {"id": str(uuid4()), "record": holdem(), "played_at": dealt.isoformat()}
    assert datetime.fromisoformat(send(host, hands, hand).json()["played_at"]) == dealt
    early = {"id": str(uuid4()), "record": holdem(), "played_at": "1990-01-01T00:00:00Z"}
    assert datetime.fromisoformat(send(host, hands, early).json()["played_at"]) == started


def test_night_includes_seats_stacks_carry_and_the_next_dealer() -> None:
    night = a_night()
    record_hand(night, uuid4(), holdem(), by=None)
    record_hand(night, uuid4(), qualifiers(button=1), by=None)
    body = member(night.league, Role.VIEWER).get(f"/api/v1/nights/{night.pk}").json()
    assert [(each["player_name"], each["stack"]) for each in body["seats"]] == [
        ("ann", 100),
        ("bob", 80),
        ("cat", 100),
        ("dan", 100),
    ]
    assert body["carry"] == 20
    assert body["dealer"] == str(player(night, "cat").pk)
    assert (body["number"], body["state"], body["usual_buy_in"]) == (1, "open", 100)


def test_night_includes_the_match_in_progress() -> None:
    night = a_night()
    client, at = member(night.league, Role.VIEWER), f"/api/v1/nights/{night.pk}"
    assert client.get(at).json()["match"] is None
    first = deals_on(night, guts("bob"))
    legs = {"ann": 0, "bob": 1, "cat": 0, "dan": 0}
    assert client.get(at).json()["match"] == {
        "hand": str(first.pk),
        "variant": "guts",
        "deal": 1,
        "legs": legs,
        "lives": {},
        "carried": 20,
        "next": {
            "button": 1,
            "options": {"legs": "3"},
            "carried": 20,
            "match": {"id": str(first.pk), "deal": 2, "legs": legs},
        },
    }
    record_hand(night, uuid4(), holdem(), by=None)
    assert client.get(at).json()["match"]["hand"] == str(first.pk)
    ends = {"deal": 2, "legs": {"bob": 2}}
    record_hand(night, uuid4(), guts("bob", carried=20, match=ends), by=None)
    assert client.get(at).json()["match"] is None


def test_next_deal_can_be_recorded_with_the_match_data_from_the_night() -> None:
    night = a_night()
    first = deals_on(night, guts("bob"))
    at = f"/api/v1/nights/{night.pk}"
    client = member(night.league, Role.SCOREKEEPER)
    record = guts("ann") | client.get(at).json()["match"]["next"]
    body = send(client, f"{at}/hands", {"id": str(uuid4()), "record": record}).json()
    assert body["answer"]["findings"] == []
    assert body["answer"]["match"]["id"] == str(first.pk)


def test_outsiders_cannot_see_whether_a_night_exists() -> None:
    night = a_night()
    refusal(someone().get(f"/api/v1/nights/{night.pk}"), 404)
    refusal(Client().get(f"/api/v1/nights/{night.pk}"), 401)
    refusal(Client().get("/api/v1/nights"), 401)
    assert someone().get("/api/v1/nights").json()["results"] == []


def test_malformed_night_id_is_not_found() -> None:
    refusal(Client().get("/api/v1/nothing/here"), 404)
    refusal(someone().get("/api/v1/nights/17"), 404)


def test_deleting_a_night_is_not_allowed() -> None:
    night = a_night()
    refused = member(night.league, Role.HOST).delete(f"/api/v1/nights/{night.pk}")
    refusal(refused, 405)
    assert "GET" in refused["Allow"]
