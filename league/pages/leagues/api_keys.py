"""A league's API keys: create, list and revoke tokens and feed links."""

from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from league.access import Action, find_league, may
from league.common.errors import RefusedError
from league.models import LONGEST_NAME, League, Scope
from league.pages.account.fresh_sign_in import fresh_sign_in_required
from league.pages.parts.forms import add_refusal
from league.pages.parts.visitor import signed_in
from league.people import api_keys

SCOPES = (
    (Scope.READ, gettext_lazy("View")),
    (Scope.RECORD, gettext_lazy("View and record hands")),
    (Scope.MANAGE, gettext_lazy("Everything I can do")),
)
LIFETIMES = (
    (30, gettext_lazy("1 month")),
    (90, gettext_lazy("3 months")),
    (365, gettext_lazy("1 year")),
    (3650, gettext_lazy("10 years")),
)


class NameForm(forms.Form):
    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=LONGEST_NAME,
        widget=forms.TextInput({"autocomplete": "off"}),
    )


class TokenForm(NameForm):
    scope = forms.ChoiceField(label=gettext_lazy("Access"), choices=SCOPES)
    days = forms.TypedChoiceField(
        label=gettext_lazy("Expires after"), coerce=int, choices=LIFETIMES, initial=365
    )


@require_safe
def keys(request: HttpRequest, league_id: UUID) -> HttpResponse:
    return _keys_page(request, find_league(request.user, Action.VIEW, league_id))


@fresh_sign_in_required
@require_POST
def make_token(request: HttpRequest, league_id: UUID) -> HttpResponse:
    league = find_league(request.user, Action.VIEW, league_id)
    form = TokenForm(request.POST, auto_id="token_%s")
    text = ""
    if form.is_valid():
        try:
            _token, text = api_keys.make_token(league, signed_in(request), **form.cleaned_data)
        except RefusedError as refused:
            add_refusal(form, refused)
    return _keys_page(request, league, token=None if text else form, made=text)


@require_POST
def end_token(request: HttpRequest, league_id: UUID, token_id: UUID) -> HttpResponse:
    """Revoke the user's own token or, as a host, any token."""
    league = find_league(request.user, Action.VIEW, league_id)
    hosts = may(request.user, Action.MANAGE, league)
    user = signed_in(request)
    api_keys.revoke_token(league, token_id, by=user, of=None if hosts else user)
    messages.success(request, _("API key revoked."))
    return redirect("keys", league.pk)


@fresh_sign_in_required
@require_POST
def make_link(request: HttpRequest, league_id: UUID) -> HttpResponse:
    league = find_league(request.user, Action.MANAGE, league_id)
    form = NameForm(request.POST, auto_id="link_%s")
    sheet = calendar = ""
    if form.is_valid():
        try:
            _link, key = api_keys.make_link(
                league, form.cleaned_data["name"], by=signed_in(request)
            )
            sheet, calendar = (
                request.build_absolute_uri(f"{reverse(name, args=[league.pk])}?key={key}")
                for name in ("api:feed-nights-csv", "api:feed-nights-ics")
            )
        except RefusedError as refused:
            add_refusal(form, refused)
    return _keys_page(request, league, link=None if sheet else form, made=sheet, calendar=calendar)


@require_POST
def end_link(request: HttpRequest, league_id: UUID, link_id: UUID) -> HttpResponse:
    league = find_league(request.user, Action.MANAGE, league_id)
    api_keys.revoke_link(league, link_id, by=signed_in(request))
    messages.success(request, _("Link revoked."))
    return redirect("keys", league.pk)


def _keys_page(
    request: HttpRequest,
    league: League,
    *,
    token: TokenForm | None = None,
    link: NameForm | None = None,
    made: str = "",
    calendar: str = "",
) -> HttpResponse:
    hosts = may(request.user, Action.MANAGE, league)
    tokens = league.tokens.select_related("user").order_by("created", "id")
    shown, access = tokens if hosts else tokens.filter(user=signed_in(request)), dict(SCOPES)
    context: dict[str, Any] = {
        "league": league,
        "made": made,
        "calendar": calendar,
        "tokens": [(each, access[Scope(each.scope)]) for each in shown],
        "links": league.feed_links.filter(revoked_at=None).order_by("made_at"),
        "token": token or TokenForm(auto_id="token_%s"),
        "link": link or NameForm(auto_id="link_%s"),
        "hosts": hosts,
    }
    failed = any(form is not None and form.errors for form in (token, link))
    return render(request, "leagues/api_keys.html", context, status=400 if failed else 200)
