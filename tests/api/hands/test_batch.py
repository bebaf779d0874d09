"""POST /api/v1/nights/{id}/hands/batch"""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from league.integrity.audit import audit
from league.models import ConflictingRecord, Delivery, Event, Hand, Night, Revision, Role
from league.nights.nights import stacks
from league.recording.corrections import void_hand
from league.recording.record import record_hand
from league.recording.sent_hands import ClientContext
from league.webhooks import management
from tests.helpers.api.clients import member, refusal, reported_errors, send, turned_away
from tests.helpers.api.sample_league import at_the_door
from tests.helpers.league.house_games import a_house_game, crossed
from tests.helpers.league.leagues import a_night, a_user, holdem, qualifiers
from tests.helpers.league.tampering import unguarded

pytestmark = pytest.mark.django_db


def address(night: Night) -> str:
    return f"/api/v1/nights/{night.pk}/hands/batch"


def sent(*records: Any) -> dict[str, Any]:
    return {"hands": [{"id": str(uuid4()), "record": record} for record in records]}


def host_of(night: Night) -> Client:
    return member(night.league, Role.HOST)


def carried(chips: int) -> dict[str, Any]:
    return holdem(carried=[{"amount": chips}])


def test_hands_are_recorded_in_the_order_they_were_sent() -> None:
    night, body = a_night(), sent(qualifiers(), carried(20), holdem(button=0))
    response = send(host_of(night), address(night), body)
    assert response.status_code == 201, response.content
    hands = response.json()["results"]
    assert [hand["id"] for hand in hands] == [hand["id"] for hand in body["hands"]]
    assert [hand["number"] for hand in hands] == [1, 2, 3]
    assert {hand["outcome"] for hand in hands} == {"recorded"}
    assert hands[1]["net"] == {"ann": 30, "bob": -10}
    assert [hand["findings"] for hand in hands] == [[], [], []]
    assert list(audit(night.league)) == []


def test_batch_has_the_same_results_as_recording_hands_one_by_one() -> None:
    """In a batch, the state before each hand is computed instead of read from the database."""
    records = [holdem(), qualifiers(), carried(20), carried(7), holdem(button=0)]
    together, apart = a_night(chips=25), a_night(chips=25)
    send(host_of(together), address(together), sent(*records))
    for record in records:
        record_hand(apart, uuid4(), record, by=None)
    assert tellings(together) == tellings(apart)
    assert sorted(stacks(together).values()) == sorted(stacks(apart).values())
    assert moves(together) == moves(apart)


def tellings(night: Night) -> list[Any]:
    rows = Revision.objects.filter(hand__night=night).order_by("hand__number")
    said = ("hand__number", "number", "current", "depth", "record", "answer", "carried", "carry")
    return list(rows.values_list(*said, "document_id", "hand__voided"))


def moves(night: Night) -> list[Any]:
    rows = Revision.objects.filter(hand__night=night).order_by(
        "hand__number", "posting__transfers__position"
    )
    return list(rows.values_list("posting__transfers__position", "posting__transfers__amount"))


def test_repeated_batch_returns_the_first_response() -> None:
    night, body = a_night(), sent(holdem(), holdem(button=0))
    host = host_of(night)
    first, again = (send(host, address(night), body) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 200)
    assert {each["outcome"] for each in again.json()["results"]} == {"again"}
    assert [each["number"] for each in again.json()["results"]] == [1, 2]
    assert Hand.objects.count() == 2


def test_batch_skips_hands_already_recorded_and_adds_the_rest() -> None:
    night, body = a_night(), sent(holdem(), holdem(button=0))
    host = host_of(night)
    send(host, address(night), {"hands": body["hands"][1:]})
    response = send(host, address(night), body)
    assert response.status_code == 201
    told = [(each["number"], each["outcome"]) for each in response.json()["results"]]
    assert told == [(2, "recorded"), (1, "again")]


def test_voided_hand_stays_voided() -> None:
    night, body = a_night(), sent(holdem())
    host = host_of(night)
    send(host, address(night), body)
    void_hand(Hand.objects.get(), by=None)
    assert send(host, address(night), body).status_code == 200
    assert Hand.objects.get().voided


def test_conflicting_hand_in_a_batch_refers_to_the_recorded_hand() -> None:
    night, body = a_night(), sent(holdem(board=[["2h", "7d", "9s", "Jd", "Qd"]]))
    hand = record_hand(night, uuid4(), holdem(), by=None).hand
    knew = ClientContext(origin="another phone", seen=0, number=1)
    asked = body["hands"][0]
    record_hand(night, asked["id"], asked["record"], by=None, context=knew)
    [told] = send(host_of(night), address(night), body).json()["results"]
    assert (told["id"], told["outcome"]) == (str(hand.pk), ConflictingRecord.State.WAITING)


