"""POST /api/v1/nights/{id}/hands"""

import json
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from league.models import Hand, League, Night, Role
from league.nights.nights import stacks
from tests.helpers.api.clients import member, refusal, reported_errors, send, someone
from tests.helpers.api.vectors import PARAMETERS, body
from tests.helpers.league.leagues import a_night, holdem, player
from tests.helpers.league.tampering import unguarded

pytestmark = pytest.mark.django_db


def address(night: Night) -> str:
    return f"/api/v1/nights/{night.pk}/hands"


def test_scorekeeper_can_record_a_hand() -> None:
    night, hand_id = a_night(), str(uuid4())
    keeper = member(night.league, Role.SCOREKEEPER)
    response = send(keeper, address(night), {"id": hand_id, "record": holdem()})
    assert response.status_code == 201, response.content
    assert response["Location"] == f"/api/v1/hands/{hand_id}"
    body = response.json()
    assert (body["id"], body["number"], body["revision"]) == (hand_id, 1, 1)
    assert (body["game"], body["game_name"], body["depth"]) == (
        "texas-holdem",
        "Texas Hold'em",
        "showdown",
    )
    assert body["voided"] is False
    assert body["record"] == holdem()
    assert body["answer"]["won"] == {"ann": 20, "bob": 0}
    assert body["names"]["ann"] == str(player(night, "ann").pk)
    assert stacks(night)[player(night, "ann").pk] == 110


