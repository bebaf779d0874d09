"""What a hand from a phone's outbox is told when it lands: JSON, and never a page to sign in at.

The outbox (offline/outbox.js) lets go of a hand only when an answer has its very id and
says that it is stored.
"""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import wraps
from typing import Any
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse

from league.models import Night
from league.nights.nights import dealt_at
from league.pages.parts.answer_view import headline
from league.pages.record.check import Judgement
from league.pages.record.conflicts import said
from league.recording.recorded import Recorded

View = Callable[..., HttpResponse]


def asks_for_json(request: HttpRequest) -> bool:
    return request.headers.get("Accept", "") == "application/json"


def told_in_json(view: View) -> View:
    """Answer an outbox in its own words where a page would be answered by another page."""

    @wraps(view)
    def told(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not asks_for_json(request):
            return view(request, *args, **kwargs)
        if not request.user.is_authenticated:
            return _why("signed-out", 401)
        if request.headers.get("Hand-Of", "") != str(request.user.pk):
            return _why("other-user", 403)
        try:
            return view(request, *args, **kwargs)
        except Http404:
            return _why("gone", 404)
        except PermissionDenied:
            return _why("forbidden", 403)

    return told


def _why(reason: str, status: int) -> HttpResponse:
    return JsonResponse({"why": reason}, status=status)


def landed(sent: str, recorded: Recorded) -> HttpResponse:
    """Say that the hand is stored, under the id that the phone sent, and what came of it."""
    hand = recorded.hand
    told = {
        "id": sent,
        "outcome": recorded.outcome,
        "says": said(recorded),
        "number": hand.number,
        "headline": headline(recorded.answer),
        "at": reverse("hand", args=[hand.pk]),
        "next": reverse("night", args=[hand.night_id]),
    }
    return JsonResponse(told, status=201 if recorded.created else 200)


def came_back(judgement: Judgement, drawn: HttpResponse, key: UUID) -> HttpResponse:
    """Say what is wrong, under which id to send it once mended, and give the form to mend it in."""
    form = drawn.content.decode()
    told = {"id": str(key), "problems": list(_problems(judgement)), "form": form}
    return JsonResponse(told, status=drawn.status_code)


def _problems(judgement: Judgement) -> Iterator[str]:
    yield from judgement.told
    for each in judgement.problems:
        yield f"{each.who}: {each.text}" if each.who else each.text


def dealt_by_phone(told: str, night: Night) -> datetime:
    """Return when the phone says it was dealt, in milliseconds, if that can be."""
    try:
        moment = datetime.fromtimestamp(int(told) / 1000, tz=UTC)
    except (ValueError, OverflowError, OSError):
        moment = None
    return dealt_at(night, moment)
