"""No packet leaves the machine in tests: whatever would is refused, and the test fails.

By an audit hook of Python, which also sees what C does for `socket`. It is put into the process of
the tests by `conftest`, and into each Python that they start by `sitecustomize` beside this file;
what they refused stands in a file of the test process. Not seen: programs that are not Python,
Python with -I (of which the look-up of names is known by its command), and what a library in C
connects by itself, as psycopg does.
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
# Of no machine (RFC 5737): connecting a datagram socket there sends nothing, and tells one's own
# address, which the service asks for.
NOWHERE = "192.0.2.1"

EVENTS = frozenset(
    "socket.connect socket.sendto socket.sendmsg socket.getaddrinfo socket.gethostbyname"
    " subprocess.Popen".split()
)


class LeavesTheMachine(OSError):
    """A test, or what it tests, would have sent a packet beyond loopback.

    An error of the network like others, so that whoever has to tidies up after it.
    """


def install() -> None:
    """Refuse from now on, in this process; it can't be taken back."""
    sys.addaudithook(_hook)


def refused() -> list[str]:
    """Return what this process and those it started were refused since this was last asked."""
    file = Path(os.environ[FILE])
    said = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    file.unlink(missing_ok=True)
    return said


def _hook(event: str, given: Sequence[Any]) -> None:
    if event not in EVENTS:  # Python tells of each file and module: this is all that it may cost
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
    said = [_text(word) for word in words] if isinstance(words, list | tuple) else []
    asks = [number for number, word in enumerate(said) if Path(word).name == LOOK_UP]
    for number in asks:
        _look_at_name(LOOK_UP, said[number + 1])


def is_here(host: str) -> bool:
    """Tell whether the host is this machine: by loopback, as any address, or by its own name."""
    if host in {"", "localhost", socket.gethostname()}:
        return True
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return False
    address = getattr(address, "ipv4_mapped", None) or address
    return address.is_loopback or address.is_unspecified or _is_own(address)


def _is_own(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Tell whether this machine has the address: nothing else can be bound."""
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
    """Tell whether no name server is asked: 1.2.3.4, 127.1, 2130706433, ::1."""
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
    raise LeavesTheMachine(sentence)
