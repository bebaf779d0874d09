"""The actions that a visitor may take in a league, and the players they may act for.

Both depend on the visitor's role, the token's scope and the league's options.
"""

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
    BuyIn,
    CashOut,
    ChipRequest,
    Corrections,
    Inviters,
    JoinedAccess,
    League,
    LimitPolicy,
    Membership,
    Night,
    Objection,
    Player,
    Role,
    Scope,
    User,
)


class Action(StrEnum):
    VIEW = "look"  # nights, hands and accounts; stored under this name with API responses
    RECORD_HANDS = "record-hands"  # record, correct and void hands
    KEEP_SCORE = "keep-score"  # manage buy-ins, seats and everything else a scorekeeper does
    INVITE = "invite"  # view the join code
    MANAGE = "manage"  # manage people and seasons, make decisions as a host


ALLOWED = {
    Role.HOST: frozenset(Action),
    Role.SCOREKEEPER: frozenset({Action.VIEW, Action.RECORD_HANDS, Action.KEEP_SCORE}),
    Role.PLAYER: frozenset({Action.VIEW}),
    Role.VIEWER: frozenset({Action.VIEW}),
}
# Maps the league's setting to the roles, besides host, that can see the join code.
INVITERS = {
    Inviters.HOSTS: frozenset[Role](),
    Inviters.SCOREKEEPERS: frozenset({Role.SCOREKEEPER}),
    Inviters.PLAYERS: frozenset({Role.SCOREKEEPER, Role.PLAYER}),
}
SCOPES = {
    Scope.READ: frozenset({Action.VIEW}),
    Scope.RECORD: frozenset({Action.VIEW, Action.RECORD_HANDS, Action.KEEP_SCORE}),
    Scope.MANAGE: frozenset(Action),
}


@dataclass(frozen=True, slots=True)
class Bearer:
    """The bearer of a token or a feed link.

    A token acts for its user. A feed link has no user.
    """

    league_id: UUID
    scope: Scope
    user: User | None = None

    @property
    def pk(self) -> int | None:
        return self.user.pk if self.user else None


Visitor = User | AnonymousUser | Bearer
_opened: ContextVar[list[League] | None] = ContextVar("leagues_opened", default=None)


def person(visitor: Visitor) -> User | None:
    """Return the signed-in user or the user of the token, or None."""
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
    """Return the visitor's role in the league, or None for outsiders."""
    cached_key, cached_role = vars(league).get("role_known", (None, None))
    if cached_key == visitor:
        return cached_role  # type: ignore[no-any-return]
    if isinstance(visitor, Bearer) and visitor.league_id != league.pk:
        return None
    if isinstance(visitor, Bearer) and visitor.user is None:
        return Role.VIEWER
    role = Membership.objects.filter(league=league, user=person(visitor)).values_list("role")
    first = role.first() if person(visitor) else None
    return Role(first[0]) if first else None


def allowed(visitor: Visitor, role: Role | None, league: League) -> frozenset[Action]:
    """Return the actions that a visitor with this role may take.

    A bearer is limited by the token's scope. League options decide whether players may record hands
    and which roles may invite. A demo league has no guests.
    """
    if role is None:
        return frozenset()
    scope = SCOPES[visitor.scope] if isinstance(visitor, Bearer) else frozenset(Action)
    records = role == Role.PLAYER and league.joined == JoinedAccess.RECORD
    invites = role in INVITERS[Inviters(league.inviters)]
    by_choice = {Action.RECORD_HANDS: records, Action.INVITE: invites}
    chosen = frozenset(action for action, chosen in by_choice.items() if chosen)
    user = person(visitor)
    closed = {Action.INVITE} if user is not None and user.in_demo else set()
    return (ALLOWED[role] | chosen) & scope - closed


def rights(visitor: Visitor, league: League) -> frozenset[Action]:
    """Return all actions that the visitor may take in the league."""
    return allowed(visitor, role_of(visitor, league), league)


def may(visitor: Visitor, action: Action | str, league: League) -> bool:
    """Check whether the visitor may take this action in the league."""
    return Action(action) in rights(visitor, league)


