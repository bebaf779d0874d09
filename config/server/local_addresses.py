"""This machine's names and addresses on the local network."""

import socket
from contextlib import suppress


def local_hosts() -> list[str]:
    """Return this machine's names and addresses, for ALLOWED_HOSTS.

    The list is explicit rather than "*", so that another site's domain name can't be pointed at the
    service.
    """
    name = socket.gethostname().lower()
    hosts = ["localhost", "127.0.0.1", "[::1]", name, f"{name.removesuffix('.local')}.local"]
    addresses = [f"[{each}]" if ":" in each else each for each in local_addresses()]
    return list(dict.fromkeys([*hosts, *addresses]))


def local_addresses() -> list[str]:
    """Return this machine's addresses, starting with the one on the local network."""
    addresses = [local_address()]
    # the host name may also resolve to the addresses of a second network card
    with suppress(OSError):
        resolved = socket.getaddrinfo(socket.gethostname(), None, type=socket.SOCK_STREAM)
        addresses += [str(address[0]).partition("%")[0] for *_kind, address in resolved]
    return list(dict.fromkeys(each for each in addresses if each))


def local_address() -> str | None:
    """Return the address on the local network. Connecting a UDP socket does not send packets."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        return str(probe.getsockname()[0])
