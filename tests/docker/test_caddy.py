"""The Caddyfiles, run by a local Caddy in front of a test server."""

import contextlib
import http.client
import http.server
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.helpers.security.half_sent import KINDS, ask, half_sent, is_hung_up_on
from tests.helpers.security.servers import free_port

DOCKER = Path(__file__).parents[2] / "docker"
CADDY = Path(sys.executable).with_name("caddy")
FILES = ("Caddyfile", "Caddyfile.plain")
STREAM = "/api/v1/leagues/3b1f8a52-6c0d-4f0e-9c2a-7d5e1b904c11/stream?feeds=hands"
# Our packages only include Caddy for one architecture.
pytestmark = pytest.mark.skipif(
    not (sys.platform == "linux" and os.uname().machine == "x86_64"), reason="no Caddy for it"
)


class BodyServer(http.server.BaseHTTPRequestHandler):
    """A web server behind the proxy that returns the length of the body."""

    began: list[str]

    def do_POST(self) -> None:
        self.began.append(self.path)
        self.rfile.read(int(self.headers["Content-Length"] or 0))
        self.send_response(200)
        self.end_headers()

    do_GET = do_POST  # noqa: N815 (name of the base class)

    def log_message(self, *_: object) -> None:
        pass


class EventServer(http.server.BaseHTTPRequestHandler):
    """A streaming server behind the proxy, which sends an event, and a second one on command."""

    goes_on: threading.Event

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        self.wfile.write(b"data: first\n\n")
        self.goes_on.wait(20)
        self.wfile.write(b"data: second\n\n")

    def log_message(self, *_: object) -> None:
        pass


@dataclass(frozen=True)
class Proxy:
    port: int
    began: list[str]
    goes_on: threading.Event


@contextlib.contextmanager
def a_server(handler: type[http.server.BaseHTTPRequestHandler]) -> Iterator[int]:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as behind:
        threading.Thread(target=behind.serve_forever, args=(0.01,), daemon=True).start()
        yield behind.server_port
        behind.shutdown()


@pytest.fixture(params=FILES)
def proxy(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Proxy]:
    """Caddy with one of the files, in front of a web server and a streaming server."""
    goes_on = threading.Event()
    with a_server(type("T", (EventServer,), {"goes_on": goes_on})) as streams:
        yield from a_proxy(request.param, tmp_path, streams, goes_on)


@pytest.fixture(params=FILES)
def unstreamed(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Proxy]:
    """The same proxy without a streaming server."""
    yield from a_proxy(request.param, tmp_path, free_port(), threading.Event())


def a_proxy(name: str, folder: Path, streams: int, goes_on: threading.Event) -> Iterator[Proxy]:
    """Run Caddy with the file on a free port, with its timeouts shortened to a second."""
    began: list[str] = []
    port, file = free_port(), folder / "Caddyfile"
    with a_server(type("C", (BodyServer,), {"began": began})) as web:
        file.write_text(here((DOCKER / name).read_text(), port, web, streams))
        environment = os.environ | {"SITE_NAME": f"http://127.0.0.1:{port}", "HOME": str(folder)}
        words = [CADDY, "run", "--adapter", "caddyfile", "--config", file]
        with subprocess.Popen(words, env=environment, stderr=subprocess.DEVNULL) as process:
            try:
                wait_for(port)
                began.clear()
                yield Proxy(port, began, goes_on)
            finally:
                process.terminate()


def here(text: str, port: int, web: int, streams: int) -> str:
    """Return the file with local addresses and short timeouts."""
    for name, behind, times in (("web", web, 2), ("streams", streams, 1)):
        dynamic = rf"dynamic a {name} 8000 \{{[^}}]*\}}"
        text, found = re.subn(dynamic, f"to 127.0.0.1:{behind}", text)
        assert found == times
    text = re.sub(r"read_(header|body) \d+s", r"read_\1 1s", text)
    text = re.sub(r"lb_try_duration \d+s", "lb_try_duration 1s", text)
    text = text.replace(":8000 {", f"http://127.0.0.1:{port} {{")
    if not text.partition("\n")[2].startswith("{"):
        text = "{\n}\n" + text
    return text.replace("{\n", "{\n\tadmin off\n", 1)


def wait_for(port: int) -> None:
    deadline = time.monotonic() + 20
    while True:
        with contextlib.suppress(OSError):
            if ask(port) == 200:
                return
        assert time.monotonic() < deadline, "Caddy does not answer"
        time.sleep(0.05)


@pytest.mark.parametrize("name", FILES)
def test_caddy_accepts_the_configuration(name: str) -> None:
    words = [CADDY, "validate", "--adapter", "caddyfile", "--config", DOCKER / name]
    environment = os.environ | {"SITE_NAME": "league.example.org"}
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    assert "Valid configuration" in done.stdout, done.stderr[-2000:]


def test_incomplete_request_times_out_at_the_proxy(proxy: Proxy) -> None:
    with contextlib.ExitStack() as begun:
        held = [begun.enter_context(half_sent(proxy.port, kind, 5)) for kind in KINDS.values()]
        assert ask(proxy.port, "/honest", body=b"whole") == 200
        assert proxy.began == ["/honest"]
        assert all(is_hung_up_on(each, within=20) for some in held for each in some)
    assert proxy.began == ["/honest"]


def test_complete_body_is_forwarded(proxy: Proxy) -> None:
    assert ask(proxy.port, "/large", body=b"x" * 1_000_000) == 200
    assert proxy.began == ["/large"]


def test_proxy_refuses_an_oversized_body(proxy: Proxy) -> None:
    status = 413
    with contextlib.suppress(ConnectionError):  # the proxy may disconnect before responding
        status = ask(proxy.port, "/huge", body=b"x" * 30_000_000)
    assert status == 413


@pytest.mark.parametrize("path", ["/leagues/{}/import", "/api/v1/leagues/{}/imports"])
def test_import_files_are_forwarded(proxy: Proxy, path: str) -> None:
    """Sends twenty megabytes. The response contains their size as JSON."""
    path = path.format("0f9c7bbf-2d9e-4b9e-9f0a-4d1c6f4d2f0a")
    assert ask(proxy.port, path, body=b"x" * 30_000_000) == 200


def test_metrics_are_not_public(proxy: Proxy) -> None:
    assert ask(proxy.port, "/metrics") == 404
    assert proxy.began == []


def test_stream_request_without_a_streaming_server_goes_to_a_web_process(unstreamed: Proxy) -> None:
    """The web process lists the URLs for polling, but the proxy can't."""
    assert ask(unstreamed.port, STREAM) == 200
    assert unstreamed.began == [STREAM]


def test_stream_is_proxied_and_flushed_immediately(proxy: Proxy) -> None:
    """A compressed or buffered event would arrive only together with the next one."""
    wire = http.client.HTTPConnection("127.0.0.1", proxy.port, timeout=20)
    with contextlib.closing(wire):
        wire.request("GET", STREAM, headers={"Accept-Encoding": "gzip, zstd"})
        answer = wire.getresponse()
        assert "content-encoding" not in {name.lower() for name in answer.headers}
        assert answer.readline() == b"data: first\n"
        proxy.goes_on.set()
        assert answer.read() == b"\ndata: second\n\n"
    assert proxy.began == []
