"""What a phone knew of the hand that it sends, and the page where the host picks between two.

A form says what its phone knew in three fields: `seen`, the number of the last hand when the form
was drawn; `number`, the hand that it believed to record, which is the next one unless it is told;
`after`, the keys of the hands that waited on the phone before it (offline/outbox.js).
What came of a hand is `Recorded.outcome`; pages say it in words (`said`), and answer it in the
header `Hand-Outcome`: `recorded`, `again`, `merged` (another phone has told it, and alike: the
hand's address is that one's), `waiting` (told otherwise: the host picks), later `refused`, `taken`.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from league.access import Action, find_hand, may
from league.common.errors import NightClosedError, RefusedError
from league.common.text import whole_number
from league.games.titles import variations
from league.hands.writing import record_at_the_end
from league.models import ConflictingRecord, Hand, Revision
from league.pages.parts.answer_view import View, view
from league.pages.parts.visitor import origin_of, signed_in, table_name
from league.recording.conflicts import ClientContext, deal_apart, keep_hand, take_conflicting_record
from league.recording.recorded import Recorded

MOST_VERSIONS = 50  # that are compared at once: what is chosen decides them all
MOST_BEFORE = 100  # hands that wait on one phone
SAID: dict[str, Promise] = {
    "recorded": gettext_lazy("Hand %(number)s is saved."),
    "again": gettext_lazy("Hand %(number)s is saved."),
    "merged": gettext_lazy("Hand %(number)s is saved. Another phone recorded the same."),
    "waiting": gettext_lazy(
        "Hand %(number)s was also recorded on another phone. Both are kept; the host decides."
    ),
    "refused": gettext_lazy("The host kept hand %(number)s as another phone recorded it."),
    "taken": gettext_lazy("Hand %(number)s is saved as you recorded it."),
}
STATES: dict[str, Promise] = {
    ConflictingRecord.State.MERGED: gettext_lazy("the same"),
    ConflictingRecord.State.WAITING: gettext_lazy("needs a decision"),
    ConflictingRecord.State.REFUSED: gettext_lazy("rejected"),
    ConflictingRecord.State.TAKEN: gettext_lazy("chosen"),
    ConflictingRecord.State.DEALT: gettext_lazy("another hand"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """One record of a hand, beside the others; `conflict` is empty for the one that stands."""

    title: str
    game: str
    modifiers: list[str]
    view: View
    differs: list[str]
    conflict: ConflictingRecord | None = None
    state: str | Promise = ""


def knew_of(request: HttpRequest, *, corrects: bool) -> ClientContext | None:
    """Return what the phone knew when the hand was written down; None where it does not say."""
    seen, number = (whole_number(request.POST.get(name, "")) for name in ("seen", "number"))
    if seen is None:
        return None
    after = frozenset(_keys(request.POST.get("after", "")))
    return ClientContext(
        origin=origin_of(request),
        seen=seen,
        number=number or seen + 1,
        after=after,
        corrects=corrects,
        of_deal=bool(request.POST.get("deal")),
    )


def seen_by(request: HttpRequest) -> int | None:
    """Return the last hand that a form which comes back had seen."""
    return whole_number(request.POST.get("seen", ""))


def said(recorded: Recorded, *, corrected: bool = False) -> str:
    """Return what came of the hand, in words."""
    text = _("Hand %(number)s is saved as corrected.") if corrected else str(SAID[recorded.outcome])
    return text % {"number": recorded.hand.number}


@login_required
@require_safe
def compare(request: HttpRequest, hand_id: UUID) -> HttpResponse:
    """Show all versions of the hand side by side."""
    hand = find_hand(request.user, Action.LOOK, hand_id)
    versions = _versions(hand)
    context = {
        "hand": hand,
        "night": hand.night,
        "versions": versions,
        "picks": may(request.user, Action.MANAGE, hand.night.league)
        and any(
            each.conflict and each.conflict.state == ConflictingRecord.State.WAITING
            for each in versions
        ),
    }
    return render(request, "record/conflict.html", context)


@login_required
@require_POST
def keep(request: HttpRequest, hand_id: UUID) -> HttpResponse:
    hand = find_hand(request.user, Action.MANAGE, hand_id)
    keep_hand(hand, by=signed_in(request))
    messages.success(request, _("Hand %(number)s is kept.") % {"number": hand.number})
    return redirect("night", hand.night_id)


@login_required
@require_POST
def take(request: HttpRequest, conflict_id: UUID) -> HttpResponse:
    text = _("Hand %(number)s now shows what the other phone recorded.")
    return _pick(request, conflict_id, take_conflicting_record, text)


@login_required
@require_POST
def apart(request: HttpRequest, conflict_id: UUID) -> HttpResponse:
    return _pick(request, conflict_id, deal_apart, _("Saved as a separate hand."))


def _pick(
    request: HttpRequest, conflict_id: UUID, pick: Callable[..., object], text: str
) -> HttpResponse:
    conflict = (
        ConflictingRecord.objects.select_related("night__season__league__book")
        .filter(pk=conflict_id)
        .first()
    )
    if conflict is None:
        raise Http404
    conflict.hand = find_hand(request.user, Action.MANAGE, conflict.hand_id)
    try:
        pick(conflict, by=signed_in(request))
    except RefusedError as refused:
        for each in refused.errors:
            messages.error(request, each["text"], extra_tags="bad")
        return redirect("conflicts", conflict.hand_id)
    except NightClosedError:
        messages.error(request, _("The night is closed."), extra_tags="bad")
        return redirect("conflicts", conflict.hand_id)
    messages.success(request, text % {"number": conflict.hand.number})
    return redirect("night", conflict.night_id)


def _versions(hand: Hand) -> list[Version]:
    recorded = {"recorded_by": table_name(hand.night.league.pk, "made_by")}
    revisions = hand.revisions.select_related("document").annotate(**recorded)
    current = revisions.get(current=True)
    stands = view(record_at_the_end(current), current.answer)
    rows = hand.conflicts.select_related("document").annotate(**recorded).order_by("made_at")
    return [_version(current, stands), *(_version(each, stands) for each in rows[:MOST_VERSIONS])]


def _version(row: Revision | ConflictingRecord, stands: View) -> Version:
    shown, conflict = (
        view(record_at_the_end(row), row.answer),
        row if isinstance(row, ConflictingRecord) else None,
    )
    net = {each.name: each.net for each in stands.moved}
    said: dict[str, Any] = (
        {"state": STATES[conflict.state], "conflict": conflict} if conflict else {}
    )
    return Version(
        title=vars(row)["recorded_by"] or "",  # annotated
        game=row.document.name,
        modifiers=variations(row.record.get("modifiers", ())),
        view=shown,
        differs=[each.name for each in shown.moved if net.get(each.name) != each.net],
        **said,
    )


def _keys(text: str) -> Iterator[UUID]:
    for key in text.split()[-MOST_BEFORE:]:
        with suppress(ValueError):
            yield UUID(key)
