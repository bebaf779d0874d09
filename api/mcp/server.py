"""The SDK's server: the same tools over HTTP, with one response per request, and over stdio.

A tool queries the database in its caller's thread. Over HTTP, this is the request's thread, with
its connection and transaction. Over stdio, it is the main thread, which handles one question at a
time.
"""

import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

import anyio
from asgiref.sync import async_to_sync, sync_to_async
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
)

from api.http.errors import handle
from api.mcp.caller import Caller
from api.mcp.tools import DESCRIBED, TOOLS
from league import VERSION
from league.common.text import shown

NAME = "dealers-choice"
ABOUT = (
    "A home poker league that plays dealer's choice: its nights, hands, "
    "standings and debts, the rules of its games, and who wins a hand and "
    "why. Amounts are whole chips; `league` returns the value of a chip. "
    "Refer to players, seasons and games by name or id. The tools read one "
    "league and change nothing. Start with `league`; to find certain hands, "
    "use `find_hands`."
)
Who = Callable[[], Caller]
Message = dict[str, Any]
logger = logging.getLogger(__name__)


def server_of(who: Who) -> Server[Any]:
    """Return a server. `who` returns the caller who asks a question."""

    async def list_tools(_: Any, __: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=list(DESCRIBED))

    async def call_tool(_: Any, call: CallToolRequestParams) -> CallToolResult:
        return await sync_to_async(_answer, thread_sensitive=True)(who, call)

    server: Server[Any] = Server(
        NAME,
        version=VERSION,
        title="Dealer's Choice",
        instructions=ABOUT,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
    # the middleware would trace each message with OpenTelemetry, which this service does not use
    server.middleware.clear()
    return server


def _answer(who: Who, call: CallToolRequestParams) -> CallToolResult:
    """Return a tool's answer. Errors are problem documents, as in the API."""
    tool = TOOLS.get(call.name)
    if tool is None:
        raise MCPError(INVALID_PARAMS, f"There is no tool {shown(call.name)}.")
    try:
        result = tool.answer(who(), call.arguments or {})
    except Exception as error:
        problem = handle(error, {})
        if problem is None:
            logger.exception("The tool %s failed", tool.name)
            raise MCPError(INTERNAL_ERROR, "The tool failed. The error was logged.") from None
        return CallToolResult(content=[_text(problem.data)], is_error=True)
    return CallToolResult(content=[_text(result)], structured_content=result)


def _text(content: Any) -> TextContent:
    return TextContent(type="text", text=json.dumps(content, ensure_ascii=False, default=str))


@dataclass(slots=True)
class Reply:
    """The HTTP response to a message."""

    status: int = HTTPStatus.INTERNAL_SERVER_ERROR
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""

    async def send(self, message: Mapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            pairs = message.get("headers", ())
            self.headers = {
                name.decode("latin-1"): value.decode("latin-1") for name, value in pairs
            }
        else:
            self.body += message.get("body", b"")


def replied(sent: object, headers: Mapping[str, str], who: Who) -> Reply:
    """Return the reply to one message of streamable HTTP: one JSON response, without a session."""
    return async_to_sync(_replied)(json.dumps(sent).encode(), headers, who)


async def _replied(body: bytes, headers: Mapping[str, str], who: Who) -> Reply:
    # As in the rest of the API, the response format does not depend on what the client accepts.
    request_headers = {**headers, "content-type": "application/json"}
    request_headers["accept"] = "application/json, text/event-stream"
    request_headers["content-length"] = str(len(body))
    scope: Message = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": "/",
        "raw_path": b"/",
        "query_string": b"",
        "root_path": "",
        "headers": [
            (key.lower().encode(), value.encode()) for key, value in request_headers.items()
        ],
        "client": None,
        "server": None,
    }
    waiting = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Message:
        if waiting:
            return waiting.pop()
        await anyio.sleep_forever()
        raise AssertionError

    reply = Reply()
    manager = StreamableHTTPSessionManager(server_of(who), json_response=True, stateless=True)
    async with manager.run():
        await manager.handle_request(scope, receive, reply.send)
    return reply


def serve_stdio(who: Who) -> None:
    """Answer the messages on standard input until it ends."""
    async_to_sync(_serve)(server_of(who))


async def _serve(server: Server[Any]) -> None:
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())
