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

from league.access import Action, find_league
from league.change_version import current_league_version
from league.common.errors import RefusedError
from league.models import Device
from league.pages.leagues.invitations import InviteForm, door
from league.pages.parts.qr_code import join_code
from league.pages.parts.visitor import signed_in
from league.people import devices
from league.people.leagues import renew_code

# A phone that is there is noted once in so long.
LATELY = timedelta(seconds=2 * devices.SEEN_EVERY)


@login_required
@require_safe
def phones(request: HttpRequest, league_id: UUID) -> HttpResponse:
    league = find_league(request.user, Action.MANAGE, league_id)
    context = {
        "league": league,
        "devices": devices.joined(league),
        "lately": timezone.now() - LATELY,
        "join": join_code(request, league),
        "invite": InviteForm(league),
        "version": current_league_version(league),
        **door(league),
    }
    return render(request, "leagues/devices.html", context)


@login_required
@require_POST
def sign_out(request: HttpRequest, device_id: int) -> HttpResponse:
    rows = Device.objects.select_related("player", "user", "league")
    device = rows.filter(pk=device_id).first()
    if device is None:
        raise Http404
    league, by = find_league(request.user, Action.MANAGE, device.league_id), signed_in(request)
    try:
        devices.sign_out(device, by=by)
    except RefusedError as refused:
        for each in refused.errors:
            messages.error(request, each["text"], extra_tags="bad")
        return redirect("phones", league.pk)
    said = _("The phone of %(name)s is signed out.") % {"name": device.player}
    if "new_code" in request.POST:
        code = {"code": renew_code(league, by=by).code}
        said = f"{said} {_('The code is now %(code)s.') % code}"
    messages.success(request, said)
    return redirect("phones", league.pk)


@login_required
@require_POST
def code(request: HttpRequest, league_id: UUID) -> HttpResponse:
    league = find_league(request.user, Action.MANAGE, league_id)
    league = renew_code(league, by=signed_in(request))
    messages.success(request, _("The code is now %(code)s.") % {"code": league.code})
    return redirect("phones", league.pk)
