"""Every kind of error: its name, its meaning, and what a client can do.

The `type` of a problem is the path of its page. It starts with a slash, so that it leads to the
same service behind any proxy and from any address (RFC 9457, 3.1.1).
"""

import json
from dataclasses import dataclass
from http import HTTPStatus
from typing import ClassVar

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, path
from django.views.decorators.http import require_safe
from rest_framework.exceptions import APIException

AT = "/api/problems"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemKind:
    """A kind of error. All errors of a kind have the same status."""

    slug: str
    status: int
    title: str
    meaning: str
    remedy: str
    detail: str  # of the example

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
    "The address or a header is wrong",
    meaning="A parameter of the address, or a header, is unknown, empty, told twice or wrong.",
    remedy="Mend what `errors` names: `where` is the parameter or the header.",
    detail="The address or a header is wrong.",
)
NOT_JSON = _kind(
    "not-json",
    400,
    "The body can't be read",
    meaning="The body is no JSON in UTF-8.",
    remedy="Send what the `detail` says is missing; nothing was stored.",
    detail="JSON parse error - Expecting value: line 1 column 1 (char 0)",
)
BAD_CONTENT = _kind(
    "bad-content",
    400,
    "It can't be accepted as it is",
    meaning="Something in the body is missing, of another type or against the rules.",
    remedy="Nothing was stored: mend all that `errors` lists, and send it again.",
    detail="It can't be accepted as it is.",
)
NO_CREDENTIALS = _kind(
    "no-credentials",
    401,
    "Nobody is signed in",
    meaning="The address is for whoever brings a token, the key of a feed link or a session.",
    remedy="Send `Authorization: Bearer dealer_...`; tokens are made on the page of the league.",
    detail="Authentication credentials were not provided.",
)
BAD_CREDENTIALS = _kind(
    "bad-credentials",
    401,
    "The token or the link is no longer known",
    meaning="The token or the key that was sent is unknown, was revoked or has expired.",
    remedy="Make another one on the page of the league; the same one won't be let in again.",
    detail="The token is unknown, revoked or expired.",
)
NOT_ALLOWED = _kind(
    "not-allowed",
    403,
    "Whoever asks may not do this",
    meaning="The role of whoever asks, or the scope of the token, does not go so far.",
    remedy="Ask a host for another role, or come with a token of a wider scope.",
    detail="You do not have permission to perform this action.",
)
STALE_SIGN_IN = _kind(
    "stale-sign-in",
    403,
    "The sign-in was too long ago",
    meaning="Roles, members and webhooks are changed by a session only soon after a sign-in.",
    remedy="Sign in again on the pages and repeat it, or come with a token.",
    detail="Sign in again on the pages first, or come with a token.",
)
NOT_FOUND = _kind(
    "not-found",
    404,
    "There is nothing here",
    meaning="There is no such address or id, or it is of a league that others are in.",
    remedy="Look at the address and at whose token it is; asking again changes nothing.",
    detail="Not found.",
)
NO_SUCH_METHOD = _kind(
    "no-such-method",
    405,
    "The address does not know this method",
    meaning="There is such an address, and it can't be asked by this method.",
    remedy="Use one that the header `Allow` names.",
    detail='Method "PUT" not allowed.',
)
ID_REUSED = _kind(
    "id-reused",
    409,
    "The id stands for something else",
    meaning="The id in the body was sent before with other content; what stands, stands.",
    remedy="Make a new id for something new; what stands is changed at its own address.",
    detail="This id was sent before with other content.",
)
NIGHT_CLOSED = _kind(
    "night-closed",
    409,
    "The night is closed",
    meaning="A closed night takes no new hands and no more chips.",
    remedy="Have a host reopen the night, or correct its hands, which a host may.",
    detail="The night is closed.",
)
REQUEST_DECLINED = _kind(
    "request-declined",
    409,
    "The request for chips was declined",
    meaning="The chips had to be accepted first, and the request with this `id` was declined,"
    " withdrawn or ended with the night. No chips moved.",
    remedy="Read the request at `nights/{id}/chip-requests/{id}`; send a new one with a new `id`.",
    detail="The request for these chips was declined.",
)
KEY_IN_USE = _kind(
    "key-in-use",
    409,
    "A request with this key is being answered",
    meaning="The first request under this `Idempotency-Key` has not been answered yet.",
    remedy="Send the same again under the same key in a second: it gets the first answer.",
    detail="A request with this key is being answered: ask again.",
)
TOO_LATE = _kind(
    "too-late",
    409,
    "Something happened since",
    meaning="A hand is undone only within seconds, and while nothing came after it.",
    remedy="Correct the hand, or take it back by `void`.",
    detail="Something happened since: correct the hand, or take it back.",
)
GAME_IN_USE = _kind(
    "game-in-use",
    409,
    "Hands were dealt under the game",
    meaning="A game is part of the hands that were dealt under it, so it can't be deleted.",
    remedy="Retire it: it is offered no more.",
    detail="Hands were dealt under it: it can be retired, not deleted.",
)
TOO_LARGE = _kind(
    "too-large",
    413,
    "The body is too large",
    meaning="The body is larger than anything that this address takes.",
    remedy="Send less at once: of a batch fewer hands, of a file its parts.",
    detail="The body is larger than any hand can be.",
)
WRONG_MEDIA_TYPE = _kind(
    "wrong-media-type",
    415,
    "The body is of another kind",
    meaning="The address does not read bodies of this `Content-Type`.",
    remedy="Send JSON with `Content-Type: application/json`, a season's file as NDJSON.",
    detail='Unsupported media type "text/plain" in request.',
)
NO_SUCH_RANGE = _kind(
    "no-such-range",
    416,
    "The file has no such part",
    meaning="The `Range` that is asked for begins after the end of the file.",
    remedy="Ask for a part within the length that `Content-Range` says.",
    detail="There are 4096 bytes.",
)
TOO_MUCH_WORK = _kind(
    "too-much-work",
    422,
    "The game asks for too much work",
    meaning="Ways, combinations or readings of the game are beyond what is begun for anybody.",
    remedy="Change the word of the game that `detail` names.",
    detail="The game has more ways to play a hand than are tried.",
)
KEY_REUSED = _kind(
    "key-reused",
    422,
    "The key stands for another request",
    meaning="This `Idempotency-Key` was sent before with another request, within a day.",
    remedy="Make a new key for each new request.",
    detail="This key was sent before with another request.",
)
TOO_MANY_DELIVERIES = _kind(
    "too-many-deliveries",
    422,
    "More deliveries than are sent again at once",
    meaning="The period has more deliveries of the webhook than one request sends again.",
    remedy="Request shorter periods one after the other: `before` of one is `after` of the next.",
    detail="At most 1000 deliveries are sent again at once: request a shorter period.",
)
TOO_OFTEN = _kind(
    "too-often",
    429,
    "That was asked too often",
    meaning="More was asked in a minute than one token, link, user or address may.",
    remedy="Wait as many seconds as `Retry-After` says.",
    detail="Request was throttled. Expected available in 12 seconds.",
)
TOO_MANY_STREAMS = _kind(
    "too-many-streams",
    429,
    "There are too many streams",
    meaning="As many streams are open as one token, link or user, or one league, may have.",
    remedy="End a stream that is no longer read, or read several feeds by one.",
    detail="There are 10 streams of this token, link or user already.",
)
NO_STREAMS = _kind(
    "no-streams",
    501,
    "Nothing streams here",
    meaning="The process that sends events is not run here, or is not the one that was asked.",
    remedy="Poll the addresses in `detail`, with `cursor`.",
    detail="Nothing streams here: ask again and again for what is new at "
    "/api/v1/leagues/3b1f8a52-6c0d-4f0e-9c2a-7d5e1b904c11/feeds/hands.",
)
SERVER_ERROR = _kind(
    "server-error",
    500,
    "Something went wrong here",
    meaning="The service has a fault. Whether anything was stored can't be said.",
    remedy="Send the same again, under the same `id` or `Idempotency-Key`; or tell the operator.",
    detail="Something went wrong here; it was noted.",
)
NOT_INSTALLED = _kind(
    "not-installed",
    501,
    "A package is missing",
    meaning="What answers here is an extra, which this service was set up without.",
    remedy="Use another form, or have the package installed that `detail` names.",
    detail="Parquet files want the package pyarrow.",
)
BUSY = _kind(
    "busy",
    503,
    "The service is busy or its data away",
    meaning="The work or the data could not be had just now. Nothing was stored.",
    remedy="Send the same again, after the seconds of `Retry-After` where they are told.",
    detail="The data can't be reached just now, nothing was stored: send it again.",
)
NOT_READY = _kind(
    "not-ready",
    503,
    "The service is being set up",
    meaning="The database of the service has not been made ready yet.",
    remedy="Try again in a minute; whoever runs the service runs `migrate`.",
    detail="The service is being set up: its database is not ready yet. Try again in a minute.",
)

