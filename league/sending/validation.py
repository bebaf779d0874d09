"""Errors in an address that a user typed."""

from collections.abc import Iterator
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

from league.common.errors import Problem, problem
from league.sending.addresses import PORTS, literal, may_call, networks


def wrong_address(where: str, text: str) -> Iterator[Problem]:
    """Yield the errors in an address that the service is to call for a user."""
    try:
        url = urlsplit(text)
        host, port = url.hostname, url.port
    except ValueError:
        url, host, port = SplitResult("", "", "", "", ""), None, None
    if url.scheme not in {"http", "https"} or not host or not _plain(text):
        yield problem(where, "bad-url", "an address begins with https:// and names a host")
    elif url.username is not None or url.fragment:
        yield problem(where, "bad-url", "an address holds no user, password or #fragment")
    elif not settings.WEBHOOK_NETWORKS and port not in {None, *PORTS}:
        yield problem(where, "bad-port", "only the ports 80 and 443 are called")
    elif (at := literal(host)) and not may_call(
        at, port or 443, networks(settings.WEBHOOK_NETWORKS)
    ):
        yield problem(where, "private-address", f"{at} is not an address of the open internet")


def _plain(text: str) -> bool:
    """Tell whether the address can stand in a request as it is, save for letters of the host."""
    host_free = text.replace(urlsplit(text).netloc, "", 1)
    return host_free.isascii() and text.isprintable() and " " not in text
