"""Authentication by session, token or feed link. `league.access` checks the permissions.

A request without credentials returns 401, not 403.
"""

from django.contrib.auth.models import AnonymousUser
from knox.auth import TokenAuthentication
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from league.access import Bearer, Visitor
from league.models import FeedLink, Scope, Token, User
from league.people.api_keys import link_of, token_of

LINK_KEY = "key"


class Session(SessionAuthentication):
    """The session used by the pages. Requests that change data require the CSRF token."""

    def authenticate_header(self, request: Request) -> str:
        return "Session"


class TokenBearer(TokenAuthentication):
    """`Authorization: Bearer dealer_...`: a token created on the league's page."""

    def authenticate_credentials(self, token: bytes) -> tuple[User, Token]:
        # Knox reads all of the user's tokens and deletes expired ones. One query is enough here.
        stored = token_of(token.decode("utf-8", "replace"))
        if stored is None:
            raise AuthenticationFailed("The token is unknown, revoked or expired.")
        return stored.user, stored


class LinkBearer(BaseAuthentication):
    """`?key=...`: a feed link. It is read-only, and only some views accept it."""

    def authenticate(self, request: Request) -> tuple[AnonymousUser, FeedLink] | None:
        key = request.query_params.get(LINK_KEY)
        if key is None:
            return None
        link = link_of(key)
        if link is None:
            raise AuthenticationFailed("The link is unknown or revoked.")
        return AnonymousUser(), link

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


class HasCredentials(BasePermission):
    """Allow requests with a session, a token or a feed link."""

    def has_permission(self, request: Request, view: object) -> bool:
        return bool(request.auth or request.user.is_authenticated)


def visitor_of(request: Request) -> Visitor:
    """Return the visitor in the form expected by `league.access`."""
    match request.auth:
        case Token() as token:
            return Bearer(token.league_id, Scope(token.scope), token.user)
        case FeedLink() as link:
            return Bearer(link.league_id, Scope.READ)
    return request.user


def caller_of(request: Request) -> str | None:
    """Return the rate limit key for the token, link or user, or None without credentials."""
    match request.auth:
        case Token() as token:
            return f"token:{token.id}"
        case FeedLink() as link:
            return f"link:{link.pk}"
    return f"user:{request.user.pk}" if request.user.is_authenticated else None
