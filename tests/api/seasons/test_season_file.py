"""seasons/{id}/file and leagues/{id}/season-file: exporting and importing a season"""

import json
from uuid import uuid4

import pytest
from django.http import HttpResponse
from django.test import Client

from league.integrity.audit import audit
from league.models import Hand, League, Role
from league.people.leagues import make_league
from ledger.balances import balances
from tests.helpers.api.clients import member, refusal, reported_errors, turned_away
from tests.helpers.api.sample_league import World
from tests.helpers.league.leagues import a_user

pytestmark = pytest.mark.django_db

NDJSON = "application/x-ndjson"


@pytest.fixture
def at(world: World) -> str:
    return f"/api/v1/seasons/{world.night.season_id}/file"


@pytest.fixture
def empty() -> League:
    return make_league(a_user(), "Empty")


@pytest.fixture
def file(at: str, doors: dict[str, Client]) -> bytes:
    sent = doors["host"].get(at)
    assert sent["Content-Type"] == NDJSON
    assert sent["Content-Disposition"].endswith('.jsonl"')
    return b"".join(sent.streaming_content)  # type: ignore[attr-defined]


def bring(client: Client, league: League, body: bytes | str, **headers: str) -> HttpResponse:
    address = f"/api/v1/leagues/{league.pk}/season-file"
    return client.post(address, body, content_type=NDJSON, headers=headers)


def test_host_can_move_a_season_between_leagues(file: bytes, world: World, empty: League) -> None:
    done = bring(member(empty, Role.HOST), empty, file)
    assert done.status_code == 201, done.content
    season = empty.seasons.get()
    assert done["Location"] == f"/api/v1/seasons/{season.pk}"
    assert done.json()["id"] == str(season.pk)
    assert done.json()["name"] == world.night.season.name
    hands = Hand.objects.filter(night__season=world.night.season)
    assert Hand.objects.filter(night__season=season).count() == hands.count()
    tabs = [
        sorted(chips for key, chips in balances(each.book).items() if key.startswith("tab:"))
        for each in (world.league, empty)
    ]
    assert tabs[0] == tabs[1]
    assert audit(empty) == []


def test_repeated_import_with_the_same_key_runs_once(file: bytes, empty: League) -> None:
    client, key = member(empty, Role.HOST), {"Idempotency-Key": str(uuid4())}
    first, again = (bring(client, empty, file, **key) for _ in "ab")
    assert first.status_code == 201
    assert (again.status_code, again.content) == (201, first.content)
    assert again["Idempotency-Replayed"] == "true"


def test_only_hosts_can_export_a_season(at: str, doors: dict[str, Client]) -> None:
    turned_away(doors, "get", at, wrong="scorekeeper")


def test_only_hosts_can_import_a_season(
    file: bytes, empty: League, doors: dict[str, Client]
) -> None:
    refusal(bring(doors["nobody"], empty, file), 401)
    refusal(bring(doors["outsider"], empty, file), 404)
    refusal(bring(member(empty, Role.SCOREKEEPER), empty, file), 403)
    assert not empty.players.exists()


def test_season_can_only_be_imported_into_an_empty_league(
    file: bytes, world: World, doors: dict[str, Client]
) -> None:
    assert reported_errors(bring(doors["host"], world.league, file)) == [("league", "not-empty")]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", "unknown-format"),
        (b"{}", "unknown-format"),
        (b"a season", "not-json"),
        (b"\xff\xfe", "not-json"),
        (b"[]", "not-json"),
        (b"[" * 100_000, "not-json"),
        (b'{"format": "dealers-choice season", "version": 1}', "old-format"),
        (b'{"format": "dealers-choice season", "version": 2}', "unknown-format"),
        (b'{"format": "dealers-choice season", "version": 3}', "unknown-format"),
    ],
)
def test_invalid_season_is_refused_and_changes_nothing(
    body: bytes, code: str, empty: League
) -> None:
    assert reported_errors(bring(member(empty, Role.HOST), empty, body)) == [("file", code)]
    assert empty.seasons.count() == 1


def test_incomplete_file_is_refused(file: bytes, empty: League) -> None:
    lines = [line for line in file.splitlines() if b'"row": "Posting"' not in line]
    errors = reported_errors(bring(member(empty, Role.HOST), empty, b"\n".join(lines)))
    assert {code for _, code in errors} == {"no-posting"}
    assert all(where.startswith("lines/") for where, _ in errors)
    assert not empty.players.exists()


@pytest.mark.parametrize(
    ("name", "value", "wrongs"),
    [
        ("time_zone", "Nowhere", [("time_zone", "bad-time-zone")]),
        ("closing_hour", "noon", [("closing_hour", "bad-hour")]),
        ("closing_hour", 99, [("closing_hour", "bad-hour")]),
        ("settles", "never", [("settles", "bad-option")]),
    ],
)
def test_invalid_league_settings_in_a_file_are_refused(
    name: str, value: object, wrongs: list[tuple[str, str]], file: bytes, empty: League
) -> None:
    head, *rest = file.splitlines()
    data = json.loads(head)
    data["league"][name] = value
    body = b"\n".join([json.dumps(data).encode(), *rest])
    assert reported_errors(bring(member(empty, Role.HOST), empty, body)) == wrongs
    assert not empty.players.exists()


def test_only_json_lines_are_accepted_for_import(empty: League) -> None:
    client = member(empty, Role.HOST)
    address = f"/api/v1/leagues/{empty.pk}/season-file"
    refusal(client.post(address, {"file": "x"}, content_type="application/json"), 415)
