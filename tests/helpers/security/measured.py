"""The cost of a document, measured in a process with limits.

`Measured().cost({"document": ..., "seed": ..., "modifiers": [...]})` returns the processor time in
seconds for checking a game and settling one of its hands, and the memory growth in bytes. A process
is replaced once its memory has grown, so the next growth is measured too.
"""

import json
import os
import resource
import subprocess
import sys
import time
import traceback
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

ROOT = Path(__file__).parents[3]
MOST_CPU = 10  # seconds; work that takes longer counts as this long
MOST_MEMORY = 1 << 30
GROWN = 8 << 20
STATUS = Path("/proc/self/status")


@dataclass(frozen=True)
class Cost:
    seconds: float
    growth: int
    good: bool = False
    broke: str = ""


class Measured:
    """A measuring process, which is replaced when it has ended or grown."""

    def __init__(self, root: Path = ROOT) -> None:
        self.root = root
        self.process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> "Measured":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.end()

    def cost(self, job: dict[str, Any]) -> Cost:
        process = self.process or self._start()
        assert process.stdin
        assert process.stdout
        try:
            process.stdin.write(json.dumps(job).encode() + b"\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except BrokenPipeError:
            line = b""
        if not line.endswith(b"\n"):
            self.end()
            return Cost(float(MOST_CPU), MOST_MEMORY)
        result = Cost(**json.loads(line))
        if result.growth > GROWN:
            self.end()
        return result

    def _start(self) -> subprocess.Popen[bytes]:
        paths = os.pathsep.join(dict.fromkeys([str(self.root), str(ROOT)]))
        self.process = subprocess.Popen(
            [
                sys.executable,
                "-c",
                "from tests.helpers.security.measured import measure; measure()",
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=ROOT / "docs",  # imports the rules from this checkout
            env={"PYTHONPATH": paths, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
        )
        return self.process

    def end(self) -> None:
        if process := self.process:
            process.kill()
            for pipe in (process.stdin, process.stdout):
                if pipe:
                    pipe.close()
            process.wait()
        self.process = None


# --- in the process ----------------------------------------------------------------------------


def measure() -> None:
    from rules import settle  # noqa: F401, PLC0415 - loaded before measuring
    from tests.helpers.laws import records  # noqa: F401, PLC0415

    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for line in sys.stdin.buffer:
        used = int(time.process_time()) + 1 + MOST_CPU
        resource.setrlimit(resource.RLIMIT_CPU, (used, resource.RLIM_INFINITY))
        try:
            cost = _cost(json.loads(line))
        except Exception:  # noqa: BLE001 - reported to the test
            cost = {"seconds": 0.0, "growth": 0, "broke": traceback.format_exc()}
        sys.stdout.buffer.write(json.dumps(cost).encode() + b"\n")
        sys.stdout.buffer.flush()


def _cost(job: dict[str, Any]) -> dict[str, Any]:
    memory, started = reset_peak_memory(), time.process_time()
    good = _checked(job["text"] if "text" in job else job["document"])
    seconds = time.process_time() - started
    if "text" not in job:
        document = _record(job) if good else job["document"]
        again = time.process_time()
        if good:
            _settled(document)
        else:
            _settled({"variant": document, "players": [], "button": 0})
        seconds += time.process_time() - again
    return {"seconds": seconds, "growth": peak_memory() - memory, "good": good}


def _checked(written: Any) -> bool:
    from rules.documents import documents  # noqa: PLC0415
    from rules.presentation import form, rules_page  # noqa: PLC0415

    if documents.check(written):
        return False
    document = documents.parse(written) if isinstance(written, str) else written
    form.form(document)
    rules_page.rules_page(document)
    return True


def _record(job: dict[str, Any]) -> dict[str, Any]:
    """Return the game's most expensive hand, with the most players and odd chips."""
    from random import Random  # noqa: PLC0415

    from tests.helpers.laws.records import record  # noqa: PLC0415

    hand = record(Random(job["seed"]), json.dumps(job["document"]))
    hand["options"] = hand.get("options", {}) | {"odd_chip": "high card"}
    hand["modifiers"] = job["modifiers"]
    return hand


def _settled(record: dict[str, Any]) -> None:
    from rules import settle  # noqa: PLC0415

    json.dumps(settle(record))


def reset_peak_memory() -> int:
    """Return the number of bytes in use, and reset the peak if the system allows it."""
    if not STATUS.exists():
        return peak_memory()
    Path("/proc/self/clear_refs").write_text("5", "ascii")
    return _line("VmRSS")


def peak_memory() -> int:
    """Return the peak memory in bytes since the last reset."""
    if not STATUS.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return _line("VmHWM")


def _line(name: str) -> int:
    found = next(line for line in STATUS.read_text("ascii").splitlines() if name in line)
    return int(found.split()[1]) << 10
