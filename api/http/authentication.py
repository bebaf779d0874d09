"""Who asks: a session of the pages, a token, or the key of a feed link; `access` decides the rest.

Whoever comes with none of them is told to sign in (401), not that it's forbidden.
"""

import logging
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


class Session(SessionAuthentication):
    """The pages' session; what it changes wants the CSRF token along."""

    def authenticate_header(self, request: Request) -> str:
        return "Session"


class TokenBearer(TokenAuthentication):
    """`Authorization: Bearer dealer_...`: a token made on the league's page."""

    def authenticate_credentials(self, token: bytes) -> tuple[User, Token]:
        # Knox looks at each of the user's tokens and deletes some while it reads; one look does.
        found = token_of(token.decode("utf-8", "replace"))
        if found is None:
            raise AuthenticationFailed("The token is unknown, revoked or expired.")
        return found.user, found


class LinkBearer(BaseAuthentication):
    """`?key=...`: a feed link, only for reading and only where a view says so."""

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
    """Let in whoever brings a session, a token or a link."""

    def has_permission(self, request: Request, view: object) -> bool:
        return bool(request.auth or request.user.is_authenticated)


def visitor_of(request: Request) -> Visitor:
    """Return the visitor as `league.access` knows one."""
    match request.auth:
        case Token() as token:
            return Bearer(token.league_id, Scope(token.scope), token.user)
        case FeedLink() as link:
            return Bearer(link.league_id, Scope.READ)
    return request.user


# How often one may ask: counted by token, link or user, and by address for whoever has none.


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
