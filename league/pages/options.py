"""What a league chooses about its nights."""

from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from league.access import Action, find_league
from league.models import League, Leftover, Settles, Uncounted
from league.options import Options, choose, options_of
from league.pages.forms import add_refusal
from league.refusals import Refused

SETTLES = (
    (Settles.NIGHT, gettext_lazy("Every night")),
    (Settles.SEASON, gettext_lazy("When the season ends")),
)
UNCOUNTED = (
    (Uncounted.WAIT, gettext_lazy("Waits for the host")),
    (Uncounted.HANDS, gettext_lazy("Closes as the hands say")),
)
LEFTOVER = (
    (Leftover.BACK, gettext_lazy("Goes back to those it is for")),
    (Leftover.STAYS, gettext_lazy("Stays for the next night")),
)


class OptionsForm(forms.Form):
    closing_hour = forms.TypedChoiceField(
        label=gettext_lazy("Nights close by themselves at"),
        coerce=int,
        choices=[(hour, f"{hour}:00") for hour in range(24)],
    )
    settles = forms.ChoiceField(label=gettext_lazy("Payments are planned"), choices=SETTLES)
    uncounted = forms.ChoiceField(
        label=gettext_lazy("A night whose chips nobody counted"), choices=UNCOUNTED
    )
    leftover = forms.ChoiceField(
        label=gettext_lazy("A pot that nobody won in the end"), choices=LEFTOVER
    )

    def __init__(self, league: League, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["banker"] = forms.ModelChoiceField(
            league.players.order_by("name"),
            label=gettext_lazy("All payments go through"),
            required=False,
            empty_label=gettext_lazy("nobody: as few as can be"),
        )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def options(request: HttpRequest, league_id: UUID) -> HttpResponse:
    league = find_league(request.user, Action.MANAGE, league_id)
    form = OptionsForm(league, request.POST or None, initial=_as_chosen(league))
    if form.is_bound and form.is_valid() and _chosen(league, form):
        messages.success(request, _("The choices are kept."))
        return redirect("league", league.pk)
    context = {"league": league, "form": form}
    return render(request, "league/options.html", context, status=400 if form.errors else 200)


def _as_chosen(league: League) -> dict[str, Any]:
    chosen = options_of(league)
    names = ("closing_hour", "settles", "uncounted", "leftover", "banker")
    return {name: getattr(chosen, name) for name in names}


def _chosen(league: League, form: OptionsForm) -> bool:
    try:
        choose(league, Options(**form.cleaned_data))
    except Refused as refused:
        add_refusal(form, refused)
    return not form.errors
