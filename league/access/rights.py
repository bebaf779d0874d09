"""What a visitor may do in a league: by the role, the scope of a token, the league's choices."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db.models import CharField, OuterRef, QuerySet, Subquery, Value
from django.db.models.expressions import Combinable
from django.http import Http404

from league.models import (
    Inviters,
    JoinedAccess,
    League,
    Membership,
    Night,
    Role,
    Scope,
    User,
)


class Action(StrEnum):
    LOOK = "look"  # see the nights, the hands, the books
    RECORD_HANDS = "record-hands"  # record, correct and void hands
    KEEP_SCORE = "keep-score"  # buy-ins, seats and everything else a scorekeeper does
    INVITE = "invite"  # see the code that phones join by
    MANAGE = "manage"  # people, seasons, what hosts decide


ALLOWED = {
    Role.HOST: frozenset(Action),
    Role.SCOREKEEPER: frozenset({Action.LOOK, Action.RECORD_HANDS, Action.KEEP_SCORE}),
    Role.PLAYER: frozenset({Action.LOOK}),
    Role.VIEWER: frozenset({Action.LOOK}),
}
# The roles that see the joining code in addition to hosts, by the league's choice.
INVITERS = {
    Inviters.HOSTS: frozenset[Role](),
    Inviters.SCOREKEEPERS: frozenset({Role.SCOREKEEPER}),
    Inviters.PLAYERS: frozenset({Role.SCOREKEEPER, Role.PLAYER}),
}
SCOPES = {
    Scope.READ: frozenset({Action.LOOK}),
    Scope.RECORD: frozenset({Action.LOOK, Action.RECORD_HANDS, Action.KEEP_SCORE}),
    Scope.MANAGE: frozenset(Action),
}


@dataclass(frozen=True, slots=True)
class Bearer:
    """The bearer of a token, which acts for its user, or of a feed link, which has no user."""

    league_id: UUID
    scope: Scope
    user: User | None = None

    @property
    def pk(self) -> int | None:
        return self.user.pk if self.user else None


Visitor = User | AnonymousUser | Bearer
_opened: ContextVar[list[League] | None] = ContextVar("leagues_opened", default=None)


def person(visitor: Visitor) -> User | None:
    """Return the signed-in user, or the user of the token."""
    if isinstance(visitor, Bearer):
        return visitor.user
    return visitor if isinstance(visitor, User) else None


def signed_in(visitor: Visitor) -> User:
    """Return the signed-in user or the user of the token. Raises PermissionDenied for others."""
    user = person(visitor)
    if user is None:
        raise PermissionDenied
    return user


def know_role(league: League, visitor: Visitor, role: Role | None) -> None:
    """Cache the visitor's role on the league object for the rest of the request."""
    vars(league)["role_known"] = (visitor, role)


def role_of(visitor: Visitor, league: League) -> Role | None:
    """Return the visitor's role in the league; None for outsiders."""
    whose, known = vars(league).get("role_known", (None, None))
    if whose == visitor:
        return known  # type: ignore[no-any-return]
    if isinstance(visitor, Bearer) and visitor.league_id != league.pk:
        return None
    if isinstance(visitor, Bearer) and visitor.user is None:
        return Role.VIEWER
    role = Membership.objects.filter(league=league, user=person(visitor)).values_list("role")
    found = role.first() if person(visitor) else None
    return Role(found[0]) if found else None


def allowed(visitor: Visitor, role: Role | None, league: League) -> frozenset[Action]:
    """Return the actions that a visitor with this role may take.

    A bearer is limited by the token's scope. The league chooses whether players record hands, and
    which roles invite.
    """
    if role is None:
        return frozenset()
    scope = SCOPES[visitor.scope] if isinstance(visitor, Bearer) else frozenset(Action)
    records = role == Role.PLAYER and league.joined == JoinedAccess.RECORD
    invites = role in INVITERS[Inviters(league.inviters)]
    by_choice = {Action.RECORD_HANDS: records, Action.INVITE: invites}
    chosen = frozenset(action for action, chosen in by_choice.items() if chosen)
    return (ALLOWED[role] | chosen) & scope


def rights(visitor: Visitor, league: League) -> frozenset[Action]:
    """Return all actions that the visitor may take in the league."""
    return allowed(visitor, role_of(visitor, league), league)


def may(visitor: Visitor, action: Action | str, league: League) -> bool:
    """Check whether the visitor may take this action in the league."""
    return Action(action) in rights(visitor, league)


def require(visitor: Visitor, action: Action | str, league: League) -> Role:
    """Return the visitor's role. Raises Http404 for outsiders, PermissionDenied if not allowed."""
    return required(visitor, action, role_of(visitor, league), league)


def required(visitor: Visitor, action: Action | str, role: Role | None, league: League) -> Role:
    if role is None:
        raise Http404
    if Action(action) not in allowed(visitor, role, league):
        raise PermissionDenied
    if (opened := _opened.get()) is not None:
        opened.append(league)
    return role


def leagues_of(visitor: Visitor) -> QuerySet[League]:
    """Return the leagues that the visitor is in."""
    user, leagues = person(visitor), League.objects.all()
    if isinstance(visitor, Bearer):
        leagues = leagues.filter(pk=visitor.league_id)
        if user is None:
            return leagues
    return leagues.filter(memberships__user=user) if user else leagues.none()


def nights_of(visitor: Visitor) -> QuerySet[Night]:
    """Return the nights of the leagues that the visitor is in, each with its league and book."""
    nights = Night.objects.select_related("season__league__book")
    return nights.filter(season__league__in=leagues_of(visitor))


def with_roles(visitor: Visitor, leagues: QuerySet[League]) -> QuerySet[League]:
    """Return the leagues, each with the visitor's role as `may_invite` reads it."""
    return leagues.annotate(visitors_role=role_beside(visitor, "pk"))


def may_invite(visitor: Visitor, league: League) -> bool:
    """Check whether the visitor may see the league's joining code."""
    known = getattr(league, "visitors_role", None)
    role = Role(known) if known else role_of(visitor, league)
    return Action.INVITE in allowed(visitor, role, league)


def role_beside(visitor: Visitor, at: str) -> Combinable:
    """Return an expression for the visitor's role in the league of a row's field `at`."""
    user = person(visitor)
    if user is not None:
        roles = Membership.objects.filter(league=OuterRef(at), user=user).values("role")
        return Subquery(roles[:1])
    role = Role.VIEWER if isinstance(visitor, Bearer) else None
    return Value(role, output_field=CharField())


@contextmanager
def leagues_opened() -> Iterator[list[League]]:
    """Collect the leagues that visitors get access to within this context, in order."""
    opened: list[League] = []
    token = _opened.set(opened)
    try:
        yield opened
    finally:
        _opened.reset(token)
