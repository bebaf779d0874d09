"""Pages that require a fresh sign-in.

Users who signed in longer ago have to sign in again first.
"""

from collections.abc import Callable
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.decorators import reauthentication_required
from allauth.account.internal.flows.reauthentication import suspend_request
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


# Require a fresh sign-in to see the page or change anything on it.
fresh_sign_in_required: Decorator = reauthentication_required
# Show the page to all signed-in users, and require a fresh sign-in to change anything.
fresh_to_change: Decorator = reauthentication_required(allow_get=True)


def sign_in_again_url(request: HttpRequest) -> str:
    """Return the URL at which the user signs in again and then returns to this page."""
    methods = get_adapter().get_reauthentication_methods(request.user)
    at = methods[0]["url"] if methods else reverse("account_reauthenticate")
    return f"{at}?{urlencode({'next': request.path})}"


def sign_in_again(request: HttpRequest) -> HttpResponse:
    """Redirect to a new sign-in. A phone that joined with a code sets a password first.

    The session stores the submitted form, and allauth submits it again after the sign-in.
    """
    if methods := get_adapter().get_reauthentication_methods(request.user):
        answer: HttpResponse = suspend_request(request, methods[0]["url"])
        return answer
    messages.info(request, _("Set a username and password first."))
    back = urlencode({"next": request.path if request.method == "GET" else reverse("home")})
    return redirect(f"{reverse('account_set_password')}?{back}")
