"""From where a request comes, for whoever counts guesses."""

from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Any, Protocol

from django.conf import settings
from django.core.cache import cache
from django.utils.crypto import salted_hmac

# Whoever has one IPv6 address has 2^64 of them: they count as one.
HOST_BITS = 64
# In seconds: who was somewhere lately is not locked out there by strangers elsewhere.
REMEMBERED = 30 * 24 * 3600


class Asking(Protocol):
    """A request, of the pages or of the API."""

    META: dict[str, Any]


def address_of(request: Asking) -> str:
    """Return the address that asks, as it is counted; behind a proxy the one that it added last.

    What stands before it in X-Forwarded-For is the sender's own word.
    """
    passed_on = request.META.get("HTTP_X_FORWARDED_FOR", "") if settings.BEHIND_HTTPS else ""
    last = counted(passed_on.rpartition(",")[2])
    return last or counted(str(request.META.get("REMOTE_ADDR", "")))


def counted(address: str) -> str:
    """Return by what an address is counted: IPv6 by its /64, empty for what is no address."""
    try:
        found: IPv4Address | IPv6Address = ip_address(address.strip().strip("[]"))
    except ValueError:
        return ""
    if isinstance(found, IPv6Address):
        found = found.ipv4_mapped or IPv6Address(int(found) >> HOST_BITS << HOST_BITS)
    return str(found)


def note_seen(user_id: int, address: str) -> None:
    """Remember for a while that the user was at this address; only a hash of it is kept."""
    cache.set(_seen(user_id, address), 1, REMEMBERED)


def were_seen(user_ids: Iterable[int], address: str) -> bool:
    """Tell whether any of these users was at this address lately."""
    return bool(cache.get_many([_seen(each, address) for each in user_ids]))


def _seen(user_id: int, address: str) -> str:
    return f"seen-at:{user_id}:{salted_hmac('seen-at', address).hexdigest()}"
