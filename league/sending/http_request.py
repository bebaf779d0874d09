"""One request to an address that a user chose: checked, pinned and bounded.

The service must be allowed to call all addresses of the name, and the connection goes to one that
was checked, so the owner of the name can't change it a moment later. The certificate and the Host
header are still those of the name. Redirects are not followed, and a proxy of the environment is
not used, since it would look the name up again.

One deadline covers all of it: looking up the name, connecting, the handshake, the answer.
"""

import random
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from http.client import HTTPConnection, HTTPException
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)
from pathlib import Path
from threading import Timer
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.utils import timezone

from league.common.errors import Problem, problem

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

PORTS = frozenset({80, 443})
# This network, private use, shared by carriers, loopback, link-local, protocol assignments,
# documentation, 6to4 relays, benchmarks, multicast, reserved and broadcast.
SPECIAL_4 = tuple(
    IPv4Network(text)
    for text in (
        "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 "
        "192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 "
        "192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4"
    ).split()
)
# All public addresses are in here; loopback, link-local, unique local and multicast are not.
GLOBAL_6 = IPv6Network("2000::/3")
# Teredo and other protocols, documentation, 6to4, AS112.
SPECIAL_6 = tuple(
    IPv6Network(text)
    for text in "2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20".split()
)
# Addresses with an IPv4 address in their last 32 bits: mapped, and behind a NAT64.
CARRIES_4 = (IPv6Network("::ffff:0:0/96"), IPv6Network("64:ff9b::/96"))


def networks(texts: Iterable[str]) -> tuple[Network, ...]:
    """Return the networks that the operator configured. Raises ValueError for other text."""
    return tuple(ip_network(text.strip()) for text in texts)


def literal(host: str) -> Address | None:
    """Return the address if the host is written as one; None for a name."""
    try:
        return ip_address(host.strip("[]"))
    except ValueError:
        return None


def meant(address: Address) -> Address:
    """Return the address at which a packet to this one arrives."""
    if isinstance(address, IPv6Address) and any(address in network for network in CARRIES_4):
        return IPv4Address(int(address) & 0xFFFF_FFFF)
    return address


def is_public(address: Address) -> bool:
    """Return whether the address is one of the open internet."""
    reached = meant(address)
    if isinstance(reached, IPv4Address):
        return not any(reached in network for network in SPECIAL_4)
    return reached in GLOBAL_6 and not any(reached in network for network in SPECIAL_6)


def may_call(address: Address, port: int, allowed: Iterable[Network] = ()) -> bool:
    """Return whether the service may call there; in networks that its owner allows, on any port."""
    reached = meant(address)
    if any(reached in network for network in allowed if network.version == reached.version):
        return True
    return port in PORTS and is_public(address)


def wrong_address(where: str, text: str) -> Iterator[Problem]:
    """Yield the errors in an address that the service is to call for a user."""
    try:
        url = urlsplit(text)
        host, port = url.hostname, url.port
    except ValueError:
        url, host, port = SplitResult("", "", "", "", ""), None, None
    if url.scheme not in {"http", "https"} or not host or not _plain(text):
        yield problem(where, "bad-url", "an address begins with https:// and names a host")
    elif url.username is not None or url.fragment:
        yield problem(where, "bad-url", "an address holds no user, password or #fragment")
    elif not settings.WEBHOOK_NETWORKS and port not in {None, *PORTS}:
        yield problem(where, "bad-port", "only the ports 80 and 443 are called")
    elif (at := literal(host)) and not may_call(
        at, port or 443, networks(settings.WEBHOOK_NETWORKS)
    ):
        yield problem(where, "private-address", f"{at} is not an address of the open internet")


def _plain(text: str) -> bool:
    """Return whether a request can contain the address unchanged, except for its host."""
    host_free = text.replace(urlsplit(text).netloc, "", 1)
    return host_free.isascii() and text.isprintable() and " " not in text


# The example schedule of the specification, after the first try at once: 75 hours and a half.
WAITS = (
    timedelta(seconds=5),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=2),
    timedelta(hours=5),
    timedelta(hours=10),
    timedelta(hours=14),
    timedelta(hours=20),
    timedelta(hours=24),
)
MOST_TRIES = len(WAITS) + 1
SPREAD = 0.2
FIRST_REST = timedelta(seconds=15)
# A receiver that works again is called within this time.
LONGEST_REST = timedelta(hours=1)
# The longest Retry-After that is respected.
LONGEST_RETRY_AFTER = timedelta(hours=24)
# Too many requests, and the answers of overloaded servers.
THROTTLED = frozenset({429, 502, 503, 504})


def wait_after(tries: int) -> timedelta:
    """Return how long a message waits after this many tries: longer each time, and spread.

    Receivers that went down together must not all be called at the same moment.
    """
    return _spread(WAITS[min(tries, len(WAITS)) - 1])


def rest_after(failures: int) -> timedelta:
    """Return how long a receiver rests that was silent this many times in a row."""
    return _spread(min(FIRST_REST * 3 ** (min(failures, 10) - 1), LONGEST_REST))


