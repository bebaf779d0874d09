"""A hand's page: its cards, who won what and why, and every revision of it."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from league.access import Action, find_hand, find_hand_to_correct, may, may_correct
from league.closing.close import standing
from league.common.errors import NightClosedError, RefusedError
from league.hands.writing import record_at_the_end
from league.matches.matches import as_match_deal, deals
from league.models import Hand, Night, Revision
from league.pages.games.board import arrangement_of
from league.pages.nights.night_page import hand_line
from league.pages.parts.answer_view import match_view, view
from league.pages.parts.visitor import signed_in, table_name
from league.recording.corrections import void_hand
from league.recording.undo import TooLateError, undo_hand


@login_required
@require_safe
def hand(request: HttpRequest, hand_id: UUID) -> HttpResponse:
    return _page(request, find_hand(request.user, Action.LOOK, hand_id))


@login_required
@require_POST
def void(request: HttpRequest, hand_id: UUID) -> HttpResponse:
    found = find_hand_to_correct(request.user, hand_id)
    by, reason = signed_in(request), request.POST.get("reason", "")
    open_only = not may_correct(request.user, found.night.league)
    try:
        void_hand(found, by=by, reason=reason, open_only=open_only)
    except RefusedError as refused:
        return _page(request, found, errors=[each["text"] for each in refused.errors])
    except NightClosedError:
        return _page(request, found, errors=[_("The night is closed.")])
    messages.success(request, _("Hand %(number)s is undone.") % {"number": found.number})
    return redirect("hand", found.pk)


@login_required
@require_POST
def undo(request: HttpRequest, hand_id: UUID) -> HttpResponse:
    """Take back what was saved a moment ago, and lay it out to be typed on."""
    found = find_hand(request.user, Action.RECORD_HANDS, hand_id)
    try:
        undo_hand(found, by=signed_in(request))
    except (TooLateError, NightClosedError):
        messages.warning(request, _("It is too late to undo: correct the hand, or undo it below."))
        return redirect("hand", found.pk)
    told = _(
        "Hand %(number)s is undone and keeps its number: the next one is %(next)s."
        " What you typed is here again."
    )
    numbers = {"number": found.number, "next": found.number + 1}
    messages.success(request, told % numbers)
    return redirect(f"{reverse('record', args=[found.night_id])}?again={found.pk}")


def _page(request: HttpRequest, hand: Hand, *, errors: list[str] | None = None) -> HttpResponse:
    revisions = _revisions(hand)
    current = next(each for each in revisions if each.current)
    context = {
        "hand": hand,
        "night": hand.night,
        "league": hand.night.league,
        "line": hand_line(current),
        "verdict": view(record_at_the_end(current), current.answer),
        **_match(hand, current),
        "arrangement": arrangement_of(current),
        "revisions": revisions,
        "conflicts": hand.conflicts.count(),
        "may_correct": _may_correct(request, hand),
        "closing": standing(hand.night) if hand.night.state == Night.State.CLOSED else None,
        "reason": request.POST.get("reason", ""),
        "errors": errors or [],
    }
    return render(request, "hands/hand.html", context, status=400 if errors else 200)


def _match(hand: Hand, current: Revision) -> dict[str, object]:
    """Return what a deal left to its match, and the standing deals before and after it."""
    match = as_match_deal(current).match_id
    if match is None:
        return {}
    rows = deals(hand.night, [match])
    chain = [row for row in rows if as_match_deal(row).match_id == match and not row.hand.voided]
    told = current.answer["match"]
    return {
        "match": match_view(told),
        "winners": told["winners"],
        "before": next((e for e in reversed(chain) if e.hand.number < hand.number), None),
        "after": next((each for each in chain if each.hand.number > hand.number), None),
    }


def _may_correct(request: HttpRequest, hand: Hand) -> bool:
    league = hand.night.league
    if hand.night.state == Night.State.CLOSED:
        return may_correct(request.user, league)
    return may(request.user, Action.RECORD_HANDS, league)


def _revisions(hand: Hand) -> list[Revision]:
    """Return the revisions, newest first."""
    rows = Revision.objects.filter(hand=hand).select_related("document", "hand")
    rows = rows.annotate(recorded_by=table_name(hand.night.league.pk, "made_by"))
    return list(rows.order_by("-number"))
