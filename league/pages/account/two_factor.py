"""A second step when signing in: the codes of an app, and codes on paper for when it is lost."""

from typing import Any

from allauth.mfa.base import views
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes import views as code_views
from allauth.mfa.recovery_codes.internal.flows import generate_recovery_codes
from allauth.mfa.totp import views as totp_views
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league.audit_log import Kind, log_action
from league.pages.account.fresh_sign_in import fresh_sign_in_required
from league.pages.account.passkeys import passkeys_work
from league.pages.parts.visitor import signed_in

DOORS = [never_cache, require_http_methods(["GET", "HEAD", "POST"])]


@login_required
@require_safe
def overview(request: HttpRequest) -> HttpResponse:
    kinds = Authenticator.objects.filter(user=signed_in(request)).values_list("type", flat=True)
    return render(request, "account/two_factor.html", {"on": Authenticator.Type.TOTP in kinds})


@method_decorator([fresh_sign_in_required, *DOORS], name="dispatch")
class TurnOn(totp_views.ActivateTOTPView):
    template_name = "account/two_factor_activate.html"

    def form_valid(self, form: Any) -> HttpResponse:
        answer: HttpResponse = super().form_valid(form)
        log_action(Kind.SECOND_FACTOR_ADDED, by=signed_in(self.request))
        return answer

    def get_success_url(self) -> str:
        return reverse("mfa_view_recovery_codes")


@method_decorator([fresh_sign_in_required, *DOORS], name="dispatch")
class TurnOff(totp_views.DeactivateTOTPView):
    """Codes on paper go with it: they are for the second step alone."""

    template_name = "account/two_factor_deactivate.html"

    def form_valid(self, form: Any) -> HttpResponse:
        answer: HttpResponse = super().form_valid(form)
        user = signed_in(self.request)
        codes = Authenticator.Type.RECOVERY_CODES
        Authenticator.objects.filter(user=user, type=codes).delete()
        log_action(Kind.SECOND_FACTOR_REMOVED, by=user)
        return answer


@method_decorator([fresh_sign_in_required, never_cache, require_safe], name="dispatch")
class Codes(code_views.ViewRecoveryCodesView):
    template_name = "account/recovery_codes.html"


@fresh_sign_in_required
@require_POST
def new_codes(request: HttpRequest) -> HttpResponse:
    generate_recovery_codes(request)
    log_action(Kind.RECOVERY_CODES_MADE, by=signed_in(request))
    return redirect("mfa_view_recovery_codes")


@method_decorator(DOORS, name="dispatch")
class SecondStep(views.AuthenticateView):
    """Between the password and the account."""

    template_name = "account/two_factor_sign_in.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        user = self.stage.login.user
        mine = Authenticator.objects.filter(user=user, type=Authenticator.Type.WEBAUTHN)
        works = passkeys_work(self.request) and mine.exists()
        return {**super().get_context_data(**kwargs), "passkeys": works}


turn_on, turn_off = TurnOn.as_view(), TurnOff.as_view()
codes, second_step = Codes.as_view(), SecondStep.as_view()
