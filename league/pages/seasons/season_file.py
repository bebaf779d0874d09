"""A season as one file: everything of it, to keep or to read into an empty league."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from league.access import Action, find_league, find_season
from league.archive.export_season import export_season, file_name
from league.archive.file_format import MEDIA_TYPE
from league.archive.import_season import import_season
from league.common.errors import Refused
from league.pages.parts.visitor import signed_in


@login_required
@require_safe
def send(request: HttpRequest, season_id: UUID) -> StreamingHttpResponse:
    """Send the file line by line, however long it is."""
    season = find_season(request.user, Action.MANAGE, season_id)
    lines = (f"{line}\n" for line in export_season(season))
    headers = {"Content-Disposition": f'attachment; filename="{file_name(season)}"'}
    return StreamingHttpResponse(lines, content_type=MEDIA_TYPE, headers=headers)


@login_required
@require_POST
def take(request: HttpRequest, league_id: UUID) -> HttpResponse:
    """Read a file into a league that has nothing yet."""
    league = find_league(request.user, Action.MANAGE, league_id)
    sent = request.FILES.get("file")
    try:
        lines = (line.decode(errors="replace") for line in sent or ())
        season = import_season(league, lines, by=signed_in(request))
    except Refused as refused:
        for each in refused.errors:
            messages.error(request, each["text"])
        return redirect("stats", league.pk)
    messages.success(request, _("%(season)s is here, to the chip.") % {"season": season})
    return redirect("season", season.pk)
