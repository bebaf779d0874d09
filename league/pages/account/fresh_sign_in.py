"""Doors that want a fresh sign-in: whoever comes with an older one signs in again, and goes on."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.reauthentication import suspend_request
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from league.sign_in.reauthentication import is_fresh

View = Callable[..., Any]


def fresh_sign_in_required(view: View) -> View:
    """Let in who has signed in just now; send others to do so, with what they wanted to do."""

    @wraps(view)
    def freshly(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        return view(request, *args, **kwargs) if is_fresh(request) else sign_in_again(request)

    return login_required(freshly)


def fresh_to_change(view: View) -> View:
    """Let everybody look who is signed in, and change things only who has signed in just now."""

    @wraps(view)
    def freshly(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        if request.method in ("GET", "HEAD") or is_fresh(request):
            return view(request, *args, **kwargs)
        return sign_in_again(request)

    return login_required(freshly)


def again_at(request: HttpRequest) -> str:
    """Return where whoever is signed in signs in again, and comes back to this page."""
    methods = get_adapter().get_reauthentication_methods(request.user)
    at = methods[0]["url"] if methods else reverse("account_reauthenticate")
    return f"{at}?{urlencode({'next': request.path})}"


def sign_in_again(request: HttpRequest) -> HttpResponse:
    """Ask for what the account is opened by; a phone that joined by a code sets a password first.

    What was to be done is kept in the session, and done once that is answered.
    """
    if methods := get_adapter().get_reauthentication_methods(request.user):
        answer: HttpResponse = suspend_request(request, methods[0]["url"])
        return answer
    messages.info(request, _("For this you need a name and a password of your own."))
    back = urlencode({"next": request.path if request.method == "GET" else reverse("home")})
    return redirect(f"{reverse('account_set_password')}?{back}")
