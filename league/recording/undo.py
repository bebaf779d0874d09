"""Undo a hand that was saved a moment ago, while nothing came after it.

An undo is a void with a reason of its own: the hand and its chips stay in the books, moved back.
Anything later is a correction, or a hand taken back on its own page. So is a hand that another
phone has recorded as well: its record was answered as saved, and an undo would take it along.
"""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from league.common.errors import NightClosedError
from league.models import Hand, Night, Revision, User
from league.nights.nights import lock_night
from league.recording.corrections import void_hand

OFFERED = timedelta(seconds=10)
# A page that is drawn at the last moment offers it for as long again (`.undo` in style.css), and
# the tap needs time to arrive.
TAKEN = OFFERED * 2 + timedelta(seconds=10)
REASON = "undone right after it was saved"


class TooLateError(Exception):
    """Something happened since: the hand is to be corrected or taken back on its own page."""


def is_undoable(newest: Revision, by: User | None) -> bool:
    """Tell whether this user saved the night's newest hand a moment ago, and nobody changed it."""
    is_own = by is not None and newest.made_by_id == by.pk
    return is_own and _is_untouched(newest, OFFERED) and not newest.hand.conflicts.exists()


@transaction.atomic
def undo_hand(hand: Hand, *, by: User | None) -> None:
    """Take back the hand that was saved a moment ago; one that was undone stays so.

    Whoever asks again, since the answer was lost, is told the same, whatever happened since.
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
