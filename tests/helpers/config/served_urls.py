"""The service's URLs, plus views that show its internal state."""

import time
from datetime import timedelta

from django.contrib.auth.decorators import login_not_required
from django.contrib.sessions.models import Session
from django.http import HttpRequest, HttpResponse
from django.urls import include, path
from django.utils import timezone

from config.tasks import clear_sessions


def expire(_request: HttpRequest) -> HttpResponse:
    """Create an expired session and request its deletion."""
    yesterday = timezone.now() - timedelta(days=1)
    Session.objects.create(session_key="expired", session_data="", expire_date=yesterday)
    clear_sessions.delay()
    return HttpResponse("sent")


def keep(_request: HttpRequest) -> HttpResponse:
    """Create a session that does not expire."""
    tomorrow = timezone.now() + timedelta(days=1)
    Session.objects.create(session_key="kept", session_data="", expire_date=tomorrow)
    return HttpResponse("kept")


def count(_request: HttpRequest) -> HttpResponse:
    return HttpResponse(str(Session.objects.count()))


def linger(_request: HttpRequest) -> HttpResponse:
    time.sleep(60)
    return HttpResponse("late")


def finish(_request: HttpRequest) -> HttpResponse:
    time.sleep(1)
    return HttpResponse("finished")


def scheme(request: HttpRequest) -> HttpResponse:
    return HttpResponse(request.scheme)


urlpatterns = [
    *(
        path(view.__name__, login_not_required(view))
        for view in (scheme, expire, keep, count, finish, linger)
    ),
    path("", include("config.urls")),
]
