"""Sign in by one provider of OpenID Connect, where the settings name one."""

from typing import Any

from allauth.socialaccount import views
from allauth.socialaccount.models import SocialAccount
from allauth.socialaccount.providers.openid_connect import views as oidc_views
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from requests import RequestException

from league.audit_log import Kind, log_action
from league.common.client_ip import address_of
from league.pages.account.fresh_sign_in import sign_in_again
from league.pages.account.rate_limits import limited
from league.pages.parts.visitor import signed_in
from league.sign_in.methods import has_a_way_in
from league.sign_in.rate_limits import may_sign_up, note_sign_up
from league.sign_in.reauthentication import is_fresh


def oidc_name() -> str:
    """Return what the provider is called; nothing where there is none."""
    return str(settings.OIDC_APPS[0]["name"]) if settings.OIDC_APPS else ""


@never_cache
@require_POST
@limited("oidc")
def start(request: HttpRequest, provider_id: str) -> HttpResponse:
    """Go to the provider; with `process=connect` to link, which wants a fresh sign-in.

    A form may not lead to another site (its policy says so), so that a page does.
    """
    links = request.POST.get("process") == "connect"
    if links and not request.user.is_authenticated:
        return redirect("sign-in")
    try:
        answer: HttpResponse = oidc_views.login(request, provider_id)
    except (RequestException, KeyError, ValueError):
        return _failed(request, 502)
    if answer.status_code != 302:
        return _failed(request, 502)
    context = {"at": answer.headers["Location"], "oidc": oidc_name()}
    return render(request, "account/oidc_redirect.html", context)


@never_cache
@require_safe
def back(request: HttpRequest, provider_id: str) -> HttpResponse:
    """Where the provider sends back to."""
    linked = _linked(request)
    try:
        answer: HttpResponse = oidc_views.callback(request, provider_id)
    except (RequestException, KeyError, ValueError):
        return _failed(request, 502)
    if _linked(request) > linked >= 0:
        log_action(Kind.SIGN_IN_LINKED, by=signed_in(request))
    return answer


def _linked(request: HttpRequest) -> int:
    """Return how many ways in are linked to whoever is signed in; -1 for nobody."""
    if not request.user.is_authenticated:
        return -1
    return int(SocialAccount.objects.filter(user=request.user).count())


def _failed(request: HttpRequest, status: int) -> HttpResponse:
    return render(request, "account/oidc_failed.html", {"oidc": oidc_name()}, status=status)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def connections(request: HttpRequest) -> HttpResponse:
    """See what is linked, and unlink it."""
    user = signed_in(request)
    linked = SocialAccount.objects.filter(user=user)
    if not oidc_name() and not linked.exists():
        raise Http404
    context: dict[str, Any] = {"oidc": oidc_name(), "linked": linked.exists()}
    if request.method != "POST":
        return render(request, "account/oidc.html", context)
    if not is_fresh(request):
        return sign_in_again(request)
    if not has_a_way_in(user, linked=False):
        context["error"] = _("It is your only way in: set a password first.")
        return render(request, "account/oidc.html", context, status=400)
    linked.delete()
    log_action(Kind.SIGN_IN_UNLINKED, by=user)
    return redirect("socialaccount_connections")


@method_decorator(
    [never_cache, require_http_methods(["GET", "HEAD", "POST"])],
    name="dispatch",
)
class SignUp(views.SignupView):
    """Choose a name, the first time somebody comes from there."""

    template_name = "account/oidc_sign_up.html"
    template_name_signup_closed = "account/signup_closed.html"

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not may_sign_up(address_of(request)):
            return render(request, "account/sign_up_limit.html", status=429)
        answer: HttpResponse = super().post(request, *args, **kwargs)
        return answer

    def form_valid(self, form: Any) -> HttpResponse:
        answer: HttpResponse = super().form_valid(form)
        note_sign_up(address_of(self.request))
        return answer

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return {**super().get_context_data(**kwargs), "oidc": oidc_name()}


sign_up = SignUp.as_view()


@require_safe
def cancelled(request: HttpRequest) -> HttpResponse:
    return redirect("sign-in")


@require_safe
def failed(request: HttpRequest) -> HttpResponse:
    return _failed(request, 400)
