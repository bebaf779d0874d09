"""Undo a hand that was just saved, while nothing came after it.

An undo is a void with a reason of its own: the hand stays in the books and its chips are moved
back. Anything later is a correction, or a removal on the hand's page. So is a hand that another
phone has recorded too: that phone got a response that it was saved, and an undo would remove its
record.
"""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from league.common.errors import NightClosedError
from league.models import Hand, Night, Revision, User
from league.nights.nights import lock_night
from league.recording.corrections import void_hand

OFFERED = timedelta(seconds=10)
# A page drawn in the last second offers the undo for its full time (`.undo` in style.css), and the
# request takes time to arrive.
TAKEN = OFFERED * 2 + timedelta(seconds=10)
REASON = "undone right after it was saved"


class TooLateError(Exception):
    """Something happened since. The hand can be corrected or removed on its own page."""


def is_undoable(newest: Revision, by: User | None) -> bool:
    """Return whether this user just saved the night's newest hand, and it is unchanged."""
    is_own = by is not None and newest.made_by_id == by.pk
    return is_own and _is_untouched(newest, OFFERED) and not newest.hand.conflicts.exists()


@transaction.atomic
def undo_hand(hand: Hand, *, by: User | None) -> None:
    """Void the hand that was just saved. An undone hand stays undone.

    A repeated request, after a lost response, returns the same result whatever happened since.
    Raises TooLateError, NightClosedError.
    """
    is_open = lock_night(hand.night) == Night.State.OPEN
    if Revision.objects.filter(hand=hand, current=True, voids=True, reason=REASON).exists():
        return
    if not is_open:
        raise NightClosedError
    standing = Revision.objects.filter(hand__night=hand.night, current=True)
    newest = standing.latest("hand__number")
    is_recorded_twice = hand.conflicts.exists()
    if newest.hand_id != hand.pk or is_recorded_twice or not _is_untouched(newest, TAKEN):
        raise TooLateError
    void_hand(hand, by=by, reason=REASON)


def _is_untouched(revision: Revision, within: timedelta) -> bool:
    is_first = revision.number == 1 and not revision.voids
    return is_first and timezone.now() - revision.made_at < within
