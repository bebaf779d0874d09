"""The visitor of a tool: a tool reads what this visitor may read.

The views import this without the package `mcp`, which only the extra installs.
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
    """Count nothing: the process runs for the operator of the machine."""


@dataclass(frozen=True)
class Asker:
    """A visitor who may look at one league; `spend` is called before what costs more than a query.

    It raises where too much was asked for already.
    """

    visitor: Bearer
    spend: Callable[[], None] = field(default=_without_limit)

    @cached_property
    def league(self) -> League:
        """Return the league, if the visitor may look at it; raises as `require`."""
        return find_league(self.visitor, Action.LOOK, self.visitor.league_id)


def reader(token: Token) -> Bearer:
    """Return the bearer of a token as one who reads, whatever else the token may do."""
    return Bearer(token.league_id, Scope.READ, token.user)


def reader_of(text: str) -> Bearer:
    """Return the bearer of the token that this is the text of. Raises AuthenticationFailed."""
    token = token_of(text)
    if token is None:
        raise AuthenticationFailed(UNKNOWN)
    return reader(token)


def reader_at(league_id: UUID) -> Bearer:
    """Return a bearer without a user that reads a league, like a feed link."""
    return Bearer(league_id, Scope.READ)
