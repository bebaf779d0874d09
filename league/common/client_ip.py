"""A request's client address, for rate limits on sign-ins and join codes."""

from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Any, Protocol

from django.conf import settings
from django.core.cache import cache
from django.utils.crypto import salted_hmac

# An IPv6 client usually controls all 2^64 addresses of its network, so they count as one address.
HOST_BITS = 64
# In seconds. From a recently used address, a user can still sign in while other addresses are
# blocked.
REMEMBERED = 30 * 24 * 3600


class HasMeta(Protocol):
    """A page or API request, which has `META`."""

    META: dict[str, Any]


def address_of(request: HasMeta) -> str:
    """Return the client's address in the form used for rate limits.

    Behind a proxy, the client's address is the last address in X-Forwarded-For, which the proxy
    added. The client controls all earlier entries.
    """
    passed_on = request.META.get("HTTP_X_FORWARDED_FOR", "") if settings.BEHIND_HTTPS else ""
    last = counted(passed_on.rpartition(",")[2])
    return last or counted(str(request.META.get("REMOTE_ADDR", "")))


def counted(address: str) -> str:
    """Return the address in the form used for rate limits.

    IPv6 addresses are reduced to their /64 network. Return "" for an invalid address.
    """
    try:
        parsed: IPv4Address | IPv6Address = ip_address(address.strip().strip("[]"))
    except ValueError:
        return ""
    if isinstance(parsed, IPv6Address):
        parsed = parsed.ipv4_mapped or IPv6Address(int(parsed) >> HOST_BITS << HOST_BITS)
    return str(parsed)


def record_address(user_id: int, address: str) -> None:
    """Record that the user used this address. Only a hash is stored, and it expires."""
    cache.set(_seen(user_id, address), 1, REMEMBERED)


def were_seen(user_ids: Iterable[int], address: str) -> bool:
    """Check whether any of these users has used this address recently."""
    return bool(cache.get_many([_seen(each, address) for each in user_ids]))


def _seen(user_id: int, address: str) -> str:
    return f"seen-at:{user_id}:{salted_hmac('seen-at', address).hexdigest()}"
