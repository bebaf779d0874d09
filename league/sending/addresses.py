"""The addresses that the service may call for a user: public ones and operator-approved ones.

The tables are copied from IANA's registries of special-purpose addresses (RFC 6890 and its
updates), so they don't change with the Python version.
"""

from collections.abc import Iterable, Iterator
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

from league.common.errors import Problem, problem

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network
PORTS = frozenset({80, 443})
# Special-purpose networks: "this network", private use, carrier-grade NAT, loopback, link-local,
# protocol assignments, documentation, 6to4 relays, benchmarks, multicast, reserved and broadcast.
SPECIAL_4 = tuple(
    IPv4Network(text)
    for text in (
        "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 "
        "192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 "
        "192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4"
    ).split()
)
# The network of all public addresses, without loopback, link-local, unique local and multicast
# addresses.
GLOBAL_6 = IPv6Network("2000::/3")
# Special-purpose networks: Teredo and other protocols, documentation, 6to4, AS112.
SPECIAL_6 = tuple(
    IPv6Network(text)
    for text in "2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20".split()
)
# Networks whose last 32 bits are an IPv4 address: IPv4-mapped, and NAT64.
CARRIES_4 = (IPv6Network("::ffff:0:0/96"), IPv6Network("64:ff9b::/96"))


def networks(texts: Iterable[str]) -> tuple[Network, ...]:
    """Return the networks that the operator configured. Raises ValueError for invalid text."""
    return tuple(ip_network(text.strip()) for text in texts)


def literal(host: str) -> Address | None:
    """Return the host as an address, or None if it is a name."""
    try:
        return ip_address(host.strip("[]"))
    except ValueError:
        return None


def destination(address: Address) -> Address:
    """Return the address that packets sent to this address actually reach."""
    if isinstance(address, IPv6Address) and any(address in network for network in CARRIES_4):
        return IPv4Address(int(address) & 0xFFFF_FFFF)
    return address


def is_public(address: Address) -> bool:
    """Return whether the address is on the public internet."""
    reached = destination(address)
    if isinstance(reached, IPv4Address):
        return not any(reached in network for network in SPECIAL_4)
    return reached in GLOBAL_6 and not any(reached in network for network in SPECIAL_6)


def may_call(address: Address, port: int, allowed: Iterable[Network] = ()) -> bool:
    """Return whether the service may call the address. `allowed` networks permit any port."""
    reached = destination(address)
    if any(reached in network for network in allowed if network.version == reached.version):
        return True
    return port in PORTS and is_public(address)


def wrong_address(where: str, text: str) -> Iterator[Problem]:
    """Yield the problems with an address that the service should call for a user."""
    try:
        url = urlsplit(text)
        host, port = url.hostname, url.port
    except ValueError:
        url, host, port = SplitResult("", "", "", "", ""), None, None
    # Apart from its host, the URL must not need escaping in a request.
    host_free = text.replace(url.netloc, "", 1)
    is_plain = host_free.isascii() and text.isprintable() and " " not in text
    if url.scheme not in {"http", "https"} or not host or not is_plain:
        yield problem(where, "bad-url", "an address must start with https:// and contain a host")
    elif url.username is not None or url.fragment:
        yield problem(where, "bad-url", "an address must not contain a user, password or #fragment")
    elif not settings.WEBHOOK_NETWORKS and port not in {None, *PORTS}:
        yield problem(where, "bad-port", "only ports 80 and 443 are allowed")
    elif (at := literal(host)) and not may_call(
        at, port or 443, networks(settings.WEBHOOK_NETWORKS)
    ):
        yield problem(where, "private-address", f"{at} is not a public internet address")
