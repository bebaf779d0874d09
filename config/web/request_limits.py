"""How large a request may be at all; each form and each address of the API allows less."""

import re
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from config.web.error_responses import error_response

# A season as a file is the largest body of all addresses but one.
LARGEST_BODY = 16 * 1024 * 1024
TOO_LARGE = "The body is larger than anything that is sent here."
# Files to import have 20 MB (`league.imports.contents`). Escaped in JSON they are longer.
IMPORTS = re.compile(r"/(?:api/v1/)?leagues/[0-9a-f-]{36}/imports?", re.ASCII)
LARGEST_IMPORT = 32 * 1024 * 1024
TOO_LARGE_IMPORT = (
    "Files to import have at most 20 MB together. Import a longer history in several files."
)
Answer = Callable[[HttpRequest], HttpResponse]


def is_import(path: str) -> bool:
    """Tell whether files are imported at this path."""
    return bool(IMPORTS.fullmatch(path))


def largest_body(path: str) -> int:
    """Return how many bytes a request to this path may have."""
    return LARGEST_IMPORT if is_import(path) else LARGEST_BODY


def limit_body(get_response: Answer) -> Answer:
    """Middleware: refuse a body by its length, before a byte of it is read.

    Without a length Django reads nothing, so what comes in pieces of unknown number is empty.
    """

    def answered(request: HttpRequest) -> HttpResponse:
        length = str(request.META.get("CONTENT_LENGTH") or "0")
        most = largest_body(request.path_info)
        if not length.isascii() or not length.isdigit() or int(length) <= most:
            return get_response(request)
        text = TOO_LARGE_IMPORT if is_import(request.path_info) else TOO_LARGE
        return error_response(request, 413, text)

    return answered
