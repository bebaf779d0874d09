"""The replay of a hand, for whoever signs in or has the link, and the picture of that link."""

from uuid import UUID

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_POST, require_safe

from league.access import Action, find_hand, may
from league.hands.pictures import HEIGHT, WIDTH, hand_picture
from league.hands.share_links import is_shared, share_hand, shared_hand, unshare_hand
from league.models import Hand, Revision
from league.pages.games.board import arrangement_of
from league.pages.hands.scene_view import theatre
from league.pages.nights.night_summary import line
from league.pages.nights.receipt import private
from league.pages.parts.visitor import signed_in


@login_required
@require_safe
def own_replay(request: HttpRequest, hand_id: UUID) -> HttpResponse:
    hand = find_hand(request.user, Action.LOOK, hand_id)
    league = hand.night.league
    shares = {
        "may_keep_score": may(request.user, Action.KEEP_SCORE, league),
        "shared": is_shared(hand),
    }
    return render(request, "hands/replay.html", _context(hand) | shares)


@login_required
@require_POST
def share(request: HttpRequest, hand_id: UUID) -> HttpResponse:
    hand = find_hand(request.user, Action.KEEP_SCORE, hand_id)
    return redirect("shared-replay", share_hand(hand, by=signed_in(request)))


@login_required
@require_POST
def unshare(request: HttpRequest, hand_id: UUID) -> HttpResponse:
    unshare_hand(find_hand(request.user, Action.KEEP_SCORE, hand_id), by=signed_in(request))
    return redirect("replay", hand_id)


@require_safe
def shared_replay(request: HttpRequest, token: str) -> HttpResponse:
    hand = _shared(token)
    context = _context(hand) | {
        "token": token,
        "address": _absolute(request, reverse("shared-replay", args=[token])),
        "picture": _absolute(request, reverse("shared-replay-picture", args=[token])),
        "width": WIDTH,
        "height": HEIGHT,
    }
    return private(render(request, "hands/replay.html", context))


@require_safe
def shared_picture(request: HttpRequest, token: str) -> HttpResponse:
    revision = _current(_shared(token))
    etag = f'"{revision.pk.hex}"'
    known = get_conditional_response(request, etag=etag)
    answer = known or HttpResponse(hand_picture(revision), content_type="image/png")
    private(answer)
    # Whoever shows a preview may keep the picture, and asks whether the link still holds.
    answer["Cache-Control"] = "private, no-cache"
    answer["ETag"] = etag
    return answer


def _context(hand: Hand) -> dict[str, object]:
    revision = _current(hand)
    return {
        "hand": hand,
        "line": line(revision),
        "theatre": theatre(revision),
        "arrangement": arrangement_of(revision),
        "story": " ".join(revision.answer.get("story", ()))[:300],
    }


def _current(hand: Hand) -> Revision:
    rows = Revision.objects.select_related("document", "hand")
    return rows.get(hand=hand, current=True)


def _shared(token: str) -> Hand:
    hand = shared_hand(token)
    if hand is None:
        raise Http404
    return hand


def _absolute(request: HttpRequest, path: str) -> str:
    site: str = settings.SITE_URL
    return f"{site}{path}" if site else request.build_absolute_uri(path)
