"""For whom a visitor speaks: whose chips, whose cash, whose word is wanted."""

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
    """Return the name at the table that is the visitor's own, if any."""
    user = person(visitor)
    return Player.objects.filter(league=league, user=user).first() if user else None


def may_act_for(visitor: Visitor, player: Player, league: League) -> bool:
    """Tell whether the visitor may speak for the player: their own, or as who keeps the score."""
    own = _is_own(visitor, player, league) and plays(role_of(visitor, league))
    return own or may(visitor, Action.KEEP_SCORE, league)


def plays(role: Role | None) -> bool:
    """Tell whether who has this role acts under a name of their own at the table.

    A viewer who has one pays and gets what it owes, and else only looks.
    """
    return role not in (None, Role.VIEWER)


def may_pay_for(visitor: Visitor, player: Player, league: League) -> bool:
    """Tell whether the visitor may say what the player paid or got: their own, or as a host."""
    return _is_own(visitor, player, league) or may(visitor, Action.MANAGE, league)


def may_deal(visitor: Visitor, dealer: Player | None, league: League) -> bool:
    """Tell whether the visitor may name the game and move the deal on: a recorder, or who deals."""
    deals = dealer is not None and _is_own(visitor, dealer, league)
    return (deals and plays(role_of(visitor, league))) or may(visitor, Action.RECORD_HANDS, league)


def may_tell(visitor: Visitor, player: Player, league: League) -> bool:
    """Tell whether the visitor may say what the player declares or holds: their own, a recorder."""
    own = _is_own(visitor, player, league) and plays(role_of(visitor, league))
    return own or may(visitor, Action.RECORD_HANDS, league)


def may_correct(visitor: Visitor, league: League) -> bool:
    """Tell whether the visitor may correct hands of closed nights: a host, unless chosen otherwise.

    Each correction closes the night anew, and plans new payments.
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
    """Return who has to say yes before chips go over the counter so; None where nobody has to.

    A host speaks for all. Who keeps the score speaks for whoever plays, and not for the cash of a
    banker, nor for whom one `pays` oneself: that one's chips would go by the word of who gets them.
    A player speaks for oneself alone, and may ask others, one at a time. Raises PermissionDenied,
    Http404 for outsiders.
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
    """Raise PermissionDenied unless the visitor may take this back; Http404 for outsiders.

    To take back a cash-out that a banker paid charges the banker: a host does, or the banker.
    """
    if isinstance(done, CashOut) and done.banker is not None:
        require_to_pay_for(visitor, done.banker, league)
    else:
        require(visitor, Action.KEEP_SCORE, league)


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


def require_word(visitor: Visitor, request: ChipRequest) -> None:
    """Raise PermissionDenied unless the visitor is whom the chips are charged to, or a host."""
    require_to_pay_for(visitor, request.charged, request.night.league)


def require_to_withdraw(visitor: Visitor, request: ChipRequest) -> None:
    """Raise PermissionDenied unless the visitor has asked for the chips, or is a host."""
    league = request.night.league
    asked = person(visitor) is not None and request.made_by == person(visitor)
    if not (asked and not _only_reads(visitor)):
        require(visitor, Action.MANAGE, league)


def _is_own(visitor: Visitor, player: Player, league: League) -> bool:
    """Tell whether it is the visitor's own name; a token that only reads speaks for nobody."""
    own = player.user_id is not None and player.user_id == visitor.pk
    return own and not _only_reads(visitor) and role_of(visitor, league) is not None


def _only_reads(visitor: Visitor) -> bool:
    return isinstance(visitor, Bearer) and Action.KEEP_SCORE not in SCOPES[visitor.scope]
