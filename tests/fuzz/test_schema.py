"""Random requests to every operation cause no server error and no undocumented response."""

import json
import os
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import hypothesis
import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from hypothesis import HealthCheck
from schemathesis import GenerationMode
from schemathesis.generation.meta import TestPhase

from api.streams.admission import ADMISSION, Admission, Places
from config.wsgi import application
from league.archive.file_format import MEDIA_TYPE
from league.models import Role, Scope
from tests.helpers.api.sample_league import World, with_token
from tests.helpers.league.leagues import holdem

pytestmark = pytest.mark.fuzz

EXAMPLES = int(os.environ.get("API_EXAMPLES", "3"))
# The schema of an operation has up to 1,400 shapes of a request. Every run sends the first ones and
# one in SHARE of the others. The nightly run sends all.
FIRST, SHARE = 30, int(os.environ.get("API_SHARE", "16"))
# There is no client here to decompress responses.
HEADERS = {"Accept-Encoding": "identity"}


def _with_streams(environ: dict[str, Any], start: Any) -> Any:
    """Call the service as the streaming process does. Readers sign in but get no events."""
    return application({**environ, ADMISSION: Admission(Places())}, start)


schema = schemathesis.openapi.from_wsgi("/api/v1/schema", _with_streams)
schema.config.generation.update(modes=list(GenerationMode))
# A body can match the schema without being a valid hand or game. It is then rejected with 400.
schema.config.checks.positive_data_acceptance.expected_statuses = [
    "2xx",
    "304",
    "400",
    "401",
    "403",
    "404",
    "409",
    "422",
]


@schemathesis.serializer(MEDIA_TYPE)
def _as_lines(_context: schemathesis.SerializationContext, value: Any) -> bytes:
    """Serialize a season file: text with one JSON value per line."""
    text = value if isinstance(value, str) else json.dumps(value, default=str)
    return text.encode("utf-8", "replace")


class _Now:
    """The league of the current test."""

    world: World
    token: str


# The number of shapes seen so far, by operation.
_shapes: Counter[str] = Counter()


@pytest.fixture
def _world(world: World, db: None) -> Iterator[None]:
    """Reset the league, and keep the database connection open for the service."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    _Now.world = world
    client = with_token(_Now.world.league, Role.HOST, Scope.MANAGE)
    _Now.token = client.defaults["HTTP_AUTHORIZATION"]
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


def _ask_about_what_is_there(case: schemathesis.Case) -> None:
    """Replace random ids in valid requests with real ones, since unknown ids are rejected early."""
    if case.meta is None or case.meta.generation.mode != GenerationMode.POSITIVE:
        return
    chance = Random(str(case.path_parameters) + str(case.body))
    ids = _Now.world.ids()
    for name in case.path_parameters or {}:
        if name in ids and chance.random() < 0.8:
            case.path_parameters[name] = str(ids[name])
    if isinstance(case.body, dict):
        _fill(case.body, chance)


def _fill(body: dict[str, Any], chance: Random) -> None:
    for name, value in (("player", str(_Now.world.ann.pk)), ("record", holdem())):
        if name in body and chance.random() < 0.7:
            body[name] = value


def _is_asked(case: schemathesis.Case) -> bool:
    """Return whether this run sends the case. The choice is the same in every run."""
    if case.meta is None or case.meta.phase.name != TestPhase.COVERAGE:
        return True
    number = _shapes[case.operation.label]
    _shapes[case.operation.label] += 1
    return number < FIRST or number % SHARE == 0


@pytest.mark.usefixtures("_world")
@schema.parametrize()
@hypothesis.settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
def test_responses_match_the_api_schema(case: schemathesis.Case) -> None:
    if not _is_asked(case):
        return
    _ask_about_what_is_there(case)
    case.call_and_validate(headers=HEADERS | {"Authorization": _Now.token})
