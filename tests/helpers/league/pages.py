"""A page's text, independent of the white space in its template."""

import re

from django.http import HttpResponse

# Browsers display white space only next to inline elements.
INLINE = r"(?:a|b|code|i|small|span|time)\b"
_AFTER_A_TAG = re.compile(rf"(<(?!/{INLINE})[^>]*>) ")
_BEFORE_A_TAG = re.compile(rf" (?=<(?!{INLINE})|>)")


def html(page: HttpResponse) -> str:
    """Return the page without white space that browsers don't show."""
    text = re.sub("[ \n]+", " ", page.content.decode())
    return _BEFORE_A_TAG.sub("", _AFTER_A_TAG.sub(r"\1", text))
