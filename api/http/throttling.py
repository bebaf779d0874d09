"""How often one may ask: counted by token, link or user, and by address for whoever has none."""

import logging
from types import SimpleNamespace
from typing import Any

from django.conf import settings
from redis.exceptions import RedisError
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.throttling import ScopedRateThrottle, SimpleRateThrottle

from league.common.client_ip import address_of
from league.models import FeedLink, Token

logger = logging.getLogger(__name__)


class _Rate(SimpleRateThrottle):
    """Reads the rate when it is asked for, so that a setting holds at once."""

    def get_rate(self) -> str | None:
        rates: dict[str, str] = settings.API_RATES
        return rates[str(self.scope)]

    def allow_request(self, request: Request, view: Any) -> bool:
        """Let everybody in while what counts is away: a hand is worth more than a limit."""
        try:
            return bool(super().allow_request(request, view))
        except RedisError as error:
            logger.warning("Nobody is counted: %s", error)
            return True


class ByCaller(_Rate):
    scope = "caller"

    def get_cache_key(self, request: Request, view: Any) -> str | None:
        caller = caller_of(request)
        return caller and f"throttle:caller:{caller}"


class ByAddress(_Rate):
    scope = "address"

    def get_cache_key(self, request: Request, view: Any) -> str | None:
        if caller_of(request):
            return None
        return f"throttle:address:{address_of(request)}"


class ByScope(_Rate, ScopedRateThrottle):
    """What costs more than a query, as settling, has a rate of its own."""

    def get_ident(self, request: Request) -> str:
        return address_of(request)


def count_also(request: Request, scope: str) -> None:
    """Count one of what has a rate of its own, asked in a request that asks other things as well.

    Raises Throttled.
    """
    rate = ByScope()
    if not rate.allow_request(request, SimpleNamespace(throttle_scope=scope)):
        raise Throttled(rate.wait())


def caller_of(request: Request) -> str | None:
    """Return by what whoever asks is counted: token, link or user; None for who has none."""
    match request.auth:
        case Token() as token:
            return f"token:{token.id}"
        case FeedLink() as link:
            return f"link:{link.pk}"
    return f"user:{request.user.pk}" if request.user.is_authenticated else None
