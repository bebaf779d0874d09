"""Show errors as sentences, next to fields or as messages on the next page."""

from django import template
from django.contrib import messages
from django.http import HttpRequest
from django.utils.text import capfirst

from league.common.errors import RefusedError

register = template.Library()


@register.filter
def sentence(text: object) -> str:
    """Return the text of an error with a capital letter and a full stop.

    Error texts are written for programs and have neither.
    """
    words = str(text).strip()
    return capfirst(words) + ("" if words.endswith((".", "!", "?", ":", "…")) else ".")


def show_errors(request: HttpRequest, refused: RefusedError) -> None:
    """Add a message for each error."""
    for error in refused.errors:
        messages.error(request, sentence(error["text"]), extra_tags="bad")