def retry_after(header: str | None, now: datetime) -> float:
    """Return the seconds that the header asks for (RFC 9110, 10.2.3); 0 for none, bounded."""
    text = (header or "").strip()
    if text.isascii() and text.isdecimal():
        seconds = float(text[:10])
    else:
        try:
            when = parsedate_to_datetime(text)
        except (ValueError, OverflowError):
            return 0.0
        # "-0000" leaves the date without a zone: it is meant in UTC.
        seconds = ((when if when.tzinfo else when.replace(tzinfo=UTC)) - now).total_seconds()
    return min(max(0.0, seconds), LONGEST_RETRY_AFTER.total_seconds())


def _spread(usual: timedelta) -> timedelta:
    return usual * random.uniform(1 - SPREAD, 1 + SPREAD)  # noqa: S311 (no secret)


# Standard Webhooks: "somewhere between 15 and 30s".
SECONDS = 15.0
MOST_BYTES = 4_096
PORT_OF = {"http": 80, "https": 443}
# Our own file, with this Python, and nothing of the environment that could lead it elsewhere.
LOOK_UP = (sys.executable, "-I", "-S", str(Path(__file__).with_name("dns_lookup.py")))

# Host, port, and in how many seconds it must have answered or raised TimeoutError.
Resolve = Callable[[str, int, float], Sequence[Address]]


class UnreachableError(Exception):
    """Nothing was sent, or no answer arrived; the text is the reason."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The status (None without an answer), and the first bytes of the answer or the reason.

    `retry_after`: the seconds that the receiver asks to wait; 0 if it does not.
    """

    status: int | None
    milliseconds: int
    said: str
    retry_after: float = 0.0

    @property
    def arrived(self) -> bool:
        return self.status is not None and 200 <= self.status < 300


def look_up(
    host: str, port: int, seconds: float, *, command: Sequence[str] = LOOK_UP
) -> Sequence[Address]:
    """Return the addresses of a name, as the system knows them.

    Raises UnreachableError, and TimeoutError after the time; no process is left running then.
    """
    if at := literal(host):
        return [at]
    try:
        lookup = subprocess.run(  # noqa: S603 (the host is one word, and no option)
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


def send(
    url: str,
    body: bytes,
    headers: Mapping[str, str],
    *,
    allowed: Sequence[Network] = (),
    resolve: Resolve = look_up,
    seconds: float = SECONDS,
) -> Answer:
    """Post the body and return the answer; does not raise if the receiver fails."""
    started = time.monotonic()
    try:
        deadline = started + seconds
        status, text, rest = _exchange(urlsplit(url), body, headers, allowed, resolve, deadline)
    except (UnreachableError, OSError, HTTPException, ValueError) as error:
        late = isinstance(error, TimeoutError) or time.monotonic() - started >= seconds
        status, text, rest = None, "no answer in time" if late else _reason(error), 0.0
    return Answer(status, round(1_000 * (time.monotonic() - started)), text, rest)


def checked(
    host: str, port: int, allowed: Sequence[Network], resolve: Resolve, deadline: float
) -> Sequence[Address]:
    """Return the addresses of the host.

    Raises UnreachableError unless all of them may be called.
    """
    addresses = resolve(host, port, max(0.0, deadline - time.monotonic()))
    if not addresses:
        raise UnreachableError(f"{host} has no address")
    for address in addresses:
        if not may_call(address, port, allowed):
            raise UnreachableError(f"{host}, port {port}, may not be called")  # and not where it is
    return addresses


def _exchange(
    url: SplitResult,
    body: bytes,
    headers: Mapping[str, str],
    allowed: Sequence[Network],
    resolve: Resolve,
    deadline: float,
) -> tuple[int, str, float]:
    host = (url.hostname or "").encode("idna").decode()
    port = url.port or PORT_OF[url.scheme]
    addresses = checked(host, port, allowed, resolve, deadline)
    with _connected(addresses, port, deadline) as wire, _bounded(wire, deadline):
        if url.scheme == "https":
            context = ssl.create_default_context()
            return _post(context.wrap_socket(wire, server_hostname=host), host, url, body, headers)
        return _post(wire, host, url, body, headers)


@contextmanager
def _connected(addresses: Sequence[Address], port: int, deadline: float) -> Iterator[socket.socket]:
    """A connection to the first of the addresses that accepts one."""
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
    """Close the connection at the deadline, even while the receiver sends byte by byte.

    By a second handle on the connection, since TLS takes over the first.
    """
    with wire.dup() as handle:
        timer = Timer(max(0.0, deadline - time.monotonic()), _hang_up, (handle,))
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()


def _hang_up(wire: socket.socket) -> None:
    try:
        wire.shutdown(socket.SHUT_RDWR)
    except OSError:
        return  # it has ended by itself


def _post(
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
        answer = connection.getresponse()
        text = answer.read(MOST_BYTES).decode(errors="replace").replace("\0", "")
        return answer.status, text, retry_after(answer.headers["Retry-After"], timezone.now())


def _reason(error: Exception) -> str:
    said = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return str(said)[:MOST_BYTES]
