"""Connections of a league to other services: webhooks, chats and API keys."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Prefetch, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league.access import Action, find_league, may
from league.chat import services
from league.chat.services import BY_CODE, SERVICES
from league.common.errors import RefusedError
from league.models import (
    CHOSEN,
    LONGEST_ADDRESS,
    LONGEST_NAME,
    ChatChannel,
    ChatPost,
    EventKind,
    League,
    Scope,
    Token,
    Webhook,
)
from league.pages.account.fresh_sign_in import fresh_sign_in_required, fresh_to_change
from league.pages.parts.forms import add_refusal, carry_out
from league.pages.parts.visitor import signed_in
from league.people import api_keys
from league.recap import chat_posts
from league.webhooks import endpoints

EVENTS = (
    (EventKind.HAND_SETTLED.value, gettext_lazy("a hand is settled")),
    (EventKind.HAND_REVISED.value, gettext_lazy("a hand is corrected")),
    (EventKind.HAND_VOIDED.value, gettext_lazy("a hand is undone")),
    (EventKind.NIGHT_CLOSED.value, gettext_lazy("a night is closed")),
    (EventKind.PAYMENT_CONFIRMED.value, gettext_lazy("a payment is confirmed")),
)
# What a button does, and what is said when it is done.
ACTIONS: dict[str, tuple[Callable[..., object], Promise]] = {
    "ping": (
        lambda webhook, by: endpoints.ping(webhook),
        gettext_lazy("A ping is on its way: see below how it went."),
    ),
    "enable": (endpoints.switch_on, gettext_lazy("It is told again what happens.")),
    "retire": (endpoints.retire, gettext_lazy("Nothing is sent there any more.")),
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


class LocalTimeField(forms.DateTimeField):
    """On the clocks of the service, as the page shows when something was sent."""

    def __init__(self, **options: Any) -> None:
        widget = forms.DateTimeInput({"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")
        super().__init__(widget=widget, **options)


class SpanForm(forms.Form):
    after = LocalTimeField(label=gettext_lazy("From"))
    before = LocalTimeField(label=gettext_lazy("Until before"))


@fresh_to_change
@require_http_methods(["GET", "HEAD", "POST"])
def webhooks(request: HttpRequest, league_id: UUID) -> HttpResponse:
    league = find_league(request.user, Action.MANAGE, league_id)
    form, secret = WebhookForm(request.POST or None, initial={"id": uuid4()}), ""
    if form.is_bound and form.is_valid():
        secret = _made(request, league, form)
        if not form.errors:
            form = WebhookForm(initial={"id": uuid4()})
    rows = Webhook.objects.filter(league=league).order_by("retired_at", "made_at")
    context = {"league": league, "webhooks": rows, "form": form, "secret": secret}
    return _page(request, "leagues/webhooks.html", context, failed=bool(form.errors))


@login_required
@require_safe
def webhook(request: HttpRequest, league_id: UUID, webhook_id: UUID) -> HttpResponse:
    return _shown(request, _webhook(request, league_id, webhook_id))


@fresh_sign_in_required
@require_POST
def rotate_webhook(request: HttpRequest, league_id: UUID, webhook_id: UUID) -> HttpResponse:
    webhook, secret = _webhook(request, league_id, webhook_id), ""
    try:
        webhook, secret = endpoints.rotate(webhook, by=signed_in(request))
    except RefusedError as refused:
        messages.error(request, str(refused))
    return _shown(request, webhook, secret=secret)


@login_required
@require_POST
def act_on_webhook(
    request: HttpRequest, league_id: UUID, webhook_id: UUID, action: str
) -> HttpResponse:
    """Ping it, switch it on or retire it."""
    webhook = _webhook(request, league_id, webhook_id)
    if action not in ACTIONS:
        raise Http404
    do, text = ACTIONS[action]
    try:
        do(webhook, by=signed_in(request))
        messages.success(request, str(text))
    except RefusedError as refused:
        messages.error(request, str(refused))
    return redirect("webhook", league_id, webhook_id)


@login_required
@require_POST
def redeliver(
    request: HttpRequest, league_id: UUID, webhook_id: UUID, delivery_id: UUID
) -> HttpResponse:
    webhook = _webhook(request, league_id, webhook_id)
    delivery = webhook.deliveries.select_related("webhook").filter(pk=delivery_id).first()
    if delivery is None:
        raise Http404
    try:
        endpoints.redeliver(delivery)
        messages.success(request, _("It is sent once more, under the same id."))
    except RefusedError as refused:
        messages.error(request, str(refused))
    return redirect("webhook", league_id, webhook_id)


@login_required
@require_POST
def redeliver_span(request: HttpRequest, league_id: UUID, webhook_id: UUID) -> HttpResponse:
    webhook, form = _webhook(request, league_id, webhook_id), SpanForm(request.POST)
    if not form.is_valid():
        return _shown(request, webhook, form=form)
    try:
        sent = endpoints.redeliver_between(webhook, **form.cleaned_data, by=signed_in(request))
    except RefusedError as refused:
        add_refusal(form, refused)
        return _shown(request, webhook, form=form)
    except endpoints.TooManyDeliveriesError:
        most = endpoints.MOST_AT_ONCE
        text = _("More than %(most)s were sent in that time: choose a shorter one.")
        form.add_error("before", text % {"most": most})
        return _shown(request, webhook, form=form)
    text = ngettext(
        "%(n)s delivery is sent once more, under its own id.",
        "%(n)s deliveries are sent once more, under their own ids.",
        sent,
    )
    messages.success(request, text % {"n": sent})
    return redirect("webhook", league_id, webhook_id)


def _made(request: HttpRequest, league: League, form: WebhookForm) -> str:
    """Make the webhook and return its secret; what is wrong goes to the form."""
    cleaned = form.cleaned_data
    try:
        _webhook, secret = endpoints.make(
            league, cleaned.pop("id"), by=signed_in(request), **cleaned
        )
    except RefusedError as refused:
        add_refusal(form, refused)
        return ""
    return secret


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
    context = {
        "league": webhook.league,
        "webhook": webhook,
        "secret": secret,
        "told": [label for kind, label in EVENTS if kind in webhook.events],
        "deliveries": sent[:LAST],
        "form": form or SpanForm(initial=_last_day()),
        "failed": form is not None,
    }
    return _page(request, "leagues/webhook.html", context, failed=form is not None)


def _last_day() -> dict[str, datetime]:
    """Return the span of a day until now, in whole minutes, as a page asks for them."""
    now = timezone.localtime().replace(second=0, microsecond=0) + timedelta(minutes=1)
    return {"after": now - timedelta(days=1), "before": now}


def _page(
    request: HttpRequest, template: str, context: dict[str, Any], *, failed: bool = False
) -> HttpResponse:
    return render(request, template, context, status=400 if failed else 200)


LAST_POSTS = 5


class ChannelForm(forms.Form):
    id = forms.UUIDField(widget=forms.HiddenInput({"data-key": True}))
    address = forms.CharField(
        label=gettext_lazy("Address of the chat"),
        max_length=LONGEST_ADDRESS,
        help_text=gettext_lazy("As the service gives it: see below. It is kept encrypted."),
        widget=forms.TextInput(
            {"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
        ),
    )


@fresh_to_change
@require_http_methods(["GET", "HEAD", "POST"])
def chats(request: HttpRequest, league_id: UUID) -> HttpResponse:
    league = find_league(request.user, Action.MANAGE, league_id)
    sent = request.POST if request.method == "POST" else None
    form = ChannelForm(sent, initial={"id": uuid4()})
    if form.is_bound and form.is_valid() and _added(request, league, form):
        messages.success(request, _("A word is on its way there: look into the chat."))
        return redirect("chat", league.pk)
    posts = ChatPost.objects.select_related("closing__night").order_by("-made_at")
    rows = services.of_league(league).prefetch_related(Prefetch("posts", posts))
    context = {
        "league": league,
        "channels": [(each, BY_CODE[each.service], each.posts.all()[:LAST_POSTS]) for each in rows],
        "services": SERVICES,
        "form": form,
    }
    return render(request, "leagues/chat.html", context, status=400 if form.errors else 200)


@login_required
@require_POST
def test_chat(request: HttpRequest, league_id: UUID, channel_id: UUID) -> HttpResponse:
    services.publish_test(_channel(request, league_id, channel_id))
    messages.success(request, _("A word is on its way there: look into the chat."))
    return redirect("chat", league_id)


@login_required
@require_POST
def end_chat(request: HttpRequest, league_id: UUID, channel_id: UUID) -> HttpResponse:
    services.end_channel(_channel(request, league_id, channel_id), by=signed_in(request))
    messages.success(request, _("Nothing is sent there any more."))
    return redirect("chat", league_id)


@login_required
@require_POST
def send_chat_again(
    request: HttpRequest, league_id: UUID, channel_id: UUID, post_id: UUID
) -> HttpResponse:
    post = _channel(request, league_id, channel_id).posts.filter(pk=post_id).first()
    if post is None:
        raise Http404
    if chat_posts.send_again(post):
        messages.success(request, _("It is sent once more."))
    return redirect("chat", league_id)


def _added(request: HttpRequest, league: League, form: ChannelForm) -> bool:
    cleaned = form.cleaned_data
    key, address, by = cleaned["id"], cleaned["address"], signed_in(request)
    return carry_out(form, lambda: services.add_channel(league, key, address, by=by))


def _channel(request: HttpRequest, league_id: UUID, channel_id: UUID) -> ChatChannel:
    league = find_league(request.user, Action.MANAGE, league_id)
    channel = services.of_league(league).filter(pk=channel_id).select_related("league").first()
    if channel is None:
        raise Http404
    return channel


SCOPES = (
    (Scope.READ, gettext_lazy("read")),
    (Scope.RECORD, gettext_lazy("read and record")),
    (Scope.MANAGE, gettext_lazy("all that I may")),
)
LIFETIMES = (
    (30, gettext_lazy("a month")),
    (90, gettext_lazy("three months")),
    (365, gettext_lazy("a year")),
    (3650, gettext_lazy("ten years")),
)


class NameForm(forms.Form):
    name = forms.CharField(
        label=gettext_lazy("What it is for"),
        max_length=LONGEST_NAME,
        widget=forms.TextInput({"autocomplete": "off"}),
    )


class TokenForm(NameForm):
    scope = forms.ChoiceField(label=gettext_lazy("It may"), choices=SCOPES)
    days = forms.TypedChoiceField(
        label=gettext_lazy("It works for"), coerce=int, choices=LIFETIMES, initial=365
    )


@login_required
@require_safe
def keys(request: HttpRequest, league_id: UUID) -> HttpResponse:
    return _keys_page(request, find_league(request.user, Action.LOOK, league_id))


@fresh_sign_in_required
@require_POST
def make_token(request: HttpRequest, league_id: UUID) -> HttpResponse:
    league = find_league(request.user, Action.LOOK, league_id)
    form = TokenForm(request.POST, auto_id="token_%s")
    text = ""
    if form.is_valid():
        try:
            _token, text = api_keys.make_token(league, signed_in(request), **form.cleaned_data)
        except RefusedError as refused:
            add_refusal(form, refused)
    return _keys_page(request, league, token=None if text else form, made=text)


@login_required
@require_POST
def end_token(request: HttpRequest, league_id: UUID, token_id: UUID) -> HttpResponse:
    """End the user's own token or, as a host, any token."""
    league = find_league(request.user, Action.LOOK, league_id)
    hosts = may(request.user, Action.MANAGE, league)
    user = signed_in(request)
    api_keys.revoke_token(league, token_id, by=user, of=None if hosts else user)
    messages.success(request, _("The token opens nothing any more."))
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


@login_required
@require_POST
def end_link(request: HttpRequest, league_id: UUID, link_id: UUID) -> HttpResponse:
    league = find_league(request.user, Action.MANAGE, league_id)
    api_keys.revoke_link(league, link_id, by=signed_in(request))
    messages.success(request, _("The link opens nothing any more."))
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
    context: dict[str, Any] = {
        "league": league,
        "made": made,
        "calendar": calendar,
        "tokens": _tokens(request, league, hosts=hosts),
        "links": league.feed_links.filter(revoked_at=None).order_by("made_at"),
        "token": token or TokenForm(auto_id="token_%s"),
        "link": link or NameForm(auto_id="link_%s"),
        "hosts": hosts,
    }
    failed = any(form is not None and form.errors for form in (token, link))
    return render(request, "leagues/api_keys.html", context, status=400 if failed else 200)


def _tokens(request: HttpRequest, league: League, *, hosts: bool) -> QuerySet[Token]:
    tokens = league.tokens.select_related("user").order_by("created", "id")
    return tokens if hosts else tokens.filter(user=signed_in(request))
