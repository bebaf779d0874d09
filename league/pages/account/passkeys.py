"""Passkeys: sign in without a password, with a key that the phone stores."""

from typing import Any

from allauth.core.internal import ratelimit
from allauth.mfa.webauthn import views
from allauth.mfa.webauthn.internal import auth
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _

from league.audit_log import Kind, log_action
from league.pages.parts.visitor import signed_in
from league.sending import mail
from league.sign_in.authentication import can_sign_in_again


def passkeys_work(request: HttpRequest) -> bool:
    """Return whether browsers accept passkeys: over HTTPS, or on localhost."""
    return request.is_secure() or request.get_host().partition(":")[0] == "localhost"


class Add(views.AddWebAuthnView):
    """Adds a passkey that works without a username and that only the phone's owner can unlock."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context = super().get_context_data(**kwargs)
        options = auth.begin_registration(self.request.user, passwordless=True)
        return {**context, **kwargs, "js_data": {"creation_options": options}}

    def form_valid(self, form: Any) -> HttpResponse:
        """Store the passkey without allauth's recovery codes, because it is not a second factor."""
        user = signed_in(self.request)
        auth.WebAuthn.add(user, form.cleaned_data["name"], form.cleaned_data["credential"])
        log_action(Kind.PASSKEY_ADDED, by=user)
        mail.write_change(user, _("Your passkeys were changed."))
        messages.success(self.request, _("Passkey added. You can now sign in with it."))
        return redirect("mfa_list_webauthn")


class Remove(views.RemoveWebAuthnView):
    """Removes a passkey, unless it is the user's only way to sign in again."""

    http_method_names = ("post",)
    pk_url_kwarg = "number"

    def form_valid(self, form: Any) -> HttpResponse:
        if not can_sign_in_again(signed_in(self.request), lost_passkey=self.object.pk):
            messages.error(
                self.request, _("You couldn't sign in without it. Set a password first.")
            )
            return redirect("mfa_list_webauthn")
        answer: HttpResponse = super().form_valid(form)
        return answer


# Every sign-in stores a session, so GET requests are also limited.
@method_decorator(
    ratelimit.decorator(app="allauth.account", action="passkey", limit_get=True), name="dispatch"
)
class SignIn(views.LoginWebAuthnView):
    """Handles the passkey button on the sign-in page."""

    def form_invalid(self, form: Any) -> HttpResponse:
        messages.error(
            self.request, _("That passkey doesn't belong to an account here. Sign in another way.")
        )
        return redirect("sign-in")


class Reauthenticate(views.ReauthenticateWebAuthnView):
    """Signs in again with a passkey. allauth's own page does not show errors or other methods."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        others = self.get_reauthentication_alternatives()
        context = super().get_context_data(**kwargs)
        return {**context, **kwargs, "reauthentication_alternatives": others}

    def form_invalid(self, form: Any) -> HttpResponse:
        form.errors.pop("credential", None)
        form.add_error(None, _("That passkey didn't work. Try again."))
        answer: HttpResponse = self.render_to_response(self.get_context_data(form=form))
        return answer


add, remove = Add.as_view(), Remove.as_view()
sign_in, reauthenticate = SignIn.as_view(), Reauthenticate.as_view()