def require(visitor: Visitor, action: Action | str, league: League) -> Role:
    """Return the visitor's role. Raises Http404 for outsiders, or PermissionDenied."""
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
    """Return the leagues that the visitor is a member of."""
    user, leagues = person(visitor), League.objects.all()
    if isinstance(visitor, Bearer):
        leagues = leagues.filter(pk=visitor.league_id)
        if user is None:
            return leagues
    return leagues.filter(memberships__user=user) if user else leagues.none()


def nights_of(visitor: Visitor) -> QuerySet[Night]:
    """Return the nights of the visitor's leagues, each with its league and book."""
    nights = Night.objects.select_related("season__league__book")
    return nights.filter(season__league__in=leagues_of(visitor))


def with_roles(visitor: Visitor, leagues: QuerySet[League]) -> QuerySet[League]:
    """Return the leagues, each annotated with the visitor's role, which `may_invite` reads."""
    return leagues.annotate(visitors_role=role_in(visitor, "pk"))


def may_invite(visitor: Visitor, league: League) -> bool:
    """Check whether the visitor may see the league's join code."""
    known = getattr(league, "visitors_role", None)
    role = Role(known) if known else role_of(visitor, league)
    return Action.INVITE in allowed(visitor, role, league)


def role_in(visitor: Visitor, at: str) -> Combinable:
    """Return an expression for the visitor's role in the league that `at` refers to."""
    user = person(visitor)
    if user is not None:
        roles = Membership.objects.filter(league=OuterRef(at), user=user).values("role")
        return Subquery(roles[:1])
    role = Role.VIEWER if isinstance(visitor, Bearer) else None
    return Value(role, output_field=CharField())


@contextmanager
def leagues_opened() -> Iterator[list[League]]:
    """Collect the leagues that visitors are given access to within this context, in order."""
    opened: list[League] = []
    token = _opened.set(opened)
    try:
        yield opened
    finally:
        _opened.reset(token)


def player_of(visitor: Visitor, league: League) -> Player | None:
    """Return the visitor's own player in the league, if any."""
    user = person(visitor)
    return Player.objects.filter(league=league, user=user).first() if user else None


def may_act_for(visitor: Visitor, player: Player, league: League) -> bool:
    """Check whether the visitor may act for the player, as the player or as a scorekeeper."""
    own = _is_own_player(visitor, player, league) and plays(role_of(visitor, league))
    return own or may(visitor, Action.KEEP_SCORE, league)


def plays(role: Role | None) -> bool:
    """Check whether users with this role may act for their own player.

    A viewer who has a player may settle the player's payments, but otherwise can only read.
    """
    return role not in (None, Role.VIEWER)


def may_pay_for(visitor: Visitor, player: Player, league: League) -> bool:
    """Check whether the visitor may report the player's payments, as the player or as a host."""
    return _is_own_player(visitor, player, league) or may(visitor, Action.MANAGE, league)


def may_deal(visitor: Visitor, dealer: Player | None, league: League) -> bool:
    """Check whether the visitor may name the game and advance the deal.

    The dealer may do this, and so may users who may record hands.
    """
    deals = dealer is not None and _is_own_player(visitor, dealer, league)
    return (deals and plays(role_of(visitor, league))) or may(visitor, Action.RECORD_HANDS, league)


def may_declare_for(visitor: Visitor, player: Player, league: League) -> bool:
    """Check whether the visitor may enter the player's declaration or cards.

    The player may do this, and so may users who may record hands.
    """
    own = _is_own_player(visitor, player, league) and plays(role_of(visitor, league))
    return own or may(visitor, Action.RECORD_HANDS, league)


def may_correct(visitor: Visitor, league: League) -> bool:
    """Check whether the visitor may correct hands of closed nights.

    Hosts may correct them. If the league allows it, so may users who may record hands. Each
    correction closes the night again and plans new payments.
    """
    recorders = league.corrections == Corrections.RECORDERS
    return may(visitor, Action.RECORD_HANDS if recorders else Action.MANAGE, league)


