"""Views that write to the log."""

import logging

from celery import shared_task
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.urls import include, path

logger = logging.getLogger("tests.logged")


@shared_task
def whisper() -> None:
    logger.warning("whispered")
    echo.delay()


@shared_task
def echo() -> None:
    logger.warning("echoed")


@login_not_required
def send(_request: HttpRequest) -> HttpResponse:
    logger.warning("sending")
    whisper.delay()
    return HttpResponse("sent")


@login_not_required
def fail(request: HttpRequest) -> HttpResponse:
    """Raise an error whose message contains all input, as some libraries do."""
    raise ValueError(f"{request.get_full_path()} {request.headers} {request.POST.dict()}")


urlpatterns = [
    path("send", send),
    path("fail", fail),
    path("", include("config.urls")),
]
