"""Fixtures for the security tests, including servers for load tests."""

import contextlib
import resource
from collections.abc import Iterator

import pytest

from tests.api.conftest import doors, world
from tests.helpers.security.servers import Start, a_server

__all__ = ["doors", "world"]


@pytest.fixture(scope="session")
def start(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Start]:
    """Return a function that starts each kind of server once and returns its port."""
    data = tmp_path_factory.mktemp("data")
    ports: dict[tuple[str, str], int] = {}
    with contextlib.ExitStack() as running:

        def started(server: str, seconds: str) -> int:
            if (server, seconds) not in ports:
                ports[server, seconds] = running.enter_context(a_server(server, seconds, data))
            return ports[server, seconds]

        yield started


@pytest.fixture(autouse=True)
def _files_enough() -> None:
    """Raise the limit of open files for several hundred connections."""
    least, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(least, min(most, 4096)), most))
