"""A request is pinned to the checked address, limited in time and size, and not redirected."""

import socket
import ssl
import time
from collections.abc import Iterator, Sequence
from ipaddress import ip_address
from pathlib import Path

import pytest

from league.sending.addresses import Address, networks
from league.sending.http_request import MOST_BYTES, Response, post
from tests.helpers.league.receiver import HERE, Receiver, raw_server, receiver, resolved_to

ALLOWED = networks([HERE])
# A self-signed certificate for hooks.example.org, with its unused key.
CERTIFICATE = Path(__file__).with_name("certificate.pem")


@pytest.fixture
def far() -> Iterator[Receiver]:
    with receiver() as told:
        yield told


def call(url: str, *addresses: str, seconds: float = 5.0) -> Response:
    resolve = resolved_to(*addresses or ("127.0.0.1",))
    return post(url, b"{}", {}, allowed=ALLOWED, resolve=resolve, seconds=seconds)


def read_whole(wire: socket.socket) -> None:
    came = b""
    while not came.endswith(b"{}"):
        came += wire.recv(65_536)


def test_request_uses_the_path_and_host_of_its_url(far: Receiver) -> None:
    answer = call(f"http://hooks.example.org:{far.port}/a/b?c=d")
    assert (answer.status, answer.accepted) == (204, True)
    [(path, headers, body)] = far.came
    assert (path, body) == ("/a/b?c=d", b"{}")
    assert headers["host"] == f"hooks.example.org:{far.port}"


@pytest.mark.parametrize(
    "address",
    "10.0.0.1 169.254.169.254 ::1 ::ffff:10.0.0.1 64:ff9b::a00:1 0.0.0.0 ff02::1".split(),
)
def test_request_to_a_private_address_is_not_sent(address: str, far: Receiver) -> None:
    answer = call(f"http://hooks.example.org:{far.port}/", address)
    assert answer.status is None
    assert "may not be called" in answer.text
    assert address not in answer.text
    assert far.came == []


def test_unknown_name_is_reported_with_a_message() -> None:
    def nowhere(host: str, port: int, seconds: float) -> Sequence[Address]:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    answer = post("http://hooks.example.org/", b"{}", {}, allowed=ALLOWED, resolve=nowhere)
    assert (answer.status, answer.text) == (None, "Name or service not known")


def test_host_with_any_private_address_is_not_called(far: Receiver) -> None:
    answer = call(f"http://hooks.example.org:{far.port}/", "127.0.0.1", "10.0.0.1")
    assert (answer.status, far.came) == (None, [])


def test_name_is_resolved_only_once(far: Receiver) -> None:
    """With DNS rebinding, the first address would pass the check and the second would be called."""
    names: list[str] = []

    def rebinding(host: str, _port: int, _seconds: float) -> Sequence[Address]:
        names.append(host)
        return [ip_address("127.0.0.1" if len(names) == 1 else "10.255.255.1")]

    url = f"http://rebinding.example.org:{far.port}/"
    assert post(url, b"{}", {}, allowed=ALLOWED, resolve=rebinding).status == 204
    assert names == ["rebinding.example.org"]


def test_numeric_addresses_of_localhost_are_recognized(far: Receiver) -> None:
    """The system's resolver resolves 2130706433, 0x7f.1 and 127.1 to localhost."""
    for host in ("2130706433", "0x7f.1", "127.1", "0177.0.0.1", "localhost", "[::ffff:127.0.0.1]"):
        answer = post(f"http://{host}:{far.port}/", b"{}", {})
        assert answer.status is None, host
    assert far.came == []


def test_redirect_is_not_followed(far: Receiver) -> None:
    far.status, far.headers = 307, {"Location": f"http://127.0.0.1:{far.port}/elsewhere"}
    answer = call(far.url)
    assert (answer.status, answer.accepted) == (307, False)
    assert len(far.came) == 1


def test_proxy_set_in_the_environment_is_not_used_for_requests(
    far: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    assert call(far.url).status == 204


def test_only_the_first_bytes_of_a_response_are_read(far: Receiver) -> None:
    far.status, far.said = 200, b"y" * 10_000_000
    assert call(far.url).text == "y" * MOST_BYTES


def test_slow_response_is_cut_off() -> None:
    def drip(wire: socket.socket) -> None:
        read_whole(wire)
        try:
            while True:
                wire.sendall(b"H")
                time.sleep(0.05)
        except OSError:
            return

    with raw_server(drip) as port:
        answer = call(f"http://127.0.0.1:{port}/", seconds=0.5)
    assert (answer.status, answer.text) == (None, "no answer in time")


def test_hanging_handshake_is_cut_off() -> None:
    def hang(wire: socket.socket) -> None:
        while wire.recv(65_536):
            pass

    with raw_server(hang) as port:
        answer = call(f"https://127.0.0.1:{port}/", seconds=0.5)
    assert (answer.status, answer.text) == (None, "no answer in time")


@pytest.mark.parametrize(
    "response", [b"", b"nonsense\r\n\r\n", b"HTTP/1.1 99999 no\r\n\r\n", b"\0\xff"]
)
def test_malformed_response_is_a_failure_with_a_reason(response: bytes) -> None:
    def answer_so(wire: socket.socket) -> None:
        read_whole(wire)
        wire.sendall(response)

    with raw_server(answer_so) as port:
        answer = call(f"http://127.0.0.1:{port}/")
    assert answer.status is None
    assert answer.text


def test_binary_response_can_be_stored(far: Receiver) -> None:
    far.status, far.said = 200, b"\0\xff\xfeok"
    assert call(far.url).text == "\ufffd\ufffdok"


def test_refused_connection_is_a_failure_with_a_reason() -> None:
    answer = call("http://127.0.0.1:1/")
    assert answer.status is None
    assert "refused" in answer.text


@pytest.mark.parametrize("host", ["a" * 70 + ".example.org", "..", "ex ample.org", "\ud800"])
def test_invalid_host_is_a_failure_with_a_reason(host: str) -> None:
    assert call(f"http://{host}/", seconds=1).status is None


def test_certificate_must_match_the_host_name_not_the_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    names: list[str | None] = []

    def serve(wire: socket.socket) -> None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(CERTIFICATE)
        context.sni_callback = lambda _wire, name, _context: names.append(name)
        try:
            with context.wrap_socket(wire, server_side=True) as secured:
                read_whole(secured)
                secured.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        except OSError:
            return

    with raw_server(serve) as port:
        answer = call(f"https://hooks.example.org:{port}/")
    assert (answer.status, answer.text) == (200, "ok")
    with raw_server(serve) as port:
        answer = call(f"https://other.example.org:{port}/")
    assert answer.status is None
    assert "certificate" in answer.text.lower()
    assert names == ["hooks.example.org", "other.example.org"]
