"""Two phones, one hand: tell whether what a phone sends is a hand that is there already.

A phone says which hand it believed to record and the last one that it had seen. Only hands that
another phone recorded after that can be the same deal; which one, if any, their cards, game and
dealer tell (`kinship`). What says the same is merged; what says otherwise waits beside the hand
for the host, who picks (`picking`). A showdown that bears out a result is taken in its place. In
doubt the host is asked, and nothing is ever dropped.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Q, QuerySet

from league.documents import hash_of, keep_document
from league.kinship import Kinship, Telling, kinship
from league.models import Hand, Night, Revision, Rival, User
from league.refusals import KeyReused
from league.verdicts import Verdict

STATES = {Kinship.SAME: Rival.State.MERGED, Kinship.DEEPER: Rival.State.TAKEN}
# The states in which a rival is still a telling of the hand beside which it lies.
BESIDE = (Rival.State.MERGED, Rival.State.WAITING, Rival.State.REFUSED, Rival.State.TAKEN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Knew:
    """What a phone knew when a hand was written down on it.

    `origin` names the phone, `seen` is the number of the last hand that it had seen of the night,
    `number` the one it believed to record (beyond `seen` + 1 where others waited to be sent), and
    `after` are the keys of those others: they stay its own, should it sign in anew in between.
    """

    origin: str
    seen: int
    number: int
    after: frozenset[UUID] = frozenset()


def met_before(night: Night, key: UUID, record: object) -> Rival | None:
    """Return what became of a telling that was taken under this key. Raises KeyReused.

    One that was dealt apart is a hand of its own, under the same key.
    """
    rows = Rival.objects.select_related("hand").exclude(state=Rival.State.DEALT)
    found = rows.filter(pk=key).first()
    if found and (found.night_id != night.pk or found.record != record):
        raise KeyReused
    return found


def meet(hand: Hand, verdict: Verdict, knew: Knew, *, by: User | None) -> Rival | None:
    """Keep what would be this hand beside the one that it is of; None where it is of no other.

    The night is locked. What says the same is merged, what says otherwise waits for the host. What
    tells the cards of a result is `taken`: the caller corrects the hand to it.
    """
    telling = _of_verdict(verdict, hand.made_at)
    other, kin = _likeliest(telling, knew, _unseen(hand.night, knew))
    if other is None:
        return None
    return Rival.objects.create(
        id=hand.pk,
        night=hand.night,
        hand=other,
        origin=knew.origin,
        number=knew.number,
        state=STATES.get(kin, Rival.State.WAITING),
        record=verdict.record,
        answer=verdict.answer,
        document=keep_document(verdict.variant),
        names=dict(telling.names),
        made_by=by,
        made_at=hand.made_at,
    )


def waiting(night: Night) -> QuerySet[Rival]:
    """Return what waits for the host to pick, the oldest first."""
    rows = night.rivals.filter(state=Rival.State.WAITING)
    return rows.select_related("hand", "document", "made_by").order_by("made_at")


def of_revision(revision: Revision) -> Telling:
    """Return what the revision says of its hand."""
    return Telling(
        record=revision.record,
        answer=revision.answer,
        names=revision.names,
        game=revision.document_id,
        at=revision.hand.made_at,
    )


def of_rival(rival: Rival) -> Telling:
    """Return what the rival says of its hand."""
    return Telling(
        record=rival.record,
        answer=rival.answer,
        names=rival.names,
        game=rival.document_id,
        at=rival.made_at,
    )


def _of_verdict(verdict: Verdict, at: datetime) -> Telling:
    return Telling(
        record=verdict.record,
        answer=verdict.answer,
        names={name: str(player) for name, player in verdict.names.items()},
        game=hash_of(verdict.variant),
        at=at,
    )


def _unseen(night: Night, knew: Knew) -> QuerySet[Revision]:
    """Return all that was told of the hands that the phone had not seen and has not told itself.

    A hand that was taken back is none: whoever tells it then tells it anew.
    """
    hands = Hand.objects.filter(night=night, number__gt=knew.seen, voided=False)
    by_it = Q(origin=knew.origin) | Q(pk__in=knew.after)
    told = Rival.objects.filter(by_it, night=night, state__in=BESIDE)
    others = hands.exclude(by_it).exclude(pk__in=told.values("hand"))
    rows = Revision.objects.filter(hand__in=others, voids=False).select_related("hand")
    return rows.order_by("hand__number", "number")


def _likeliest(
    telling: Telling, knew: Knew, told: Iterable[Revision]
) -> tuple[Hand | None, Kinship]:
    """Return the hand that the telling is of, if any; of several the one with its number.

    In doubt it is one only where the number is the same. To say what a hand said before it was
    corrected is to say the same.
    """
    found: list[tuple[Kinship, bool, int, Hand]] = []
    for revision in told:
        hand, kin = revision.hand, kinship(telling, of_revision(revision))
        numbered = hand.number == knew.number
        counts = revision.current or kin == Kinship.SAME
        if counts and kin > (Kinship.OTHER if numbered else Kinship.DOUBT):
            found.append((kin, numbered, -hand.number, hand))
    best = max(found, key=lambda each: each[:3], default=None)
    return (best[3], best[0]) if best else (None, Kinship.OTHER)