def test_repeated_hand_returns_the_first_response() -> None:
    night, sent = a_night(), {"id": str(uuid4()), "record": holdem()}
    host = member(night.league, Role.HOST)
    first, again = (send(host, address(night), sent) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json() == again.json()
    assert Hand.objects.count() == 1


def test_hand_that_reuses_an_id_is_a_conflict() -> None:
    night, hand_id = a_night(), str(uuid4())
    host = member(night.league, Role.HOST)
    send(host, address(night), {"id": hand_id, "record": holdem()})
    refusal(send(host, address(night), {"id": hand_id, "record": holdem(button=0)}), 409)


def test_recording_a_hand_on_a_closed_night_is_a_conflict() -> None:
    night = a_night()
    with unguarded():
        Night.objects.update(state=Night.State.CLOSED)
    host = member(night.league, Role.HOST)
    refusal(send(host, address(night), {"id": str(uuid4()), "record": holdem()}), 409)


@pytest.mark.parametrize("role", [Role.PLAYER, Role.VIEWER])
def test_viewer_cannot_record_a_hand(role: Role) -> None:
    night = a_night()
    client = member(night.league, role)
    League.objects.update(joined="look")
    refusal(send(client, address(night), {"id": str(uuid4()), "record": holdem()}), 403)
    assert not Hand.objects.exists()


def test_outsiders_cannot_see_whether_the_night_exists() -> None:
    night, sent = a_night(), {"id": str(uuid4()), "record": holdem()}
    theirs = refusal(send(someone(), address(night), sent), 404)
    night.pk = uuid4()
    assert refusal(send(someone(), address(night), sent), 404) == theirs
    refusal(send(Client(), address(night), sent), 401)


def test_request_without_a_csrf_token_is_refused() -> None:
    night = a_night()
    client = Client(enforce_csrf_checks=True)
    host = night.league.created_by
    assert host
    client.force_login(host)
    refusal(send(client, address(night), {"id": str(uuid4()), "record": holdem()}), 403)


@pytest.mark.parametrize("line", PARAMETERS)
def test_every_error_is_reported_with_its_path(line: dict[str, Any]) -> None:
    night = a_night()
    host = member(night.league, Role.HOST)
    text = f'{{"id": "{uuid4()}", "record": {body(line)}}}'
    assert (line["where"], line["code"]) in reported_errors(send(host, address(night), text))
    assert not Hand.objects.exists()


def test_all_errors_in_a_hand_are_reported_together() -> None:
    night = a_night()
    host = member(night.league, Role.HOST)
    players = [{"name": "ann", "paid": -1, "down": ["Ac", "Zd"]}, {"name": "eve", "paid": 2.5}]
    sent = {"id": str(uuid4()), "record": holdem(players=players, button=7)}
    errors = reported_errors(send(host, address(night), sent))
    assert {
        ("players/0/paid", "bad-chips"),
        ("players/0/down/1", "bad-card"),
        ("players/1/name", "unknown-player"),
        ("players/1/paid", "bad-chips"),
        ("button", "bad-button"),
    } <= set(errors)


def test_record_whose_took_differs_from_the_pot_is_refused() -> None:
    night = a_night()
    host = member(night.league, Role.HOST)
    sent = {"id": str(uuid4()), "record": holdem(took={"bob": 19})}
    expected = [("took", "took-does-not-add-up")]
    assert reported_errors(send(host, address(night), sent)) == expected
    check = {"record": sent["record"]}
    assert reported_errors(send(host, f"/api/v1/nights/{night.pk}/check", check)) == expected
    batch = {"hands": [sent]}
    expected = [("hands/0/record/took", "took-does-not-add-up")]
    assert reported_errors(send(host, f"{address(night)}/batch", batch)) == expected
    assert not Hand.objects.exists()


@pytest.mark.parametrize(
    ("sent", "errors"),
    [
        ({}, [("id", "missing"), ("record", "missing")]),
        ({"id": None, "record": None}, [("id", "missing"), ("record", "missing")]),
        ({"id": "x" * 10_000, "record": {}}, [("id", "wrong-type")]),
        ({"id": "\ud800", "record": {}}, [("id", "wrong-type")]),
        ({"id": [], "record": {}}, [("id", "wrong-type")]),
        ({"id": str(uuid4()), "record": {}, "hand": 1}, [("hand", "unknown-key")]),
        ({"id": str(uuid4()), "record": {}, "\ud800": 1}, [("\ufffd", "unknown-key")]),
        ([], [("", "wrong-type")]),
        ("null", [("", "missing")]),
        ("7", [("", "wrong-type")]),
        ("", [("id", "missing"), ("record", "missing")]),
        ("{", [("", "not-json")]),
        ('{"id": NaN}', [("", "not-json")]),
        ('{"id": 1, "id": 2}', [("", "not-json")]),
        (f'{{"id": {"7" * 5_000}}}', [("", "not-json")]),
        ("[" * 100_000, [("", "not-json")]),
        (b"\xff\xfe", [("", "not-json")]),
    ],
)
def test_body_that_is_not_a_hand_is_refused(sent: Any, errors: list[tuple[str, str]]) -> None:
    night = a_night()
    host = member(night.league, Role.HOST)
    assert reported_errors(send(host, address(night), sent)) == errors


def test_record_that_is_not_an_object_is_refused() -> None:
    night = a_night()
    host = member(night.league, Role.HOST)
    for record in (True, 7, "texas-holdem", [holdem()]):
        sent = {"id": str(uuid4()), "record": record}
        assert reported_errors(send(host, address(night), sent)) == [("", "wrong-type")]


@pytest.mark.parametrize("where", ["name", "note", "variant", "down"])
@pytest.mark.parametrize("text", ["\0", "\ud800", "x" * 10_000])
def test_string_that_cannot_be_stored_is_refused(text: str, where: str) -> None:
    night = a_night()
    record = holdem()
    match where:
        case "name" | "down":
            record["players"][0][where] = text
        case _:
            record[where] = text
    sent = json.dumps({"id": str(uuid4()), "record": record})
    assert reported_errors(send(member(night.league, Role.HOST), address(night), sent))
    assert not Hand.objects.exists()


def test_ten_megabyte_body_is_too_large() -> None:
    night = a_night()
    record = holdem(note="x" * 10_000_000)
    sent = {"id": str(uuid4()), "record": record}
    refusal(send(member(night.league, Role.HOST), address(night), sent), 413)


def test_form_data_is_refused() -> None:
    night = a_night()
    host = member(night.league, Role.HOST)
    refusal(host.post(address(night), {"id": str(uuid4())}), 415)


def test_hand_that_makes_a_stack_negative_is_recorded_and_reported() -> None:
    night = a_night(chips=0)
    host = member(night.league, Role.HOST)
    response = send(host, address(night), {"id": str(uuid4()), "record": holdem()})
    assert response.status_code == 201
    findings = response.json()["answer"]["findings"]
    assert [(each["code"], each["player"]) for each in findings] == [
        ("buy-in-missing", "ann"),
        ("buy-in-missing", "bob"),
    ]
