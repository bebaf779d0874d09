"""Where somebody is signed in, and to sign out elsewhere."""

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from league.pages.account.rate_limits import limited
from league.pages.parts.visitor import kind_named, signed_in
from league.sign_in import sessions


def seen(respond: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: keep when somebody last saw a page; what pages fetch by themselves is no sign."""

    def respond_and_see(request: HttpRequest) -> HttpResponse:
        answer = respond(request)
        page = answer.get("Content-Type", "").startswith("text/html")
        if page and request.user.is_authenticated:
            sessions.saw(request)
        return answer

    return respond_and_see


@login_required
@require_safe
def overview(request: HttpRequest) -> HttpResponse:
    mine = request.session.session_key
    rows = [
        {"id": each.pk, "kind": kind_named(each.user_agent), "seen_at": each.last_seen_at,
         "since": each.created_at, "mine": each.session_key == mine}
        for each in sessions.of_user(signed_in(request))
    ]  # fmt: skip
    return render(request, "account/sessions.html", {"sessions": rows})


@login_required
@require_POST
def end(request: HttpRequest, number: int) -> HttpResponse:
    if not sessions.end(signed_in(request), number):
        raise Http404
    messages.success(request, _("Signed out there."))
    return redirect("sessions")


@login_required
@require_POST
@limited("end_sessions")  # it looks through all sessions of the service
def end_others(request: HttpRequest) -> HttpResponse:
    sessions.end_others(signed_in(request), request.session)
    messages.success(request, _("Signed out everywhere but here."))
    return redirect("sessions")
