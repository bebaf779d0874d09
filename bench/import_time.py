"""Times `import rules` relative to NumPy, in new processes.

python bench/import_time.py [--turns 11]

Prints milliseconds of processor time for `import numpy`, then for `import rules` after it, as
medians of the turns, and their ratio with its spread. Compiled modules are cached in a temporary
folder.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]
TURNS = 11
CODE = """
from time import process_time_ns as now
started = now()
import numpy
between = now()
import rules
print(between - started, now() - between)
"""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python bench/import_time.py", description=__doc__)
    parser.add_argument("--turns", type=int, default=TURNS)
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": folder, "OPENBLAS_NUM_THREADS": "1"}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        imported(environment)  # the first run compiles the modules
        turns = [imported(environment) for _ in range(options.turns)]
    numpy, rules = (median(times) / 1e6 for times in zip(*turns, strict=True))
    ratios = [above / under for under, above in turns]
    print(f"import numpy {numpy:.0f} ms, import rules above it {rules:.0f} ms")
    spread = f"{min(ratios):.2f} to {max(ratios):.2f}"
    print(f"importing `rules` after NumPy takes {median(ratios):.2f} times as long ({spread})")


def imported(environment: dict[str, str]) -> tuple[int, int]:
    command = [sys.executable, "-c", CODE]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=True)  # noqa: S603
    numpy, rules = map(int, done.stdout.split())
    return numpy, rules


if __name__ == "__main__":
    main()
