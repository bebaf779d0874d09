"""The user's notification settings, and the push subscriptions of their phones."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from league.common.errors import RefusedError
from league.models import User
from league.notices import queueing, subscriptions
from league.notices.queueing import KINDS, PARTS, Channels
from league.notices.subscriptions import Address
from league.pages.parts.visitor import kind_of, signed_in
from league.sending.mail import are_sent


@require_http_methods(["GET", "HEAD", "POST"])
def notices(request: HttpRequest) -> HttpResponse:
    user = signed_in(request)
    if request.method == "POST":
        sent, before = request.POST, queueing.channels_of(user)
        # A form without e-mail boxes keeps the choices of e-mails.
        channels = {
            kind: Channels(
                push=f"{kind}-push" in sent,
                mail=f"{kind}-mail" in sent if "mails" in sent else before[kind].mail,
            )
            for kind in KINDS
        }
        queueing.choose(user, channels)
        messages.success(request, _("Saved."))
        return redirect("notices")
    return _page(request, user)


@require_POST
def add(request: HttpRequest) -> HttpResponse:
    user, key = signed_in(request), request.session.session_key or ""
    try:
        subscriptions.subscribe(user, address_in(request), session_key=key, kind=kind_of(request))
    except RefusedError as refused:
        return _page(request, user, problems=[each["text"] for each in refused.errors], status=400)
    messages.success(request, _("Notifications are on for this device."))
    return redirect("notices")


@require_POST
def end(request: HttpRequest, number: int) -> HttpResponse:
    user = signed_in(request)
    subscription = subscriptions.of_user(user).filter(pk=number).first()
    if subscription is None:
        raise Http404
    subscriptions.end(subscription, by=user)
    messages.success(request, _("Notifications are off for that device."))
    return redirect("notices")


def address_in(request: HttpRequest) -> Address:
    """Return the subscription sent by a browser, without validating it."""
    data = request.POST
    return Address(
        endpoint=data.get("endpoint", ""),
        p256dh=data.get("p256dh", ""),
        auth=data.get("auth", ""),
        site=f"{request.scheme}://{request.get_host()}",
    )


def _page(
    request: HttpRequest, user: User, *, problems: list[str] | None = None, status: int = 200
) -> HttpResponse:
    mine = request.session.session_key
    phones = list(subscriptions.of_user(user))
    channels = queueing.channels_of(user)
    # The kinds of notifications are grouped by part of the evening.
    parts: dict[str, list[dict[str, object]]] = {part: [] for part in PARTS}
    for kind, about in KINDS.items():
        push, mail = channels[kind].push, channels[kind].mail
        parts[about.part].append({"code": kind.value, "about": about, "push": push, "mail": mail})
    context = {
        "parts": [(title, parts[part]) for part, title in PARTS.items()],
        "phones": [{"row": each, "mine": each.session_key == mine} for each in phones],
        "on_here": any(each.session_key == mine for each in phones),
        "public_key": subscriptions.public_text(),
        "mails": are_sent(),
        "may_mail": are_sent() and bool(user.email),
        "problems": problems or [],
    }
    return render(request, "notices/choices.html", context, status=status)


# A service worker has no form with a CSRF token. Instead, the Origin header, which other sites
# can't forge, proves that the request comes from this service.
@csrf_exempt
@require_http_methods(["GET", "POST"])
def renewal(request: HttpRequest) -> HttpResponse:
    """Return the public key, or replace this session's subscription with the submitted one."""
    if request.method == "GET":
        return JsonResponse({"key": subscriptions.public_text()})
    if request.headers.get("Origin") != f"{request.scheme}://{request.get_host()}":
        return HttpResponse(status=403)
    try:
        renewed = subscriptions.renew(
            signed_in(request),
            address_in(request),
            session_key=request.session.session_key or "",
            kind=kind_of(request),
        )
    except RefusedError as refused:
        return JsonResponse({"errors": refused.errors}, status=400)
    return HttpResponse(status=204 if renewed else 404)
