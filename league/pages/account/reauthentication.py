"""Sign in again: the page before doors that want a fresh sign-in."""

from typing import Any

from allauth.account import views
from allauth.mfa.base import views as code_views
from allauth.mfa.webauthn import views as passkey_views
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from league.audit_log import Kind, log_action
from league.pages.account.oidc import oidc_name
from league.pages.account.passkeys import passkeys_work
from league.pages.parts.visitor import signed_in

WAYS = {
    "reauthenticate": "password",
    "mfa_reauthenticate": "code",
    "mfa_reauthenticate:webauthn": "passkey",
    "oidc": "oidc",
}


class _Again(views.BaseReauthenticateView):
    """What the three ways share: the others of them, in our words."""

    def get_reauthentication_alternatives(self) -> list[dict[str, Any]]:
        found = super().get_reauthentication_alternatives()
        return [each | {"way": WAYS[each["id"]], "oidc": oidc_name()} for each in found]


FORM = method_decorator(
    [login_required, never_cache, require_http_methods(["GET", "HEAD", "POST"])], name="dispatch"
)


@FORM
class ByPassword(_Again, views.ReauthenticateView):
    template_name = "account/reauthenticate.html"

    def form_invalid(self, form: Any) -> HttpResponse:
        if not getattr(self.request, "axes_locked_out", False):
            log_action(Kind.WRONG_PASSWORD, by=signed_in(self.request))
        answer: HttpResponse = super().form_invalid(form)
        return answer


@FORM
class ByCode(_Again, code_views.ReauthenticateView):
    template_name = "account/reauthenticate_code.html"


@FORM
class ByPasskey(_Again, passkey_views.ReauthenticateWebAuthnView):
    template_name = "account/reauthenticate_passkey.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        # allauth's own leaves out the form that was not taken, and the other ways.
        return {
            **super().get_context_data(**kwargs),
            **kwargs,
            "passkeys": passkeys_work(self.request),
            "reauthentication_alternatives": self.get_reauthentication_alternatives(),
        }

    def form_invalid(self, form: Any) -> HttpResponse:
        form.errors.pop("credential", None)
        form.add_error(None, _("This passkey was not taken. Try again."))
        answer: HttpResponse = self.render_to_response(self.get_context_data(form=form))
        return answer


by_password = ByPassword.as_view()
by_code = ByCode.as_view()
by_passkey = ByPasskey.as_view()


@login_required
@require_safe
def by_oidc(request: HttpRequest) -> HttpResponse:
    if not oidc_name():
        return redirect("account_reauthenticate")
    at = request.GET.get("next", "")
    context = {"oidc": oidc_name(), "next": at or reverse("account")}
    return render(request, "account/reauthenticate_oidc.html", context)
