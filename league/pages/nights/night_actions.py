"""What a visitor can do at a night beside recording hands: come, go, buy, count, close, pay."""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import uuid4

from django.core.exceptions import PermissionDenied
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from league.access import Action, Visitor, may, player_of, plays, role_of
from league.closing.payments import unpaid
from league.jobs.closing_jobs import IN_DOUBT
from league.models import ClosingJob, Night, Player, Seat
from league.pages.parts.forms import BuyInForm

ASKS: dict[str, Promise] = {
    "still-playing": _("A tournament is not over: end it, or call it off."),
    "not-counted": _("The chips are not counted."),
    "does-not-add-up": _("The chips don't add up: say who bears the difference."),
    IN_DOUBT: _("An import could not explain all chips. Check them, then close the night."),
    "hand-differs": _("A hand does not replay to what was posted: correct it first."),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class NightActions:
    """`own` is the name of a visitor who speaks for nobody else; `rebuy` is there where it sits.

    `asks` is why the night could not close itself.
    """

    open: bool
    keeps: bool
    own: Player | None
    rebuy: BuyInForm | None
    asks: str | Promise
    unpaid: bool


def night_actions(user: Visitor, night: Night, *, keeps: bool) -> NightActions:
    """Return what the visitor can do at the night; `keeps` are those who keep the score."""
    is_open = night.state == Night.State.OPEN
    own = None if keeps else _own(user, night)
    sits = own and is_open and Seat.objects.filter(night=night, player=own, left_at=None).exists()
    return NightActions(
        open=is_open,
        keeps=keeps,
        own=own,
        rebuy=_rebuy(night, own) if own and sits else None,
        asks=_asks(night) if is_open else "",
        unpaid=not is_open and unpaid().filter(plan__closing__night=night).exists(),
    )


def speaks_for(user: Visitor, night: Night, players: Iterable[Player]) -> list[Player]:
    """Return those of the players for whom the visitor may speak. PermissionDenied for nobody."""
    if may(user, Action.KEEP_SCORE, night.league):
        return list(players)
    own = _own(user, night)
    if own is None:
        raise PermissionDenied
    return [player for player in players if player == own]


def _own(user: Visitor, night: Night) -> Player | None:
    return player_of(user, night.league) if plays(role_of(user, night.league)) else None


def _rebuy(night: Night, own: Player) -> BuyInForm:
    return BuyInForm(night, [own], initial={"player": own.pk, "key": uuid4()}, auto_id="rebuy_%s")


def _asks(night: Night) -> str | Promise:
    asks = ClosingJob.objects.filter(night=night).values_list("asks", flat=True).first()
    return ASKS.get(asks or "", "")
