"""How often one may ask for pages: counted by account, and by address for those without one.

A table of phones behind one address is many accounts, and each phone asks every two seconds
whether its night has moved on: the limits leave room for that and for a hand that is typed.
"""

import logging
import time
from collections.abc import Callable
from functools import cache as cache_forever

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from redis.exceptions import RedisError

from config.observability.health import MONITORED
from config.web.error_responses import API, error_response
from league.common.client_ip import address_of

logger = logging.getLogger(__name__)

TOO_OFTEN = "Too many requests. Wait a minute, then try again."
Answer = Callable[[HttpRequest], HttpResponse]


def limit_pages(get_response: Answer) -> Answer:
    """Middleware: answer 429 to an account, or an address, that asks for pages too often.

    The API has rates of its own (`api.http.authentication`).
    """

    def answered(request: HttpRequest) -> HttpResponse:
        if request.path.startswith(API) or request.path in MONITORED:
            return get_response(request)
        if (wait := _wait(request)) is None:
            return get_response(request)
        response = error_response(request, 429, TOO_OFTEN)
        response.headers["Retry-After"] = str(wait)
        return response

    return answered


def _wait(request: HttpRequest) -> int | None:
    """Count the request; return the seconds until the next one is answered, None for at once."""
    account = request.session.get(SESSION_KEY)  # the user is not read for it
    scope, caller = ("account", account) if account else ("address", address_of(request))
    most, seconds = rate_of(settings.PAGE_RATES[scope])
    window, passed = divmod(int(time.time()), seconds)
    key = f"pages:{scope}:{caller}:{window}"
    try:
        if cache.add(key, 1, seconds):
            return None
        return seconds - passed if cache.incr(key) > most else None
    except ValueError:  # the window ended in between
        return None
    except RedisError as error:
        logger.warning("Nobody is counted: %s", error)
        return None


@cache_forever
def rate_of(rate: str) -> tuple[int, int]:
    """Return how many in how many seconds: 600/min is (600, 60)."""
    most, _, period = rate.partition("/")
    return int(most), {"s": 1, "m": 60, "h": 3600, "d": 86400}[period[0]]
