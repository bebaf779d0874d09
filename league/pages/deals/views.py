"""Actions on the open deal: advance, change the game, drop the deal, fold, or declare."""

from collections.abc import Callable, Iterable
from typing import Any
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from league.access import Action, find_night, may_deal, may_declare_for
from league.common.errors import NightClosedError, RefusedError
from league.common.text import whole_number
from league.deals.declarations import declare, restart_declarations
from league.deals.open_deal import change_game, drop, move_on, open_deal, set_state
from league.models import Night, Player, User
from league.pages.parts.forms import option_in, show_errors
from league.pages.parts.visitor import signed_in

MOST_MODIFIERS = 8
MOST_PLAYERS = 100  # of one form


@require_POST
def next_stage(request: HttpRequest, night_id: UUID) -> HttpResponse:
    night, deal_id = _require_dealer(request, night_id)
    stage = whole_number(request.POST.get("stage", ""))
    return act_on_deal(request, night, move_on, deal_id, -1 if stage is None else stage)


@require_POST
def change(request: HttpRequest, night_id: UUID) -> HttpResponse:
    """Change the variations and options of the chosen game."""
    night, deal_id = _require_dealer(request, night_id)
    modifiers = [name for name in request.POST.getlist("modifiers") if name][:MOST_MODIFIERS]
    options = {
        name.removeprefix("options/"): option_in(str(word))
        for name, word in request.POST.items()
        if name.startswith("options/") and word
    }
    return act_on_deal(request, night, change_game, deal_id, modifiers, options)


@require_POST
def drop_deal(request: HttpRequest, night_id: UUID) -> HttpResponse:
    night, deal_id = _require_dealer(request, night_id)
    return act_on_deal(request, night, drop, deal_id)


@require_POST
def declare_again(request: HttpRequest, night_id: UUID) -> HttpResponse:
    night, deal_id = _require_dealer(request, night_id)
    return act_on_deal(request, night, restart_declarations, deal_id)


@sensitive_post_parameters("declared")
@require_POST
def lock_declaration(request: HttpRequest, night_id: UUID) -> HttpResponse:
    night, deal_id = night_and_deal(request, night_id)
    player = require_player(request, night, request.POST.get("player", ""))
    word = request.POST.get("declared", "")
    return act_on_deal(request, night, declare, deal_id, player, word, by=signed_in(request))


@require_POST
def player_state(request: HttpRequest, night_id: UUID) -> HttpResponse:
    """Set players as folded, mucked or in again.

    If another user did this for a player, the page shows who it was.
    """
    night, deal_id = night_and_deal(request, night_id)
    names = request.POST.getlist("player")[:MOST_PLAYERS]
    players = [require_player(request, night, name, or_dealer=True) for name in names]
    state = request.POST.get("state", "")
    return act_on_deal(request, night, _set_states, deal_id, players, state, by=signed_in(request))


@transaction.atomic
def _set_states(
    night: Night, deal_id: UUID, players: Iterable[Player], state: str, *, by: User
) -> None:
    for player in players:
        set_state(night, deal_id, player, state, by=by)


def night_and_deal(request: HttpRequest, night_id: UUID) -> tuple[Night, UUID]:
    """Return the night and the form's deal id."""
    night = find_night(request.user, Action.VIEW, night_id)
    try:
        return night, UUID(request.POST.get("deal", ""))
    except ValueError:
        raise Http404 from None


def require_player(
    request: HttpRequest, night: Night, text: str, *, or_dealer: bool = False
) -> Player:
    """Return the player with this id. Raises an error unless the visitor may act for the player."""
    try:
        player_id = UUID(text)
    except ValueError:
        raise Http404 from None
    player = Player.objects.filter(league=night.league, pk=player_id).first()
    if player is None:
        raise Http404
    deal = open_deal(night) if or_dealer else None
    runs = deal is not None and may_deal(request.user, deal.dealer, night.league)
    if not (runs or may_declare_for(request.user, player, night.league)):
        raise PermissionDenied
    return player


def act_on_deal(
    request: HttpRequest, night: Night, act: Callable[..., object], *values: Any, **by: Any
) -> HttpResponse:
    """Call `act` and redirect to the night. The night's page shows errors as messages."""
    try:
        act(night, *values, **by)
    except (RefusedError, NightClosedError) as error:
        show_errors(request, error)
    return redirect("night", night.pk)


def _require_dealer(request: HttpRequest, night_id: UUID) -> tuple[Night, UUID]:
    """Return the night and the id of the deal.

    Raises an error unless the visitor records or deals.
    """
    night, deal_id = night_and_deal(request, night_id)
    deal = open_deal(night)
    if not may_deal(request.user, deal.dealer if deal else None, night.league):
        raise PermissionDenied
    return night, deal_id
