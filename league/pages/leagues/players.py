"""Pages to rename a player and to remove a player who was added by mistake."""

from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_POST

from league.access import Action, find_player
from league.common.errors import RefusedError
from league.models import LONGEST_NAME, Night
from league.nights.nights import UNPLAYED
from league.pages.parts.forms import add_refusal, show_errors
from league.pages.parts.visitor import signed_in
from league.privacy.renaming import is_on_receipts, remove_player, rename_player


class PlayerName(forms.Form):
    name = forms.CharField(
        label=_("Name"),
        max_length=LONGEST_NAME,
        widget=forms.TextInput({"autocomplete": "off", "autocapitalize": "words"}),
    )


@require_http_methods(["GET", "HEAD", "POST"])
def edit_player(request: HttpRequest, player_id: UUID) -> HttpResponse:
    """Rename a player."""
    player = find_player(request.user, Action.MANAGE, player_id)
    old = player.name
    form = PlayerName(request.POST or None, initial={"name": old})
    if form.is_valid():
        try:
            rename_player(player, form.cleaned_data["name"], by=signed_in(request))
        except RefusedError as refused:
            add_refusal(form, refused)
        else:
            text = gettext("%(old)s is now called %(new)s.")
            messages.success(request, text % {"old": old, "new": player.name})
            return redirect("player", player.pk)
    context = {
        "league": player.league,
        "player": player,
        "form": form,
        "is_on_receipts": is_on_receipts(player),
        "had_seat": player.seats.exists(),
        "has_played": Night.objects.filter(seats__player=player).exclude(UNPLAYED).exists(),
    }
    return render(request, "leagues/edit_player.html", context, status=400 if form.errors else 200)


@require_POST
def remove(request: HttpRequest, player_id: UUID) -> HttpResponse:
    """Remove a player who has never been at a night."""
    player = find_player(request.user, Action.MANAGE, player_id)
    try:
        remove_player(player, by=signed_in(request))
    except RefusedError as refused:
        show_errors(request, refused)
        return redirect("edit-player", player_id)
    messages.success(request, gettext("%(name)s is removed.") % {"name": player})
    return redirect("league", player.league_id)
