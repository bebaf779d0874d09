"""All responses that a visitor of the sample league can get."""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any
from uuid import uuid4

from django.db import transaction
from django.test import Client

from tests.helpers.api.routes import RULES, address, bodies
from tests.helpers.api.sample_league import World
from tests.helpers.security.pages import filled, pages


def all_responses(
    world: World, client: Client, *, sends: bool = True, **fields: str
) -> Iterator[tuple[str, str, bytes]]:
    """Yield each URL, method, and response with its headers. All changes are rolled back.

    `sends` also sends every form, with these fields, and every API request that writes.
    """
    form = {"key": str(uuid4()), **fields}
    for route in pages():
        at = filled(world, route)
        yield at, "get", response_body(client, "get", at)
        if sends:
            yield at, "post", response_body(client, "post", at, form)
    values = bodies(world)
    for name, method in RULES:
        if "token" not in name and (sends or method == "get"):
            at, body = address(world, name), values.get((name, method))
            yield at, method, response_body(client, method, at, body)


def response_body(client: Client, method: str, at: str, body: Any = None) -> bytes:
    """Send a request, undo its changes, and return the response's headers and body."""
    signed_in = deepcopy(client.cookies)  # one of the requests signs out the visitor
    kind = {"content_type": "application/json"} if "/api/" in at and method != "get" else {}
    with transaction.atomic():
        answer = getattr(client, method)(at, body, **kind)
        text = b"".join(answer) if answer.streaming else answer.content
        heads = str(dict(answer.headers)).encode()
        transaction.set_rollback(True)
    client.cookies = signed_in
    return bytes(heads + text)
