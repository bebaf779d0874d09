"""Conventions for all URLs: fields, filters, cursors, ETags, rate limits, CORS and gzip."""

from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest
import time_machine
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from league.models import Night, Role, Scope
from league.recording.corrections import revise_hand, void_hand
from league.recording.record import record_hand
from league.stats.count import count_marked
from rules.documents import catalog
from tests.helpers.api.clients import member, refusal, reported_errors
from tests.helpers.api.sample_league import a_world, link_to, with_token
from tests.helpers.league.leagues import a_night, holdem, player

pytestmark = pytest.mark.django_db


def test_client_can_select_the_returned_fields() -> None:
    night = a_night()
    client = member(night.league, Role.VIEWER)
    listed = client.get("/api/v1/nights?fields=id,number").json()["results"]
    assert listed == [{"id": str(night.pk), "number": 1}]
    assert client.get(f"/api/v1/nights/{night.pk}?fields=carry").json() == {"carry": 0}
    (error,) = refusal(client.get("/api/v1/nights?fields=id,nam"), 400)["errors"]
    assert (error["where"], error["code"]) == ("fields", "unknown-field")


@pytest.mark.parametrize("query", ["seson=1", "fields=id&fields=id", "page_size=0", "page_size=x"])
def test_misspelt_parameter_is_reported(query: str) -> None:
    night = a_night()
    problem = refusal(member(night.league, Role.VIEWER).get(f"/api/v1/nights?{query}"), 400)
    assert [each["where"] for each in problem["errors"]] == [query.partition("=")[0]]


def _three_hands(night: Night, *, counted: bool) -> list[str]:
    first = record_hand(night, uuid4(), holdem(), by=None).hand
    result = {"variant": "nightmare", "depth": "result", "button": 0, "took": {"cat": 20}}
    result["players"] = [{"name": "cat", "paid": 10}, {"name": "dan", "paid": 10}]
    second = record_hand(night, uuid4(), result, by=None).hand
    own = {"variant": catalog.document("qualifiers"), "depth": "result", "took": {"cat": 20}}
    third = record_hand(night, uuid4(), result | own, by=None).hand
    if counted:
        count_marked(night.league.pk)
    void_hand(second, by=None)
    if counted:
        revise_hand(first, uuid4(), holdem(button=0), by=None)
        count_marked(night.league.pk)
        revise_hand(first, uuid4(), holdem(), by=None)  # this correction has not been counted yet
    return [str(each.pk) for each in (first, second, third)]


@pytest.mark.parametrize("counted", [False, True])
def test_hands_can_be_filtered_by_their_properties(counted: bool) -> None:
    """The filters apply to counted hands and to hands that are not counted yet."""
    night = a_night()
    one, two, three = _three_hands(night, counted=counted)
    client = member(night.league, Role.VIEWER)

    def listed(query: str) -> list[str]:
        response = client.get(f"/api/v1/hands?{query}")
        assert response.status_code == 200, response.content
        return [each["id"] for each in response.json()["results"]]

    now = timezone.now().isoformat().replace("+00:00", "Z")
    assert listed("") == [three, two, one]
    assert listed(f"player={player(night, 'ann').pk}") == [one]
    assert listed(f"dealer={player(night, 'bob').pk}") == [one]
    assert listed(f"dealer={player(night, 'ann').pk}") == []
    assert listed(f"dealer={player(night, 'cat').pk}") == [three, two]
    assert listed(f"player={player(night, 'dan').pk}&game=nightmare") == [two]
    assert listed("game=Qualifiers") == [three]
    assert listed("verified=true") == [one]
    assert listed("verified=false&voided=true") == [two]
    assert listed(f"season={night.season_id}&night={night.pk}&before={now}") == [three, two, one]
    assert listed(f"after={now}") == []
    assert listed("after=1548-01-24T16:07:17%2B21:33") == [three, two, one]


