"""Rate limits by token, link or user, or by IP address for requests without credentials."""

import logging
from math import ceil
from types import SimpleNamespace
from typing import Any

from django.conf import settings
from redis.exceptions import RedisError
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.throttling import ScopedRateThrottle, SimpleRateThrottle

from api.http.authentication import caller_of
from league.common.client_ip import address_of

LIMIT = "_rate_limit"  # the request attribute that stores the headers
logger = logging.getLogger(__name__)


class Rate(SimpleRateThrottle):
    """A rate limit that is read on each request, so that changes apply immediately."""

    num_requests: int
    duration: int

    def get_rate(self) -> str | None:
        rates: dict[str, str] = settings.API_RATES
        return rates[str(self.scope)]

    def allow_request(self, request: Request, view: Any) -> bool:
        """Allow the request if Redis is unavailable, because recording hands must keep working."""
        self.history: list[float] = []
        try:
            allowed = bool(super().allow_request(request, view))
        except RedisError as error:
            logger.warning("Requests are not counted: %s", error)
            return True
        if self.history:
            self._add_limit(request)
        return allowed

    def _add_limit(self, request: Request) -> None:
        """Store this limit's headers if it has the fewest remaining requests."""
        left = max(self.num_requests - len(self.history), 0)
        known = vars(request).get(LIMIT)
        if known is None or left < int(known["X-RateLimit-Remaining"]):
            reset = ceil(self.history[-1] + self.duration - self.now)
            vars(request)[LIMIT] = {
                "X-RateLimit-Limit": str(self.num_requests),
                "X-RateLimit-Remaining": str(left),
                "X-RateLimit-Reset": str(max(reset, 0)),
            }


def limit_headers(request: Request) -> dict[str, str]:
    """Return a request's rate limit headers, or none if no limit applied."""
    headers: dict[str, str] = vars(request).get(LIMIT, {})
    return headers


class ByCaller(Rate):
    scope = "caller"

    def get_cache_key(self, request: Request, view: Any) -> str | None:
        caller = caller_of(request)
        return caller and f"throttle:caller:{caller}"


class ByAddress(Rate):
    scope = "address"

    def get_cache_key(self, request: Request, view: Any) -> str | None:
        if caller_of(request):
            return None
        return f"throttle:address:{address_of(request)}"


class ByScope(Rate, ScopedRateThrottle):
    """A separate rate limit for expensive requests, such as settling."""

    def get_ident(self, request: Request) -> str:
        return address_of(request)


def count_also(request: Request, scope: str) -> None:
    """Count a request against another scope's rate limit, in addition to its own.

    Raises Throttled if the limit is exceeded.
    """
    rate = ByScope()
    if not rate.allow_request(request, SimpleNamespace(throttle_scope=scope)):
        raise Throttled(rate.wait())
