"""The names under which this machine is reached at home."""

import socket


def home_hosts() -> list[str]:
    """Return the names and the address of this machine, for ALLOWED_HOSTS.

    A fixed list, not "*": a page elsewhere must not reach the service under a name of its own.
    """
    name = socket.gethostname().lower()
    hosts = ["localhost", "127.0.0.1", "[::1]", name, f"{name.removesuffix('.local')}.local"]
    address = home_address()
    return [*hosts, address] if address else hosts


def home_address() -> str | None:
    """Return the address on the local network; connecting a UDP socket sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        return str(probe.getsockname()[0])
