"""Which package may know which (DESIGN.md, "The house"); import-linter holds the rest."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def loaded_by(statement: str) -> set[str]:
    """The packages that a fresh interpreter has after a statement."""
    code = f"{statement}\nimport json, sys\nprint(json.dumps(sorted(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], cwd=ROOT, capture_output=True, check=True
    )
    names = {name.partition(".")[0] for name in json.loads(done.stdout)}
    return {name for name in names if "cython" not in name}  # these come with NumPy


SETTLING = "import rules; rules.settle({})"
EVERYTHING = "import rules, rules.__main__, rules.forms, rules.pages, rules.documents"


@pytest.mark.parametrize("statement", [SETTLING, EVERYTHING])
def test_the_rules_are_python_and_numpy_alone(statement: str) -> None:
    """DESIGN.md: `rules/` is pure Python and NumPy; it can be lifted out and published alone."""
    loaded = loaded_by(statement)
    ours = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert loaded & ours == {"rules"}
    assert loaded - sys.stdlib_module_names - {"numpy", "rules", "__main__"} <= _hidden()


def _hidden() -> set[str]:
    """What an interpreter loads at its start, before any statement."""
    return loaded_by("pass")


# A module that says what changes, or a call that asks for it; `datetime.time` is but a value.
CHANGING = re.compile(
    r"^(?:import (?:time|datetime|random)\b|from (?:time|random) import)"
    r"|\.(?:now|utcnow|today)\(",
    re.MULTILINE,
)


def test_no_module_of_the_rules_reads_the_time_or_chance_of_the_day() -> None:
    """DESIGN.md: pure. The same record has the same answer, today and in ten years."""
    for path in (ROOT / "rules").rglob("*.py"):
        text = path.read_text("utf-8")
        assert not CHANGING.findall(text), path.name


def test_no_file_of_the_rules_is_longer_than_it_can_be_read() -> None:
    """DESIGN.md: split a file that grows past about 300 lines of code by meaning."""
    for path in (ROOT / "rules").rglob("*.py"):
        code = [line for line in path.read_text("utf-8").splitlines() if line.strip()]
        assert len(code) < 400, path.name
