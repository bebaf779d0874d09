"""Control characters, which nobody means: refused in one place, for the pages and the API alike.

PostgreSQL takes no NUL, a terminal that shows a log obeys an escape, no name or code holds either.
An address with one in its path is none. One in a query or a form is refused with its field; texts
of several lines have their tabs and ends of lines. What stands in JSON is refused as it is read
(`api.http.parsers`), and a cookie that has one is not ours.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.utils.translation import get_language_from_request, gettext, override

from config.web.error_responses import error_response

NEVER = re.compile(r"[\x00-\x1f\x7f-\x9f]")
NOT_IN_TEXTS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
Answer = Callable[[HttpRequest], HttpResponse]


class RefuseControlCharacters:
    """Middleware: nothing with a control character comes further than this."""

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        for name in [name for name, text in request.COOKIES.items() if NEVER.search(name + text)]:
            del request.COOKIES[name]
        if NEVER.search(request.path):
            return error_response(request, 404, "There is no such address.")
        if where := _first(request.GET.lists(), NEVER):
            return _refused(request, where)
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, _view: object, _args: object, _kwargs: Mapping[str, object]
    ) -> HttpResponse | None:
        """Look at a form once it is known to have an address; the API reads no forms."""
        if request.path.startswith("/api/") or request.method != "POST":
            return None
        try:
            where = _first(request.POST.lists(), NOT_IN_TEXTS)
        except UnreadablePostError:  # whoever sent it is gone: the page finds that out itself
            return None
        return _refused(request, where) if where else None


def _first(fields: Iterable[tuple[str, Sequence[object]]], unmeant: "re.Pattern[str]") -> str:
    """Return the name of the first field that has such a character, fit to be shown; "" for none.

    A name of nothing but such characters is shown as a space.
    """
    for name, texts in fields:
        if any(unmeant.search(str(each)) for each in (name, *texts)):
            return NEVER.sub("", name)[:60] or " "
    return ""


def _refused(request: HttpRequest, where: str) -> HttpResponse:
    with override(get_language_from_request(request)):
        text = gettext("A control character can't be meant here.")
        return error_response(request, 400, text, where=where)
