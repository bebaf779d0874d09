"""The phones that joined a league, as its host sees them."""

from datetime import timedelta
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from league import devices
from league.access import Action, find_league
from league.leagues import renew_code
from league.models import Device
from league.pages.codes import join_code
from league.pages.visitors import signed_in

# A phone that is there is noted once in so long.
LATELY = timedelta(seconds=2 * devices.SEEN_EVERY)
# What a phone says that it is runs to hundreds of letters; these words are those that people know.
SYSTEMS = ("iPhone", "iPad", "Android", "Windows", "Macintosh", "Linux")
BROWSERS = {
    "Edg": "Edge",
    "OPR": "Opera",
    "Firefox": "Firefox",
    "FxiOS": "Firefox",
    "CriOS": "Chrome",
    "Chrome": "Chrome",
    "Safari": "Safari",
}


@login_required
@require_safe
def phones(request: HttpRequest, league_id: UUID) -> HttpResponse:
    league = find_league(request.user, Action.MANAGE, league_id)
    context = {
        "league": league,
        "devices": devices.joined(league),
        "lately": timezone.now() - LATELY,
        "join": join_code(request, league),
    }
    return render(request, "league/phones.html", context)


@login_required
@require_POST
def sign_out(request: HttpRequest, device_id: int) -> HttpResponse:
    device = Device.objects.select_related("player").filter(pk=device_id).first()
    if device is None:
        raise Http404
    find_league(request.user, Action.MANAGE, device.league_id)
    devices.sign_out(device, by=signed_in(request))
    messages.success(request, _("The phone of %(name)s is signed out.") % {"name": device.player})
    return redirect("phones", device.league_id)


@login_required
@require_POST
def code(request: HttpRequest, league_id: UUID) -> HttpResponse:
    league = find_league(request.user, Action.MANAGE, league_id)
    league = renew_code(league, by=signed_in(request))
    messages.success(request, _("The code is now %(code)s.") % {"code": league.code})
    return redirect("phones", league.pk)


def kind_of(request: HttpRequest) -> str:
    """Return what kind of phone asks, as "Chrome, Android"."""
    told = request.headers.get("User-Agent", "")
    browser = next((name for word, name in BROWSERS.items() if f"{word}/" in told), "")
    system = next((name for name in SYSTEMS if name in told), "")
    return ", ".join(name for name in (browser, system.replace("Macintosh", "Mac")) if name)
