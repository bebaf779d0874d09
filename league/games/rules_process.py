"""Ask the rules about games that strangers wrote, in a process that may end without harm.

What is counted is refused there before it is begun (`rules.game.workload`). Whatever slips through
has limits of memory and processor time, and the clock here; then that process ends, and this one
says that the work is too much. A process is started when it is first needed and asked again and
again. It knows the rules alone: no database, no settings, no secrets.
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

AT_ONCE = 2  # processes that answer
KEPT = 1  # of them while nobody asks
MOST_SECONDS = 8.0  # for one question, by the clock
MOST_WAIT = 5.0  # seconds, while others are answered
_ROOT = Path(rules.__file__).parents[1]
_MAIN = (
    "import sys; sys.path.insert(0, sys.argv[1]); from rules.limited_process import main; main()"
)
# One thread each is quicker for what is asked here, and takes less of the address space.
_ENVIRONMENT = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
_NEEDED = ("PATH", "SYSTEMROOT", "LD_LIBRARY_PATH", "TMPDIR")  # of what the server has

_TOO_LONG = {"too_much": "it takes longer than there is time for it"}

Answer = dict[str, Any]
Process = subprocess.Popen[bytes]
logger = logging.getLogger(__name__)


class TooMuchWorkError(Exception):
    """The question took more time or memory than there is for it."""


class BusyError(RefusedError):
    """Others are answered first, and for longer than anybody waits; asked again it may do."""

    def __init__(self) -> None:
        text = "the games of others are looked at just now: try again in a moment"
        super().__init__([problem("", "busy", text)])


class RulesFailedError(Exception):
    """The rules themselves failed; the text is their traceback."""


def settle_many(records: Sequence[object], *, brief: bool = False) -> list[Answer]:
    """Return what `rules.settle_many` does. Raises TooMuchWorkError, BusyError."""
    asked = {"ask": "settle", "records": list(records), "brief": brief}
    answers: list[Answer] = ask(asked)["answers"]
    return answers


def read_game(*, text: str | None = None, document: object = None) -> Answer:
    """Return what a text, or a document, says: see `limited_process`.

    Raises TooMuchWorkError, BusyError.
    """
    return ask({"ask": "read", **({"document": document} if text is None else {"text": text})})


def ask(question: Answer) -> Answer:
    """Return the answer of a process to a question.

    Raises TooMuchWorkError, BusyError, RulesFailedError.
    """
    with _place():
        answer = _answered(_taken(), question)
    if "too_much" in answer:
        logger.warning("A question to the rules was too much work.")
        raise TooMuchWorkError(f"{TOO_MUCH}: {answer['too_much']}")
    if "broke" in answer:
        raise RulesFailedError(answer["broke"])
    return answer


# Processes


class _Pool:
    """The processes that wait for a question, of this process alone."""

    def __init__(self) -> None:
        self.idle: list[Process] = []
        self.lock = Lock()
        self.places = BoundedSemaphore(AT_ONCE)


_pool = _Pool()


@contextmanager
def _place() -> Iterator[None]:
    places = _pool.places
    if not places.acquire(timeout=MOST_WAIT):
        raise BusyError
    try:
        yield
    finally:
        places.release()


def _taken() -> Process:
    """Return a process that waits, or a new one."""
    with _pool.lock:
        while _pool.idle:
            process = _pool.idle.pop()
            if process.poll() is None:
                return process
            _end(process)
    return _started()


def _started() -> Process:
    environment = {name: os.environ[name] for name in _NEEDED if name in os.environ}
    return subprocess.Popen(  # noqa: S603 (our own code, with this Python)
        [sys.executable, "-I", "-B", "-c", _MAIN, str(_ROOT)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment | _ENVIRONMENT,
    )


def _answered(process: Process, question: Answer) -> Answer:
    """Return the answer of a process, which then waits for the next question or is ended."""
    answer: Answer = {}
    try:
        line = _asked(process, json.dumps(question).encode() + b"\n")
        answer = json.loads(line) if line.endswith(b"\n") else {"last": True, **_TOO_LONG}
    finally:
        if answer.get("last", True) or not _put_back(process):
            _end(process)
    return answer


def _asked(process: Process, line: bytes) -> bytes:
    """Return the line that a process answers with; none or half of it where it ended before."""
    questions, answers = _pipes(process)
    clock = Timer(MOST_SECONDS, process.kill)
    clock.daemon = True
    clock.start()
    try:
        questions.write(line)
        questions.flush()
        return answers.readline()
    except OSError:  # it ended before it had read all
        return b""
    finally:
        clock.cancel()


def _put_back(process: Process) -> bool:
    """Keep a process for the next question; tell whether there is room for it."""
    with _pool.lock:
        if len(_pool.idle) >= KEPT:
            return False
        _pool.idle.append(process)
        return True


def _end(process: Process) -> None:
    """End a process and wait for it, so that nothing of it stays."""
    process.kill()
    _close(process)
    process.wait()


def _close(process: Process) -> None:
    for pipe in _pipes(process):
        with suppress(OSError):  # what was not written yet has nobody to read it
            pipe.close()


def _pipes(process: Process) -> tuple[IO[bytes], IO[bytes]]:
    return cast(IO[bytes], process.stdin), cast(IO[bytes], process.stdout)


def end_all() -> None:
    """End the processes that wait."""
    with _pool.lock:
        while _pool.idle:
            _end(_pool.idle.pop())


def _forget() -> None:
    """Leave the processes of whoever forked this one alone, and begin with none."""
    global _pool
    left, _pool = _pool.idle, _Pool()
    for process in left:
        process.returncode = 0  # not ours to wait for
        _close(process)


atexit.register(end_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
