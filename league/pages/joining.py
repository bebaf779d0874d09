"""Join with the code on one's own phone: type it, pick a name, sit at the table."""

from typing import Any

from django import forms
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from league.access import player_of
from league.callers import address_of
from league.devices import remember
from league.joining import (
    free_names,
    guesses_too_much,
    join,
    league_of_code,
    note_wrong_code,
)
from league.leagues import CODE_LENGTH
from league.models import League, Night, Player, User
from league.pages.forms import PlayerChoice, add_refusal
from league.pages.phones import kind_of
from league.refusals import Refused

CODE_FIELD = {"autocapitalize": "characters", "autocomplete": "off", "spellcheck": "false"}


class CodeForm(forms.Form):
    code = forms.CharField(
        label=gettext_lazy("The code of the league"),
        max_length=CODE_LENGTH + 6,
        help_text=gettext_lazy("Six letters; whoever hosts can read it out."),
        widget=forms.TextInput(CODE_FIELD),
    )


class PickName(forms.Form):
    email = forms.EmailField(
        label=gettext_lazy("E-mail, for results and reminders"),
        required=False,
        help_text=gettext_lazy("May stay empty."),
        widget=forms.TextInput({"inputmode": "email", "autocomplete": "email"}),
    )

    def __init__(self, league: League, *args: Any) -> None:
        super().__init__(*args)
        self.fields["player"] = PlayerChoice(free_names(league))


@require_http_methods(["GET", "HEAD", "POST"])
def enter_code(request: HttpRequest) -> HttpResponse:
    form = CodeForm(request.POST or None)
    if form.is_bound and form.is_valid():
        league = None if _guesses(request) else league_of_code(form.cleaned_data["code"])
        if league:
            return redirect("pick-name", league.code)
        form.add_error("code", _wrong(request))
    return render(request, "join/code.html", {"form": form}, status=400 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def pick_name(request: HttpRequest, code: str) -> HttpResponse:
    league = None if _guesses(request) else league_of_code(code)
    if league is None:
        form = CodeForm({"code": code})
        form.add_error("code", _wrong(request))
        return render(request, "join/code.html", {"form": form}, status=404)
    if player_of(request.user, league):
        return _at_the_table(league)
    picked = PickName(league, request.POST or None)
    if picked.is_bound and picked.is_valid() and _joined(request, league, picked):
        return _at_the_table(league)
    context = {"league": league, "form": picked, "names": free_names(league)}
    return render(request, "join/name.html", context, status=400 if picked.errors else 200)


def _joined(request: HttpRequest, league: League, form: PickName) -> bool:
    told, user = form.cleaned_data, request.user
    player: Player = told["player"]
    known = user if isinstance(user, User) else None
    try:
        joined = join(league, player, user=known, email=told["email"])
    except Refused as refused:
        add_refusal(form, refused)
        return False
    if known is None:
        login(request, joined, backend="django.contrib.auth.backends.ModelBackend")
        request.session.save()
    key = request.session.session_key or ""
    remember(league, joined, player, session_key=key, kind=kind_of(request))
    return True


def _at_the_table(league: League) -> HttpResponse:
    """Go to the night that is open, if there is one."""
    nights = Night.objects.filter(season__league=league, state=Night.State.OPEN)
    night = nights.order_by("-started_at").first()
    return redirect("night", night.pk) if night else redirect("league", league.pk)


def _wrong(request: HttpRequest) -> str:
    """Count a wrong code against the address that sent it; return what to say to it."""
    note_wrong_code(address_of(request))
    if _guesses(request):
        return _("Too many wrong codes: try again in ten minutes.")
    return _("No league has this code.")


def _guesses(request: HttpRequest) -> bool:
    return guesses_too_much(address_of(request))
