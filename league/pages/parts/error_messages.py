"""Show the errors of a refused action as messages on the next page."""

from django.contrib import messages
from django.http import HttpRequest

from league.common.errors import RefusedError


def show_errors(request: HttpRequest, refused: RefusedError) -> None:
    """Add a message for each error."""
    for error in refused.errors:
        messages.error(request, error["text"], extra_tags="bad")
