"""Requests to the service within this process, and timing of functions in turns.

Because functions take turns, other load on the machine affects all of them equally. Processor time
includes this process and, if PostgreSQL is on the same machine, its backend process.
"""

import io
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

import psutil

TURNS = 7

Works = Mapping[str, Callable[[], object]]


@dataclass
class Times:
    """A function's times in each turn, in seconds. `worked` is processor time."""

    seconds: list[float] = field(default_factory=list)
    worked: list[float] = field(default_factory=list)

    def add(self, seconds: float, worked: float) -> None:
        self.seconds.append(seconds)
        self.worked.append(worked)

    def __str__(self) -> str:
        return (
            f"{1000 * statistics.median(self.seconds):8.2f} ms"
            f" ({1000 * min(self.seconds):.2f} to {1000 * max(self.seconds):.2f}),"
            f" {1000 * statistics.median(self.worked):.2f} ms of processor time"
        )

    def over(self, floor: "Times") -> str:
        """Return the median and spread of the ratios to the floor's processor time, by turn."""
        ratios = [mine / its for mine, its in zip(self.worked, floor.worked, strict=True)]
        return f"{statistics.median(ratios):.1f} ({min(ratios):.1f} to {max(ratios):.1f})"


def by_turns(works: Works, *, turns: int = TURNS, times: int = 20) -> dict[str, Times]:
    """Call each function `times` times per turn, alternating between them, after a warm-up turn."""
    durations = {name: Times() for name in works}
    for work in works.values():
        work()
    for _ in range(turns):
        for name, work in works.items():
            durations[name].add(*timed([work] * times))
    return durations


def timed(works: Sequence[Callable[[], object]]) -> list[float]:
    """Return the mean wall time and processor time of these calls, in seconds."""
    worked, started = processor_time(), time.perf_counter()
    for work in works:
        work()
    seconds = time.perf_counter() - started
    return [seconds / len(works), (processor_time() - worked) / len(works)]


def processor_time() -> float:
    """Return the total processor time used by this process and its database backend."""
    from django.db import connection  # noqa: PLC0415

    if connection.vendor != "postgresql":
        return time.process_time()
    connection.ensure_connection()
    served = psutil.Process(connection.connection.info.backend_pid).cpu_times()
    return time.process_time() + served.user + served.system


# --- requests ------------------------------------------------------------------------------------


def asking(token: str = "") -> Callable[[str], bytes]:
    """Return a function that requests a URL and returns the body, or exits on an error."""
    stream = streaming(token)
    return lambda address: b"".join(stream(address))


def streaming(token: str = "") -> Callable[[str], Iterator[bytes]]:
    """Return a function that requests a URL and yields the parts of a streamed response."""
    from django.core.handlers.wsgi import WSGIHandler  # noqa: PLC0415 (Django is set up by now)

    service = WSGIHandler()

    def ask(address: str) -> Iterator[bytes]:
        statuses: list[str] = []

        def start(status: str, _: Iterable[tuple[str, str]], __: Any = None) -> Any:
            statuses.append(status)

        answer = service(_environ(address, token), start)
        if int(statuses[0].split()[0]) != HTTPStatus.OK:
            sys.exit(f"{address} was answered with {statuses[0]}")
        yield from answer
        answer.close()

    return ask


def _environ(address: str, token: str) -> dict[str, Any]:
    at, _, query = address.partition("?")
    environ = {
        "REQUEST_METHOD": "GET",
        "PATH_INFO": at,
        "QUERY_STRING": query,
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "HTTP_HOST": "localhost",
        "REMOTE_ADDR": "127.0.0.1",
        "wsgi.input": io.BytesIO(),
        "wsgi.errors": sys.stderr,
        "wsgi.url_scheme": "http",
    }
    return environ | ({"HTTP_AUTHORIZATION": f"Bearer {token}"} if token else {})
