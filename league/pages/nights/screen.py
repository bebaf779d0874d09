"""The table's screen, on a tablet or a TV on the wall: for members, or by a link that only looks.

By the link nobody is signed in, and asking whether the night moved on costs one indexed query.
"""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from league.access import Action, find_night
from league.common.errors import Refused
from league.common.money import worth
from league.models import Night
from league.nights.screen_links import (
    screen_version,
    share_screen,
    shared_screen,
    unshare_screen,
)
from league.pages.nights.live_updates import say_version
from league.pages.nights.receipt import private
from league.pages.nights.screen_view import table_screen
from league.pages.parts.qr_code import JoinCode, base_address, join_code, picture
from league.pages.parts.visitor import signed_in


@login_required
@require_safe
def own_screen(request: HttpRequest, night_id: UUID) -> HttpResponse:
    night = find_night(request.user, Action.LOOK, night_id)
    pulse_at = reverse("pulse", args=[night.pk])
    return _page(request, night, pulse_at, join_code(request, night.league))


@require_safe
def shared(request: HttpRequest, token: str) -> HttpResponse:
    link = shared_screen(token)
    if link is None:
        raise Http404
    night, shown_by = link.night, link.made_by if link.shows_code else None
    code = join_code(request, night.league, shown_by=shown_by) if shown_by else None
    return _page(request, night, reverse("screen-pulse", args=[token]), code)


@require_safe
def pulse(request: HttpRequest, token: str) -> HttpResponse:
    """Answer 304 where the screen has seen it all, else the version; 404 once the link ended."""
    version = screen_version(token)
    if version is None:
        raise Http404
    return say_version(request, version)


@login_required
@require_POST
def share(request: HttpRequest, night_id: UUID) -> HttpResponse:
    """Make a link, and show it with its picture this once."""
    night = find_night(request.user, Action.KEEP_SCORE, night_id)
    try:
        shows_code = bool(request.POST.get("shows_code"))
        token = share_screen(night, by=signed_in(request), shows_code=shows_code)
    except Refused:
        raise Http404 from None
    link = base_address(request) + reverse("shared-screen", args=[token])
    context = {"night": night, "league": night.league, "link": link, "picture": picture(link)}
    return private(render(request, "nights/screen_made.html", context))


@login_required
@require_POST
def unshare(request: HttpRequest, night_id: UUID) -> HttpResponse:
    night = find_night(request.user, Action.KEEP_SCORE, night_id)
    unshare_screen(night, by=signed_in(request))
    messages.success(request, _("No link leads to the table screen any more."))
    return redirect("night", night.pk)


def _page(request: HttpRequest, night: Night, pulse_at: str, code: JoinCode | None) -> HttpResponse:
    is_open = night.state == Night.State.OPEN
    context = {
        "night": night,
        "league": night.league,
        "chip": worth(1, night),
        "pulse_at": pulse_at,
        "join": code if is_open else None,
        "table": table_screen(night),
    }
    return private(render(request, "nights/screen.html", context))