@pytest.mark.parametrize(
    ("name", "code"),
    [
        *((name, f"unknown-{name}") for name in ("league", "season", "night", "player")),
        ("dealer", "unknown-player"),
    ],
)
def test_filter_reports_an_id_from_another_league_as_unknown(name: str, code: str) -> None:
    night, other = a_night(), a_night()
    foreign = {
        "league": other.league.pk,
        "season": other.season_id,
        "night": other.pk,
        "player": player(other, "ann").pk,
        "dealer": player(other, "ann").pk,
    }
    client = member(night.league, Role.VIEWER)
    for value in (foreign[name], uuid4()):
        answer = client.get("/api/v1/hands", {name: value})
        assert reported_errors(answer) == [(name, code)]


def test_unknown_game_is_reported() -> None:
    night = a_night()
    client = member(night.league, Role.VIEWER)
    answer = client.get("/api/v1/hands", {"game": "texas-foldem"})
    assert reported_errors(answer) == [("game", "unknown-game")]
    feed = f"/api/v1/leagues/{night.league.pk}/feeds"
    answer = client.get(f"{feed}/results", {"game": "texas-foldem", "player": uuid4()})
    assert reported_errors(answer) == [("player", "unknown-player"), ("game", "unknown-game")]
    answer = client.get(f"{feed}/transfers", {"account": "tab:nobody"})
    assert reported_errors(answer) == [("account", "unknown-account")]


def test_invalid_hand_filter_is_reported() -> None:
    client = member(a_night().league, Role.VIEWER)
    for wrong in (
        "after=0001-01-01T00:00:00%2B12:00",
        "player=ann",
        "verified=1",
        "after=yesterday",
        "game=%00",
    ):
        refusal(client.get(f"/api/v1/hands?{wrong}"), 400)


def test_pages_have_the_requested_size_and_a_link_to_the_next_page() -> None:
    night = a_night()
    for _ in range(3):
        record_hand(night, uuid4(), holdem(), by=None)
    client = member(night.league, Role.VIEWER)
    first = client.get("/api/v1/hands?page_size=2&fields=number").json()
    record_hand(night, uuid4(), holdem(), by=None)
    second = client.get(first["next"]).json()
    assert [each["number"] for each in first["results"] + second["results"]] == [3, 2, 1]


def test_changed_resource_is_returned_for_an_old_etag() -> None:
    night = a_night()
    client = member(night.league, Role.VIEWER)
    at = f"/api/v1/nights/{night.pk}/hands"
    tag = client.get(at)["ETag"]
    record_hand(night, uuid4(), holdem(), by=None)
    changed = client.get(at, headers={"If-None-Match": tag})
    assert changed.status_code == 200
    assert changed["ETag"] != tag


