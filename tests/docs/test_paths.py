"""Paths and modules named in docs, docstrings and comments exist."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = "rules|ledger|league|api|config|bench"
CHECKED = re.compile(
    rf"(?:README|CONTRIBUTING|docs/[\w-]+|docs/decisions/[\w.-]+)\.md"
    rf"|(?!rules/catalog/|.*/migrations/)(?:{PACKAGES})/.*\.(?:py|js|html|toml)|docker/.*"
)
PATH = re.compile(
    r"(?<![\w/.:@%<>{}*$=&?-])/?(?:\.{1,2}/)*"
    r"((?!\.{1,2}/)(?:[\w.-]+/)+[\w.-]+\.(?:py|js|md|toml|html|txt))\b(?![\w/*{<-])"
)
FILE = re.compile(r"`([\w.-]+\.(?:py|js))`")
MODULE = re.compile(rf"`((?:{PACKAGES})(?:\.\w+)+)(?:\(\))?`")
EXCEPTIONS = {
    "service/docker/healthy.py",  # a path inside the image, where the application is in /service
    "pyfpdb/Stats.py",  # a file in fpdb's repository
    "gunicorn.conf.py",  # removed, see the decision on the web server
    "requirements/production.txt",  # removed, see the decision on the web server
    "league.sqlite3",  # the default database file
    "ledger.W001",  # a system check
    "league.Token",  # a model, by its label in Django
}


def tracked() -> list[str]:
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return sorted(path for path in done.stdout.splitlines() if (ROOT / path).is_file())


FILES = tracked()
# A text may shorten a path to its last parts: `controls/cards.js` or `cards.js`. Paths of tests may
# not be shortened to just a file name.
TAILS = {
    "/".join(parts[start:])
    for parts in (path.split("/") for path in FILES)
    for start in range(1 if parts[0] == "tests" else len(parts))
}


def names(text: str) -> Iterator[str]:
    """Yield the paths, file names and modules that a text contains."""
    for pattern in (PATH, FILE, MODULE):
        yield from pattern.findall(text)


def exists(name: str) -> bool:
    return name in TAILS or is_module(name)


def is_module(name: str) -> bool:
    """Return whether a dotted name is a module or package, optionally followed by a name in it."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        base = ROOT.joinpath(*parts[:length])
        for path in (base.with_suffix(".py"), base / "__init__.py"):
            if path.is_file():
                rest = parts[length:]
                return not rest or bool(re.search(rf"\b{rest[0]}\b", path.read_text("utf-8")))
    return False


TEXTS = {path: (ROOT / path).read_text("utf-8") for path in FILES if CHECKED.fullmatch(path)}
NAMES = {path: set(names(text)) - EXCEPTIONS for path, text in TEXTS.items()}


def test_mentioned_paths_exist() -> None:
    missing = [(path, name) for path, named in NAMES.items() for name in named if not exists(name)]
    assert missing == []


@pytest.mark.parametrize("name", sorted(EXCEPTIONS))
def test_exceptions_are_still_needed(name: str) -> None:
    assert not exists(name)
    assert any(name in names(text) for text in TEXTS.values())


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("see gone/cards.py", ["gone/cards.py"]),
        ("[gone](../gone/page.md)", ["gone/page.md"]),
        ("`gone.js`", ["gone.js"]),
        ("`rules.gone.settle`", ["rules.gone.settle"]),
        ("`rules.api.gone_function()`", ["rules.api.gone_function"]),
        ("https://example.org/gone/page.html, <name>/gone.py and gone/*.py", []),
        ("`rules.api.settle_many`, `cards.js` and js/controls/cards.js", []),
    ],
)
def test_missing_files_mentioned_by_name_are_found(text: str, missing: list[str]) -> None:
    assert [name for name in names(text) if not exists(name)] == missing
