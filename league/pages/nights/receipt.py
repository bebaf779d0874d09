"""A night's receipt, for members and through a link."""

from collections.abc import Mapping
from dataclasses import replace
from uuid import UUID

import segno
from django.contrib.auth.decorators import login_not_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.text import slugify
from django.views.decorators.http import require_POST, require_safe

from league.access import Action, find_night, may
from league.closing.closing_hash import last_hash
from league.closing.notifications import payment_line
from league.closing.payment_plans import is_settled_with_season
from league.closing.receipts import (
    Receipt,
    as_csv,
    is_shared,
    share,
    shared_night,
    signed_receipt,
    unshare,
)
from league.common.errors import RefusedError
from league.common.money import in_money, worth
from league.models import Night, Revision
from league.pages.nights.hand_list import HandLine, hand_line
from league.pages.parts.charge_parts import charge_parts
from league.pages.parts.images import picture_answer, qr_svg
from league.pages.parts.planned_payments import state_of
from league.pages.parts.visitor import signed_in
from league.proofs.signing import league_mark
from league.proofs.verification import as_code, as_file, fingerprint
from league.recap import drawn, recap_of

ROWS = 500  # hands or payments per page; enough for almost all nights
# The URL gives access to the page, so search engines must not store it. SECURE_REFERRER_POLICY
# hides it from other sites. A stricter policy would cause the page's forms to be rejected.
PRIVATE = {
    "Cache-Control": "private, no-store",
    "X-Robots-Tag": "noindex, nofollow",
}


@require_safe
def own_receipt(request: HttpRequest, night_id: UUID) -> HttpResponse:
    night = find_night(request.user, Action.VIEW, night_id)
    return _page(request, _made(night), token="")


@require_safe
def own_receipt_csv(request: HttpRequest, night_id: UUID) -> HttpResponse:
    return _csv(_made(find_night(request.user, Action.VIEW, night_id)))


@require_safe
def own_receipt_file(request: HttpRequest, night_id: UUID) -> HttpResponse:
    return _file(_made(find_night(request.user, Action.VIEW, night_id)))


@require_safe
def recap_picture(request: HttpRequest, night_id: UUID) -> HttpResponse:
    """Return the recap picture of a closed night, which members can share."""
    made = _made(find_night(request.user, Action.VIEW, night_id))
    return picture_answer(request, drawn(recap_of(made.closing)))


@require_POST
def share_receipt(request: HttpRequest, night_id: UUID) -> HttpResponse:
    night = find_night(request.user, Action.KEEP_SCORE, night_id)
    try:
        token = share(night, by=signed_in(request))
    except RefusedError:
        raise Http404 from None
    return redirect(reverse("shared-receipt", args=[token]) + "#share")


@require_POST
def unshare_receipt(request: HttpRequest, night_id: UUID) -> HttpResponse:
    unshare(find_night(request.user, Action.KEEP_SCORE, night_id), by=signed_in(request))
    return redirect("receipt", night_id)


@login_not_required
@require_safe
def shared_receipt(request: HttpRequest, token: str) -> HttpResponse:
    return _page(request, _made(_shared(token)), token=token)


@login_not_required
@require_safe
def shared_receipt_csv(request: HttpRequest, token: str) -> HttpResponse:
    return _csv(_made(_shared(token)))


@login_not_required
@require_safe
def shared_receipt_file(request: HttpRequest, token: str) -> HttpResponse:
    return _file(_made(_shared(token)))


def _shared(token: str) -> Night:
    night = shared_night(token)
    if night is None:
        raise Http404
    return night


def _made(night: Night) -> Receipt:
    made = signed_receipt(night)
    if made is None:
        raise Http404
    return made


def _page(request: HttpRequest, made: Receipt, *, token: str) -> HttpResponse:
    night = made.night
    league, at_table = night.league, {line.player_id for line in made.lines}
    hands = Paginator(made.hands, ROWS).get_page(request.GET.get("hands"))
    payments = Paginator(made.payments, ROWS).get_page(request.GET.get("payments"))
    proved: dict[str, object] = {}  # the current closing's signature, also for the printout
    if (proof := made.proof()) is not None:
        # A fixed mask avoids trying all eight masks.
        code = segno.make(as_code(proof), error="l", boost_error=False, micro=False, mask=0)
        proved = {
            "proof": proof,
            "imported_at": made.closing.signed.imported_at,
            "fingerprint": fingerprint(proof.key),
            "mark": league_mark(made.closing.league_id),
            "code": qr_svg(code),
        }
    context = {
        "night": night,
        "league": league,
        "made": made,
        **proved,
        "head": None if token else last_hash(league),
        "token": token,
        "may_share": not token and may(request.user, Action.KEEP_SCORE, league),
        "shared": not token and is_shared(night),
        "address": request.build_absolute_uri() if token else "",
        "chip": worth(1, night),
        **_player_lines(made),
        "renamed": [
            (made.former[pk], name) for pk, name in made.renamed.items() if pk not in at_table
        ],
        "box": "" if made.box is None else in_money(made.box, night),
        "charges": made.charges,
        "hand_pages": hands,
        "hands": [_hand_line(row, made.former) for row in hands],
        "payment_pages": payments,
        "with_season": is_settled_with_season(night),
        "payments": [
            (payment_line(row, row.due), in_money(row.due, night), state_of(row))
            for row in payments
        ],
    }
    return private(render(request, "nights/receipt.html", context))


def _player_lines(made: Receipt) -> dict[str, object]:
    charges = charge_parts(made.charges)
    bought = [row for row in made.lines if row.bought]
    uncounted = [row.player for row in bought if row.counted is None]
    lines = []
    for row in made.lines:
        new_name = made.renamed.get(row.player_id, "")
        parts = charges.get(row.player_id, ())
        lines.append((row, worth(row.net, made.night), new_name, parts))
    return {
        "lines": lines,
        "uncounted": uncounted,
        "all_uncounted": len(uncounted) == len(bought),
    }


def _hand_line(revision: Revision, former: Mapping[UUID, str]) -> HandLine:
    line = hand_line(revision)
    nets = [net._replace(name=former.get(net.player, net.name)) for net in line.nets]
    return replace(line, nets=nets)


def _csv(made: Receipt) -> HttpResponse:
    answer = HttpResponse(as_csv(made), content_type="text/csv; charset=utf-8")
    return _as_download(answer, made, "csv")


def _file(made: Receipt) -> HttpResponse:
    proof = made.proof()
    if proof is None:
        raise Http404
    return _as_download(HttpResponse(as_file(proof), content_type="application/json"), made, "json")


def _as_download(answer: HttpResponse, made: Receipt, ending: str) -> HttpResponse:
    name = slugify(f"{made.night.league} {made.night}") or "night"
    answer["Content-Disposition"] = f'attachment; filename="{name}.{ending}"'
    return private(answer)


def private(answer: HttpResponse) -> HttpResponse:
    """Return the response with headers that forbid caching and indexing."""
    for name, value in PRIVATE.items():
        answer[name] = value
    return answer
