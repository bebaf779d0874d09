"""All kinds of errors: their name, their meaning, and what a client can do.

The `type` of a problem is the path of its page. It starts with a slash, so it leads to the same
service behind any proxy and from any address (RFC 9457, 3.1.1).
"""

import json
from dataclasses import dataclass
from http import HTTPStatus
from typing import ClassVar

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, path
from django.views.decorators.http import require_safe
from rest_framework.exceptions import APIException

AT = "/api/problems"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemKind:
    """A kind of error. All errors of the same kind have the same status."""

    slug: str
    status: int
    title: str
    meaning: str
    remedy: str
    detail: str  # the detail text in the example

    @property
    def type(self) -> str:
        return f"{AT}/{self.slug}"

    @property
    def phrase(self) -> str:
        return HTTPStatus(self.status).phrase


KINDS: dict[str, ProblemKind] = {}


def _kind(slug: str, status: int, title: str, **texts: str) -> ProblemKind:
    return KINDS.setdefault(slug, ProblemKind(slug=slug, status=status, title=title, **texts))


BAD_PARAMETER = _kind(
    "bad-parameter",
    400,
    "Invalid URL or header",
    meaning="A query parameter or a header is unknown, empty, repeated or invalid.",
    remedy="Correct the parameters or headers in `errors`; `where` is the name.",
    detail="The URL or a header is invalid.",
)
NOT_JSON = _kind(
    "not-json",
    400,
    "Unreadable body",
    meaning="The body is not valid JSON in UTF-8.",
    remedy="Correct the error in `detail`. Nothing was stored.",
    detail="JSON parse error - Expecting value: line 1 column 1 (char 0)",
)
BAD_CONTENT = _kind(
    "bad-content",
    400,
    "Invalid content",
    meaning="A field of the body is missing, has the wrong type or breaks a rule.",
    remedy="Correct everything in `errors` and send the request again. Nothing was stored.",
    detail="The content is invalid.",
)
NO_CREDENTIALS = _kind(
    "no-credentials",
    401,
    "Not authenticated",
    meaning="The request requires a token, the key of a feed link or a session.",
    remedy="Send `Authorization: Bearer dealer_...`. Create tokens on the league's page.",
    detail="Authentication credentials were not provided.",
)
BAD_CREDENTIALS = _kind(
    "bad-credentials",
    401,
    "Invalid token or link",
    meaning="The token or key is unknown, revoked or expired.",
    remedy="Create a new one on the league's page.",
    detail="The token is unknown, revoked or expired.",
)
NOT_ALLOWED = _kind(
    "not-allowed",
    403,
    "Permission denied",
    meaning="The user's role or the token's scope does not allow this.",
    remedy="Ask a host for another role, or use a token with a wider scope.",
    detail="You do not have permission to perform this action.",
)
STALE_SIGN_IN = _kind(
    "stale-sign-in",
    403,
    "Recent sign-in required",
    meaning="A session may change roles, members and webhooks only soon after signing in.",
    remedy="Sign in again on the pages and repeat the request, or use a token.",
    detail="Sign in again on the pages first, or use a token.",
)
NOT_FOUND = _kind(
    "not-found",
    404,
    "Not found",
    meaning="The URL or id does not exist, or belongs to a league you are not a member of.",
    remedy="Check the URL and the token. Repeating the request doesn't help.",
    detail="Not found.",
)
NO_SUCH_METHOD = _kind(
    "no-such-method",
    405,
    "Method not allowed",
    meaning="The URL exists, but doesn't support this method.",
    remedy="Use a method in the header `Allow`.",
    detail='Method "PUT" not allowed.',
)
ID_REUSED = _kind(
    "id-reused",
    409,
    "Id already used",
    meaning="The id in the body was used before with other content, which remains unchanged.",
    remedy="Use a new id for a new object. Change existing objects at their own URL.",
    detail="This id was used before with other content.",
)
NIGHT_CLOSED = _kind(
    "night-closed",
    409,
    "Night is closed",
    meaning="Hands and chips can't be added to a closed night.",
    remedy="Ask a host to reopen the night or to correct its hands.",
    detail="The night is closed.",
)
REQUEST_DECLINED = _kind(
    "request-declined",
    409,
    "Chip request declined",
    meaning=(
        "The request with this `id` required acceptance and was declined, "
        "withdrawn or ended with the night. No chips moved."
    ),
    remedy="Read the request at `nights/{id}/chip-requests/{id}`; send a new one with a new `id`.",
    detail="The request for these chips was declined.",
)
KEY_IN_USE = _kind(
    "key-in-use",
    409,
    "Request in progress",
    meaning="The first request with this `Idempotency-Key` is still being processed.",
    remedy=(
        "Send the same request with the same key again in a second. It gets the first response."
    ),
    detail="A request with this key is in progress. Try again.",
)
TOO_LATE = _kind(
    "too-late",
    409,
    "Too late to undo",
    meaning="A hand can be undone only within seconds, and only if nothing was recorded after it.",
    remedy="Correct the hand, or void it.",
    detail="It is too late to undo. Correct or void the hand.",
)
GAME_IN_USE = _kind(
    "game-in-use",
    409,
    "Game in use",
    meaning="A game with hands can't be deleted.",
    remedy="Retire the game, so that it is no longer offered.",
    detail="The game has hands. It can be retired, but not deleted.",
)
TOO_LARGE = _kind(
    "too-large",
    413,
    "Body too large",
    meaning="The body is larger than this URL accepts.",
    remedy="Send fewer hands in a batch, or split the file.",
    detail="The body is larger than any hand.",
)
WRONG_MEDIA_TYPE = _kind(
    "wrong-media-type",
    415,
    "Unsupported media type",
    meaning="The URL doesn't accept this `Content-Type`.",
    remedy="Send JSON with `Content-Type: application/json`, or a season file as NDJSON.",
    detail='Unsupported media type "text/plain" in request.',
)
NO_SUCH_RANGE = _kind(
    "no-such-range",
    416,
    "Range not satisfiable",
    meaning="The requested `Range` starts after the end of the file.",
    remedy="Request a range within the length in `Content-Range`.",
    detail="There are 4096 bytes.",
)
TOO_MUCH_WORK = _kind(
    "too-much-work",
    422,
    "Game too complex",
    meaning="The options, combinations or wild cards of the game need more work than is allowed.",
    remedy="Change the line of the game in `detail`.",
    detail="The game has too many ways to play a hand.",
)
KEY_REUSED = _kind(
    "key-reused",
    422,
    "Idempotency key reused",
    meaning="This `Idempotency-Key` was used for another request within the last day.",
    remedy="Use a new key for each new request.",
    detail="This key was used for another request.",
)
TOO_MANY_DELIVERIES = _kind(
    "too-many-deliveries",
    422,
    "Too many deliveries",
    meaning="The period has more deliveries than one request can resend.",
    remedy="Request shorter periods in turn: `before` of one is `after` of the next.",
    detail="At most 1000 deliveries can be resent at once. Request a shorter period.",
)
TOO_OFTEN = _kind(
    "too-often",
    429,
    "Too many requests",
    meaning="The token, link, user or address has exceeded its requests per minute.",
    remedy="Wait for the seconds in `Retry-After`.",
    detail="Request was throttled. Expected available in 12 seconds.",
)
TOO_MANY_STREAMS = _kind(
    "too-many-streams",
    429,
    "Too many streams",
    meaning="The token, link, user or league has reached its number of open streams.",
    remedy="Close unused streams, or read several feeds with one.",
    detail="There are 10 streams of this token, link or user already.",
)
NO_STREAMS = _kind(
    "no-streams",
    501,
    "Streams unavailable",
    meaning=(
        "The process that serves streams is not running, or the request reached another process."
    ),
    remedy="Poll the URLs in `detail` with `cursor`.",
    detail="There are no streams here. For new rows, poll "
    "/api/v1/leagues/3b1f8a52-6c0d-4f0e-9c2a-7d5e1b904c11/feeds/hands.",
)
SERVER_ERROR = _kind(
    "server-error",
    500,
    "Internal error",
    meaning="The service failed. It is unknown whether anything was stored.",
    remedy=(
        "Send the same request with the same `id` or `Idempotency-Key` again, or "
        "contact the operator."
    ),
    detail="The service failed. The error was logged.",
)
NOT_INSTALLED = _kind(
    "not-installed",
    501,
    "Package not installed",
    meaning="This feature requires an optional package that isn't installed.",
    remedy="Use another format, or ask the operator to install the package in `detail`.",
    detail="Parquet files require the package pyarrow.",
)
BUSY = _kind(
    "busy",
    503,
    "Service temporarily unavailable",
    meaning="The service is overloaded, or its database is unavailable. Nothing was stored.",
    remedy="Send the same request again, after `Retry-After` seconds if that header is present.",
    detail="The database is unavailable. Nothing was stored. Send the request again.",
)
NOT_READY = _kind(
    "not-ready",
    503,
    "Service not ready",
    meaning="The database has not been migrated yet.",
    remedy="Try again in a minute. The operator has to run `migrate`.",
    detail="The service is being set up: its database is not ready yet. Try again in a minute.",
)

