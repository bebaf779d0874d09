"""Who looks after the service, and may learn more of it than others."""

import hmac
from ipaddress import ip_address

from django.conf import settings
from django.http import HttpRequest

from league.common.client_ip import address_of


def has_token(request: HttpRequest) -> bool:
    """Tell whether the request brings METRICS_TOKEN; without that variable none does."""
    if not settings.METRICS_TOKEN:
        return False
    given = request.headers.get("Authorization", "")
    return hmac.compare_digest(given.encode(), f"Bearer {settings.METRICS_TOKEN}".encode())


def is_from_this_machine(request: HttpRequest) -> bool:
    """Tell whether it comes from this machine, and was passed on by nobody."""
    if not settings.BEHIND_HTTPS and "X-Forwarded-For" in request.headers:
        return False
    try:
        return ip_address(address_of(request)).is_loopback
    except ValueError:  # a socket without an address, or a word of the proxy's own
        return False
