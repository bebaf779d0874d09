"""From where a request comes, for whoever counts guesses."""

from typing import Any, Protocol

from django.conf import settings


class Asking(Protocol):
    """A request, of the pages or of the API."""

    META: dict[str, Any]


def address_of(request: Asking) -> str:
    """Return the address that asks; behind a proxy the one that the proxy has added last.

    What stands before it in X-Forwarded-For is the sender's own word.
    """
    passed_on = request.META.get("HTTP_X_FORWARDED_FOR", "") if settings.BEHIND_HTTPS else ""
    return passed_on.rpartition(",")[2].strip() or str(request.META.get("REMOTE_ADDR", ""))
