"""A league's webhooks: create and retire webhooks, list deliveries, and resend them."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league.access import Action, find_league
from league.common.errors import RefusedError
from league.models import CHOSEN, LONGEST_ADDRESS, LONGEST_NAME, EventKind, Webhook
from league.pages.account.fresh_sign_in import fresh_sign_in_required, fresh_to_change
from league.pages.parts.forms import add_refusal, show_errors
from league.pages.parts.visitor import signed_in
from league.webhooks import management

EVENTS = (
    (EventKind.HAND_SETTLED.value, gettext_lazy("Hand settled")),
    (EventKind.HAND_REVISED.value, gettext_lazy("Hand corrected")),
    (EventKind.HAND_VOIDED.value, gettext_lazy("Hand undone")),
    (EventKind.NIGHT_CLOSED.value, gettext_lazy("Night closed")),
    (EventKind.PAYMENT_CONFIRMED.value, gettext_lazy("Payment received")),
)
# Each button's action, and the message shown after it.
ACTIONS: dict[str, tuple[Callable[..., object], Promise]] = {
    "ping": (
        lambda webhook, by: management.ping(webhook),
        gettext_lazy("Test sent. See the result below."),
    ),
    "enable": (management.enable, gettext_lazy("Webhook turned on.")),
    "retire": (management.retire, gettext_lazy("Webhook removed.")),
}
LAST = 20


class WebhookForm(forms.Form):
    id = forms.UUIDField(widget=forms.HiddenInput)
    url = forms.CharField(
        label=gettext_lazy("URL"),
        max_length=LONGEST_ADDRESS,
        widget=forms.TextInput(
            {"autocomplete": "off", "inputmode": "url", "placeholder": "https://"}
        ),
    )
    note = forms.CharField(
        label=gettext_lazy("Name (optional)"), max_length=LONGEST_NAME, required=False
    )
    events = forms.MultipleChoiceField(
        label=gettext_lazy("Events"),
        choices=EVENTS,
        initial=CHOSEN,
        widget=forms.CheckboxSelectMultiple,
    )


class LocalTimeField(forms.DateTimeField):
    """A time in the service's time zone, like the other times on the page."""

    def __init__(self, **options: Any) -> None:
        widget = forms.DateTimeInput({"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")
        super().__init__(widget=widget, **options)


class SpanForm(forms.Form):
    after = LocalTimeField(label=gettext_lazy("From"))
    before = LocalTimeField(label=gettext_lazy("To"))


@fresh_to_change
@require_http_methods(["GET", "HEAD", "POST"])
def webhooks(request: HttpRequest, league_id: UUID) -> HttpResponse:
    league = find_league(request.user, Action.MANAGE, league_id)
    form, secret = WebhookForm(request.POST or None, initial={"id": uuid4()}), ""
    if form.is_bound and form.is_valid():
        cleaned, by = form.cleaned_data, signed_in(request)
        try:
            _webhook, secret = management.create(league, cleaned.pop("id"), by=by, **cleaned)
        except RefusedError as refused:
            add_refusal(form, refused)
        else:
            form = WebhookForm(initial={"id": uuid4()})
    rows = Webhook.objects.filter(league=league).order_by("retired_at", "made_at")
    context = {"league": league, "webhooks": rows, "form": form, "secret": secret}
    return _page(request, "leagues/webhooks.html", context, failed=bool(form.errors))


@require_safe
def webhook(request: HttpRequest, league_id: UUID, webhook_id: UUID) -> HttpResponse:
    return _shown(request, _webhook(request, league_id, webhook_id))


@fresh_sign_in_required
@require_POST
def rotate_webhook(request: HttpRequest, league_id: UUID, webhook_id: UUID) -> HttpResponse:
    webhook, secret = _webhook(request, league_id, webhook_id), ""
    try:
        webhook, secret = management.rotate(webhook, by=signed_in(request))
    except RefusedError as refused:
        show_errors(request, refused)
    return _shown(request, webhook, secret=secret)


@require_POST
def act_on_webhook(
    request: HttpRequest, league_id: UUID, webhook_id: UUID, action: str
) -> HttpResponse:
    """Ping, enable or retire the webhook."""
    webhook = _webhook(request, league_id, webhook_id)
    if action not in ACTIONS:
        raise Http404
    do, text = ACTIONS[action]
    try:
        do(webhook, by=signed_in(request))
        messages.success(request, str(text))
    except RefusedError as refused:
        show_errors(request, refused)
    return redirect("webhook", league_id, webhook_id)


@require_POST
def resend(
    request: HttpRequest, league_id: UUID, webhook_id: UUID, delivery_id: UUID
) -> HttpResponse:
    webhook = _webhook(request, league_id, webhook_id)
    delivery = webhook.deliveries.select_related("webhook").filter(pk=delivery_id).first()
    if delivery is None:
        raise Http404
    try:
        management.resend(delivery)
        messages.success(request, _("We're sending it again with the same ID."))
    except RefusedError as refused:
        show_errors(request, refused)
    return redirect("webhook", league_id, webhook_id)


@require_POST
def resend_period(request: HttpRequest, league_id: UUID, webhook_id: UUID) -> HttpResponse:
    webhook, form = _webhook(request, league_id, webhook_id), SpanForm(request.POST)
    if not form.is_valid():
        return _shown(request, webhook, form=form)
    try:
        sent = management.resend_between(webhook, **form.cleaned_data, by=signed_in(request))
    except RefusedError as refused:
        add_refusal(form, refused)
        return _shown(request, webhook, form=form)
    except management.TooManyDeliveriesError:
        most = management.MOST_RESENT
        text = _("This period has more than %(most)s deliveries. Choose a shorter one.")
        form.add_error("before", text % {"most": most})
        return _shown(request, webhook, form=form)
    text = ngettext(
        "We're sending %(n)s delivery again with the same ID.",
        "We're sending %(n)s deliveries again with the same IDs.",
        sent,
    )
    messages.success(request, text % {"n": sent})
    return redirect("webhook", league_id, webhook_id)


def _webhook(request: HttpRequest, league_id: UUID, webhook_id: UUID) -> Webhook:
    league = find_league(request.user, Action.MANAGE, league_id)
    webhook = Webhook.objects.filter(league=league, pk=webhook_id).select_related("league").first()
    if webhook is None:
        raise Http404
    return webhook


def _shown(
    request: HttpRequest, webhook: Webhook, *, secret: str = "", form: SpanForm | None = None
) -> HttpResponse:
    sent = webhook.deliveries.select_related("event").prefetch_related("log").order_by("-event")
    # The form starts with the last 24 hours, in whole minutes.
    now = timezone.localtime().replace(second=0, microsecond=0) + timedelta(minutes=1)
    last_day = {"after": now - timedelta(days=1), "before": now}
    context = {
        "league": webhook.league,
        "webhook": webhook,
        "secret": secret,
        "told": [label for kind, label in EVENTS if kind in webhook.events],
        "deliveries": sent[:LAST],
        "form": form or SpanForm(initial=last_day),
        "failed": form is not None,
    }
    return _page(request, "leagues/webhook.html", context, failed=form is not None)


def _page(
    request: HttpRequest, template: str, context: dict[str, Any], *, failed: bool = False
) -> HttpResponse:
    return render(request, template, context, status=400 if failed else 200)
