"""Sign up, sign in, sign out, and the first page."""

from datetime import timedelta
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from allauth.account.views import LoginView
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.views import LogoutView
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from league.access import leagues_of, nights_of
from league.audit_log import Kind, log_action
from league.common.client_ip import address_of
from league.common.errors import RefusedError
from league.models import LogbookEntry, Night, User
from league.pages.account.allauth_adapters import BACKEND
from league.pages.account.forms import SignIn as SignInForm
from league.pages.account.oidc import oidc_name
from league.pages.account.passkeys import passkeys_work
from league.pages.parts.answer_view import faces
from league.pages.parts.forms import SignUp
from league.people import devices
from league.sending import mail
from league.sign_in.email_backend import name_tried, user_meant
from league.sign_in.methods import has_a_way_in
from league.sign_in.rate_limits import (
    may_sign_up,
    may_try_password,
    note_sign_up,
    note_wrong_password,
)
from league.sign_in.reauthentication import note_sign_in


@method_decorator(require_http_methods(["GET", "HEAD", "POST"]), name="dispatch")
class SignIn(LoginView):
    """By a name or a proven address and the password; whoever chose so gives a code after it."""

    template_name = "account/sign_in.html"
    form_class = SignInForm

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not may_try_password(address_of(request), name_tried(request)):
            return locked_out(request, HttpResponse(), None)
        answer: HttpResponse = super().post(request, *args, **kwargs)
        return answer

    def form_invalid(self, form: SignInForm) -> HttpResponse:
        """Note whose name it was, if anybody's: what was typed there may be the password."""
        if not getattr(self.request, "axes_locked_out", False):
            _note_failure(self.request, Kind.WRONG_PASSWORD)
            note_wrong_password(address_of(self.request), name_tried(self.request))
        answer: HttpResponse = super().form_invalid(form)
        return answer

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context = {"oidc": oidc_name(), "passkeys": passkeys_work(self.request)}
        return {**super().get_context_data(**kwargs), **context}


sign_in = SignIn.as_view()


class SignOut(LogoutView):
    """At once for whoever can sign in again; a phone that only joined is asked, and frees its name.

    Its session is all that it has: without it, the name would be nobody's until a host released it.
    """

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        by = request.user if isinstance(request.user, User) else None
        asks = by is not None and not has_a_way_in(by)
        joined = devices.joined_by(request.session.session_key) if asks else []
        if joined and "sure" not in request.POST:
            return render(request, "account/sign_out.html", {"joined": joined})
        try:
            with transaction.atomic():  # out of all leagues, or of none
                for device in joined:
                    devices.sign_out(device, by=by)
        except RefusedError as refused:
            context = {"joined": joined, "errors": refused.errors}
            return render(request, "account/sign_out.html", context, status=409)
        answer: HttpResponse = super().post(request, *args, **kwargs)
        return answer


sign_in = SignIn.as_view()
sign_out = SignOut.as_view()


@require_http_methods(["GET", "HEAD", "POST"])
def sign_up(request: HttpRequest) -> HttpResponse:
    if not get_adapter(request).is_open_for_signup(request):
        # allauth draws it by this name as well.
        return render(request, "account/signup_closed.html", status=403)
    if request.method == "POST" and not may_sign_up(address_of(request)):
        return render(request, "account/sign_up_limit.html", status=429)
    form = SignUp(request.POST or None, sends_mail=mail.are_sent())
    if not form.is_valid():
        context = {"form": form, "oidc": oidc_name(), "sends_mail": mail.are_sent()}
        return render(request, "account/sign_up.html", context)
    user = form.save()
    login(request, user, backend=BACKEND)
    note_sign_up(address_of(request))
    note_sign_in(request, user, "password")
    if email := form.cleaned_data.get("email"):
        EmailAddress.objects.add_email(request, user, email, confirm=True)
        log_action(Kind.EMAIL_CHANGED, by=user)
        messages.success(request, _("Check your e-mail: open the link to verify your address."))
    return redirect("home")


def locked_out(request: HttpRequest, _response: HttpResponse, _credentials: object) -> HttpResponse:
    """Answer whoever has guessed too often; see AXES_LOCKOUT_CALLABLE."""
    if getattr(request, "axes_failures_since_start", 0) == settings.AXES_FAILURE_LIMIT:
        _note_failure(request, Kind.LOCKED_OUT)
    wait: timedelta = settings.AXES_COOLOFF_TIME
    context = {"minutes": int(wait.total_seconds() // 60)}
    locked = render(request, "account/sign_in_locked.html", context, status=429)
    locked.headers["Retry-After"] = str(int(wait.total_seconds()))
    return locked


def _note_failure(request: HttpRequest, kind: LogbookEntry.Kind) -> None:
    typed = request.POST.get("username", "").strip()
    known = request.user if isinstance(request.user, User) else None
    if meant := known or (user_meant(typed) if "\0" not in typed else None):
        log_action(kind, by=meant)


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    if not request.user.is_authenticated:
        return render(
            request, "account/welcome.html", {"cards": faces(["As", "Kh", "Qc", "Jd", "*1"])}
        )
    running = nights_of(request.user).filter(state=Night.State.OPEN).order_by("-started_at")
    context = {"leagues": leagues_of(request.user).order_by("name"), "running": running}
    return render(request, "leagues/home.html", context)
