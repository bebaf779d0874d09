"""Fixtures and hooks for all tests."""

import gc
import os
import tempfile
import time
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest
import redis
from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.test import Client
from hypothesis import HealthCheck
from pytest_django import Settings

from tests.helpers.frame_room import with_room
from tests.helpers.laws.examples import PROFILE, examples
from tests.helpers.stages import is_of_database, is_of_writing
from tests.loopback import guard

# CI always runs the same examples, so that a failure means a change. The scheduled run prints how
# to reproduce a failing example.
hypothesis.settings.register_profile(
    PROFILE,
    max_examples=examples(100),
    derandomize="CI" in os.environ and PROFILE != "long",
    print_blob=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
hypothesis.settings.load_profile(PROFILE)


# `guard` must run before other imports. Processes started by tests inherit the environment.
_folder = tempfile.TemporaryDirectory()
os.environ[guard.FILE] = str(Path(_folder.name) / "refused")
os.environ["PYTHONPATH"] = os.pathsep.join(
    filter(None, [str(Path(guard.__file__).parent), os.environ.get("PYTHONPATH")])
)
guard.install()
# Processes started by tests keep their bytecode. Otherwise each would recompile every module.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that run on both databases (`make test-servers`)."""
    for item in items:
        if is_of_database(item):
            item.add_marker("database")
        elif is_of_writing(item) and not item.get_closest_marker("database"):
            item.add_marker("writes")


def pytest_collection() -> None:
    """Stop garbage collection: a collection creates a million objects, which are all kept."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Exclude loaded objects from garbage collection, and collect less often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000)
    gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    """Run the test in a frame that leaves room on the frame stack: see `with_room`."""
    pyfuncitem.obj = with_room(pyfuncitem.obj)
    return (yield)


def _expect_no_packets() -> None:
    if packets := guard.refused():
        pytest.fail("\n".join(dict.fromkeys(packets)), pytrace=False)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Iterator[None]:
    """Fail a test that tried to send a packet off this machine, even if errors were ignored."""
    yield
    _expect_no_packets()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown() -> Iterator[None]:
    """Fail a test whose setup or teardown tried to send a packet beyond this machine."""
    yield
    _expect_no_packets()


@pytest.fixture(scope="session", autouse=True)
def _signed_in_just_now() -> Iterator[None]:
    """Give test users a recent sign-in. `tests/security` tests old sign-ins."""
    from tests.helpers.fresh import signed_in_at, start_session  # noqa: PLC0415 (settings come first)

    begin = Client.force_login

    def begin_fresh(client: Client, user: AbstractBaseUser, backend: str | None = None) -> None:
        if settings.SESSION_COOKIE_NAME in client.cookies:  # the session is replaced
            begin(client, user, backend)
            signed_in_at(client, user, time.time())
        else:
            start_session(client, user, time.time())

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Client, "force_login", begin_fresh)
        yield


@pytest.fixture
def running_worker() -> Iterator[None]:
    """Run a worker thread that executes sent tasks. Needs `django_db(transaction=True)`."""
    from config.celery import app  # noqa: PLC0415
    from config.server.embedded_service import worker  # noqa: PLC0415

    # Discard tasks from earlier tests.
    app.control.purge()
    with worker():
        yield


@pytest.fixture
def tasks_at_once() -> Iterator[None]:
    """Run each task immediately in the caller, including tasks that it sends."""
    from config.celery import app  # noqa: PLC0415

    before = app.conf.task_always_eager
    app.conf.task_always_eager = True
    yield
    app.conf.task_always_eager = before


@pytest.fixture
def service(settings: Settings) -> Iterator[Any]:
    """Run a local push service, a `Receiver`."""
    from tests.helpers.league.push_service import push_service  # noqa: PLC0415
    from tests.helpers.league.receiver import HERE  # noqa: PLC0415

    settings.WEBHOOK_NETWORKS = [HERE]
    with push_service() as server:
        yield server


@pytest.fixture(scope="session", autouse=True)
def _leave_redis_as_it_was() -> Iterator[None]:
    """Delete this run's queue and cache from Redis."""
    yield
    if settings.REDIS_URL:
        forget(settings.REDIS_URL, settings.CELERY_TASK_DEFAULT_QUEUE)


def forget(redis_url: str, name: str) -> None:
    """Delete all Redis keys with this name in them."""
    with redis.from_url(redis_url) as store:
        for key in store.scan_iter(f"*{name}*"):
            store.delete(key)
