"""Property tests for which addresses may be called, compared with Python's `ipaddress`."""

import ipaddress
from ipaddress import IPv4Address, IPv6Address, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.sending.addresses import is_public, literal, may_call, networks

four = st.integers(0, 2**32 - 1).map(IPv4Address)
six = st.integers(0, 2**128 - 1).map(IPv6Address)
# Random addresses rarely fall into these blocks.
SPECIAL = """
    0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.2.0/24
    192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4
    ::1/128 fe80::/10 fc00::/7 fec0::/10 ff00::/8 2001:db8::/32 2001::/32 2002::/16 100::/64
    64:ff9b:1::/48 ::ffff:127.0.0.0/104 ::ffff:10.0.0.0/104 64:ff9b::a00:0/104
""".split()


def inside(text: str) -> st.SearchStrategy[IPv4Address | IPv6Address]:
    block = ipaddress.ip_network(text)
    last = block.num_addresses - 1
    return st.integers(0, last).map(lambda place: block.network_address + place)


def shapes(address: IPv4Address) -> list[IPv6Address]:
    """Return IPv6 addresses that represent this IPv4 address or lead to it."""
    number = int(address)
    return [
        IPv6Address(number | 0xFFFF << 32),  # mapped
        IPv6Address(number),  # an IPv4-compatible address
        IPv6Address(int(IPv6Address("64:ff9b::")) | number),  # NAT64
        IPv6Address(
            int(IPv6Address("64:ff9b:1::")) | number
        ),  # a NAT64 prefix of the local network
        IPv6Address(int(IPv6Address("2002::")) | number << 80),  # 6to4
        IPv6Address(int(IPv6Address("2001::")) | number ^ 0xFFFF_FFFF),  # Teredo
    ]


@pytest.mark.parametrize("text", SPECIAL)
@given(data=st.data())
def test_special_purpose_addresses_cannot_be_called(text: str, data: st.DataObject) -> None:
    """RFC 6890, RFC 4291, RFC 6052, RFC 6598."""
    address = data.draw(inside(text))
    assert not is_public(address)
    assert not may_call(address, 443)


@given(four)
def test_address_that_python_treats_as_special_is_not_public(address: IPv4Address) -> None:
    assert not is_public(address) or (address.is_global and not address.is_multicast)


@given(st.one_of(six, inside("2000::/3")))
def test_only_global_unicast_ipv6_addresses_are_public(address: IPv6Address) -> None:
    if is_public(address):
        assert address.is_global
        assert not address.is_multicast


@given(st.one_of([inside(text) for text in SPECIAL if ":" not in text]))
def test_private_address_is_private_in_every_ipv6_notation(address: IPv4Address) -> None:
    assert not any(is_public(shape) for shape in shapes(address))


@pytest.mark.parametrize(
    "text", ["1.1.1.1", "8.8.8.8", "93.184.215.14", "2606:4700:4700::1111", "64:ff9b::808:808"]
)
def test_public_addresses_can_be_called_only_on_web_ports(text: str) -> None:
    assert may_call(ip_address(text), 443)
    assert may_call(ip_address(text), 80)
    for port in (22, 25, 5432, 6379, 8080):
        assert not may_call(ip_address(text), port)


def test_owner_can_allow_a_local_network_with_all_its_ports() -> None:
    allowed = networks(["192.168.1.0/24", "fd00::/8"])
    assert may_call(ip_address("192.168.1.7"), 8123, allowed)
    assert may_call(ip_address("::ffff:192.168.1.7"), 8123, allowed)
    assert may_call(ip_address("fd00::7"), 8123, allowed)
    assert not may_call(ip_address("192.168.2.7"), 80, allowed)
    assert not may_call(ip_address("8.8.8.8"), 8123, allowed)


def test_host_that_is_an_address_is_recognized() -> None:
    assert literal("10.0.0.1") == ip_address("10.0.0.1")
    assert literal("[::1]") == ip_address("::1")
    assert literal("example.org") is None