def test_batch_that_reuses_an_id_is_a_conflict_and_records_nothing() -> None:
    night, body = a_night(), sent(holdem(), holdem(button=0))
    host = host_of(night)
    send(host, address(night), {"hands": body["hands"][:1]})
    body["hands"][0]["record"] = holdem(button=0)
    refusal(send(host, address(night), body), 409)
    assert Hand.objects.count() == 1


def test_all_errors_in_all_hands_are_reported_and_nothing_is_recorded() -> None:
    night = a_night()
    strangers = holdem(players=[{"name": "ann", "paid": 5}, {"name": "zoe", "paid": 5}])
    body = sent(holdem(), {"variant": "no-such-game"}, holdem(), strangers, [])
    body["hands"][2]["id"] = body["hands"][0]["id"]
    errors = reported_errors(send(host_of(night), address(night), body))
    assert errors == [("hands/2/id", "told-twice")]
    body["hands"][2]["id"] = str(uuid4())
    response = send(host_of(night), address(night), body)
    errors = reported_errors(response)
    assert ("hands/1/record/variant", "unknown-game") in errors
    assert ("hands/3/record/players/1/name", "unknown-player") in errors
    assert ("hands/4/record", "wrong-type") in errors
    assert not [where for where, _ in errors if where.startswith(("hands/0", "hands/2"))]
    assert all(each["pointer"] == f"#/{each['where']}" for each in response.json()["errors"])
    assert not Hand.objects.exists()


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({}, ("hands", "missing")),
        ({"hands": []}, ("hands", "wrong-type")),
        ({"hands": {}}, ("hands", "wrong-type")),
        ({"hands": [{"id": str(uuid4()), "record": {}}] * 201}, ("hands", "too-long")),
        ({"hands": [{"record": {}}]}, ("hands/0/id", "missing")),
        ({"hands": [{"id": "1", "record": {}}]}, ("hands/0/id", "wrong-type")),
        (
            {"hands": [{"id": str(uuid4()), "record": {}, "note": 1}]},
            ("hands/0/note", "unknown-key"),
        ),
    ],
    ids=["nothing", "empty", "object", "too many", "no id", "bad id", "unknown key"],
)
def test_body_with_invalid_structure_is_refused(body: Any, expected: tuple[str, str]) -> None:
    night = a_night()
    assert expected in reported_errors(send(host_of(night), address(night), body))


def test_played_at_is_clamped_to_the_time_since_the_night_began() -> None:
    night, body = a_night(), sent(holdem(), holdem(), holdem())
    with unguarded():
        Night.objects.update(started_at=timezone.now() - timedelta(hours=3))
    then = timezone.now() - timedelta(hours=1)
    body["hands"][0]["played_at"] = (then - timedelta(days=1)).isoformat()
    body["hands"][1]["played_at"] = then.isoformat()
    body["hands"][2]["played_at"] = (then + timedelta(days=1)).isoformat()
    assert send(host_of(night), address(night), body).status_code == 201
    night.refresh_from_db()
    first, second, third = Hand.objects.order_by("number").values_list("made_at", flat=True)
    assert (first, second) == (night.started_at, then)
    assert then < third <= timezone.now()


@pytest.mark.parametrize("played_at", ["2026-11-20T20:00:00", "yesterday", 5, None])
def test_time_without_a_zone_is_refused(played_at: Any) -> None:
    night, body = a_night(), sent(holdem())
    body["hands"][0]["played_at"] = played_at
    assert [where for where, _ in reported_errors(send(host_of(night), address(night), body))] == [
        "hands/0/played_at"
    ]


def test_closed_night_refuses_new_hands_but_accepts_repeats() -> None:
    night, body = a_night(), sent(holdem())
    host = host_of(night)
    send(host, address(night), body)
    with unguarded():
        Night.objects.update(state=Night.State.CLOSED)
    assert send(host, address(night), body).status_code == 200
    refusal(send(host, address(night), sent(holdem())), 409)


def test_house_game_in_a_batch_is_settled_with_its_own_document() -> None:
    night = a_night()
    game = a_house_game(night)
    record = crossed(game.slug)
    body = sent(record, holdem(), record)
    response = send(host_of(night), address(night), body)
    assert response.status_code == 201, response.content
    first, _, last = Revision.objects.order_by("hand__number")
    alone = record_hand(night, uuid4(), record, by=None).revision
    assert first.document == last.document == alone.document
    assert first.answer["net"] == last.answer["net"] == alone.answer["net"]


def test_subscribers_are_notified_of_each_hand() -> None:
    night = a_night()
    management.create(night.league, uuid4(), "https://example.org/hook", by=a_user())
    send(host_of(night), address(night), sent(holdem(), holdem()))
    assert Event.objects.count() == 2
    assert Delivery.objects.count() == 2


def test_outsiders_and_viewers_cannot_record_a_batch() -> None:
    night = a_night()
    doors = at_the_door(night.league)
    turned_away(doors, "post", address(night), sent(holdem()))
    assert not Hand.objects.exists()