# Errors raised by the framework, and errors that occur before a view is called.
BY_STATUS = {
    400: BAD_PARAMETER,
    401: NO_CREDENTIALS,
    403: NOT_ALLOWED,
    404: NOT_FOUND,
    405: NO_SUCH_METHOD,
    413: TOO_LARGE,
    415: WRONG_MEDIA_TYPE,
    429: TOO_OFTEN,
    500: SERVER_ERROR,
    503: NOT_READY,
}


def kind_of_status(status: int) -> ProblemKind:
    """Return the kind of an error that occurs before a view is called.

    An unlisted status counts as the x00 status of its class (RFC 9110, 15).
    """
    return BY_STATUS.get(status) or BY_STATUS[500 if status >= 500 else 400]


# These errors are defined here, because body parsers are loaded before the views.


class ApiError(APIException):
    """An error with the status and default detail of its kind."""

    kind: ClassVar[ProblemKind]

    def __init__(self, detail: str | None = None) -> None:
        self.status_code = self.kind.status
        super().__init__(detail or self.kind.detail)


# A page for each kind of error, at the URL in its `type`, and a list of all kinds.


@login_not_required
@require_safe
def problem_list(request: HttpRequest) -> HttpResponse:
    """Show all kinds of errors, sorted by status."""
    kinds = sorted(KINDS.values(), key=lambda kind: (kind.status, kind.slug))
    return render(request, "api/problems.html", {"kinds": kinds})


@login_not_required
@require_safe
def problem_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what a kind of error means, how to fix it, and an example."""
    kind = KINDS.get(slug)
    if kind is None:
        raise Http404
    body = {"type": kind.type, "title": kind.title, "status": kind.status, "detail": kind.detail}
    example = json.dumps(body, indent=1)
    # The text is split at backticks, so every second part is code.
    words = {"meaning": kind.meaning.split("`"), "remedy": kind.remedy.split("`")}
    return render(request, "api/problem.html", {"kind": kind, "example": example, **words})


urlpatterns: list[URLPattern] = [
    path("problems", problem_list, name="problems"),
    path("problems/<slug:slug>", problem_page, name="problem"),
]
