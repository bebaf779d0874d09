"""One request to a URL that a user chose, with checked addresses and a deadline.

The service must be allowed to call all addresses of the host name, and it connects to one of the
checked addresses, so the name's owner can't change the address in between. The certificate and the
Host header still use the name. Redirects are not followed, and the environment's proxy settings are
ignored, because a proxy would resolve the name again.

One deadline covers everything: resolving the name, connecting, the handshake and the response.
"""

import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from ipaddress import ip_address
from pathlib import Path
from threading import Timer
from urllib.parse import SplitResult, urlsplit

from django.utils import timezone

from league.sending.addresses import Address, Network, literal, may_call
from league.sending.retries import retry_after

# Standard Webhooks recommends "somewhere between 15 and 30s".
SECONDS = 15.0
MOST_BYTES = 4_096
PORT_OF = {"http": 80, "https": 443}
# A script from this project. It runs with the current Python, isolated from the environment.
LOOK_UP = (sys.executable, "-I", "-S", str(Path(__file__).with_name("dns_lookup.py")))

# Resolves a host name. The arguments are the host, the port, and the number of seconds after which
# it raises TimeoutError.
Resolve = Callable[[str, int, float], Sequence[Address]]


class UnreachableError(Exception):
    """Nothing was sent, or no response arrived. The message explains why."""


@dataclass(frozen=True, slots=True)
class Response:
    """The receiver's response.

    `status` is None if there was none. `text` is the start of the response, or the reason
    why there was none. `retry_after` is how many seconds the receiver asked to wait, or 0.
    """

    status: int | None
    milliseconds: int
    text: str
    retry_after: float = 0.0

    @property
    def accepted(self) -> bool:
        return self.status is not None and 200 <= self.status < 300


def look_up(
    host: str, port: int, seconds: float, *, command: Sequence[str] = LOOK_UP
) -> Sequence[Address]:
    """Return the addresses of a host name from the system's resolver.

    Raises UnreachableError, or TimeoutError after `seconds`, when the lookup process is killed.
    """
    if at := literal(host):
        return [at]
    try:
        lookup = subprocess.run(  # noqa: S603 (the host can't be read as an option)
            [*command, host, str(port)],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise TimeoutError from None
    if lookup.returncode:
        raise UnreachableError(lookup.stdout or "the name could not be looked up")
    return [ip_address(line) for line in lookup.stdout.splitlines()]


def post(
    url: str,
    body: bytes,
    headers: Mapping[str, str],
    *,
    allowed: Sequence[Network] = (),
    resolve: Resolve = look_up,
    seconds: float = SECONDS,
) -> Response:
    """Post the body and return the response. Receiver errors do not raise exceptions."""
    started = time.monotonic()
    deadline = started + seconds
    status: int | None
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").encode("idna").decode()
        port = parts.port or PORT_OF[parts.scheme]
        addresses = checked(host, port, allowed, resolve, deadline)
        with _connected(addresses, port, deadline) as plain, _bounded(plain, deadline):
            wire = plain
            if parts.scheme == "https":
                wire = ssl.create_default_context().wrap_socket(plain, server_hostname=host)
            status, text, rest = _exchange(wire, host, parts, body, headers)
    except (UnreachableError, OSError, HTTPException, ValueError) as error:
        late = isinstance(error, TimeoutError) or time.monotonic() - started >= seconds
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        text = "no answer in time" if late else str(reason)[:MOST_BYTES]
        status, rest = None, 0.0
    return Response(status, round(1_000 * (time.monotonic() - started)), text, rest)


def checked(
    host: str, port: int, allowed: Sequence[Network], resolve: Resolve, deadline: float
) -> Sequence[Address]:
    """Return the addresses of the host.

    Raises UnreachableError unless the service may call all of them.
    """
    addresses = resolve(host, port, max(0.0, deadline - time.monotonic()))
    if not addresses:
        raise UnreachableError(f"{host} has no address")
    for address in addresses:
        if not may_call(address, port, allowed):
            # The error message hides the address. The name may resolve to a public address later,
            # so sending is retried as if there had been no response.
            raise UnreachableError(f"{host}, port {port}, may not be called")
    return addresses


@contextmanager
def _connected(addresses: Sequence[Address], port: int, deadline: float) -> Iterator[socket.socket]:
    """Connect to the first address that accepts a connection."""
    error: OSError = TimeoutError("timed out")
    for address in addresses:
        left = deadline - time.monotonic()
        if left <= 0:
            break
        try:
            wire = socket.create_connection((str(address), port), timeout=left)
        except OSError as refused:
            error = refused
            continue
        with wire:
            yield wire
        return
    raise error


@contextmanager
def _bounded(wire: socket.socket, deadline: float) -> Iterator[None]:
    """Shut down the connection at the deadline, even if the receiver is still sending.

    The function uses a second handle on the connection, because TLS takes over the first handle.
    """
    with wire.dup() as handle:
        timer = Timer(max(0.0, deadline - time.monotonic()), _close_socket, (handle,))
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()


def _close_socket(wire: socket.socket) -> None:
    try:
        wire.shutdown(socket.SHUT_RDWR)
    except OSError:
        return  # the connection has already been closed


def _exchange(
    wire: socket.socket, host: str, url: SplitResult, body: bytes, headers: Mapping[str, str]
) -> tuple[int, str, float]:
    with wire:
        connection = HTTPConnection(host, url.port or PORT_OF[url.scheme])
        connection.sock = wire
        name = f"[{host}]" if ":" in host else host
        if url.port not in {None, PORT_OF[url.scheme]}:
            name = f"{name}:{url.port}"
        path = (url.path or "/") + (f"?{url.query}" if url.query else "")
        headers = {"Host": name, "Connection": "close", **headers}
        connection.request("POST", path, body, headers)
        response = connection.getresponse()
        text = response.read(MOST_BYTES).decode(errors="replace").replace("\0", "")
        return response.status, text, retry_after(response.headers["Retry-After"], timezone.now())
