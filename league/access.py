"""Who may see or do what: the one place. Whoever is outside can't tell that a league exists.

A visitor is a user who is signed in, nobody, or the bearer of a token or of a feed link. A bearer
sees one league, and does there what the scope allows and the role of the user behind it as well.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db.models import CharField, Model, OuterRef, QuerySet, Subquery, Value
from django.db.models.expressions import Combinable
from django.http import Http404

from league.models import (
    Hand,
    HouseGame,
    Joined,
    League,
    Membership,
    Night,
    Payment,
    Plan,
    PlannedPayment,
    Player,
    Role,
    Scope,
    Season,
    User,
)


class Action(StrEnum):
    LOOK = "look"  # see the nights, the hands, the books
    TELL = "tell"  # hands: record, correct, take back
    RECORD = "record"  # buy-ins, who sits where, all that a scorekeeper does
    MANAGE = "manage"  # people, seasons, what hosts decide


ALLOWED = {
    Role.HOST: frozenset(Action),
    Role.SCOREKEEPER: frozenset({Action.LOOK, Action.TELL, Action.RECORD}),
    Role.PLAYER: frozenset({Action.LOOK}),
    Role.VIEWER: frozenset({Action.LOOK}),
}
SCOPES = {
    Scope.READ: frozenset({Action.LOOK}),
    Scope.RECORD: frozenset({Action.LOOK, Action.TELL, Action.RECORD}),
    Scope.MANAGE: frozenset(Action),
}


@dataclass(frozen=True, slots=True)
class Bearer:
    """Who comes with a token, in the name of its user, or with a feed link, in nobody's."""

    league_id: UUID
    scope: Scope
    user: User | None = None

    @property
    def pk(self) -> int | None:
        return self.user.pk if self.user else None


Visitor = User | AnonymousUser | Bearer
Row = TypeVar("Row", bound=Model)
Also = Mapping[str, Combinable]
_OF_PLANNED = ("plan__season__league__book", "plan__closing__night", "payer", "payee")


def person(visitor: Visitor) -> User | None:
    """Return the user who visits, or in whose name the token was made."""
    if isinstance(visitor, Bearer):
        return visitor.user
    return visitor if isinstance(visitor, User) else None


def signed_in(visitor: Visitor) -> User:
    """Return the user who visits. PermissionDenied for anyone else."""
    user = person(visitor)
    if user is None:
        raise PermissionDenied
    return user


def role_of(visitor: Visitor, league: League) -> Role | None:
    """Return the visitor's role in the league; None for outsiders."""
    if isinstance(visitor, Bearer) and visitor.league_id != league.pk:
        return None
    if isinstance(visitor, Bearer) and visitor.user is None:
        return Role.VIEWER
    role = Membership.objects.filter(league=league, user=person(visitor)).values_list("role")
    found = role.first() if person(visitor) else None
    return Role(found[0]) if found else None


def allowed(visitor: Visitor, role: Role | None, league: League) -> frozenset[Action]:
    """Return what a visitor with this role may do: of a bearer, no more than the scope says.

    Whether players record hands on their own phones is the league's choice.
    """
    if role is None:
        return frozenset()
    tells = role == Role.PLAYER and league.joined == Joined.RECORD
    scope = SCOPES[visitor.scope] if isinstance(visitor, Bearer) else frozenset(Action)
    return (ALLOWED[role] | ({Action.TELL} if tells else set())) & scope


def rights(visitor: Visitor, league: League) -> frozenset[Action]:
    """Return all that the visitor may do in the league."""
    return allowed(visitor, role_of(visitor, league), league)


def may(visitor: Visitor, action: Action | str, league: League) -> bool:
    """Tell whether the visitor may do this in the league."""
    return Action(action) in rights(visitor, league)


def require(visitor: Visitor, action: Action | str, league: League) -> Role:
    """Return the visitor's role. Http404 for outsiders, PermissionDenied where it's not allowed."""
    return _required(visitor, action, role_of(visitor, league), league)


def player_of(visitor: Visitor, league: League) -> Player | None:
    """Return the name at the table that is the visitor's own, if any."""
    user = person(visitor)
    return Player.objects.filter(league=league, user=user).first() if user else None


def may_act_for(visitor: Visitor, player: Player, league: League) -> bool:
    """Tell whether the visitor may speak for the player: their own, or as who keeps the score."""
    return _is_own(visitor, player, league) or may(visitor, Action.RECORD, league)


def may_pay_for(visitor: Visitor, player: Player, league: League) -> bool:
    """Tell whether the visitor may say what the player paid or got: their own, or as a host."""
    return _is_own(visitor, player, league) or may(visitor, Action.MANAGE, league)


def require_for(visitor: Visitor, player: Player, league: League) -> None:
    """Raise PermissionDenied unless the visitor may speak for the player; Http404 for outsiders."""
    require(visitor, Action.LOOK, league)
    if not may_act_for(visitor, player, league):
        raise PermissionDenied


