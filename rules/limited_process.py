"""A separate process that parses and settles games from untrusted documents.

Requests are lines of JSON on standard input, and answers are lines on standard output. Limits
(`rules.game.workload`) apply before the work. If a limit fails to prevent too much work, only this
process ends. `league.games.rules_process` starts and ends it.

    {"ask": "settle", "records": [...], "brief": false} {"answers": [...]}
    {"ask": "read", "text": "..."} or {"document": {}}  {"document": {}, "text": "", "problems": []}

The answer for a document without problems includes its `form` and its `rules`.
"""

import json
import signal
import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

from rules.api import settle_many
from rules.documents import documents, toml_text
from rules.errors import GameError, Problem
from rules.presentation import form, rules_page

MOST_MEMORY = 512 << 20  # address space in bytes; the libraries use a fifth of it
MOST_CPU = 3  # CPU seconds per request
MOST_GROWTH = 64 << 20  # the process is replaced once its memory grows by this many bytes
MOST_QUESTIONS = 1_000

Answer = dict[str, Any]


def main() -> None:
    """Answer requests until there are no more, or until memory has grown too much."""
    # the parent process decides when this process ends
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _bound_memory()
    first = _memory()
    for number, line in enumerate(sys.stdin.buffer, start=1):
        _bound_seconds()
        try:
            question = json.loads(line)
            answer = ANSWERS[question["ask"]](question)
        except MemoryError:
            answer = {"too_much": "it needs more memory than is available"}
        except Exception:  # noqa: BLE001 - reported to the caller, who can handle it
            answer = {"broke": traceback.format_exc()}
        answer["last"] = (
            "too_much" in answer or number >= MOST_QUESTIONS or _memory() - first > MOST_GROWTH
        )
        sys.stdout.buffer.write(json.dumps(answer).encode() + b"\n")
        sys.stdout.buffer.flush()
        if answer["last"]:
            return


def _settle(question: Answer) -> Answer:
    return {"answers": settle_many(question["records"], brief=question["brief"])}


def _read(question: Answer) -> Answer:
    """Return the parsed document with all problems."""
    if "text" in question:
        text = question["text"]
        try:
            document = documents.parse(text)
        except GameError as bad:
            return _reading({}, text, bad.problems)
        return _reading(document, text, documents.check_text(text, document))
    document = question["document"]
    problems = documents.check(document)
    return _reading(document, "" if problems else toml_text.as_toml(document), problems)


def _reading(document: Answer, text: str, problems: Sequence[Problem]) -> Answer:
    if problems:  # the document may contain values that JSON can't represent
        return {"document": {}, "text": text, "problems": [asdict(problem) for problem in problems]}
    reading = {"form": form.form(document), "rules": rules_page.rules_page(document)}
    return {"document": document, "text": text, "problems": [], **reading}


ANSWERS: dict[str, Callable[[Answer], Answer]] = {"settle": _settle, "read": _read}


# --- platform-specific limits ---------------------------------------------------------------------

try:
    import resource
except ImportError:  # on Windows, only the parent process's timeout applies

    def _bound_memory() -> None: ...
    def _bound_seconds() -> None: ...
    def _memory() -> int:
        return 0
else:

    def _bound_memory() -> None:
        _bound(resource.RLIMIT_CORE, 0)
        _bound(resource.RLIMIT_AS, MOST_MEMORY)

    def _bound_seconds() -> None:
        """Limit the CPU time from now on. The kernel ends the process after that."""
        used = resource.getrusage(resource.RUSAGE_SELF)
        _bound(resource.RLIMIT_CPU, int(used.ru_utime + used.ru_stime) + 1 + MOST_CPU)

    def _bound(what: int, most: int) -> None:
        _, hard = resource.getrlimit(what)
        if hard != resource.RLIM_INFINITY:
            most = min(most, hard)
        resource.setrlimit(what, (most, hard))

    def _memory() -> int:
        """Return the peak memory of the process in bytes."""
        unit = 1 if sys.platform == "darwin" else 1024
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


if __name__ == "__main__":
    main()
