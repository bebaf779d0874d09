"""The stream view. It authorizes the request, and a separate process sends the events.

Without that process, the response is 501 and lists the URLs to poll instead.
"""

from typing import Any, ClassVar
from uuid import UUID

from django.http import HttpResponse
from django.urls import reverse
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from api.http.authentication import caller_of
from api.http.errors import BadHeaderError, BadQueryError, problem_response
from api.http.fields import OutputSerializer
from api.http.problems import NO_STREAMS
from api.http.resource import Resource
from api.streams.admission import Subscription, admission_of
from api.streams.events import NAMES, read_cursors
from league.access import Action, find_league
from league.common.errors import problem

EVENT_STREAM = "text/event-stream"
FEEDS = "feeds"
CURSOR = "cursor"
LAST_EVENT_ID = "Last-Event-ID"
NOT_HERE = "There are no streams here. For new rows, poll {}."
WANTED = "a cursor, or one of each feed as `hands:4711,transfers:812`"
ROW = '{"cursor": 4711, "hand": "3b1f8a52-6c0d-4f0e-9c2a-7d5e1b904c11", "number": 12}'
EXAMPLE = f""": connected
retry: 2000
id: hands:4711,transfers:812
event: hands
data: {ROW}

: still here
"""


class StreamEventSerializer(OutputSerializer):
    """One event: in OpenAPI 3.1, a stream is described by the schema of an event."""

    id = serializers.CharField(help_text="the cursor of each feed, from which to continue")
    event = serializers.CharField(help_text="the name of the feed")
    data = serializers.CharField(  # type: ignore[assignment]  # of a serializer it is what is sent
        help_text="the rows, a JSON object on each line"
    )
    retry = serializers.IntegerField(
        required=False, help_text="milliseconds, in the first event only"
    )


class LeagueStream(Resource):
    """A league's hands, nights and transfers as server-sent events."""

    allows_feed_link: ClassVar[bool] = True
    selects_fields: ClassVar[bool] = False
    parameters: ClassVar[frozenset[str]] = frozenset({FEEDS, CURSOR})

    def get_throttles(self) -> list[BaseThrottle]:
        """Count new requests, but not permission checks for open streams."""
        admission = admission_of(self.request)
        return [] if admission and admission.again else super().get_throttles()

    @extend_schema(
        operation_id="follow_league",
        summary="New feed rows as Server-Sent Events",
        description=(
            "Each hand, night or posting is one event. Its rows are the lines of `data`, as in the "
            "feed's NDJSON. Its `id` is the cursor from which to continue. If this service has no "
            "streams, the response is 501 and lists the URLs to poll.\n\n"
            f"```\n{EXAMPLE}```"
        ),
        responses={(200, EVENT_STREAM): StreamEventSerializer},
        examples=[
            OpenApiExample(
                "a hand",
                {"id": "hands:4711,transfers:812", "event": "hands", "data": ROW, "retry": 2000},
                media_type=EVENT_STREAM,
                response_only=True,
            ),
        ],
        parameters=[
            OpenApiParameter(
                FEEDS,
                {
                    "type": "array",
                    "items": {"type": "string", "enum": list(NAMES), "title": "StreamedFeed"},
                },
                style="form",
                explode=False,
                description="The requested feeds, separated by commas; all by default.",
            ),
            OpenApiParameter(
                CURSOR,
                str,
                description=(
                    "Events after this `id`, or after this cursor if one feed is requested; "
                    "all events by default."
                ),
            ),
            OpenApiParameter(
                LAST_EVENT_ID,
                str,
                "header",
                description=(
                    "The `id` of the last received event. It takes precedence over `cursor`."
                ),
            ),
        ],
    )
    def get(self, request: Request, league_id: UUID) -> HttpResponse:
        league = find_league(self.visitor, Action.VIEW, league_id)
        names = self._names()
        subscription = Subscription(league.pk, self._cursors(names))
        admission = admission_of(request)
        if admission is None:
            at = [reverse(f"api:feed-{name}", args=[league.pk]) for name in names]
            answer: HttpResponse = problem_response(NO_STREAMS, NOT_HERE.format(", ".join(at)))
            return answer
        # the caller has been authenticated
        admission.admit(subscription, caller_of(request) or "")
        # `no-transform` and X-Accel-Buffering stop proxies from buffering events.
        headers = {"Cache-Control": "private, no-store, no-transform", "X-Accel-Buffering": "no"}
        return HttpResponse(content_type=EVENT_STREAM, headers=headers)

    def _names(self) -> list[str]:
        text = self.request.query_params.get(FEEDS)
        names = list(NAMES) if text is None else text.split(",", len(NAMES))
        if not set(names) <= set(NAMES) or len(set(names)) < len(names):
            raise BadQueryError(
                [
                    problem(
                        FEEDS,
                        "bad-option",
                        f"this must be a list of {', '.join(NAMES)}, each at most once",
                    )
                ]
            )
        return [name for name in NAMES if name in names]

    def _cursors(self, names: list[str]) -> dict[str, int]:
        last: Any = self.request.headers.get(LAST_EVENT_ID)
        cursor = self.request.query_params.get(CURSOR)
        try:
            # `cursor` is validated even if Last-Event-ID replaces it.
            cursors = read_cursors(cursor, names) if cursor else dict.fromkeys(names, 0)
        except ValueError:
            raise BadQueryError([problem(CURSOR, "wrong-type", WANTED)]) from None
        try:
            return read_cursors(last, names) if last else cursors
        except ValueError:
            raise BadHeaderError(LAST_EVENT_ID, WANTED) from None
