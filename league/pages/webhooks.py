"""Webhooks: make one, see what was sent and how it went, send it again, put it out of use."""

from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league.access import Action, find_league
from league.models import CHOSEN, LONGEST_ADDRESS, LONGEST_NAME, EventKind, League, Webhook
from league.pages.forms import add_refusal
from league.pages.visitors import signed_in
from league.refusals import Refused
from league.webhooks import hooks

EVENTS = (
    (EventKind.HAND_SETTLED.value, gettext_lazy("a hand is settled")),
    (EventKind.HAND_REVISED.value, gettext_lazy("a hand is corrected")),
    (EventKind.HAND_VOIDED.value, gettext_lazy("a hand is taken back")),
    (EventKind.NIGHT_CLOSED.value, gettext_lazy("a night is closed")),
    (EventKind.PAYMENT_CONFIRMED.value, gettext_lazy("a payment is confirmed")),
)
# What a button does, and what is said when it is done.
DEEDS: dict[str, tuple[Callable[..., object], Promise]] = {
    "ping": (
        lambda hook, by: hooks.ping(hook),
        gettext_lazy("A ping is on its way: see below how it went."),
    ),
    "enable": (hooks.switch_on, gettext_lazy("It is told again what happens.")),
    "retire": (hooks.retire, gettext_lazy("Nothing is sent there any more.")),
}
LAST = 20


class WebhookForm(forms.Form):
    id = forms.UUIDField(widget=forms.HiddenInput)
    url = forms.CharField(
        label=gettext_lazy("Address to tell"),
        max_length=LONGEST_ADDRESS,
        widget=forms.TextInput(
            {"autocomplete": "off", "inputmode": "url", "placeholder": "https://"}
        ),
    )
    note = forms.CharField(
        label=gettext_lazy("What it is for"), max_length=LONGEST_NAME, required=False
    )
    events = forms.MultipleChoiceField(
        label=gettext_lazy("It is told when"),
        choices=EVENTS,
        initial=CHOSEN,
        widget=forms.CheckboxSelectMultiple,
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def overview(request: HttpRequest, league_id: UUID) -> HttpResponse:
    league = find_league(request.user, Action.MANAGE, league_id)
    form, secret = WebhookForm(request.POST or None, initial={"id": uuid4()}), ""
    if form.is_bound and form.is_valid():
        secret = _made(request, league, form)
        if not form.errors:
            form = WebhookForm(initial={"id": uuid4()})
    rows = Webhook.objects.filter(league=league).order_by("retired_at", "made_at")
    context = {"league": league, "hooks": rows, "form": form, "secret": secret}
    return _page(request, "league/webhooks.html", context, failed=bool(form.errors))


@login_required
@require_safe
def webhook(request: HttpRequest, league_id: UUID, hook_id: UUID) -> HttpResponse:
    return _shown(request, _hook(request, league_id, hook_id))


@login_required
@require_POST
def rotate(request: HttpRequest, league_id: UUID, hook_id: UUID) -> HttpResponse:
    hook, secret = _hook(request, league_id, hook_id), ""
    try:
        hook, secret = hooks.rotate(hook, by=signed_in(request))
    except Refused as refused:
        messages.error(request, str(refused))
    return _shown(request, hook, secret=secret)


@login_required
@require_POST
def act(request: HttpRequest, league_id: UUID, hook_id: UUID, deed: str) -> HttpResponse:
    """Ping it, switch it on or retire it."""
    hook = _hook(request, league_id, hook_id)
    if deed not in DEEDS:
        raise Http404
    do, said = DEEDS[deed]
    try:
        do(hook, by=signed_in(request))
        messages.success(request, str(said))
    except Refused as refused:
        messages.error(request, str(refused))
    return redirect("webhook", league_id, hook_id)


@login_required
@require_POST
def redeliver(
    request: HttpRequest, league_id: UUID, hook_id: UUID, delivery_id: UUID
) -> HttpResponse:
    hook = _hook(request, league_id, hook_id)
    delivery = hook.deliveries.select_related("hook").filter(pk=delivery_id).first()
    if delivery is None:
        raise Http404
    try:
        hooks.redeliver(delivery)
        messages.success(request, _("It is sent once more, under the same id."))
    except Refused as refused:
        messages.error(request, str(refused))
    return redirect("webhook", league_id, hook_id)


def _made(request: HttpRequest, league: League, form: WebhookForm) -> str:
    """Make the hook and return its secret; what is wrong goes to the form."""
    said = form.cleaned_data
    try:
        _hook, secret = hooks.make(league, said.pop("id"), by=signed_in(request), **said)
    except Refused as refused:
        add_refusal(form, refused)
        return ""
    return secret


def _hook(request: HttpRequest, league_id: UUID, hook_id: UUID) -> Webhook:
    league = find_league(request.user, Action.MANAGE, league_id)
    hook = Webhook.objects.filter(league=league, pk=hook_id).select_related("league").first()
    if hook is None:
        raise Http404
    return hook


def _shown(request: HttpRequest, hook: Webhook, *, secret: str = "") -> HttpResponse:
    sent = hook.deliveries.select_related("event").prefetch_related("log").order_by("-event")
    context = {
        "league": hook.league,
        "hook": hook,
        "secret": secret,
        "told": [label for kind, label in EVENTS if kind in hook.events],
        "deliveries": sent[:LAST],
    }
    return _page(request, "league/webhook.html", context)


def _page(
    request: HttpRequest, template: str, context: dict[str, Any], *, failed: bool = False
) -> HttpResponse:
    answer = render(request, template, context, status=400 if failed else 200)
    # A secret stands on this page once and in no cache.
    answer["Cache-Control"] = "no-store"
    return answer
