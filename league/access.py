"""Who may see or do what: the one place. Whoever is outside can't tell that a league exists."""

from enum import StrEnum
from typing import TypeVar
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404

from league.models import (
    Hand,
    HouseGame,
    League,
    Membership,
    Night,
    Payment,
    PlannedPayment,
    Player,
    Role,
    Season,
    User,
)


class Action(StrEnum):
    LOOK = "look"  # see the nights, the hands, the books
    RECORD = "record"  # hands, buy-ins, who sits where
    MANAGE = "manage"  # people, seasons, what hosts decide


ALLOWED = {
    Role.HOST: frozenset(Action),
    Role.SCOREKEEPER: frozenset({Action.LOOK, Action.RECORD}),
    Role.PLAYER: frozenset({Action.LOOK}),
    Role.VIEWER: frozenset({Action.LOOK}),
}

Visitor = User | AnonymousUser
Row = TypeVar("Row")
_OF_PLANNED = ("plan__season__league__book", "plan__closing__night", "payer", "payee")


def signed_in(user: Visitor) -> User:
    """Return the user as one who is signed in. PermissionDenied for anyone else."""
    if not isinstance(user, User):
        raise PermissionDenied
    return user


def role_of(user: Visitor, league: League) -> Role | None:
    """Return the role of the user in the league; None for outsiders."""
    if not isinstance(user, User):
        return None
    role = Membership.objects.filter(league=league, user=user).values_list("role", flat=True)
    return Role(role[0]) if role else None


def may(user: Visitor, action: Action | str, league: League) -> bool:
    """Tell whether the user's role in the league allows the action."""
    role = role_of(user, league)
    return role is not None and Action(action) in ALLOWED[role]


def require(user: Visitor, action: Action | str, league: League) -> Role:
    """Return the user's role. Http404 for outsiders, PermissionDenied where it doesn't allow it."""
    role = role_of(user, league)
    if role is None:
        raise Http404
    if Action(action) not in ALLOWED[role]:
        raise PermissionDenied
    return role


def player_of(user: Visitor, league: League) -> Player | None:
    """Return the name at the table that is the user's own, if any."""
    if not isinstance(user, User):
        return None
    return Player.objects.filter(league=league, user=user).first()


def may_act_for(user: Visitor, player: Player, league: League) -> bool:
    """Tell whether the user may speak for the player: their own, or as one who keeps the score."""
    own = player.user_id is not None and player.user_id == user.pk
    return (own and role_of(user, league) is not None) or may(user, Action.RECORD, league)


def require_for(user: Visitor, player: Player, league: League) -> None:
    """Raise PermissionDenied unless the user may speak for the player; Http404 for outsiders."""
    require(user, Action.LOOK, league)
    if not may_act_for(user, player, league):
        raise PermissionDenied


def leagues_of(user: Visitor) -> QuerySet[League]:
    """Return the leagues that the user is in."""
    if not isinstance(user, User):
        return League.objects.none()
    return League.objects.filter(memberships__user=user)


def nights_of(user: Visitor) -> QuerySet[Night]:
    """Return the nights of the leagues that the user is in, each with its league and book."""
    nights = Night.objects.select_related("season__league__book")
    return nights.filter(season__league__in=leagues_of(user))


def find_league(user: Visitor, action: Action | str, league_id: UUID) -> League:
    """Return the league, with its book, if the user may do this there; raises as `require`."""
    league = League.objects.select_related("book").filter(pk=league_id).first()
    return _allowed(user, action, league, league)


def find_season(user: Visitor, action: Action | str, season_id: UUID) -> Season:
    """Return the season, with its league, if the user may do this there; raises as `require`."""
    season = Season.objects.select_related("league__book").filter(pk=season_id).first()
    return _allowed(user, action, season, season.league if season else None)


def find_player(user: Visitor, action: Action | str, player_id: UUID) -> Player:
    """Return the player, with the league, if the user may do this there; raises as `require`."""
    player = Player.objects.select_related("league__book").filter(pk=player_id).first()
    return _allowed(user, action, player, player.league if player else None)


def find_night(user: Visitor, action: Action | str, night_id: UUID) -> Night:
    """Return the night, with its league, if the user may do this there; raises as `require`."""
    night = Night.objects.select_related("season__league__book").filter(pk=night_id).first()
    return _allowed(user, action, night, night.league if night else None)


def find_hand(user: Visitor, action: Action | str, hand_id: UUID) -> Hand:
    """Return the hand, with its league, if the user may do this there; raises as `require`."""
    hands = Hand.objects.select_related("night__season__league__book")
    hand = hands.filter(pk=hand_id).first()
    return _allowed(user, action, hand, hand.night.league if hand else None)


def find_house_game(user: Visitor, action: Action | str, league_id: UUID, slug: str) -> HouseGame:
    """Return the league's game of this slug, if the user may do this there; raises as `require`."""
    league = find_league(user, action, league_id)
    game = HouseGame.objects.filter(league=league, slug=slug).first()
    if game is None:
        raise Http404
    game.league = league
    return game


def find_planned(user: Visitor, planned_id: int) -> PlannedPayment:
    """Return the planned payment if the user may see its league; raises as `require`."""
    rows = PlannedPayment.objects.select_related(*_OF_PLANNED)
    planned = rows.filter(pk=planned_id).first()
    league = planned.plan.season.league if planned else None
    return _allowed(user, Action.LOOK, planned, league)


def find_payment(user: Visitor, payment_id: UUID) -> Payment:
    """Return the payment, with what was planned, if the user may see its league."""
    rows = Payment.objects.select_related(*(f"planned__{each}" for each in _OF_PLANNED))
    payment = rows.filter(pk=payment_id).first()
    league = payment.planned.plan.season.league if payment else None
    return _allowed(user, Action.LOOK, payment, league)


def _allowed(user: Visitor, action: Action | str, row: Row | None, league: League | None) -> Row:
    if row is None or league is None:
        raise Http404
    require(user, action, league)
    return row
