"""Tests send no packets beyond this machine. Such packets are blocked, and the test fails.

A Python audit hook blocks them, which also sees what C code does for `socket`. `conftest` installs
it in the test process, and `sitecustomize` in this folder installs it in each Python process that
tests start. Blocked packets are recorded in a file of the test process.

It does not see programs other than Python, Python with -I (whose name look-up is recognized by its
command), and connections made by a C library itself, as in psycopg.
"""

import ipaddress
import os
import socket
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

FILE = "LOOPBACK_GUARD_FILE"
LOOK_UP = "dns_lookup.py"
# An address that no machine has (RFC 5737). Connecting a datagram socket to it sends nothing and
# returns this machine's address, which the service uses.
NOWHERE = "192.0.2.1"

EVENTS = frozenset(
    "socket.connect socket.sendto socket.sendmsg socket.getaddrinfo socket.gethostbyname"
    " subprocess.Popen".split()
)


class BlockedPacketError(OSError):
    """A test, or the code under test, tried to send a packet beyond loopback.

    It is a network error like any other, so callers clean up after it.
    """


def install() -> None:
    """Block packets in this process from now on. This cannot be undone."""
    sys.addaudithook(_hook)


def refused() -> list[str]:
    """Return the packets blocked in this process and its children since the last call."""
    file = Path(os.environ[FILE])
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    file.unlink(missing_ok=True)
    return lines


def _hook(event: str, given: Sequence[Any]) -> None:
    if event not in EVENTS:  # Python reports every file and module, so this check must be fast
        return
    if event == "subprocess.Popen":
        _look_at_command(given[1])
    elif event in {"socket.getaddrinfo", "socket.gethostbyname"}:
        _look_at_name(event, given[0])
    else:
        _look_at_address(event, *given[:2])


def _look_at_address(event: str, wire: socket.socket, address: Any) -> None:
    if address is None or wire.family not in {socket.AF_INET, socket.AF_INET6}:
        return
    host = _text(address[0])
    probes = event == "socket.connect" and wire.type == socket.SOCK_DGRAM and host == NOWHERE
    if not probes and not is_here(host):
        _refuse(f"{event} to {host}, port {address[1]}")


def _look_at_name(event: str, host: Any) -> None:
    name = _text(host)
    if not is_here(name) and not _is_number(name):
        _refuse(f"{event} asks for {name}")


def _look_at_command(words: Any) -> None:
    texts = [_text(word) for word in words] if isinstance(words, list | tuple) else []
    asks = [number for number, word in enumerate(texts) if Path(word).name == LOOK_UP]
    for number in asks:
        _look_at_name(LOOK_UP, texts[number + 1])


def is_here(host: str) -> bool:
    """Return whether the host is this machine: loopback, any address, or its own name."""
    if host in {"", "localhost", socket.gethostname()}:
        return True
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return False
    address = getattr(address, "ipv4_mapped", None) or address
    return address.is_loopback or address.is_unspecified or _is_own(address)


def _is_own(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Return whether the address belongs to this machine, because others can't be bound."""
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6
    if address.is_multicast or address.is_reserved:
        return False
    try:
        with socket.socket(family, socket.SOCK_STREAM) as wire:
            wire.bind((str(address), 0))
    except OSError:
        return False
    return True


def _is_number(host: str) -> bool:
    """Return whether the host needs no name server: 1.2.3.4, 127.1, 2130706433, ::1."""
    try:
        ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        try:
            socket.inet_aton(host)
        except OSError:
            return False
    return True


def _text(host: Any) -> str:
    return (
        host.decode("ascii", "replace") if isinstance(host, bytes | bytearray) else str(host or "")
    )


def _refuse(what: str) -> None:
    sentence = f"No packet leaves the machine in tests, but {what}."
    with Path(os.environ[FILE]).open("a", encoding="utf-8") as file:
        file.write(f"{sentence}\n")
    raise BlockedPacketError(sentence)
