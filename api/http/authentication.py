"""Authentication by session, token or feed link. `league.access` checks the permissions.

A request without credentials returns 401, not 403. Rates are counted by token, link or user. A
request without credentials counts by its IP address.
"""

import logging
from math import ceil
from types import SimpleNamespace
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from knox.auth import TokenAuthentication
from redis.exceptions import RedisError
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.exceptions import AuthenticationFailed, Throttled
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.throttling import ScopedRateThrottle, SimpleRateThrottle

from league.access import Bearer, Visitor
from league.common.client_ip import address_of
from league.models import FeedLink, Scope, Token, User
from league.people.api_keys import link_of, token_of

LINK_KEY = "key"
LIMIT = "_rate_limit"  # attribute of a request


class Session(SessionAuthentication):
    """The session of the pages. Requests that change data require the CSRF token."""

    def authenticate_header(self, request: Request) -> str:
        return "Session"


class TokenBearer(TokenAuthentication):
    """`Authorization: Bearer dealer_...`: a token created on the league's page."""

    def authenticate_credentials(self, token: bytes) -> tuple[User, Token]:
        # Knox reads all tokens of the user and deletes expired ones. One query is enough here.
        found = token_of(token.decode("utf-8", "replace"))
        if found is None:
            raise AuthenticationFailed("The token is unknown, revoked or expired.")
        return found.user, found


class LinkBearer(BaseAuthentication):
    """`?key=...`: a feed link. It is read-only, and only some views accept it."""

    def authenticate(self, request: Request) -> tuple[AnonymousUser, FeedLink] | None:
        key = request.query_params.get(LINK_KEY)
        if key is None:
            return None
        found = link_of(key)
        if found is None:
            raise AuthenticationFailed("The link is unknown or revoked.")
        return AnonymousUser(), found

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


class HasCredentials(BasePermission):
    """Allow requests that have a session, a token or a feed link."""

    def has_permission(self, request: Request, view: object) -> bool:
        return bool(request.auth or request.user.is_authenticated)


def visitor_of(request: Request) -> Visitor:
    """Return the visitor in the form that `league.access` expects."""
    match request.auth:
        case Token() as token:
            return Bearer(token.league_id, Scope(token.scope), token.user)
        case FeedLink() as link:
            return Bearer(link.league_id, Scope.READ)
    return request.user


logger = logging.getLogger(__name__)


class _Rate(SimpleRateThrottle):
    """Read the rate for each request, so that a changed setting applies immediately."""

    num_requests: int
    duration: int

    def get_rate(self) -> str | None:
        rates: dict[str, str] = settings.API_RATES
        return rates[str(self.scope)]

    def allow_request(self, request: Request, view: Any) -> bool:
        """Allow the request if Redis is unavailable. A recorded hand matters more than a limit."""
        self.history: list[float] = []
        try:
            allowed = bool(super().allow_request(request, view))
        except RedisError as error:
            logger.warning("Nobody is counted: %s", error)
            return True
        if self.history:
            self._add_limit(request)
        return allowed

    def _add_limit(self, request: Request) -> None:
        """Store the headers of the limit with the fewest requests left."""
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
    """Return the headers with the rate limit of a request, none if it wasn't counted."""
    headers: dict[str, str] = vars(request).get(LIMIT, {})
    return headers


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
    """A separate rate for expensive requests, such as settling."""

    def get_ident(self, request: Request) -> str:
        return address_of(request)


def count_also(request: Request, scope: str) -> None:
    """Count a request against the rate of another scope, in addition to its own.

    Raises Throttled if the rate is exceeded.
    """
    rate = ByScope()
    if not rate.allow_request(request, SimpleNamespace(throttle_scope=scope)):
        raise Throttled(rate.wait())


def caller_of(request: Request) -> str | None:
    """Return the rate key for the token, link or user, or None without credentials."""
    match request.auth:
        case Token() as token:
            return f"token:{token.id}"
        case FeedLink() as link:
            return f"link:{link.pk}"
    return f"user:{request.user.pk}" if request.user.is_authenticated else None
