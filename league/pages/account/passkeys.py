"""Passkeys: a way in of its own, kept by the phone, which no page elsewhere can ask for."""

from typing import Any

from allauth.mfa.models import Authenticator
from allauth.mfa.webauthn import views
from allauth.mfa.webauthn.internal import auth
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league.audit_log import Kind, log_action
from league.common import bounds
from league.models import User
from league.pages.account.forms import RenamePasskey
from league.pages.account.fresh_sign_in import fresh_sign_in_required
from league.pages.account.rate_limits import limited
from league.pages.parts.visitor import signed_in
from league.sending import mail
from league.sign_in.methods import has_a_way_in


def passkeys_work(request: HttpRequest) -> bool:
    """Tell whether browsers take passkeys here: by HTTPS, or at localhost."""
    return request.is_secure() or request.get_host().partition(":")[0] == "localhost"


@login_required
@require_safe
def overview(request: HttpRequest) -> HttpResponse:
    context = {"passkeys": list(_of(signed_in(request))), "works": passkeys_work(request)}
    return render(request, "account/passkeys.html", context)


@method_decorator(
    [fresh_sign_in_required, never_cache, require_http_methods(["GET", "HEAD", "POST"])],
    name="dispatch",
)
class Add(views.AddWebAuthnView):
    """A passkey that the phone finds by itself and that it opens only for its owner."""

    template_name = "account/passkey_add.html"

    def get_form_kwargs(self) -> dict[str, Any]:
        kwargs: dict[str, Any] = super().get_form_kwargs()
        if "data" in kwargs:
            kwargs["data"] = kwargs["data"].copy()
            kwargs["data"]["passwordless"] = "on"
        return kwargs

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context = super().get_context_data(**kwargs)
        options = auth.begin_registration(self.request.user, passwordless=True)
        works, form = passkeys_work(self.request), kwargs.get("form") or self.get_form()
        return {**context, "js_data": {"creation_options": options}, "works": works, "form": form}

    def form_valid(self, form: Any) -> HttpResponse:
        """Keep it; nobody is asked for codes because of it."""
        user = signed_in(self.request)
        if too_many := list(bounds.PASSKEYS.exceeded(_of(user).count())):
            form.add_error(None, too_many[0]["text"])
            return self.form_invalid(form)  # type: ignore[no-any-return]
        auth.WebAuthn.add(user, form.cleaned_data["name"], form.cleaned_data["credential"])
        log_action(Kind.PASSKEY_ADDED, by=user)
        mail.write_change(user, _("The passkeys of your account were changed."))
        messages.success(self.request, _("From now on this passkey signs you in."))
        return redirect("passkeys")


add = Add.as_view()


@fresh_sign_in_required
@require_http_methods(["GET", "HEAD", "POST"])
def rename(request: HttpRequest, number: int) -> HttpResponse:
    passkey = _found(signed_in(request), number)
    form = RenamePasskey(request.POST or None, initial={"name": passkey.wrap().name})
    if not form.is_valid():
        context = {"form": form, "passkey": passkey}
        return render(request, "account/passkey_rename.html", context)
    passkey.data["name"] = form.cleaned_data["name"]
    passkey.save(update_fields=["data"])
    return redirect("passkeys")


@fresh_sign_in_required
@require_POST
def remove(request: HttpRequest, number: int) -> HttpResponse:
    user = signed_in(request)
    passkey = _found(user, number)
    if not has_a_way_in(user, lost_passkey=passkey.pk):
        messages.error(request, _("It is your only way in: set a password first."))
        return redirect("passkeys")
    passkey.delete()
    log_action(Kind.PASSKEY_REMOVED, by=user)
    mail.write_change(user, _("The passkeys of your account were changed."))
    messages.success(request, _("This passkey opens nothing any more."))
    return redirect("passkeys")


def _of(user: User) -> Any:
    rows = Authenticator.objects.filter(user=user, type=Authenticator.Type.WEBAUTHN)
    return rows.order_by("created_at", "pk")


def _found(user: User, number: int) -> Any:
    found = _of(user).filter(pk=number).first()
    if found is None:
        raise Http404
    return found


@method_decorator(
    [never_cache, require_http_methods(["GET", "HEAD", "POST"]), limited("passkey")],
    name="dispatch",
)
class SignIn(views.LoginWebAuthnView):
    """What the button beside the password asks and sends."""

    def form_invalid(self, form: Any) -> HttpResponse:
        messages.error(self.request, _("No passkey of an account here was taken."))
        return redirect("sign-in")


sign_in = SignIn.as_view()