# Errors of the framework, and errors that occur before any view.
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
    """Return the kind of an error that occurs before any view.

    An unlisted status counts as the x00 status of its class (RFC 9110, 15).
    """
    return BY_STATUS.get(status) or BY_STATUS[500 if status >= 500 else 400]


# Defined here, because body parsers are loaded before the views.


class ApiError(APIException):
    """An error with the status and the default detail of its kind."""

    kind: ClassVar[ProblemKind]

    def __init__(self, detail: str | None = None) -> None:
        self.status_code = self.kind.status
        super().__init__(detail or self.kind.detail)


# A page for each kind of error at the address in its `type`, and a list of all kinds.


@require_safe
def problem_list(request: HttpRequest) -> HttpResponse:
    """Show all kinds by status."""
    kinds = sorted(KINDS.values(), key=lambda kind: (kind.status, kind.slug))
    return render(request, "api/problems.html", {"kinds": kinds})


@require_safe
def problem_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the meaning of a kind, what to do, and an example."""
    kind = KINDS.get(slug)
    if kind is None:
        raise Http404
    body = {"type": kind.type, "title": kind.title, "status": kind.status, "detail": kind.detail}
    example = json.dumps(body, indent=1)
    # Every second part between backticks is code.
    words = {"meaning": kind.meaning.split("`"), "remedy": kind.remedy.split("`")}
    return render(request, "api/problem.html", {"kind": kind, "example": example, **words})


urlpatterns: list[URLPattern] = [
    path("problems", problem_list, name="problems"),
    path("problems/<slug:slug>", problem_page, name="problem"),
]