def require_to_pay_for(visitor: Visitor, player: Player, league: League) -> None:
    """Raise PermissionDenied unless the visitor may pay for the player; Http404 for outsiders."""
    require(visitor, Action.LOOK, league)
    if not may_pay_for(visitor, player, league):
        raise PermissionDenied


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


def find_league(
    visitor: Visitor, action: Action | str, league_id: UUID, also: Also | None = None
) -> League:
    """Return the league, with its book, if the visitor may do this there; raises as `require`.

    `also`: columns that are read with it, as of seasons and players.
    """
    leagues = League.objects.select_related("book").annotate(**also or {})
    return _find(leagues, visitor, action, "pk", pk=league_id)


def find_season(
    visitor: Visitor, action: Action | str, season_id: UUID, also: Also | None = None
) -> Season:
    """Return the season, with its league; raises as `require`."""
    seasons = Season.objects.select_related("league__book").annotate(**also or {})
    return _find(seasons, visitor, action, "league", pk=season_id)


def find_player(
    visitor: Visitor, action: Action | str, player_id: UUID, also: Also | None = None
) -> Player:
    """Return the player, with the league; raises as `require`."""
    players = Player.objects.select_related("league__book").annotate(**also or {})
    return _find(players, visitor, action, "league", pk=player_id)


def find_night(visitor: Visitor, action: Action | str, night_id: UUID) -> Night:
    """Return the night, with its league; raises as `require`."""
    nights = Night.objects.select_related("season__league__book")
    return _find(nights, visitor, action, "season__league", pk=night_id)


def find_hand(visitor: Visitor, action: Action | str, hand_id: UUID) -> Hand:
    """Return the hand, with its league; raises as `require`."""
    hands = Hand.objects.select_related("night__season__league__book")
    return _find(hands, visitor, action, "night__season__league", pk=hand_id)


def find_house_game(
    visitor: Visitor, action: Action | str, league_id: UUID, slug: str
) -> HouseGame:
    """Return the league's game of this slug; raises as `require`."""
    league = find_league(visitor, action, league_id)
    game = HouseGame.objects.filter(league=league, slug=slug).first()
    if game is None:
        raise Http404
    game.league = league
    return game


def find_plan(visitor: Visitor, plan_id: UUID) -> Plan:
    """Return the plan, with its league, if the visitor may see it; raises as `require`."""
    plans = Plan.objects.select_related("season__league__book", "closing__night")
    return _find(plans, visitor, Action.LOOK, "season__league", pk=plan_id)


def find_planned(visitor: Visitor, planned_id: int) -> PlannedPayment:
    """Return the planned payment if the visitor may see its league; raises as `require`."""
    rows = PlannedPayment.objects.select_related(*_OF_PLANNED)
    return _find(rows, visitor, Action.LOOK, "plan__season__league", pk=planned_id)


def find_payment(visitor: Visitor, payment_id: UUID) -> Payment:
    """Return the payment, with what was planned, if the visitor may see its league."""
    rows = Payment.objects.select_related(*(f"planned__{each}" for each in _OF_PLANNED))
    at = "planned__plan__season__league"
    return _find(rows, visitor, Action.LOOK, at, pk=payment_id)


def _find(
    rows: QuerySet[Row], visitor: Visitor, action: Action | str, at: str, **which: Any
) -> Row:
    """Return the row if the visitor may do this in its league, which is `at`; one query."""
    if isinstance(visitor, Bearer):
        rows = rows.filter(**{at: visitor.league_id})
    row = rows.filter(**which).annotate(visitors_role=_role_at(visitor, at)).first()
    if row is None:
        raise Http404
    role = getattr(row, "visitors_role")  # noqa: B009 (only the query knows of it)
    _required(visitor, action, Role(role) if role else None, _league_at(row, at))
    return row


def _league_at(row: Any, at: str) -> League:
    """Return the league of a row, loaded with it."""
    for name in at.split("__") if at != "pk" else ():
        row = getattr(row, name)
    league: League = row
    return league


def _role_at(visitor: Visitor, at: str) -> Combinable:
    """Return what finds the visitor's role beside a row whose league is there."""
    user = person(visitor)
    if user is not None:
        roles = Membership.objects.filter(league=OuterRef(at), user=user).values("role")
        return Subquery(roles[:1])
    role = Role.VIEWER if isinstance(visitor, Bearer) else None
    return Value(role, output_field=CharField())


def _required(visitor: Visitor, action: Action | str, role: Role | None, league: League) -> Role:
    if role is None:
        raise Http404
    if Action(action) not in allowed(visitor, role, league):
        raise PermissionDenied
    return role


def _is_own(visitor: Visitor, player: Player, league: League) -> bool:
    """Tell whether it is the visitor's own name; a token that only reads speaks for nobody."""
    own = player.user_id is not None and player.user_id == visitor.pk
    return own and not _only_reads(visitor) and role_of(visitor, league) is not None


def _only_reads(visitor: Visitor) -> bool:
    return isinstance(visitor, Bearer) and Action.RECORD not in SCOPES[visitor.scope]
