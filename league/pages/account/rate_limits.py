"""How often an address, or an account, may ask for something; see ACCOUNT_RATE_LIMITS."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.core.internal import ratelimit
from django.http import HttpRequest, HttpResponse

View = Callable[..., Any]


def limited(action: str) -> Callable[[View], View]:
    """Answer 429 to whoever asks more often than the settings say, looking included."""

    def limit(view: View) -> View:
        @wraps(view)
        def within(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
            told = {"app": "allauth.account", "action": action, "limit_get": True}
            refused: HttpResponse | None = ratelimit.consume_or_429(request, **told)
            return refused or view(request, *args, **kwargs)

        return within

    return limit
