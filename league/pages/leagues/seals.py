"""The seals of a league's closings, one upon the other: what a phone holds what it saw against."""

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe

from league.access import Action, find_league
from league.models import Closing

MOST = 500
LONGEST_NUMBER = 9  # digits


@login_required
@require_safe
def seals(request: HttpRequest, league_id: UUID) -> HttpResponse:
    """Tell the seals from the closing with the number `since` on, as many as go at once."""
    found = find_league(request.user, Action.LOOK, league_id)
    told = request.GET.get("since", "")
    since = int(told) if told.isascii() and told.isdigit() and len(told) <= LONGEST_NUMBER else 0
    rows = Closing.objects.filter(league=found)
    named = rows.order_by("sequence").values("sequence", "hash", "previous_hash")
    last = named.last() or {"sequence": 0}
    return JsonResponse(
        {"last": last["sequence"], "closings": list(named.filter(sequence__gte=since)[:MOST])}
    )
