"""Sign in with an OpenID Connect provider, if one is configured."""

from typing import Any

from allauth.core.internal import ratelimit
from allauth.socialaccount.models import SocialAccount
from allauth.socialaccount.providers.openid_connect import views as oidc_views
from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from requests import RequestException

from league.audit_log import Kind, log_action
from league.pages.account.fresh_sign_in import sign_in_again
from league.pages.parts.visitor import signed_in
from league.sign_in.authentication import can_sign_in_again, is_fresh


def oidc_name() -> str:
    """Return the name of the provider, or "" if no provider is configured."""
    return str(settings.OIDC_APPS[0]["name"]) if settings.OIDC_APPS else ""


@login_not_required
@require_POST
@ratelimit.decorator(app="allauth.account", action="oidc")  # type: ignore[untyped-decorator]
def start(request: HttpRequest, provider_id: str) -> HttpResponse:
    """Redirect to the provider. Linking (`process=connect`) requires a fresh sign-in.

    The content security policy forbids forms that redirect to another site, so a page redirects
    instead.
    """
    links = request.POST.get("process") == "connect"
    if links and not request.user.is_authenticated:
        return redirect("sign-in")
    try:
        answer: HttpResponse = oidc_views.login(request, provider_id)
    except (RequestException, KeyError, ValueError):
        return _failed(request)
    if answer.status_code != 302:
        return _failed(request)
    return render(request, "account/oidc_redirect.html", {"at": answer.headers["Location"]})


@login_not_required
@require_safe
def back(request: HttpRequest, provider_id: str) -> HttpResponse:
    """Handle the redirect back from the provider."""
    try:
        answer: HttpResponse = oidc_views.callback(request, provider_id)
    except (RequestException, KeyError, ValueError):
        return _failed(request)
    return answer


def _failed(request: HttpRequest) -> HttpResponse:
    return render(request, "socialaccount/authentication_error.html", status=502)


@require_http_methods(["GET", "HEAD", "POST"])
def connections(request: HttpRequest) -> HttpResponse:
    """Show the linked identity, or unlink it."""
    user = signed_in(request)
    linked = SocialAccount.objects.filter(user=user)
    if not oidc_name() and not linked.exists():
        raise Http404
    context: dict[str, Any] = {"linked": linked.exists()}
    if request.method != "POST":
        return render(request, "account/oidc.html", context)
    if not is_fresh(request):
        return sign_in_again(request)
    if not can_sign_in_again(user, linked=False):
        context["error"] = _("You couldn't sign in without it. Set a password first.")
        return render(request, "account/oidc.html", context, status=400)
    linked.delete()
    log_action(Kind.SIGN_IN_UNLINKED, by=user)
    return redirect("socialaccount_connections")


@require_safe
def reauthenticate(request: HttpRequest) -> HttpResponse:
    """Sign in again with the provider."""
    if not oidc_name():
        return redirect("account_reauthenticate")
    context = {"next": request.GET.get("next", "") or reverse("account")}
    return render(request, "account/reauthenticate_oidc.html", context)
