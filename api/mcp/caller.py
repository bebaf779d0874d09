"""The caller of a tool. A tool reads only data that the caller may read.

The views import this module, which must not require the package `mcp`, because that is an optional
extra.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from uuid import UUID

from rest_framework.exceptions import AuthenticationFailed

from league.access import Action, Bearer, find_league
from league.models import League, Scope, Token
from league.people.api_keys import token_of

UNKNOWN = "The token is unknown, revoked or expired."


def _without_limit() -> None:
    """Apply no limit, because the process runs for the machine's operator."""


@dataclass(frozen=True)
class Caller:
    """A visitor who may read one league. `spend` is called before expensive work.

    `spend` raises an error if the rate limit is reached.
    """

    visitor: Bearer
    spend: Callable[[], None] = field(default=_without_limit)

    @cached_property
    def league(self) -> League:
        """Return the league if the visitor may read it. Raises the errors of `require`."""
        return find_league(self.visitor, Action.VIEW, self.visitor.league_id)


def reader(token: Token) -> Bearer:
    """Return a read-only bearer for a token, even if the token has more rights."""
    return Bearer(token.league_id, Scope.READ, token.user)


def reader_of(text: str) -> Bearer:
    """Return a read-only bearer for the text of a token. Raises AuthenticationFailed."""
    token = token_of(text)
    if token is None:
        raise AuthenticationFailed(UNKNOWN)
    return reader(token)


def reader_at(league_id: UUID) -> Bearer:
    """Return a bearer without a user that can read a league, like a feed link."""
    return Bearer(league_id, Scope.READ)
