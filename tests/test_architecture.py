"""Dependencies between packages (docs/architecture.md) that import-linter does not check."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers import layout

ROOT = Path(__file__).parent.parent


def loaded_by(statement: str) -> set[str]:
    """Return the packages that a new interpreter has loaded after this statement."""
    code = f"{statement}\nimport json, sys\nprint(json.dumps(sorted(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], cwd=ROOT, capture_output=True, check=True
    )
    names = {name.partition(".")[0] for name in json.loads(done.stdout)}
    # loaded by NumPy and by the standard library's time zones
    return {name for name in names if "cython" not in name and "_sysconfigdata" not in name}


SETTLING = "import rules; rules.settle({})"
EVERYTHING = (
    "import rules, rules.__main__, rules.presentation.rules_page, rules.documents.documents"
)


@pytest.mark.parametrize("statement", [SETTLING, EVERYTHING])
def test_rules_use_only_python_and_numpy(statement: str) -> None:
    """docs/architecture.md: `rules/` needs only Python and NumPy, and works on its own."""
    loaded = loaded_by(statement)
    ours = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert loaded & ours == {"rules"}
    assert loaded - sys.stdlib_module_names - {"numpy", "rules", "__main__"} <= _hidden()


def _hidden() -> set[str]:
    """Return the packages that an interpreter loads when it starts."""
    return loaded_by("pass")


# Modules and calls that read the time or random values. `datetime.time` is just a type.
CHANGING = re.compile(
    r"^(?:import (?:time|datetime|random)\b|from (?:time|random) import)"
    r"|\.(?:now|utcnow|today)\(",
    re.MULTILINE,
)


def test_rules_do_not_use_time_or_randomness() -> None:
    """docs/architecture.md: the same record always has the same answer."""
    for path in (ROOT / "rules").rglob("*.py"):
        text = path.read_text("utf-8")
        assert not CHANGING.findall(text), path.name


def test_every_folder_is_short_enough_to_scan() -> None:
    """docs/decisions/0028-the-layout.md: a folder has at most sixteen modules."""
    assert not [each for each in layout.crowded() if each[1] > layout.MOST_MODULES]


def test_module_names_occur_at_most_twice_in_a_package() -> None:
    """docs/decisions/0028-the-layout.md: at most two modules of a package have the same name."""
    most = layout.MOST_SAME_NAMES
    assert not [each for each in layout.repeated_names() if len(each[2]) > most]


def test_modules_and_functions_are_short() -> None:
    """docs/decisions/0028-the-layout.md: at most 500 lines in a module and fifty in a function."""
    assert not list(layout.long_modules())
    assert max(each.lines for each in layout.functions()) <= layout.MOST_FUNCTION_LINES


def test_imports_have_no_cycles() -> None:
    """docs/architecture.md: no import cycles, including imports inside functions."""
    assert not layout.circles()


def test_tests_do_not_import_other_tests() -> None:
    """CONTRIBUTING.md: code shared by tests is in `tests/helpers/`."""
    taken = re.compile(
        r"^ *(?:from tests\.[\w.]*\btest_\w+|from tests[\w.]* import test_)", re.MULTILINE
    )
    files = (ROOT / "tests").rglob("*.py")
    assert not [path for path in files if taken.search(path.read_text(encoding="utf-8"))]
