"""A process of its own that reads and settles games which strangers wrote.

Questions come as lines of JSON on standard input, answers go out the same way. What is counted
(`rules.game.workload`) is bounded already; whatever slips through ends this process and nothing
else. `league.games.rules_process` starts it and ends it.

    {"ask": "settle", "records": [...], "brief": false} {"answers": [...]}
    {"ask": "read", "text": "..."} or {"document": {}}  {"document": {}, "text": "", "problems": []}

A document without problems comes with its `form` and its `rules`.
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

MOST_MEMORY = 512 << 20  # bytes of address space, of which the libraries take a fifth
MOST_CPU = 3  # seconds, for one question
MOST_GROWTH = 64 << 20  # bytes; then the process is of use no more
MOST_QUESTIONS = 1_000

Answer = dict[str, Any]


def main() -> None:
    """Answer one question after the other, until there are no more or memory has grown."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started this decides when it ends
    _bound_memory()
    first = _memory()
    for number, line in enumerate(sys.stdin.buffer, start=1):
        _bound_seconds()
        answer = _answered(line)
        answer["last"] = (
            "too_much" in answer or number >= MOST_QUESTIONS or _memory() - first > MOST_GROWTH
        )
        sys.stdout.buffer.write(json.dumps(answer).encode() + b"\n")
        sys.stdout.buffer.flush()
        if answer["last"]:
            return


def _answered(line: bytes) -> Answer:
    try:
        question = json.loads(line)
        return ANSWERS[question["ask"]](question)
    except MemoryError:
        return {"too_much": "it takes more memory than there is for it"}
    except Exception:  # noqa: BLE001 - told to whoever asked, who can do more about it
        return {"broke": traceback.format_exc()}


def _settle(question: Answer) -> Answer:
    return {"answers": settle_many(question["records"], brief=question["brief"])}


def _read(question: Answer) -> Answer:
    """What a text or a document says, or everything that is wrong with it."""
    if "text" in question:
        return _read_text(question["text"])
    document = question["document"]
    problems = documents.check(document)
    return _told(document, "" if problems else toml_text.as_toml(document), problems)


def _read_text(text: str) -> Answer:
    try:
        document = documents.parse(text)
    except GameError as bad:
        return _told({}, text, bad.problems)
    return _told(document, text, documents.check_text(text, document))


def _told(document: Answer, text: str, problems: Sequence[Problem]) -> Answer:
    if problems:  # what else it says may be nothing that JSON can say
        return {"document": {}, "text": text, "problems": [asdict(problem) for problem in problems]}
    told = {"form": form.form(document), "rules": rules_page.rules_page(document)}
    return {"document": document, "text": text, "problems": [], **told}


ANSWERS: dict[str, Callable[[Answer], Answer]] = {"settle": _settle, "read": _read}


# --- limits, where the platform has them -------------------------------------------------------

try:
    import resource
except ImportError:  # Windows: only the clock of whoever asks bounds this there

    def _bound_memory() -> None: ...
    def _bound_seconds() -> None: ...
    def _memory() -> int:
        return 0
else:

    def _bound_memory() -> None:
        _bound(resource.RLIMIT_CORE, 0)
        _bound(resource.RLIMIT_AS, MOST_MEMORY)

    def _bound_seconds() -> None:
        """So many seconds from now; the kernel ends the process then, whatever it is at."""
        used = resource.getrusage(resource.RUSAGE_SELF)
        _bound(resource.RLIMIT_CPU, int(used.ru_utime + used.ru_stime) + 1 + MOST_CPU)

    def _bound(what: int, most: int) -> None:
        _, hard = resource.getrlimit(what)
        if hard != resource.RLIM_INFINITY:
            most = min(most, hard)
        resource.setrlimit(what, (most, hard))

    def _memory() -> int:
        """The most bytes that the process has held."""
        unit = 1 if sys.platform == "darwin" else 1024
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


if __name__ == "__main__":
    main()
