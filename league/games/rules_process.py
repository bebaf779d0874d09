"""Run the rules for user-written games in a separate process that can be killed safely.

The process rejects work whose estimated cost is too high (`rules.game.workload`). Other work has
limits on memory, CPU time and wall-clock time. If a limit is exceeded, the process ends, and the
caller gets TooMuchWorkError. A process starts when it is first needed and is then reused. It can
access only the rules, not the database, settings or secrets.
"""

import atexit
import json
import logging
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import BoundedSemaphore, Lock, Timer
from typing import IO, Any, cast

import rules
from league.common.errors import RefusedError, problem
from rules.api import TOO_MUCH

AT_ONCE = 2  # maximum number of concurrent processes
KEPT = 1  # number of idle processes to keep running
MOST_SECONDS = 8.0  # wall-clock seconds for one call
MOST_WAIT = 5.0  # seconds to wait for a free process
_ROOT = Path(rules.__file__).parents[1]
_MAIN = (
    "import sys; sys.path.insert(0, sys.argv[1]); from rules.limited_process import main; main()"
)
# A single thread is faster for these calls and uses less address space.
_ENVIRONMENT = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
# variables to inherit from the server
_NEEDED = ("PATH", "SYSTEMROOT", "LD_LIBRARY_PATH", "TMPDIR")

_TOO_LONG = {"too_much": "it takes too long"}

Answer = dict[str, Any]
Process = subprocess.Popen[bytes]
logger = logging.getLogger(__name__)


class TooMuchWorkError(Exception):
    """The work exceeded the time or memory limit."""


class BusyError(RefusedError):
    """No process became free in time. A retry may succeed."""

    def __init__(self) -> None:
        text = "the service is checking other games: try again in a moment"
        super().__init__([problem("", "busy", text)])


class RulesFailedError(Exception):
    """The rules raised an unexpected exception. The message contains the traceback."""


def settle_many(records: Sequence[object], *, brief: bool = False) -> list[Answer]:
    """Return the result of `rules.settle_many`. Raises TooMuchWorkError or BusyError."""
    request = {"ask": "settle", "records": list(records), "brief": brief}
    answers: list[Answer] = call_rules(request)["answers"]
    return answers


def read_game(*, text: str | None = None, document: object = None) -> Answer:
    """Return the game in a text or document, in the format of `limited_process`.

    Raises TooMuchWorkError or BusyError.
    """
    return call_rules(
        {"ask": "read", **({"document": document} if text is None else {"text": text})}
    )


def call_rules(question: Answer) -> Answer:
    """Send the call to a process and return its result.

    Raises TooMuchWorkError, BusyError or RulesFailedError.
    """
    answer: Answer = {}
    with _pool.place():
        process = _pool.take()
        try:
            line = _answer_of(process, json.dumps(question).encode() + b"\n")
            answer = json.loads(line) if line.endswith(b"\n") else {"last": True, **_TOO_LONG}
        finally:
            kept = False  # for the next call
            if not answer.get("last", True):
                with _pool.lock:
                    if kept := len(_pool.idle) < KEPT:
                        _pool.idle.append(process)
            if not kept:
                _end(process)
    if "too_much" in answer:
        logger.warning("A request to the rules took too much work.")
        raise TooMuchWorkError(f"{TOO_MUCH}: {answer['too_much']}")
    if "broke" in answer:
        raise RulesFailedError(answer["broke"])
    return answer


# The processes


class _Pool:
    """This server process's idle rules processes."""

    def __init__(self) -> None:
        self.idle: list[Process] = []
        self.lock = Lock()
        self.places = BoundedSemaphore(AT_ONCE)

    @contextmanager
    def place(self) -> Iterator[None]:
        if not self.places.acquire(timeout=MOST_WAIT):
            raise BusyError
        try:
            yield
        finally:
            self.places.release()

    def take(self) -> Process:
        """Take an idle process or start a new one, and return it."""
        with self.lock:
            while self.idle:
                process = self.idle.pop()
                if process.poll() is None:
                    return process
                _end(process)
        environment = {name: os.environ[name] for name in _NEEDED if name in os.environ}
        return subprocess.Popen(  # noqa: S603 (our own code, with this Python)
            [sys.executable, "-I", "-B", "-c", _MAIN, str(_ROOT)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment | _ENVIRONMENT,
        )


_pool = _Pool()


def _answer_of(process: Process, line: bytes) -> bytes:
    """Return the line that the process writes.

    The line is empty or incomplete if the process ended early.
    """
    questions, answers = _pipes(process)
    clock = Timer(MOST_SECONDS, process.kill)
    clock.daemon = True
    clock.start()
    try:
        questions.write(line)
        questions.flush()
        return answers.readline()
    except OSError:  # the process ended before reading all of its input
        return b""
    finally:
        clock.cancel()


def _end(process: Process) -> None:
    """End a process and wait for it, so that it does not become a zombie."""
    process.kill()
    _close(process)
    process.wait()


def _close(process: Process) -> None:
    for pipe in _pipes(process):
        with suppress(OSError):  # unwritten data is lost with the process
            pipe.close()


def _pipes(process: Process) -> tuple[IO[bytes], IO[bytes]]:
    return cast(IO[bytes], process.stdin), cast(IO[bytes], process.stdout)


def end_all() -> None:
    """End the idle processes."""
    with _pool.lock:
        while _pool.idle:
            _end(_pool.idle.pop())


def _forget() -> None:
    """Empty the pool after a fork. The parent's processes keep running."""
    global _pool
    left, _pool = _pool.idle, _Pool()
    for process in left:
        process.returncode = 0  # only the parent process waits for its children
        _close(process)


atexit.register(end_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
