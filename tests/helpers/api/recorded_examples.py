"""Exchanges in the OpenAPI document, recorded from a league that is the same in every run.

Random values come from a seed, and the clock is frozen.
"""

import json
import os
import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

import pytest
import time_machine
from django.apps import apps
from django.core.management.color import no_style
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.urls import resolve

from api.openapi.reference import document
from api.openapi.schema import operations
from league.closing.close import Decisions, close_night
from league.models import Role, Scope, Tournament
from league.recording.conflicts import keep_hand
from league.recording.record import record_hand
from league.stats.count import count_marked
from tests.helpers.api.routes import address, bodies, routes
from tests.helpers.api.sample_league import World, a_world, furnish, with_token
from tests.helpers.league.leagues import a_league, a_user, holdem

MOMENT = datetime(2026, 3, 2, 20, 15, tzinfo=UTC)
BASE = "/api/v1/"
# Operations that require a session: creating or joining a league.
BY_SESSION = {
    "create_league",
    "get_invitation",
    "accept_invitation",
    "get_join_code",
    "join_league",
}
# A seal depends on the order of the rows, which differs between databases.
SEALED = {"close_night", "get_closing", "get_receipt", "get_shared_receipt"}
SEAL = re.compile(
    r'(?<="(?:hash|seal)": ")\w{64}|(?<=\\"hash\\":\\")\w{64}|(?<=\\"previous\\":\\")\w{64}'
    r'|(?<="signature": ")[\w-]+'
)
SHOWN = 3  # number of rows to keep from a long list, or lines from a text
SEASON = """\
{"format": "dealers-choice season", "version": 6, "league": {"name": "Tuesday", \
"time_zone": "UTC", "currency": "USD", "chip_value": 1, "closing_hour": 6, \
"settles": "night", "uncounted": "wait", "leftover": "back"}}
{"row": "Season", "id": 1, "name": "Season 1", "starts_on": "2026-03-02", "ends_on": null, \
"scoring": "net", "points": [], "best_nights": null}
{"row": "Player", "id": 1, "name": "ann", "is_guest": false}
{"row": "Player", "id": 2, "name": "bob", "is_guest": false}
"""


@contextmanager
def same_chance(seed: str) -> Iterator[None]:
    """Take ids, tokens and codes from a seeded generator."""
    drawn = random.Random(seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "urandom", drawn.randbytes)
        patch.setattr(random, "_urandom", drawn.randbytes)
        yield


@contextmanager
def at_the_moment() -> Iterator[None]:
    with time_machine.travel(MOMENT, tick=False):
        yield


def the_league() -> World:
    """Create a league with an object of every kind, the same in every run."""
    count_anew()
    with same_chance("the league"):
        world = a_world()
        furnish(world)
        count_marked(world.league.pk)
    return world


def count_anew() -> None:
    """Reset the sequences to the existing rows, because PostgreSQL does not reuse numbers."""
    with connection.cursor() as cursor:
        for command in connection.ops.sequence_reset_sql(no_style(), apps.get_models()):
            cursor.execute(command)


def prepare(operation: str, world: World) -> tuple[Client, World]:
    """Prepare the league for the operation. Return the client and the data."""
    count_anew()
    if "tournament" in operation:  # the tournament is cancelled in the sample league
        Tournament.objects.update(called_off_at=None)
    if operation in BY_SESSION:
        client = Client()
        client.force_login(a_user())
        return client, world
    if operation == "import_season":  # an import requires an empty league
        world = replace(world, league=a_league())
    if operation in {"check_closing", "create_season_payment_plan"}:  # requires decided conflicts
        keep_hand(world.hand, by=None)
    if operation == "create_season_payment_plan":  # requires that all nights are closed
        close_night(world.night, uuid4(), by=None, decisions=Decisions(by_hands=True))
    if operation == "undo_hand":  # only a recently saved hand can be undone
        world = replace(world, hand=record_hand(world.night, uuid4(), holdem(), by=None).hand)
    return with_token(world.league, Role.HOST, Scope.MANAGE), world


def exchange_of(operation: "Operation", world: World) -> dict[str, Any]:
    """Return an example request for the operation, with the body from `routes`."""
    [route] = [item for item in routes() if path_of(str(item.pattern)) == operation.path]
    name = str(route.name)
    parameters = {key: str(item) for key, item in resolve(address(world, name)).kwargs.items()}
    request: dict[str, Any] = {"path": parameters} if parameters else {}
    body = bodies(world).get((name, operation.method))
    if operation.name == "import_season":
        body = SEASON
    if operation.media_type:
        request["asked"] = {} if body is None else body
    return request


@dataclass(frozen=True)
class Operation:
    """An operation of the OpenAPI document."""

    path: str
    method: str
    told: dict[str, Any]

    @property
    def name(self) -> str:
        return str(self.told["operationId"])

    @property
    def media_type(self) -> str | None:
        return next(iter(self.told.get("requestBody", {}).get("content", {})), None)


# A stream has no end. Its example is tested in tests/api/streams.
ENDLESS = {"follow_league"}


def by_name() -> dict[str, Operation]:
    return {
        described["operationId"]: Operation(path, method, described)
        for path, method, described in operations(document())
        if described["operationId"] not in ENDLESS
    }


def play(client: Client, operation: Operation, asked: dict[str, Any]) -> HttpResponse:
    """Send an exchange's request, given by `path`, `query` and `asked`."""
    address = operation.path.format(**asked.get("path", {}))
    if asked.get("query"):
        address += f"?{urlencode(asked['query'])}"
    if "asked" not in asked:
        return getattr(client, operation.method)(address)
    body = asked["asked"]
    text = body if isinstance(body, str) else json.dumps(body)
    return getattr(client, operation.method)(address, text, content_type=operation.media_type)


def answered(answer: HttpResponse) -> dict[str, Any]:
    """Return the part of a response to display.

    Binary content is omitted, and long text is shortened.
    """
    content = b"".join(answer) if answer.streaming else answer.content
    kind = answer["Content-Type"].partition(";")[0] if content else ""
    response: dict[str, Any] = {"status": answer.status_code}
    if kind in {"application/json", "application/problem+json"}:
        response["answer"] = json.loads(content)
        if isinstance(response["answer"], dict) and isinstance(
            response["answer"].get("results"), list
        ):
            response["answer"]["results"] = response["answer"]["results"][:SHOWN]
    elif kind and "parquet" not in kind:
        response["answer"] = "".join(content.decode().splitlines(keepends=True)[:SHOWN])
    return response


def written(operation: str, exchanges: list[dict[str, Any]]) -> str:
    example = {"operation": operation, "exchanges": exchanges}
    text = json.dumps(example, indent=1, ensure_ascii=False, sort_keys=True) + "\n"
    return without_seal(text) if operation in SEALED else text


def without_seal(text: str) -> str:
    """Return the text with zeros in place of a closing's seal and signature."""
    return SEAL.sub(lambda found: "0" * len(found[0]), text)


def path_of(pattern: str) -> str:
    return BASE + re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", pattern)
