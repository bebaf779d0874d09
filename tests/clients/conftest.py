"""A league on a running service, and the documented commands for its clients."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from pytest_django.live_server_helper import LiveServer

from league.models import Role, Scope
from tests.helpers.api.sample_league import World, a_world, with_token
from tests.helpers.browser.chromium import CHROMIUM, QUIET

HERE = Path(__file__).parent
ONLY_HERE = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"


@dataclass(frozen=True)
class Service:
    """A service with a league, and a token that may record."""

    url: str
    world: World
    token: str


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test in this folder, so that only `make test-clients` runs it, not `make test`."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker("clients")


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Block all requests to other hosts."""
    return browser_type_launch_args | {"executable_path": CHROMIUM, "args": [*QUIET, ONLY_HERE]}


@pytest.fixture
def service(transactional_db: None, live_server: LiveServer) -> Service:
    cache.clear()
    world = a_world()
    program = with_token(world.league, Role.HOST, Scope.RECORD)
    token = program.defaults["HTTP_AUTHORIZATION"].partition(" ")[2]
    return Service(live_server.url, world, token)
