"""Players' objections to recorded hands, and the answers to them.

A host answers an objection by correcting the hand or by letting it stand. The author may withdraw
the objection. Rows are only added: an objection is open until it has an answer. The rows are sealed
with their night, or immediately if the night is already closed.
"""

from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet

from league.common import row_limits
from league.common.errors import IdReusedError, problem, refuse
from league.common.text import tidy, wrong_text
from league.journal import entries
from league.models import (
    LONGEST_REASON,
    Closing,
    Hand,
    League,
    Night,
    Objection,
    ObjectionAnswer,
    Player,
    Revision,
    Seat,
    User,
)
from league.nights.nights import lock_and_bump
from league.notices.messages import notify_objection, notify_of_answer

Kind = ObjectionAnswer.Kind


@transaction.atomic
def object_to(
    hand: Hand, player: Player, reason: str, *, objection_id: UUID, by: User | None
) -> Objection:
    """Store the player's objection to the hand, once for each id.

    Raises RefusedError, or IdReusedError if the id belongs to a different objection.
    """
    refuse(wrong_text("reason", reason, longest=LONGEST_REASON))
    state, reason = lock_and_bump(hand.night), tidy(reason)
    if existing := Objection.objects.filter(pk=objection_id).first():
        content = (existing.hand_id, existing.player_id, existing.reason)
        if content != (hand.pk, player.pk, reason):
            raise IdReusedError
        return existing
    wrong = []
    if not Seat.objects.filter(night=hand.night_id, player=player).exists():
        text = f"{player} has no seat in this night"
        wrong.append(problem("player", "unknown-player", text))
    of_night = Objection.objects.filter(hand__night=hand.night_id)
    if of_night.filter(hand=hand, player=player, answer=None).exists():
        text = f"{player} already disputes this hand"
        wrong.append(problem("", "objection-open", text))
    wrong += row_limits.OBJECTIONS.exceeded(of_night)
    wrong += row_limits.OWN_OBJECTIONS.exceeded(of_night.filter(player=player))
    refuse(wrong)
    objection = Objection.objects.create(
        id=objection_id,
        hand=hand,
        revision=hand.revisions.get(current=True),
        player=player,
        reason=reason,
        made_by=by,
    )
    notify_objection(objection)
    if state == Night.State.CLOSED:
        _seal(hand, entries.Kind.OBJECTED, Objection.objects.filter(pk=objection.pk))
    return objection


@transaction.atomic
def answer_objection(
    objection: Objection, kind: str, text: str = "", *, by: User | None
) -> ObjectionAnswer:
    """Answer the objection. Repeating the same answer changes nothing.

    A correction is the hand's current revision. Raises RefusedError if the objection has a
    different answer, or if the hand was not corrected.
    """
    refuse(wrong_text("text", text, longest=LONGEST_REASON, needed=False))
    state, text = lock_and_bump(objection.hand.night), tidy(text)
    if existing := ObjectionAnswer.objects.filter(objection=objection).first():
        same = (existing.kind, existing.text) == (kind, text)
        refuse([] if same else [problem("", "answered", "the objection is already answered")])
        return existing
    answer = ObjectionAnswer(objection=objection, kind=kind, text=text, made_by=by)
    if kind == Kind.CORRECTED:
        answer.revision = objection.hand.revisions.get(current=True)
        is_new = answer.revision_id != objection.revision_id
        refuse([] if is_new else [problem("kind", "not-corrected", "correct the hand first")])
    answer.save(force_insert=True)
    notify_of_answer(answer)
    if state == Night.State.CLOSED:
        rows = ObjectionAnswer.objects.filter(pk=answer.pk)
        _seal(objection.hand, entries.Kind.ANSWERED, rows)
    return answer


def answer_with_correction(objection: Objection, revision: Revision) -> None:
    """Store that the revision answers the objection, unless it is already answered.

    The caller has locked the night, and closes it again if it was closed.
    """
    if not ObjectionAnswer.objects.filter(objection=objection).exists():
        answer = ObjectionAnswer.objects.create(
            objection=objection, kind=Kind.CORRECTED, revision=revision, made_by=revision.made_by
        )
        notify_of_answer(answer)


def objections_to(hand: Hand) -> QuerySet[Objection]:
    """Return the hand's objections with their answers, oldest first."""
    return _listed(Objection.objects.filter(hand=hand))


def objections_of(night: Night) -> QuerySet[Objection]:
    """Return the objections to all hands of the night, oldest first."""
    return _listed(Objection.objects.filter(hand__night=night))


def open_objections(night: Night) -> QuerySet[Objection]:
    """Return the night's objections without an answer, oldest first."""
    return objections_of(night).filter(answer=None)


def open_in(league: League) -> QuerySet[Objection]:
    """Return the objections without an answer to hands of all the league's nights, oldest first."""
    return _listed(Objection.objects.filter(hand__night__season__league=league, answer=None))


def open_at(closing: Closing) -> QuerySet[Objection]:
    """Return the objections that were open when the night was closed, oldest first."""
    unanswered = Q(answer=None) | Q(answer__made_at__gt=closing.made_at)
    rows = Objection.objects.filter(unanswered, hand__night=closing.night_id)
    return _listed(rows.filter(made_at__lte=closing.made_at))


def open_objection(hand: Hand, text: str) -> Objection | None:
    """Return the hand's open objection with the id in a form field or URL, or None."""
    try:
        rows = Objection.objects.filter(pk=UUID(text), hand=hand, answer=None)
    except ValueError:
        return None
    return _listed(rows).first()


def _listed(rows: QuerySet[Objection]) -> QuerySet[Objection]:
    related = ("hand__night", "player", "revision", "answer__revision")
    return rows.select_related(*related).order_by("made_at", "pk")


def _seal(
    hand: Hand, kind: entries.Kind, rows: "QuerySet[Objection] | QuerySet[ObjectionAnswer]"
) -> None:
    night = Night.objects.select_related("season").get(pk=hand.night_id)
    entries.append(night.season.league_id, kind, rows)
