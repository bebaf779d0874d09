"""Streams from a running service: in the web server's process and separately (docs/streams.md)."""

import contextlib
import http.client
import signal
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.helpers.api.streaming_service import StreamedLeague, streamed

pytestmark = pytest.mark.slow
KINDS = ["beside the web server", pytest.param("alone", marks=pytest.mark.scheduled)]
TRANSFERS = "?feeds=transfers"
WITHIN = 15.0


@pytest.fixture(scope="module", params=KINDS)
def league(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[StreamedLeague]:
    folder = tmp_path_factory.mktemp("data")
    with streamed(folder, apart=request.param == "alone") as found:
        yield found


def test_stream_sends_the_feed_and_then_new_rows(league: StreamedLeague) -> None:
    before = league.feed("transfers")
    with league.stream(TRANSFERS) as stream:
        assert (stream.status, stream.headers["content-type"]) == (200, "text/event-stream")
        streamed_rows = [row for event in stream.next(len(before)) for row in event.rows]
        assert streamed_rows == before
        league.record()
        [new] = stream.next(1)
    assert new.rows == league.feed("transfers", before[-1]["cursor"])
    assert (new.name, new.last_id) == ("transfers", str(new.rows[0]["cursor"]))


def test_reconnecting_reader_continues_after_the_last_event(league: StreamedLeague) -> None:
    league.record(3)
    with league.stream("?feeds=transfers,nights") as stream:
        stream.next(2)
        last_id = stream.last_id
    league.record()
    rest = league.feed("transfers", int(last_id.rpartition(":")[2]))
    with league.stream("?feeds=transfers,nights", last_id=last_id) as stream:
        rows = [row for event in stream.next(1) for row in event.rows]
        while len(rows) < len(rest):
            rows += [row for event in stream.next(1) for row in event.rows]
    assert rows == rest


def test_hands_are_streamed_once_they_are_counted(league: StreamedLeague) -> None:
    league.record()
    with league.stream() as stream:
        events = stream.events()
        hands_event = next(event for event in events if event.name == "hands")
        assert hands_event.rows[0] in league.feed("hands")


def test_feed_link_opens_a_stream(league: StreamedLeague) -> None:
    """A browser's EventSource cannot send custom headers."""
    key = league.does(
        "from league.models import League",
        "from league.people.api_keys import make_link",
        f"print(make_link(League.objects.get(pk='{league.league}'), 'x', by=None)[1])",
    )
    with league.stream(f"{TRANSFERS}&key={key}", token="") as stream:
        assert stream.next(1)[0].name == "transfers"


def test_expired_session_is_refused_but_a_token_still_works(league: StreamedLeague) -> None:
    """A browser keeps the cookie of an ended session and opens feeds with feed links."""
    path = f"/api/v1/leagues/{league.league}/stream{TRANSFERS}"
    for credential, status in (({}, 401), ({"Authorization": f"Bearer {league.token}"}, 200)):
        wire = http.client.HTTPConnection("127.0.0.1", league.streams, timeout=WITHIN)
        with contextlib.closing(wire):
            wire.request("GET", path, headers={"Cookie": "sessionid=expired", **credential})
            assert wire.getresponse().status == status


def test_revoking_a_token_ends_its_stream_within_a_heartbeat(league: StreamedLeague) -> None:
    """The heartbeat interval here is one second (tests/helpers/config/served_settings.py)."""
    token = league.does(
        "from league.models import League",
        "from league.people.api_keys import make_token",
        f"found = League.objects.get(pk='{league.league}')",
        "print(make_token(found, found.created_by, 'short', 'read')[1])",
    )
    newest = league.feed("transfers")[-1]["cursor"]
    with league.stream(f"{TRANSFERS}&cursor={newest}", token=token) as stream:
        league.does(
            "from league.models import Token",
            "from league.people.api_keys import revoke_token",
            "found = Token.objects.get(name='short')",
            "revoke_token(found.league, found.id)",
        )
        began = time.monotonic()
        assert stream.to_the_end() == []
        assert time.monotonic() - began < WITHIN
    with league.stream(TRANSFERS, token=token) as stream:
        assert stream.status == 401


def test_idle_stream_sends_heartbeats(league: StreamedLeague) -> None:
    newest = league.feed("transfers")[-1]["cursor"]
    with league.stream(f"{TRANSFERS}&cursor={newest}") as stream:
        time.sleep(2.5)
        league.record()
        stream.next(1)
    assert stream.comments >= 2


def test_stream_error_is_a_problem_document(league: StreamedLeague) -> None:
    for query, token, status in (
        ("?cursor=nonsense", league.token, 400),
        ("", "", 401),
        ("", "dealer_unknown", 401),
    ):
        with league.stream(query, token=token) as stream:
            assert stream.status == status
            assert stream.headers["content-type"] == "application/problem+json"
            assert stream.refusal()["status"] == status


def test_head_request_returns_the_same_headers_and_opens_no_stream(league: StreamedLeague) -> None:
    for _ in range(12):  # more streams than a token may keep open
        stream = league.stream(TRANSFERS).open("HEAD")
        assert (stream.status, stream.headers["content-type"]) == (200, "text/event-stream")
        stream.close()


def test_closing_a_stream_frees_a_slot_for_its_token(league: StreamedLeague) -> None:
    with contextlib.ExitStack() as opened:
        streams = [opened.enter_context(league.stream(TRANSFERS)) for _ in range(11)]
        assert [each.status for each in streams] == [200] * 10 + [429]
    deadline = time.monotonic() + WITHIN
    status = 429
    while status == 429 and time.monotonic() < deadline:
        with league.stream(TRANSFERS) as stream:
            status = stream.status
    assert status == 200


def test_streams_do_not_occupy_threads(league: StreamedLeague) -> None:
    process = psutil.Process(league.process.process.pid)
    with league.stream(TRANSFERS) as stream:
        stream.next(1)
        before = process.num_threads()
    with contextlib.ExitStack() as opened:
        streams = [opened.enter_context(league.stream(TRANSFERS)) for _ in range(8)]
        for each in streams:
            each.next(1)
        # some of the four database threads may only just have started
        assert process.num_threads() <= before + 4
        league.get("leagues")


def test_request_received_in_pieces_is_parsed(league: StreamedLeague) -> None:
    lines = f"GET {league.address(TRANSFERS)} HTTP/1.1\r\nHost: localhost\r\n"
    text = f"{lines}Authorization: Bearer {league.token}\r\n\r\n".encode()
    for cuts in ((3,), (30, 60), (len(text) - 2,), (1, 70, 100)):
        with socket.create_connection(("127.0.0.1", league.streams), timeout=10) as client:
            for begin, end in zip((0, *cuts), (*cuts, len(text)), strict=True):
                client.sendall(text[begin:end])
                time.sleep(0.05)
            assert client.recv(15) == b"HTTP/1.1 200 OK"


def test_stream_can_follow_a_request_on_the_same_connection(league: StreamedLeague) -> None:
    if league.web != league.streams:
        pytest.skip("what only streams answers nothing else")
    head = "Host: localhost\r\n"
    other = f"GET /healthz HTTP/1.1\r\n{head}\r\n".encode()
    text = f"GET {league.address()} HTTP/1.1\r\n{head}Authorization: Bearer {league.token}\r\n\r\n"
    with socket.create_connection(("127.0.0.1", league.streams), timeout=10) as client:
        client.sendall(other)
        assert client.recv(15) == b"HTTP/1.1 200 OK"
        time.sleep(0.1)
        client.recv(65536)
        client.sendall(text.encode())
        came = b""
        while b": connected" not in came:
            data = client.recv(65536)
            assert data, came
            came += data
        assert b"text/event-stream" in came


def test_request_with_a_body_is_not_streamed(league: StreamedLeague) -> None:
    text = f"GET {league.address()} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n"
    text += f"Authorization: Bearer {league.token}\r\n\r\nnonsense!"
    with socket.create_connection(("127.0.0.1", league.streams), timeout=10) as client:
        client.sendall(text.encode())
        while client.recv(65536):
            pass


def test_streaming_process_only_serves_streams(league: StreamedLeague) -> None:
    if league.web == league.streams:
        pytest.skip("this one answers all")
    for path, status in (("/api/v1/leagues", 404), ("/sign-in", 404), ("/healthz", 200)):
        stream = league.stream()
        stream.address = path
        with stream:
            assert stream.status == status


@pytest.mark.parametrize("kind", KINDS)
def test_shutdown_ends_open_streams(kind: str, tmp_path: Path) -> None:
    with streamed(tmp_path, apart=kind == "alone") as own:
        newest = own.feed("transfers")[-1]["cursor"]
        with own.stream(f"{TRANSFERS}&cursor={newest}") as stream:
            assert own.process.end(signal.SIGTERM) < WITHIN
            assert stream.to_the_end() == []
        assert own.process.process.returncode == 0
