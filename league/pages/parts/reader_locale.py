"""The locale of the reader of a page: how they write numbers, whatever language the page is in."""

from collections.abc import Callable
from contextvars import ContextVar

from babel import Locale, UnknownLocaleError
from django.http import HttpRequest, HttpResponse
from django.utils.translation.trans_real import parse_accept_lang_header

_locale: ContextVar[Locale | None] = ContextVar("reader_locale", default=None)


def with_reader_locale(
    respond: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: keep the locale of `Accept-Language` while the request is answered."""

    def respond_in_locale(request: HttpRequest) -> HttpResponse:
        token = _locale.set(_first_known(request.headers.get("Accept-Language", "")))
        try:
            return respond(request)
        finally:
            _locale.reset(token)

    return respond_in_locale


def reader_locale() -> Locale | None:
    """Return the locale of the current request; None if it names none that is known."""
    return _locale.get()


def _first_known(accepted: str) -> Locale | None:
    for tag, _quality in parse_accept_lang_header(accepted):
        try:
            return Locale.parse(tag, sep="-")
        except (ValueError, UnknownLocaleError):
            continue
    return None