def whose_word(
    visitor: Visitor,
    player: Player,
    banker: Player | None,
    league: League,
    *,
    pays: bool = False,
) -> Player | None:
    """Return the player who has to accept a buy-in or cash-out, or None if no player has to.

    Hosts may act for all players. Scorekeepers may too, except with another banker's cash. Both
    may use the league's cash box. A host has to accept other players' requests to use it. If
    `pays` is true and the visitor is the banker, the player has to accept, because the visitor gets
    the chips. Other players may act only for themselves, or make a request that one other player
    has to accept. Raises PermissionDenied, or Http404 for outsiders.
    """
    role = require(visitor, Action.VIEW, league)
    if may(visitor, Action.MANAGE, league):
        return None
    own = player_of(visitor, league) if plays(role) and not _only_reads(visitor) else None
    others_cash = banker if banker not in (None, own, player) else None
    if pays and own is not None and banker == own != player:
        return player
    keeps_score = may(visitor, Action.KEEP_SCORE, league)
    if keeps_score and others_cash is not None and others_cash.is_box:
        return None
    if player == own or keeps_score:
        return others_cash
    if own is None or others_cash is not None:
        raise PermissionDenied
    return player


def may_exceed_limits(visitor: Visitor, league: League) -> bool:
    """Check whether the visitor may exceed the league's limits, with a confirmation."""
    return league.limits == LimitPolicy.WARN or may(visitor, Action.MANAGE, league)


def require_to_exceed_limits(visitor: Visitor, league: League) -> None:
    """Raise PermissionDenied unless the visitor may exceed the league's limits."""
    if not may_exceed_limits(visitor, league):
        raise PermissionDenied


def require_to_undo(visitor: Visitor, done: BuyIn | CashOut, league: League) -> None:
    """Raise PermissionDenied unless the visitor may undo the posting, or Http404 for outsiders.

    Only the banker or a host may undo a cash-out that a banker paid, because undoing it charges the
    banker. Scorekeepers may undo a cash-out from the cash box.
    """
    if isinstance(done, CashOut) and done.banker is not None and not done.banker.is_box:
        require_to_pay_for(visitor, done.banker, league)
    else:
        require(visitor, Action.KEEP_SCORE, league)


def require_for(visitor: Visitor, player: Player, league: League) -> None:
    """Raise PermissionDenied unless the visitor may act for the player.

    Raises Http404 for outsiders.
    """
    require(visitor, Action.VIEW, league)
    if not may_act_for(visitor, player, league):
        raise PermissionDenied


def require_to_pay_for(visitor: Visitor, player: Player, league: League) -> None:
    """Raise PermissionDenied unless the visitor may pay for the player.

    Raises Http404 for outsiders.
    """
    require(visitor, Action.VIEW, league)
    if not may_pay_for(visitor, player, league):
        raise PermissionDenied


def require_word(visitor: Visitor, request: ChipRequest) -> None:
    """Raise PermissionDenied unless the visitor is the charged player or a host."""
    require_to_pay_for(visitor, request.charged, request.night.league)


def require_to_withdraw_request(visitor: Visitor, request: ChipRequest) -> None:
    """Raise PermissionDenied unless the visitor made the request or is a host."""
    league = request.night.league
    is_own = person(visitor) is not None and request.made_by == person(visitor)
    if not (is_own and not _only_reads(visitor)):
        require(visitor, Action.MANAGE, league)


def may_withdraw_objection(visitor: Visitor, objection: Objection) -> bool:
    """Check whether the visitor is the objection's player or the user who wrote it."""
    league = objection.hand.night.league
    if not plays(role_of(visitor, league)) or _only_reads(visitor):
        return False
    user = person(visitor)
    return user is not None and user.pk in (objection.player.user_id, objection.made_by_id)


def require_to_answer(visitor: Visitor, objection: Objection, *, withdraws: bool) -> None:
    """Raise PermissionDenied unless the visitor may answer the objection.

    Hosts answer objections. Only its author withdraws an objection. Raises Http404 for outsiders.
    """
    if not withdraws:
        require(visitor, Action.MANAGE, objection.hand.night.league)
    elif not may_withdraw_objection(visitor, objection):
        require(visitor, Action.VIEW, objection.hand.night.league)
        raise PermissionDenied


def _is_own_player(visitor: Visitor, player: Player, league: League) -> bool:
    """Check whether the player is the visitor's own. A read-only token can't act for a player."""
    own = player.user_id is not None and player.user_id == visitor.pk
    return own and not _only_reads(visitor) and role_of(visitor, league) is not None


def _only_reads(visitor: Visitor) -> bool:
    return isinstance(visitor, Bearer) and Action.KEEP_SCORE not in SCOPES[visitor.scope]
