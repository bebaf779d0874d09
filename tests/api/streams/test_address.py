"""Access to streams, errors, and the response when streaming is off."""

import re
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client, override_settings

from api.streams.admission import (
    ADMISSION,
    MOST,
    MOST_OF_CALLER,
    MOST_OF_LEAGUE,
    WAIT_SECONDS,
    Admission,
    Place,
    Places,
    TooManyStreamsError,
)
from league.models import Role, Scope
from tests.helpers.api.clients import refusal, reported_errors
from tests.helpers.api.sample_league import World, link_to, with_token

pytestmark = pytest.mark.django_db


def at(world: World, query: str = "") -> str:
    return f"/api/v1/leagues/{world.league.pk}/stream{query}"


def open_stream(world: World, query: str = "", **headers: str) -> tuple[Any, Admission]:
    """Request a stream with a reading token. Return the response and what was admitted."""
    admission = Admission(Places())
    client = with_token(world.league, Role.VIEWER, Scope.READ)
    return client.get(at(world, query), headers=headers, **{ADMISSION: admission}), admission


def test_polling_is_suggested_if_streaming_is_unavailable(world: World) -> None:
    client = with_token(world.league, Role.VIEWER, Scope.READ)
    problem = refusal(client.get(at(world, "?feeds=hands,transfers")), 501)
    assert problem["type"] == "/api/problems/no-streams"
    addresses = re.findall(r"/api/\S+?(?=[,.]?(?:\s|$))", problem["detail"])
    assert [each.rpartition("/")[2] for each in addresses] == ["hands", "transfers"]
    assert all(client.get(each).status_code == 200 for each in addresses)


@pytest.mark.parametrize(
    ("query", "where"),
    [
        ("?feeds=results", "feeds"),
        ("?feeds=hands,hands", "feeds"),
        ("?feeds=hands,", "feeds"),
        ("?feeds=", "feeds"),
        ("?cursor=5", "cursor"),
        ("?feeds=hands&cursor=nights:5", "cursor"),
        ("?cursor=-1", "cursor"),
        ("?fields=hand", "fields"),
        ("?page_size=5", "page_size"),
    ],
)
def test_invalid_stream_parameter_is_refused(world: World, query: str, where: str) -> None:
    answer, admission = open_stream(world, query)
    assert [each for each, _ in reported_errors(answer)] == [where]
    assert admission.subscription is None
    assert admission.place is None


def test_invalid_last_event_id_is_refused(world: World) -> None:
    answer, _ = open_stream(world, "", **{"Last-Event-ID": "nonsense"})
    assert reported_errors(answer) == [("Last-Event-ID", "bad-header")]


def test_last_event_id_takes_precedence_over_since(world: World) -> None:
    """A reconnecting browser requests the old URL and sends the last event id in a header."""
    _, admission = open_stream(world, "?feeds=hands&cursor=5", **{"Last-Event-ID": "9"})
    assert admission.subscription
    assert admission.subscription.cursors == {"hands": 9}
    _, admission = open_stream(world, "?cursor=hands:5,transfers:7")
    assert admission.subscription
    assert admission.subscription.cursors == {"hands": 5, "nights": 0, "transfers": 7}


def test_stream_is_neither_cached_nor_buffered(world: World) -> None:
    answer, _ = open_stream(world)
    assert answer.status_code == 200
    assert answer["Content-Type"] == "text/event-stream"
    assert {"no-store", "no-transform"} <= set(answer["Cache-Control"].split(", "))
    assert answer["X-Accel-Buffering"] == "no"
    assert "ETag" not in answer
    assert answer.content == b""


def test_outsiders_cannot_open_a_stream(world: World, doors: dict[str, Client]) -> None:
    for who, status in (("nobody", 401), ("outsider", 404), ("token of another league", 404)):
        admission = Admission(Places())
        refusal(doors[who].get(at(world), **{ADMISSION: admission}), status)
        assert (admission.subscription, admission.place) == (None, None)


def test_feed_link_can_open_the_streams_of_its_league(world: World) -> None:
    admission = Admission(Places())
    key = link_to(world.league)
    assert Client().get(at(world, f"?key={key}"), **{ADMISSION: admission}).status_code == 200
    assert admission.place
    assert admission.place.caller.startswith("link:")
    other = f"/api/v1/leagues/{uuid4()}/stream?key={key}"
    refusal(Client().get(other, **{ADMISSION: Admission(Places())}), 404)


def test_internal_header_sent_by_a_client_is_ignored(world: World) -> None:
    client = with_token(world.league, Role.VIEWER, Scope.READ)
    for name in (ADMISSION, f"HTTP_{ADMISSION}", "HTTP_DEALERS_CHOICE_STREAM"):
        refusal(client.get(at(world), **{name: "yes"}), 501)


def test_stream_limit_per_token_returns_retry_after(world: World) -> None:
    taken, client = Places(), with_token(world.league, Role.VIEWER, Scope.READ)
    admissions = [Admission(taken) for _ in range(MOST_OF_CALLER + 1)]
    answers = [client.get(at(world), **{ADMISSION: admission}) for admission in admissions]
    assert {answer.status_code for answer in answers[:-1]} == {200}
    problem = refusal(answers[-1], 429)
    assert problem["type"] == "/api/problems/too-many-streams"
    assert answers[-1]["Retry-After"] == str(WAIT_SECONDS)
    other = with_token(world.league, Role.VIEWER, Scope.READ)
    assert other.get(at(world), **{ADMISSION: Admission(taken)}).status_code == 200
    admissions[0].leave()
    admissions[0].leave()  # a stream releases only one slot, no matter how often it is closed
    assert client.get(at(world), **{ADMISSION: Admission(taken)}).status_code == 200
    refusal(client.get(at(world), **{ADMISSION: Admission(taken)}), 429)


def test_streams_are_limited_per_league_and_per_service() -> None:
    taken, league = Places(), uuid4()
    for number in range(MOST_OF_LEAGUE):
        taken.take(Place(league, f"token:{number}"))
    with pytest.raises(TooManyStreamsError, match="the league"):
        taken.take(Place(league, "token:new"))
    for number in range(MOST - MOST_OF_LEAGUE):
        taken.take(Place(uuid4(), f"token:{number}"))
    with pytest.raises(TooManyStreamsError, match="the service"):
        taken.take(Place(uuid4(), "token:new"))


@override_settings(CORS_ALLOWED_ORIGINS=["https://stats.example.org"])
def test_cross_origin_page_may_send_the_last_event_id(world: World, client: Client) -> None:
    answer = client.options(
        at(world),
        headers={
            "Origin": "https://stats.example.org",
            "Access-Control-Request-Method": "GET",
            "Access-Control-Request-Headers": "authorization,last-event-id",
        },
    )
    allowed = answer["Access-Control-Allow-Headers"].lower().split(", ")
    assert {"authorization", "last-event-id"} <= set(allowed)
