"""What a phone knew of the hand that it sends, and the page where the host picks between two.

A form says what its phone knew in three fields: `seen`, the number of the last hand when the form
was drawn; `number`, the hand that it believed to record, which is the next one unless it is told;
`after`, the keys of the hands that waited on the phone before it (static/league/js/outbox.js).
What came of a hand is `Recorded.outcome`; pages say it in words (`said`), and answer it in the
header `Hand-Outcome`: `recorded`, `again`, `merged` (another phone has told it, and alike: the
hand's address is that one's), `waiting` (told otherwise: the host picks), later `refused`, `taken`.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
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
from league.depths import at_the_end
from league.models import LONGEST_ORIGIN, Hand, Revision, Rival
from league.pages.verdict import View, view
from league.pages.visitors import signed_in
from league.picking import deal_apart, keep_hand, take_rival
from league.recording import Knew, Recorded
from league.refusals import NightClosed, Refused

MOST_BEFORE = 100  # hands that wait on one phone
SAID: dict[str, Promise] = {
    "recorded": gettext_lazy("Hand %(number)s is saved."),
    "again": gettext_lazy("Hand %(number)s is saved."),
    "merged": gettext_lazy("Hand %(number)s is saved: another phone said the same."),
    "waiting": gettext_lazy(
        "Another phone has told hand %(number)s otherwise. Yours is kept beside it: the host picks."
    ),
    "refused": gettext_lazy("The host has let hand %(number)s stand as another phone told it."),
    "taken": gettext_lazy("Hand %(number)s is saved as you told it."),
}
STATES: dict[str, Promise] = {
    Rival.State.MERGED: gettext_lazy("said the same"),
    Rival.State.WAITING: gettext_lazy("waits for the host"),
    Rival.State.REFUSED: gettext_lazy("not taken"),
    Rival.State.TAKEN: gettext_lazy("taken"),
    Rival.State.DEALT: gettext_lazy("another hand"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One telling of a hand, beside the others; `rival` is empty for the one that stands."""

    title: str
    game: str
    modifiers: list[str]
    view: View
    differs: list[str]
    rival: Rival | None = None
    state: str | Promise = ""


def origin_of(request: HttpRequest) -> str:
    """Return the name of the phone that asks: one for each session."""
    key = request.session.session_key or ""
    return sha256(f"origin {key}".encode()).hexdigest()[:LONGEST_ORIGIN]


def knew_of(request: HttpRequest) -> Knew | None:
    """Return what the phone knew when the hand was written down; None where it does not say."""
    seen, number = (_number(request.POST.get(name, "")) for name in ("seen", "number"))
    if seen is None:
        return None
    after = frozenset(_keys(request.POST.get("after", "")))
    return Knew(origin=origin_of(request), seen=seen, number=number or seen + 1, after=after)


def seen_by(request: HttpRequest) -> int | None:
    """Return the last hand that a form which comes back had seen."""
    return _number(request.POST.get("seen", ""))


def said(recorded: Recorded) -> str:
    """Return what came of the hand, in words."""
    return str(SAID[recorded.outcome]) % {"number": recorded.hand.number}


@login_required
@require_safe
def rivals(request: HttpRequest, hand_id: UUID) -> HttpResponse:
    """Show all tellings of the hand side by side."""
    hand = find_hand(request.user, Action.LOOK, hand_id)
    tellings = _tellings(hand)
    context = {
        "hand": hand,
        "night": hand.night,
        "tellings": tellings,
        "picks": may(request.user, Action.MANAGE, hand.night.league)
        and any(each.rival and each.rival.state == Rival.State.WAITING for each in tellings),
    }
    return render(request, "hand/rivals.html", context)


@login_required
@require_POST
def keep(request: HttpRequest, hand_id: UUID) -> HttpResponse:
    hand = find_hand(request.user, Action.MANAGE, hand_id)
    keep_hand(hand, by=signed_in(request))
    messages.success(request, _("Hand %(number)s stands.") % {"number": hand.number})
    return redirect("night", hand.night_id)


@login_required
@require_POST
def take(request: HttpRequest, rival_id: UUID) -> HttpResponse:
    text = _("Hand %(number)s is corrected to what the other phone told.")
    return _pick(request, rival_id, take_rival, text)


@login_required
@require_POST
def apart(request: HttpRequest, rival_id: UUID) -> HttpResponse:
    return _pick(
        request, rival_id, deal_apart, _("What the other phone told is a hand of its own.")
    )


def _pick(
    request: HttpRequest, rival_id: UUID, pick: Callable[..., object], text: str
) -> HttpResponse:
    rival = Rival.objects.select_related("night__season__league__book").filter(pk=rival_id).first()
    if rival is None:
        raise Http404
    rival.hand = find_hand(request.user, Action.MANAGE, rival.hand_id)
    try:
        pick(rival, by=signed_in(request))
    except Refused as refused:
        for each in refused.errors:
            messages.error(request, each["text"], extra_tags="bad")
        return redirect("rivals", rival.hand_id)
    except NightClosed:
        messages.error(request, _("The night is closed."), extra_tags="bad")
        return redirect("rivals", rival.hand_id)
    messages.success(request, text % {"number": rival.hand.number})
    return redirect("night", rival.night_id)


def _tellings(hand: Hand) -> list[Told]:
    current = hand.revisions.select_related("document", "made_by").get(current=True)
    stands = view(at_the_end(current), current.answer)
    rows = hand.rivals.select_related("document", "made_by").order_by("made_at")
    return [_told(current, stands), *(_told(each, stands) for each in rows)]


def _told(row: Revision | Rival, stands: View) -> Told:
    shown, rival = view(at_the_end(row), row.answer), row if isinstance(row, Rival) else None
    net = {each.name: each.net for each in stands.moved}
    said: dict[str, Any] = {"state": STATES[rival.state], "rival": rival} if rival else {}
    who = (row.made_by.first_name or str(row.made_by)) if row.made_by else ""
    return Told(
        title=who,
        game=row.document.name,
        modifiers=list(row.record.get("modifiers", ())),
        view=shown,
        differs=[each.name for each in shown.moved if net.get(each.name) != each.net],
        **said,
    )


def _keys(text: str) -> Iterator[UUID]:
    for key in text.split()[-MOST_BEFORE:]:
        with suppress(ValueError):
            yield UUID(key)


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 9 else None
