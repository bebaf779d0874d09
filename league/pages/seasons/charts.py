"""Charts by themselves: a picture in one look and size, and the piece of a page that shows it."""

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from league.access import Action, find_league
from league.models import RenderedChart

A_YEAR = 365 * 24 * 3600


@login_required
@require_safe
def chart(request: HttpRequest, league_id: UUID, digest: str) -> HttpResponse:
    """Show the chart alone, for a page that waits for it."""
    return render(
        request, "seasons/chart.html", {"chart": _rendered_chart(request, league_id, digest)}
    )


@login_required
@require_safe
def picture(request: HttpRequest, league_id: UUID, digest: str, look: str) -> HttpResponse:
    """Send the chart as it was drawn: it never changes, a change is another address."""
    found = (_rendered_chart(request, league_id, digest, "pictures").pictures or {}).get(look)
    if found is None:
        raise Http404
    headers = {"Cache-Control": f"private, max-age={A_YEAR}, immutable"}
    return HttpResponse(found, content_type="image/svg+xml", headers=headers)


def _rendered_chart(
    request: HttpRequest, league_id: UUID, digest: str, *also: str
) -> RenderedChart:
    league = find_league(request.user, Action.LOOK, league_id)
    columns = ("digest", "league", "words", "sizes", "state", *also)
    found = RenderedChart.objects.filter(pk=digest, league=league).only(*columns).first()
    if found is None:
        raise Http404
    return found
