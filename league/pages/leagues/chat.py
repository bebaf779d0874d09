"""A league's chats: add, test and remove chats, and list the posts."""

from uuid import UUID, uuid4

from django import forms
from django.contrib import messages
from django.db.models import Prefetch
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from league import recap
from league.access import Action, find_league
from league.chat import services
from league.chat.services import BY_CODE, SERVICES
from league.models import LONGEST_ADDRESS, ChatChannel, ChatPost
from league.pages.account.fresh_sign_in import fresh_to_change
from league.pages.parts.forms import apply_form
from league.pages.parts.visitor import signed_in

LAST_POSTS = 5


class ChannelForm(forms.Form):
    id = forms.UUIDField(widget=forms.HiddenInput({"data-key": True}))
    address = forms.CharField(
        label=gettext_lazy("Chat address"),
        max_length=LONGEST_ADDRESS,
        help_text=gettext_lazy("Paste the address from your chat app. It is stored encrypted."),
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
    if form.is_bound and form.is_valid():
        key, address, by = form.cleaned_data["id"], form.cleaned_data["address"], signed_in(request)
        if apply_form(form, lambda: services.add_channel(league, key, address, by=by)):
            messages.success(request, _("Sending a test message. Check your chat."))
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


@require_POST
def test_chat(request: HttpRequest, league_id: UUID, channel_id: UUID) -> HttpResponse:
    services.publish_test(_channel(request, league_id, channel_id))
    messages.success(request, _("Sending a test message. Check your chat."))
    return redirect("chat", league_id)


@require_POST
def end_chat(request: HttpRequest, league_id: UUID, channel_id: UUID) -> HttpResponse:
    services.end_channel(_channel(request, league_id, channel_id), by=signed_in(request))
    messages.success(request, _("Chat removed."))
    return redirect("chat", league_id)


@require_POST
def send_chat_again(
    request: HttpRequest, league_id: UUID, channel_id: UUID, post_id: UUID
) -> HttpResponse:
    post = _channel(request, league_id, channel_id).posts.filter(pk=post_id).first()
    if post is None:
        raise Http404
    if recap.resend(post):
        messages.success(request, _("We're sending the message again."))
    return redirect("chat", league_id)


def _channel(request: HttpRequest, league_id: UUID, channel_id: UUID) -> ChatChannel:
    league = find_league(request.user, Action.MANAGE, league_id)
    channel = services.of_league(league).filter(pk=channel_id).select_related("league").first()
    if channel is None:
        raise Http404
    return channel
