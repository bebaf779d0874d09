"""Object to a hand on its page, and answer the objection."""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID, uuid4

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from league.access import (
    Action,
    Visitor,
    find_hand,
    find_objection,
    may,
    may_withdraw_objection,
    player_of,
    plays,
    require_to_answer,
    role_of,
)
from league.common.errors import IdReusedError, RefusedError
from league.hands.objections import Kind, answer_objection, object_to, objections_to
from league.models import Hand, Objection, ObjectionAnswer, Player, Revision, Seat
from league.pages.deals.announcement import announcement_sentences
from league.pages.parts.forms import show_errors
from league.pages.parts.visitor import signed_in

# Reasons that a player can give with one tap.
REASONS = (
    gettext_lazy("Wrong winner"),
    gettext_lazy("Wrong amount"),
    gettext_lazy("Wrong game or option"),
    gettext_lazy("Wrong cards"),
)
ANSWERED: dict[str, Promise] = {
    Kind.STANDS: gettext_lazy("Hand kept"),
    Kind.CORRECTED: gettext_lazy("Corrected"),
    Kind.WITHDRAWN: gettext_lazy("Withdrawn"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectionLine:
    """An objection with its answer, and what the visitor may do.

    `is_corrected` is true if the hand has a later version than the one that the player objects to.
    """

    objection: Objection
    answer: ObjectionAnswer | None
    answered: str | Promise
    may_answer: bool
    may_withdraw: bool
    is_corrected: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectionPanel:
    """The objections to a hand. `key` is the id of a new objection, if the visitor may object.

    `announcement` says when the game and its options were announced.
    """

    lines: list[ObjectionLine]
    announcement: list[str]
    key: UUID | None
    reasons: Iterable[str | Promise] = REASONS


def objection_panel(visitor: Visitor, hand: Hand, current: Revision) -> ObjectionPanel:
    """Return the objections to the hand, whose revision `current` is shown."""
    hosts = may(visitor, Action.MANAGE, hand.night.league)
    player, waiting = _player(visitor, hand), False
    lines = []
    for row in list(objections_to(hand)):
        row.hand, answer = hand, row.final_answer
        waiting = waiting or (player is not None and row.player_id == player.pk and not answer)
        lines.append(
            ObjectionLine(
                objection=row,
                answer=answer,
                answered=ANSWERED[answer.kind] if answer else "",
                may_answer=hosts and answer is None,
                may_withdraw=answer is None and may_withdraw_objection(visitor, row),
                is_corrected=row.revision_id != current.pk,
            )
        )
    return ObjectionPanel(
        lines=lines,
        announcement=announcement_sentences(hand, current),
        key=None if player is None or waiting else uuid4(),
    )


def _player(visitor: Visitor, hand: Hand) -> Player | None:
    """Return the visitor's player if the player had a seat in the hand's night."""
    if not plays(role_of(visitor, hand.night.league)):
        return None
    player = player_of(visitor, hand.night.league)
    seats = Seat.objects.filter(night=hand.night_id, player=player) if player else None
    return player if seats and seats.exists() else None


@require_POST
def object_to_hand(request: HttpRequest, hand_id: UUID) -> HttpResponse:
    hand = find_hand(request.user, Action.VIEW, hand_id)
    player = _player(request.user, hand)
    if player is None:
        raise PermissionDenied
    reason, by = request.POST.get("reason", ""), signed_in(request)
    try:
        key = UUID(request.POST.get("key", ""))
    except ValueError:
        key = uuid4()
    try:
        object_to(hand, player, reason, objection_id=key, by=by)
    except RefusedError as refused:
        show_errors(request, refused)
    except IdReusedError:  # the form was sent twice with different reasons
        messages.warning(request, _("Your dispute is already saved. Withdraw it to change it."))
    return _back(hand)


@require_POST
def answer(request: HttpRequest, objection_id: UUID) -> HttpResponse:
    objection = find_objection(request.user, objection_id)
    kind = request.POST.get("answer", Kind.STANDS)
    require_to_answer(request.user, objection, withdraws=kind == Kind.WITHDRAWN)
    if kind not in Kind.values:
        raise Http404
    text, by = request.POST.get("text", ""), signed_in(request)
    try:
        answer_objection(objection, kind, text, by=by)
    except RefusedError as refused:
        show_errors(request, refused)
    return _back(objection.hand)


def _back(hand: Hand) -> HttpResponse:
    return redirect(f"/hands/{hand.pk}#objections")
