"""What a page says, however its template is laid out."""

import re

from django.http import HttpResponse

# A browser shows the space only next to these.
INLINE = r"(?:a|b|code|i|small|span|time)\b"
_AFTER_A_TAG = re.compile(rf"(<(?!/{INLINE})[^>]*>) ")
_BEFORE_A_TAG = re.compile(rf" (?=<(?!{INLINE})|>)")


def html(page: HttpResponse) -> str:
    """Return the page without the space that no browser shows."""
    text = re.sub("[ \n]+", " ", page.content.decode())
    return _BEFORE_A_TAG.sub("", _AFTER_A_TAG.sub(r"\1", text))
