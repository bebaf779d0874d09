"""What every test may use."""

import os
from collections.abc import Iterator

import hypothesis
import pytest
import redis
from django.conf import settings
from hypothesis import HealthCheck

# "ci" draws the same examples every time, so that a red run means a change and not luck.
_patient = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
hypothesis.settings.register_profile("ci", derandomize=True, max_examples=100, **_patient)
hypothesis.settings.register_profile("dev", max_examples=100, **_patient)
hypothesis.settings.register_profile("long", max_examples=5_000, **_patient)
hypothesis.settings.load_profile(
    os.environ.get("HYPOTHESIS_PROFILE", "ci" if "CI" in os.environ else "dev")
)


@pytest.fixture
def running_worker() -> Iterator[None]:
    """Do the tasks that are sent, in a thread; wants `django_db(transaction=True)`."""
    from config.celery import app  # noqa: PLC0415
    from config.embedded import worker  # noqa: PLC0415

    # What tests before this one have sent is not for this worker.
    app.control.purge()
    with worker():
        yield


@pytest.fixture(scope="session", autouse=True)
def _leave_redis_as_it_was() -> Iterator[None]:
    """Delete the queue and the cache of this run, where they outlive it."""
    yield
    if settings.REDIS_URL:
        forget(settings.REDIS_URL, settings.CELERY_TASK_DEFAULT_QUEUE)


def forget(redis_url: str, name: str) -> None:
    """Delete whatever Redis keeps under keys with this name in them."""
    with redis.from_url(redis_url) as store:
        for key in store.scan_iter(f"*{name}*"):
            store.delete(key)
