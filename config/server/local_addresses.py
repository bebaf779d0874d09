"""The names and addresses of this machine on the local network."""

import socket


def local_hosts() -> list[str]:
    """Return the names and the addresses of this machine, for ALLOWED_HOSTS.

    A fixed list, not "*": a page elsewhere must not reach the service under a name of its own.
    """
    name = socket.gethostname().lower()
    hosts = ["localhost", "127.0.0.1", "[::1]", name, f"{name.removesuffix('.local')}.local"]
    addresses = [f"[{each}]" if ":" in each else each for each in local_addresses()]
    return list(dict.fromkeys([*hosts, *addresses]))


def local_addresses() -> list[str]:
    """Return the addresses of this machine, that on the local network first."""
    found = [local_address(), *_named(socket.gethostname())]
    return list(dict.fromkeys(each for each in found if each))


def local_address() -> str | None:
    """Return the address on the local network; connecting a UDP socket sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        return str(probe.getsockname()[0])


def _named(name: str) -> list[str]:
    """Return the addresses that the machine has under its name: a second network card's too."""
    try:
        addresses = socket.getaddrinfo(name, None, type=socket.SOCK_STREAM)
    except OSError:
        return []
    return [str(address[0]).partition("%")[0] for *_kind, address in addresses]
