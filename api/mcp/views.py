"""The endpoint for assistants: one JSON-RPC message per request, authenticated by token only."""

from typing import Any, cast

from django.http import HttpResponse
from rest_framework.exceptions import MethodNotAllowed
from rest_framework.request import Request

from api import mcp
from api.http.authentication import TokenBearer
from api.http.errors import problem_response
from api.http.problems import NOT_INSTALLED
from api.http.resource import Resource
from api.http.throttles import count_also
from api.mcp.caller import Caller, reader
from api.openapi.schema import OBJECT, operation
from league.models import Token

MESSAGE = {
    "type": "object",
    "description": "A JSON-RPC 2.0 message of the Model Context Protocol (docs/mcp.md)",
    "additionalProperties": True,
}
OWN = "mcp-"  # the prefix of the protocol's own headers
KEPT = ("content-type", "allow")


class Assistant(Resource):
    """The Model Context Protocol over streamable HTTP, without sessions or streams."""

    authentication_classes = (TokenBearer,)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        # Checked before authentication, because clients probe whether they can open a stream.
        if not hasattr(self, str(request.method).lower()):
            raise MethodNotAllowed(str(request.method))
        super().initial(request, *args, **kwargs)

    @operation(
        "ask_league",
        "Call a tool through the Model Context Protocol; nothing is changed",
        OBJECT,
        body=MESSAGE,
        # a message with status 400 violates the protocol, which has its own format for this error
        status=(200, 202, 400),
    )
    def post(self, request: Request) -> HttpResponse:
        if not mcp.is_there():
            answer: HttpResponse = problem_response(NOT_INSTALLED, mcp.MISSING)
            return answer
        from api.mcp import server  # noqa: PLC0415 (optional dependency)

        headers = {
            name: value for name, value in request.headers.items() if name.lower().startswith(OWN)
        }
        reply = server.replied(request.data, headers, self._asker)
        reply_headers = {
            name: value for name, value in reply.headers.items() if name.lower() in KEPT
        }
        return HttpResponse(reply.body, status=reply.status, headers=reply_headers)

    def _asker(self) -> Caller:
        token = cast(Token, self.request.auth)  # the permission classes require a token
        return Caller(reader(token), lambda: count_also(self.request, "settle"))
