"""Who asks: a session of the pages, a token, or the key of a feed link; `access` decides the rest.

Whoever comes with none of them is told to sign in (401), not that it's forbidden.
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
