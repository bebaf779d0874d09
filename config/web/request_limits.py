"""How large a request may be at all; each form and each address of the API allows less."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from config.web.error_responses import error_response

# A season as a file is the largest thing that anybody sends.
LARGEST_BODY = 16 * 1024 * 1024
TOO_LARGE = "The body is larger than anything that is sent here."
Answer = Callable[[HttpRequest], HttpResponse]


def limit_body(get_response: Answer) -> Answer:
    """Middleware: refuse a body by its length, before a byte of it is read.

    Without a length Django reads nothing, so what comes in pieces of unknown number is empty.
    """

    def answered(request: HttpRequest) -> HttpResponse:
        length = str(request.META.get("CONTENT_LENGTH") or "0")
        if not length.isascii() or not length.isdigit() or int(length) <= LARGEST_BODY:
            return get_response(request)
        return error_response(request, 413, TOO_LARGE)

    return answered
