"""MCP clients for the tests, from the SDK: in-process, over HTTP and over stdio."""

import json
import os
import sys
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import httpx2
from asgiref.sync import async_to_sync, sync_to_async
from django.db import connection
from django.test import Client as Browser
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, TextContent

from tests.helpers.fork_server import ROOT

AT = "/api/v1/mcp"
Asked = tuple[str, dict[str, Any]]
Connected = Callable[[], AbstractAsyncContextManager[Client]]


class InProcess(httpx2.AsyncBaseTransport):
    """Passes each request to the service in the test's thread, within the test's transaction."""

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        return await sync_to_async(self._answer, thread_sensitive=True)(request)

    def _answer(self, request: httpx2.Request) -> httpx2.Response:
        headers = {name: said for name, said in request.headers.items() if name != "content-length"}
        kind = headers.pop("content-type", "")
        answer = Browser(headers=headers).generic(
            request.method, request.url.path, request.content, content_type=kind
        )
        return httpx2.Response(
            answer.status_code, headers=dict(answer.headers.items()), content=answer.content
        )


def in_process(text: str, mode: str = "auto") -> Connected:
    """Return a connector that sends this token to the service in this process."""
    return _by_http("http://testserver", text, mode, InProcess())


def over_http(service: str, text: str, mode: str = "auto") -> Connected:
    """Return a connector that sends this token to a running service."""
    return _by_http(service, text, mode, None)


def _by_http(
    service: str, text: str, mode: str, transport: httpx2.AsyncBaseTransport | None
) -> Connected:
    @asynccontextmanager
    async def connected() -> Any:
        headers = {"Authorization": f"Bearer {text}"} if text else {}
        async with httpx2.AsyncClient(headers=headers, timeout=60, transport=transport) as http:
            streams = streamable_http_client(f"{service}{AT}", http_client=http)
            async with Client(streams, mode=mode) as client:
                yield client

    return connected


def over_stdio(*options: str, mode: str = "auto", **variables: str) -> Connected:
    """Return a connector that starts `manage.py mcp` on the test's database."""
    environment = {"DJANGO_SETTINGS_MODULE": "config.settings", "DATABASE_URL": database_url()}
    environment |= {"REDIS_URL": "", "SECRET_KEY": "k" * 50}
    server = StdioServerParameters(
        command=sys.executable,
        args=["manage.py", "mcp", *options],
        env={**os.environ, **environment, **variables},
        cwd=ROOT,
    )
    return lambda: Client(server, mode=mode)


def database_url() -> str:
    """Return the URL of the test database."""
    settings = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{settings['NAME']}"
    host = f"{settings['HOST'] or '127.0.0.1'}:{settings['PORT'] or 5432}"
    word = f":{settings['PASSWORD']}" if settings["PASSWORD"] else ""
    return f"postgres://{settings['USER']}{word}@{host}/{settings['NAME']}"


class Conversation:
    """Calls tools one after another, each over a new connection, and counts the calls."""

    def __init__(self, connected: Connected) -> None:
        self.connected = connected
        self.calls = 0

    def __call__(self, name: str, **arguments: Any) -> Any:
        """Return a tool's result. The client validates it against the tool's schema."""
        self.calls += 1
        [result] = results(self.connected, (name, arguments))
        assert not result.is_error, result.content
        return result.structured_content


def results(connected: Connected, *asked: Asked) -> list[CallToolResult]:
    """Return the result of each call, all made over one connection."""

    async def ask(client: Client) -> list[CallToolResult]:
        return [await client.call_tool(name, arguments) for name, arguments in asked]

    return during(connected, ask)


def during(connected: Connected, does: Callable[[Client], Any]) -> Any:
    """Run the function with a connection. The service handles requests in this thread."""

    async def run() -> Any:
        async with connected() as client:
            return await does(client)

    return async_to_sync(run)()


def problem_in(result: CallToolResult) -> dict[str, Any]:
    """Return the problem document contained in a tool's error."""
    assert result.is_error
    assert result.structured_content is None
    [content] = result.content
    assert isinstance(content, TextContent)
    problem: dict[str, Any] = json.loads(content.text)
    return problem


def faults(result: CallToolResult) -> list[tuple[str, str]]:
    """Return the paths and codes of all reported errors."""
    return [(each["where"], each["code"]) for each in problem_in(result)["errors"]]


def refused(connected: Connected) -> list[BaseException]:
    """Return the reason why the connection failed."""
    try:
        results(connected, ("league", {}))
    except BaseExceptionGroup as group:
        return list(_leaves(group))
    except (MCPError, httpx2.HTTPError) as error:
        return [error]
    return []


def _leaves(group: BaseExceptionGroup[Any]) -> Any:
    for each in group.exceptions:
        yield from _leaves(each) if isinstance(each, BaseExceptionGroup) else (each,)