def test_rate_limit_reports_when_to_retry(settings: Any) -> None:
    cache.clear()
    settings.API_RATES = {"caller": "2/min", "address": "1/min", "settle": "120/min"}
    night = a_night()
    token = with_token(night.league, Role.VIEWER, Scope.READ)
    other = with_token(night.league, Role.VIEWER, Scope.READ)
    answers = [token.get("/api/v1/nights") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert [answer["X-RateLimit-Remaining"] for answer in answers] == ["1", "0", "0"]
    assert {answer["X-RateLimit-Limit"] for answer in answers} == {"2"}
    assert all(0 < int(answer["X-RateLimit-Reset"]) <= 60 for answer in answers)
    assert other.get("/api/v1/nights").status_code == 200
    refused = token.get("/api/v1/nights")
    refusal(refused, 429)
    assert int(refused["Retry-After"]) > 0
    assert [Client().get("/api/v1/games").status_code for _ in range(2)] == [200, 429]
    cache.clear()


def test_cross_origin_pages_can_read_the_api_if_a_setting_allows_it(settings: Any) -> None:
    origin: dict[str, Any] = {"Origin": "https://stats.example"}
    assert "Access-Control-Allow-Origin" not in Client().get("/api/v1/games", headers=origin)
    settings.CORS_ALLOWED_ORIGINS = ["https://stats.example"]
    answer = Client().get("/api/v1/games", headers=origin)
    assert answer["Access-Control-Allow-Origin"] == "https://stats.example"
    assert "Access-Control-Allow-Credentials" not in answer
    asked = origin | {"Access-Control-Request-Method": "POST"}
    allowed = Client().options("/api/v1/leagues", headers=asked)["Access-Control-Allow-Methods"]
    assert "POST" not in allowed
    assert "Access-Control-Allow-Origin" not in Client().get("/", headers=origin)


def test_long_responses_are_compressed_and_short_ones_are_not() -> None:
    packed = Client().get("/api/v1/games", headers={"Accept-Encoding": "gzip"})
    assert packed["Content-Encoding"] == "gzip"
    tag = packed["ETag"]
    again = {"Accept-Encoding": "gzip", "If-None-Match": tag}
    assert Client().get("/api/v1/games", headers=again).status_code == 304


def test_closing_has_a_last_modified_header() -> None:
    with time_machine.travel(datetime(2026, 1, 1, tzinfo=UTC), tick=False):
        world = a_world()
    client = member(world.league, Role.VIEWER)
    answer = client.get(f"/api/v1/nights/{world.closed.pk}/closing")
    assert answer["Last-Modified"] == "Thu, 01 Jan 2026 00:00:00 GMT"


def test_errors_include_a_json_pointer_into_the_body() -> None:
    night = a_night()
    host = member(night.league, Role.HOST)
    record = holdem(players=[{"name": "ann", "paid": -1}])
    sent = {"id": str(uuid4()), "record": record}
    answer = host.post(f"/api/v1/nights/{night.pk}/hands", sent, content_type="application/json")
    pointers = {each["pointer"] for each in refusal(answer, 400)["errors"]}
    assert "#/record/players/0/paid" in pointers


@pytest.mark.parametrize(
    ("name", "where", "fragment"),
    [
        ("b/c", "b~1c", "b~1c"),
        ("a~b", "a~0b", "a~0b"),
        ("a~1b", "a~01b", "a~01b"),
        ("Zoë K", "Zoë K", "Zo%C3%AB%20K"),
        ("50%", "50%", "50%25"),
    ],
)
def test_json_pointers_escape_names_as_in_rfc_6901(name: str, where: str, fragment: str) -> None:
    night = a_night()
    host = member(night.league, Role.HOST)
    record = holdem(took={name: 1}, tiebreaks=[{name: []}])
    sent = {"id": str(uuid4()), "record": record, name: 1}
    answer = host.post(f"/api/v1/nights/{night.pk}/hands", sent, content_type="application/json")
    [unknown] = refusal(answer, 400)["errors"]
    assert (unknown["where"], unknown["pointer"]) == (where, f"#/{fragment}")
    del sent[name]
    answer = host.post(f"/api/v1/nights/{night.pk}/hands", sent, content_type="application/json")
    pointers = {(error["where"], error["pointer"]) for error in refusal(answer, 400)["errors"]}
    assert (f"took/{where}", f"#/record/took/{fragment}") in pointers
    assert (f"tiebreaks/0/{where}", f"#/record/tiebreaks/0/{fragment}") in pointers


def test_feed_link_is_forbidden_on_member_routes_and_ignored_on_public_ones() -> None:
    world = a_world()
    count_marked(world.league.pk)
    league, key = f"/api/v1/leagues/{world.league.pk}", {"key": link_to(world.league)}
    for address in (league, f"{league}/webhooks"):
        problem = refusal(Client().get(address, key), 403)
        assert problem["type"] == "/api/problems/not-allowed"
        assert "feed link" in problem["detail"]
    refusal(Client().get(league, {"key": "unknown"}), 401)
    [row, *_] = Client().get(f"{league}/feeds/nights", key).json()["results"]
    assert (row["currency"], row["chip_value"]) == (world.league.currency, 1)
    assert Client().get("/api/v1/games", key).status_code == 200


def test_hands_can_be_filtered_by_game() -> None:
    night = a_night()
    _three_hands(night, counted=False)
    client = member(night.league, Role.VIEWER)
    for counted in (False, True):
        if counted:
            count_marked(night.league.pk)
        for row in client.get("/api/v1/hands").json()["results"]:
            named = client.get("/api/v1/hands", {"game": row["game"]}).json()["results"]
            assert row["id"] in {hand["id"] for hand in named}
            assert {hand["game"] for hand in named} == {row["game"]}
        slugs = client.get("/api/v1/hands", {"game": "texas-holdem"}).json()["results"]
        assert {hand["game_name"] for hand in slugs} == {"Texas Hold'em"}
