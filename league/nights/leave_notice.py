"""Notice that players give before they leave. The league's `leave_notice` defines the minutes.

Players without chips may leave at any time, and closing a night requires no notice.
"""

from collections.abc import Iterator
from datetime import timedelta
from math import ceil

from django.db import transaction
from django.utils import timezone

from league.common.errors import Problem, RefusedError, problem
from league.models import Night, Player, Seat
from league.nights.nights import lock_and_bump_open

CODE = "early-leave"
MINUTE = timedelta(minutes=1)


@transaction.atomic
def give_notice(night: Night, player: Player) -> Seat:
    """Store that the player leaves when the notice is over. A repeated notice changes nothing.

    Raises RefusedError if the league requires no notice or the player has no seat, or
    NightClosedError.
    """
    lock_and_bump_open(night)
    seat = _seat(night, player)
    if not night.league.leave_notice:
        raise RefusedError([problem("", "no-notice", "the league requires no notice")])
    if seat.leaving_at is None:
        _set(seat, night.league.leave_notice)
    return seat


@transaction.atomic
def withdraw_notice(night: Night, player: Player) -> Seat:
    """Remove the player's notice, if any. Raises RefusedError or NightClosedError."""
    lock_and_bump_open(night)
    seat = _seat(night, player)
    if seat.leaving_at is not None:
        _set(seat, None)
    return seat


def early_leave(night: Night, player: Player, chips: int) -> Iterator[Problem]:
    """Yield a problem if the player would leave with these chips before the notice is over."""
    notice = night.league.leave_notice
    seat = Seat.objects.filter(night=night, player=player, left_at=None).first()
    if not (notice and chips and seat):
        return
    missing = notice
    if seat.leaving_at is not None:
        missing = min(notice, ceil((seat.leaving_at - timezone.now()) / MINUTE))
    if missing > 0:
        text = f"the league requires {notice} min of notice, and {missing} min remain"
        yield problem("leaves", CODE, text)


def _seat(night: Night, player: Player) -> Seat:
    rows = Seat.objects.filter(night=night, player=player, left_at=None)
    seat = rows.select_related("player").first()
    if seat is None:
        text = "the player has no seat in this night"
        raise RefusedError([problem("player", "unknown-player", text)])
    return seat


def _set(seat: Seat, minutes: int | None) -> None:
    seat.leaving_at = None if minutes is None else timezone.now() + minutes * MINUTE
    seat.save(update_fields=["leaving_at"])
