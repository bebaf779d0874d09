"""Star a game, or take the star away: by a button, or by a phone that sends what it kept."""

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from league.access import Action, find_league
from league.models import League
from league.pages.parts.visitor import signed_in
from league.people.favourites import set_favourite


@require_POST
def star(request: HttpRequest, slug: str, league_id: UUID | None = None) -> HttpResponse:
    """Do as `starred` says. A phone is told what holds now, and is never sent to sign in."""
    if request.headers.get("Accept", "") == "application/json":
        if not request.user.is_authenticated:
            return JsonResponse({"why": "signed-out"}, status=401)
        if request.headers.get("Star-Of", "") != str(request.user.pk):
            return JsonResponse({"why": "other-user"}, status=403)
        try:
            starred = _starred(request, slug, league_id)
        except Http404:
            return JsonResponse({"why": "gone"}, status=404)
        return JsonResponse({"game": slug, "starred": starred})
    return _by_button(request, slug, league_id)


@login_required
def _by_button(request: HttpRequest, slug: str, league_id: UUID | None) -> HttpResponse:
    _starred(request, slug, league_id)
    if league_id is None:
        return redirect("games")
    return redirect("house-games", league_id)


def _starred(request: HttpRequest, slug: str, league_id: UUID | None) -> bool:
    starred = request.POST.get("starred") == "1"
    league: League | None = None
    if league_id:
        league = find_league(request.user, Action.LOOK, league_id)
    if not set_favourite(signed_in(request), slug, starred=starred, league=league):
        raise Http404
    return starred
