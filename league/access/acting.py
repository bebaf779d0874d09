"""On whose behalf a visitor may act: for a player's chips, cash, cards and requests."""

from django.core.exceptions import PermissionDenied

from league.access.rights import SCOPES, Action, Bearer, Visitor, may, person, require, role_of
from league.models import (
    BuyIn,
    CashOut,
    ChipRequest,
    Corrections,
    League,
    Player,
    Role,
)


def player_of(visitor: Visitor, league: League) -> Player | None:
    """Return the visitor's own player in the league, if any."""
    user = person(visitor)
    return Player.objects.filter(league=league, user=user).first() if user else None


def may_act_for(visitor: Visitor, player: Player, league: League) -> bool:
    """Check whether the visitor may act for the player: it is their own, or they keep the score."""
    own = _is_own(visitor, player, league) and plays(role_of(visitor, league))
    return own or may(visitor, Action.KEEP_SCORE, league)


def plays(role: Role | None) -> bool:
    """Check whether users with this role may act as their own player.

    A viewer with a player may settle its payments, and otherwise only read.
    """
    return role not in (None, Role.VIEWER)


def may_pay_for(visitor: Visitor, player: Player, league: League) -> bool:
    """Check whether the visitor may report the player's payments: their own, or as a host."""
    return _is_own(visitor, player, league) or may(visitor, Action.MANAGE, league)


def may_deal(visitor: Visitor, dealer: Player | None, league: League) -> bool:
    """Check whether the visitor may name the game and advance the deal: dealer or recorder."""
    deals = dealer is not None and _is_own(visitor, dealer, league)
    return (deals and plays(role_of(visitor, league))) or may(visitor, Action.RECORD_HANDS, league)


def may_tell(visitor: Visitor, player: Player, league: League) -> bool:
    """Check whether the visitor may enter the player's declaration or cards: own, or recorder."""
    own = _is_own(visitor, player, league) and plays(role_of(visitor, league))
    return own or may(visitor, Action.RECORD_HANDS, league)


def may_correct(visitor: Visitor, league: League) -> bool:
    """Check whether the visitor may correct hands of closed nights.

    Hosts may, and recorders if the league allows it. Each correction closes the night again and
    plans new payments.
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
    """Return the player who has to accept a buy-in or cash-out; None if no one has to.

    A host acts for all players. A scorekeeper acts for all players, but not for another banker's
    cash. If the visitor `pays` the player as the banker, the player has to accept, because the
    visitor gets the chips. Other players act for themselves alone and may request one acceptance.
    Raises PermissionDenied, or Http404 for outsiders.
    """
    role = require(visitor, Action.LOOK, league)
    if may(visitor, Action.MANAGE, league):
        return None
    own = player_of(visitor, league) if plays(role) and not _only_reads(visitor) else None
    others_cash = banker if banker not in (None, own, player) else None
    if pays and own is not None and banker == own != player:
        return player
    if player == own or may(visitor, Action.KEEP_SCORE, league):
        return others_cash
    if own is None or others_cash is not None:
        raise PermissionDenied
    return player


def require_to_undo(visitor: Visitor, done: BuyIn | CashOut, league: League) -> None:
    """Raise PermissionDenied unless the visitor may undo this; Http404 for outsiders.

    Undoing a cash-out that a banker paid charges the banker, so only the banker or a host may.
    """
    if isinstance(done, CashOut) and done.banker is not None:
        require_to_pay_for(visitor, done.banker, league)
    else:
        require(visitor, Action.KEEP_SCORE, league)


def require_for(visitor: Visitor, player: Player, league: League) -> None:
    """Raise PermissionDenied unless the visitor may act for the player; Http404 for outsiders."""
    require(visitor, Action.LOOK, league)
    if not may_act_for(visitor, player, league):
        raise PermissionDenied


def require_to_pay_for(visitor: Visitor, player: Player, league: League) -> None:
    """Raise PermissionDenied unless the visitor may pay for the player; Http404 for outsiders."""
    require(visitor, Action.LOOK, league)
    if not may_pay_for(visitor, player, league):
        raise PermissionDenied


def require_word(visitor: Visitor, request: ChipRequest) -> None:
    """Raise PermissionDenied unless the visitor is the player who is charged, or a host."""
    require_to_pay_for(visitor, request.charged, request.night.league)


def require_to_withdraw(visitor: Visitor, request: ChipRequest) -> None:
    """Raise PermissionDenied unless the visitor made the request, or is a host."""
    league = request.night.league
    asked = person(visitor) is not None and request.made_by == person(visitor)
    if not (asked and not _only_reads(visitor)):
        require(visitor, Action.MANAGE, league)


def _is_own(visitor: Visitor, player: Player, league: League) -> bool:
    """Check whether the player is the visitor's own. A read-only token acts for no player."""
    own = player.user_id is not None and player.user_id == visitor.pk
    return own and not _only_reads(visitor) and role_of(visitor, league) is not None


def _only_reads(visitor: Visitor) -> bool:
    return isinstance(visitor, Bearer) and Action.KEEP_SCORE not in SCOPES[visitor.scope]
