"""What a phone says of the open deal: go on, drop it, fold, declare, show cards."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from league.access import Action, find_night, may_deal, may_tell
from league.common.errors import NightClosedError, RefusedError
from league.common.text import whole_number
from league.deals.declarations import declare, declare_anew
from league.deals.open_deal import change_game, drop, move_on, open_deal, set_state
from league.models import Night, Player
from league.pages.parts.forms import option_in
from league.pages.parts.visitor import signed_in

MOST_MODIFIERS = 8


@login_required
@require_POST
def next_stage(request: HttpRequest, night_id: UUID) -> HttpResponse:
    night, deal_id = _run(request, night_id)
    stage = whole_number(request.POST.get("stage", ""))
    return done(request, night, move_on, deal_id, -1 if stage is None else stage)


@login_required
@require_POST
def change(request: HttpRequest, night_id: UUID) -> HttpResponse:
    """Play the named game with other variations and options."""
    night, deal_id = _run(request, night_id)
    modifiers = [name for name in request.POST.getlist("modifiers") if name][:MOST_MODIFIERS]
    options = {
        name.removeprefix("options/"): option_in(str(word))
        for name, word in request.POST.items()
        if name.startswith("options/") and word
    }
    return done(request, night, change_game, deal_id, modifiers, options)


@login_required
@require_POST
def drop_deal(request: HttpRequest, night_id: UUID) -> HttpResponse:
    night, deal_id = _run(request, night_id)
    return done(request, night, drop, deal_id)


@login_required
@require_POST
def declare_again(request: HttpRequest, night_id: UUID) -> HttpResponse:
    night, deal_id = _run(request, night_id)
    return done(request, night, declare_anew, deal_id)


@sensitive_post_parameters("declared")
@login_required
@require_POST
def lock_declaration(request: HttpRequest, night_id: UUID) -> HttpResponse:
    night, deal_id = told_of(request, night_id)
    player = require_player(request, night)
    word = request.POST.get("declared", "")
    return done(request, night, declare, deal_id, player, word, by=signed_in(request))


@login_required
@require_POST
def player_state(request: HttpRequest, night_id: UUID) -> HttpResponse:
    """Fold, muck or come back: a player's own, or for one who can't be reached; all see by whom."""
    night, deal_id = told_of(request, night_id)
    player = require_player(request, night, or_dealer=True)
    state = request.POST.get("state", "")
    return done(request, night, set_state, deal_id, player, state, by=signed_in(request))


def told_of(request: HttpRequest, night_id: UUID) -> tuple[Night, UUID]:
    """Return the night and the id of the deal that the form was drawn for."""
    night = find_night(request.user, Action.LOOK, night_id)
    try:
        return night, UUID(request.POST.get("deal", ""))
    except ValueError:
        raise Http404 from None


def require_player(request: HttpRequest, night: Night, *, or_dealer: bool = False) -> Player:
    """Return the player who is told of, of this league; PermissionDenied where it's another's."""
    try:
        wanted = UUID(request.POST.get("player", ""))
    except ValueError:
        raise Http404 from None
    player = Player.objects.filter(league=night.league, pk=wanted).first()
    if player is None:
        raise Http404
    deal = open_deal(night) if or_dealer else None
    runs = deal is not None and may_deal(request.user, deal.dealer, night.league)
    if not (runs or may_tell(request.user, player, night.league)):
        raise PermissionDenied
    return player


def done(
    request: HttpRequest, night: Night, act: Callable[..., object], *told: Any, **by: Any
) -> HttpResponse:
    """Do it and go back to the night, whose page says how the deal stands; say what went wrong."""
    try:
        act(night, *told, **by)
    except RefusedError as refused:
        for each in refused.errors:
            messages.error(request, each["text"], extra_tags="bad")
    except NightClosedError:
        messages.error(request, _("The night is closed."), extra_tags="bad")
    return redirect("night", night.pk)


def _run(request: HttpRequest, night_id: UUID) -> tuple[Night, UUID]:
    """Return the night and the deal for whoever moves it on: a recorder, or who deals."""
    night, deal_id = told_of(request, night_id)
    deal = open_deal(night)
    if not may_deal(request.user, deal.dealer if deal else None, night.league):
        raise PermissionDenied
    return night, deal_id
