"""Undo a hand that was just saved, if nothing else has happened since.

An undo is a void with a special reason: the hand stays in the book and its chips are moved back.
Later, the hand can be corrected or removed on its page. A hand that another phone has also recorded
can't be undone, because the other phone's saved record would be lost.
"""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from league.common.errors import NightClosedError
from league.models import Hand, Night, Revision, User
from league.nights.nights import lock_and_bump
from league.recording.corrections import void_hand

OFFERED = timedelta(seconds=10)
# Longer than the time for which pages offer the undo (`.undo` in style.css). The page may be
# rendered at the last moment, and the request takes time to arrive.
TAKEN = OFFERED * 2 + timedelta(seconds=10)
REASON = "undone right after it was saved"


class TooLateError(Exception):
    """It is too late for an undo. The hand can be corrected or removed on its page."""


def is_undoable(newest: Revision, by: User | None) -> bool:
    """Check whether this user has just saved the night's newest hand and nothing has changed it."""
    is_own = by is not None and newest.made_by_id == by.pk
    return is_own and _is_untouched(newest, OFFERED) and not newest.hand.conflicts.exists()


@transaction.atomic
def undo_hand(hand: Hand, *, by: User | None) -> None:
    """Void the hand that was just saved. Undoing it twice changes nothing.

    A repeated request after a lost response succeeds, even if something has happened since. Raises
    TooLateError or NightClosedError.
    """
    is_open = lock_and_bump(hand.night) == Night.State.OPEN
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
