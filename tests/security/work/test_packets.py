"""The guard in `tests.loopback` blocks packets that would leave this machine."""

import re
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest

from league.sending.http_request import look_up
from tests.helpers.league.receiver import receiver
from tests.loopback import guard

# Addresses reserved for documentation (RFC 5737, RFC 3849). Even without the guard, no host would
# receive a packet.
FAR, FAR_6 = "192.0.2.7", "2001:db8::7"


@pytest.fixture
def expected_refusals() -> Iterator[list[str]]:
    """Return and clear the blocked packets that this test expects."""
    refusals: list[str] = []
    yield refusals
    assert refusals


def refused(expected_refusals: list[str]) -> list[str]:
    expected_refusals += guard.refused()
    return expected_refusals


def _connect(host: str, kind: socket.SocketKind = socket.SOCK_STREAM) -> None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, kind) as wire:
        wire.settimeout(0.1)
        wire.connect((host, 443))


def _send_to(host: str) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as wire:
        wire.sendto(b"hello", (host, 53))


@pytest.mark.parametrize(
    "leave",
    [
        lambda: _connect(FAR),
        lambda: _connect(FAR_6),
        lambda: _connect(f"::ffff:{FAR}"),
        lambda: _connect(FAR, socket.SOCK_DGRAM),
        lambda: _send_to(FAR),
        lambda: _send_to("192.0.2.1"),
        lambda: _send_to("255.255.255.255"),
        lambda: _send_to("224.0.0.251"),
        lambda: socket.create_connection((FAR, 443), timeout=0.1),
        lambda: socket.getaddrinfo("hooks.example.org", 443),
        lambda: socket.getaddrinfo(b"hooks.example.org", 443),
        lambda: socket.gethostbyname("hooks.example.org"),
        lambda: look_up("hooks.example.org", 443, 1.0),
    ],
)
def test_packet_to_an_address_beyond_loopback_is_refused(
    leave: Callable[[], object], expected_refusals: list[str]
) -> None:
    with pytest.raises(OSError, match="No packet leaves the machine in tests"):
        leave()
    [sentence] = refused(expected_refusals)
    assert re.search(r"192\.0\.2\.|2001:db8::7|hooks\.example\.org|255\.255|224\.0", sentence)


def test_refused_packet_is_reported_even_if_the_code_ignores_the_error(
    expected_refusals: list[str],
) -> None:
    with suppress(Exception):
        _connect(FAR)
    assert len(refused(expected_refusals)) == 1


def test_subprocesses_of_tests_are_also_guarded(expected_refusals: list[str]) -> None:
    code = f"import socket; socket.create_connection(({FAR!r}, 443), timeout=0.1)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "No packet leaves the machine in tests" in done.stderr
    assert len(refused(expected_refusals)) == 1


def test_local_traffic_is_allowed() -> None:
    with receiver() as far:
        for host in ("127.0.0.1", "localhost"):
            socket.create_connection((host, far.port), timeout=5).close()
    for host in (None, "localhost", "127.1", "2130706433", FAR, FAR_6, "::1"):
        socket.getaddrinfo(host, 80)
    assert [str(each) for each in look_up("2130706433", 80, 5.0)] == ["127.0.0.1"]
    _connect("192.0.2.1", socket.SOCK_DGRAM)  # sends nothing
    for one in socket.socketpair():
        one.close()
    with socket.create_server(("0.0.0.0", 0)) as server:  # noqa: S104 (reachable for phones)
        assert server.getsockname()[1]
