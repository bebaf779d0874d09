"""The host picks between tellings of a hand: nothing is deleted, and nothing is posted twice."""

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from league.kinship import says_same
from league.models import Hand, Revision, Rival, User
from league.nights import lock_night
from league.recording import Knew, record_hand, revise_hand
from league.rivals import of_rival

State = Rival.State


@transaction.atomic
def keep_hand(hand: Hand, *, by: User | None) -> None:
    """Let the hand stand as it is; its rivals stay to be seen, refused."""
    lock_night(hand.night)
    for rival in _waiting(hand):
        _decide(rival, State.REFUSED, by)


@transaction.atomic
def take_rival(rival: Rival, *, by: User | None) -> Revision | None:
    """Correct the hand to what the rival says; None where it was decided before.

    Other rivals that say the same are merged, the rest refused. Raises as `revise_hand`.
    """
    lock_night(rival.night)
    if not (rivals := _waiting(rival.hand)) or rival not in rivals:
        return None
    taken = revise_hand(rival.hand, rival.pk, rival.record, by=by, reason="told by another phone")
    for each in rivals:
        same = says_same(of_rival(each), of_rival(rival))
        state = State.TAKEN if each == rival else State.MERGED if same else State.REFUSED
        _decide(each, state, by)
    return taken.revision


@transaction.atomic
def deal_apart(rival: Rival, *, by: User | None) -> Hand | None:
    """Record the rival as a hand of its own, since both were dealt; None if decided before.

    It gets the next number. Raises as `record_hand`.
    """
    lock_night(rival.night)
    if rival not in _waiting(rival.hand):
        return None
    _decide(rival, State.DEALT, by)
    last: int = rival.night.hands.aggregate(last=Max("number"))["last"]
    # Nothing is beyond the last hand, so the rival meets no other hand on its way in.
    knew = Knew(origin=rival.origin, seen=last, number=rival.number)
    told_by, told_at = rival.made_by, rival.made_at
    night, record = rival.night, rival.record
    return record_hand(night, rival.pk, record, by=told_by, made_at=told_at, knew=knew).hand


def _waiting(hand: Hand) -> list[Rival]:
    return list(Rival.objects.filter(hand=hand, state=State.WAITING).order_by("made_at", "pk"))


def _decide(rival: Rival, state: State, by: User | None) -> None:
    rival.state, rival.decided_by, rival.decided_at = state, by, timezone.now()
    rival.save(update_fields=["state", "decided_by", "decided_at"])
