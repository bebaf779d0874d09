"""Who comes in: people whom a host invites, and phones that wait for a host's yes."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from league.access import Action, find_league
from league.common.errors import RefusedError
from league.models import LONGEST_NAME, JoinRequest, League, Role
from league.pages.account.fresh_sign_in import sign_in_again
from league.pages.parts.forms import add_refusal
from league.pages.parts.qr_code import base_address
from league.pages.parts.visitor import signed_in
from league.people import joining
from league.people.joining import TRUSTED, free_names
from league.sign_in.authentication import is_fresh

ROLES = (
    (Role.PLAYER, gettext_lazy("plays")),
    (Role.SCOREKEEPER, gettext_lazy("keeps the score")),
    (Role.VIEWER, gettext_lazy("only looks")),
)
DAYS = (
    (1, gettext_lazy("a day")),
    (7, gettext_lazy("a week")),
    (30, gettext_lazy("a month")),
)


class InviteForm(forms.Form):
    name = forms.CharField(
        label=gettext_lazy("Who is invited"),
        max_length=LONGEST_NAME,
        widget=forms.TextInput({"autocomplete": "off", "autocapitalize": "words"}),
    )
    role = forms.ChoiceField(label=gettext_lazy("What they do"), choices=ROLES)
    days = forms.TypedChoiceField(
        label=gettext_lazy("It works once, within"), coerce=int, choices=DAYS, initial=7
    )

    def __init__(self, league: League, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data, auto_id="invite_%s")
        self.fields["player"] = forms.ModelChoiceField(
            free_names(league),
            label=gettext_lazy("For the name at the table"),
            required=False,
            empty_label=gettext_lazy("any that is free"),
        )
        self.order_fields(("name", "player", "role", "days"))


def door(league: League) -> dict[str, Any]:
    """Return what a host sees of who comes in."""
    words = dict(ROLES)
    invited = [(each, words[Role(each.role)]) for each in joining.standing(league)]
    return {"join_requests": joining.waiting(league), "invited": invited}


@login_required
@require_POST
def invite(request: HttpRequest, league_id: UUID) -> HttpResponse:
    league = find_league(request.user, Action.MANAGE, league_id)
    form = InviteForm(league, request.POST)
    link = ""
    if form.is_valid():
        if form.cleaned_data["role"] in TRUSTED and not is_fresh(request):
            return sign_in_again(request)
        try:
            _made, token = joining.invite(league, by=signed_in(request), **form.cleaned_data)
            link = base_address(request) + reverse("invitation", args=[token])
        except RefusedError as refused:
            add_refusal(form, refused)
    context = {"league": league, "form": form, "link": link, "name": form.data.get("name", "")}
    return render(request, "leagues/invitation.html", context, status=200 if link else 400)


@login_required
@require_POST
def end_invitation(request: HttpRequest, league_id: UUID, invitation_id: UUID) -> HttpResponse:
    league = find_league(request.user, Action.MANAGE, league_id)
    joining.end(league, invitation_id, by=signed_in(request))
    messages.success(request, _("The invitation opens nothing any more."))
    return redirect("phones", league.pk)


@login_required
@require_POST
def let_in(request: HttpRequest, league_id: UUID, request_id: UUID) -> HttpResponse:
    asked, by = _asked(request, league_id, request_id), signed_in(request)
    try:
        joining.accept(asked, by=by)
    except RefusedError as refused:
        for each in refused.errors:
            messages.error(request, each["text"], extra_tags="bad")
    else:
        messages.success(request, _("%(name)s is in.") % {"name": asked.player})
    return _back(request, asked)


@login_required
@require_POST
def turn_away(request: HttpRequest, league_id: UUID, request_id: UUID) -> HttpResponse:
    asked, by = _asked(request, league_id, request_id), signed_in(request)
    try:
        joining.decline(asked, by=by)
    except RefusedError as refused:
        for each in refused.errors:
            messages.error(request, each["text"], extra_tags="bad")
    else:
        messages.success(request, _("%(name)s was not let in.") % {"name": asked.player})
    return _back(request, asked)


def _asked(request: HttpRequest, league_id: UUID, request_id: UUID) -> JoinRequest:
    league = find_league(request.user, Action.MANAGE, league_id)
    rows = league.join_requests.select_related("league", "player", "user")
    asked = rows.filter(pk=request_id).first()
    if asked is None:
        raise Http404
    return asked


def _back(request: HttpRequest, asked: JoinRequest) -> HttpResponse:
    """Return to where it was tapped: the page of the night or of the league, else the phones."""
    nights = asked.league.seasons.filter(nights__state="open").values_list("nights", flat=True)
    night = nights.order_by("-nights__started_at").first()
    if "night" in request.POST and night is not None:
        return redirect("night", night)
    return redirect("league" if "league" in request.POST else "phones", asked.league_id)
