"""The whole service in one process: web server, streams, worker, scheduler, each in a thread.

Each part is a context manager: it is at work inside the block and has ended after it.
"""

import http.client
import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from celery.beat import Service
from celery.worker import WorkController
from django.conf import settings

from config.celery import app
from config.server.stream_server import stream_server
from config.server.waitress_server import create_server
from config.web.request_limits import LARGEST_BODY
from config.wsgi import application
from league.jobs import queues
from league.tasks import QUEUES

WEB_THREADS = 8
START_SECONDS = 20.0
# Together less than the five seconds in which the service must have ended.
LAST_REQUESTS_SECONDS = 2
LAST_TURNS_SECONDS = 2
LAST_TASK_SECONDS = 0.5
# More than the service lets in, so that it refuses in its own words; past this it hangs up.
LARGEST_READ = 4 * LARGEST_BODY
PROXY_HEADERS = {"x-forwarded-for", "x-forwarded-proto"}


@dataclass(frozen=True)
class Address:
    host: str
    port: int


@contextmanager
def web_server(host: str, port: int) -> Iterator[Address]:
    """Answer requests; port 0 takes a free one, and the address says which."""
    listening = _listening(host, port)
    address = Address(*listening.getsockname()[:2])
    with stream_server() as streams:
        server = create_server(
            application,
            listening,
            take_over=streams.take_over,
            threads=WEB_THREADS,
            ident=None,
            max_request_body_size=LARGEST_READ,
            # Behind a proxy that speaks HTTPS, the proxy is believed about the scheme.
            trusted_proxy="*" if settings.BEHIND_HTTPS else None,
            trusted_proxy_headers=PROXY_HEADERS if settings.BEHIND_HTTPS else set(),
        )
        threading.Thread(target=server.run, name="web", daemon=True).start()
        try:
            _wait_for_answer(address)
            yield address
        finally:
            # The listening thread goes on meanwhile: it is the one that sends the last answers.
            server.task_dispatcher.shutdown(timeout=LAST_REQUESTS_SECONDS)


@contextmanager
def streams_alone(host: str, port: int) -> Iterator[Address]:
    """Answer requests for streams, and no others."""
    listening = _listening(host, port)
    address = Address(*listening.getsockname()[:2])
    with stream_server(listening):
        _wait_for_answer(address)
        yield address


@contextmanager
def worker() -> Iterator[None]:
    """Do the tasks that are sent, which wake the queues; these have threads of their own."""
    queues.start()
    ready = threading.Event()
    name = f"embedded-{os.getpid()}@{socket.gethostname()}"
    controller = WorkController(
        app=app,
        hostname=name,
        pool="solo",
        concurrency=1,
        ready_callback=lambda _consumer: ready.set(),
        without_heartbeat=True,
        without_mingle=True,
        without_gossip=True,
    )
    thread = threading.Thread(target=controller.start, name="worker", daemon=True)
    thread.start()
    if not ready.wait(START_SECONDS):
        raise TimeoutError("The worker did not start: is the broker there?")
    try:
        yield
    finally:
        # A message wakes the worker at once, where a flag would be seen after its next poll.
        app.control.shutdown(destination=[name])
        queues.finish(QUEUES, LAST_TURNS_SECONDS)
        thread.join(LAST_TASK_SECONDS)


@contextmanager
def scheduler() -> Iterator[None]:
    """Send the tasks that are due."""
    beat = Service(app, max_interval=1, scheduler_cls=app.conf.beat_scheduler)
    threading.Thread(target=beat.start, name="scheduler", daemon=True).start()
    try:
        yield
    finally:
        # Not waited for: it sleeps up to a second and has nothing to lose.
        beat.stop(wait=False)


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    both = host == "::" and socket.has_dualstack_ipv6()
    return socket.create_server((host, port), family=family, dualstack_ipv6=both, backlog=1024)


def _wait_for_answer(address: Address) -> None:
    """Return when the service answers as a browser would see it."""
    deadline = time.monotonic() + START_SECONDS
    while not _answers(address):
        if time.monotonic() > deadline:
            raise TimeoutError("The service does not answer.")
        time.sleep(0.05)


def _answers(address: Address) -> bool:
    reached = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(address.host, address.host)  # noqa: S104
    connection = http.client.HTTPConnection(reached, address.port, timeout=START_SECONDS)
    try:
        connection.request("GET", "/healthz", headers={"Host": "localhost"})
        return connection.getresponse().status == http.HTTPStatus.OK
    except OSError:
        return False
    finally:
        connection.close()
