"""Sign up, sign out, and the first page. The view for signing in is part of allauth."""

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_not_required
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
from league.common.text import by_name
from league.models import Night, User
from league.pages.account.allauth_adapters import BACKEND
from league.pages.parts.forms import SignUp
from league.people import devices
from league.sending import mail
from league.sign_in.authentication import can_sign_in_again, record_sign_in
from league.sign_in.rate_limits import count_sign_up


@method_decorator(login_not_required, name="dispatch")
class SignOut(LogoutView):
    """Signs the user out.

    A phone that only joined has to confirm first, and its player's name is released. Such a phone
    can't sign in again, so otherwise the name would stay taken until a host released it. A demo
    visitor has to confirm too, because the demo can't be opened again.
    """

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        by = request.user if isinstance(request.user, User) else None
        is_final = by is not None and not can_sign_in_again(by)
        joined = devices.joined_by(request.session.session_key) if is_final else []
        if (joined or (by and by.in_demo)) and "sure" not in request.POST:
            return render(request, "account/sign_out.html", {"joined": joined})
        try:
            with transaction.atomic():  # sign out of all leagues or none
                for device in joined:
                    devices.sign_out(device, by=by)
        except RefusedError as refused:
            context = {"joined": joined, "errors": refused.errors}
            return render(request, "account/sign_out.html", context, status=409)
        answer: HttpResponse = super().post(request, *args, **kwargs)
        return answer


sign_out = SignOut.as_view()


@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
def sign_up(request: HttpRequest) -> HttpResponse:
    if not get_adapter(request).is_open_for_signup(request):
        # allauth also renders this template, which it finds by name.
        return render(request, "account/signup_closed.html", status=403)
    form = SignUp(request.POST or None, sends_mail=mail.are_sent())
    if not form.is_valid():
        return render(request, "account/sign_up.html", {"form": form})
    user = form.save()
    login(request, user, backend=BACKEND)
    count_sign_up(address_of(request))
    record_sign_in(request, user, "password")
    if email := form.cleaned_data.get("email"):
        EmailAddress.objects.add_email(request, user, email, confirm=True)
        log_action(Kind.EMAIL_CHANGED, by=user)
        messages.success(request, _("Check your e-mail: open the link to verify your address."))
    return redirect("home")


@login_not_required
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    if not request.user.is_authenticated:
        return render(request, "account/welcome.html", {"demo": settings.DEMO})
    running = nights_of(request.user).filter(state=Night.State.OPEN, imported=False)
    running = running.order_by("-started_at")
    context = {"leagues": by_name(leagues_of(request.user)), "running": running}
    return render(request, "leagues/home.html", context)
