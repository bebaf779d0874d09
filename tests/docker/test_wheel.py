"""The wheel contains all files of the service, and runs where it is installed with pip.

Every run builds the wheel and checks its content. The scheduled run installs it: with the locked
packages of the test environment, and with requirements that pip resolves from the registry.
"""

import contextlib
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import sysconfig
import urllib.request
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from league import VERSION
from tests.helpers.config.migrated import copy_migrated
from tests.helpers.fork_server import ROOT

pytestmark = pytest.mark.slow
PACKAGES = ("api/", "config/", "league/", "ledger/", "locale/", "rules/", "templates/")
SETTLE_TYPED = "from rules import settle\nreveal_type(settle({}))\n"
MAKE_A_KEY = """
from league.models import League
from league.people.api_keys import make_link
league = League.objects.get()
print(league.pk, make_link(league, "link", by=None)[1])
"""
ASKED_BY_AN_ASSISTANT = (
    {
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    },
    {"method": "notifications/initialized"},
    {"id": 2, "method": "tools/call", "params": {"name": "league", "arguments": {}}},
)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel from a copy of the checkout."""
    place = tmp_path_factory.mktemp("wheel")
    copy = place / "source"
    listed = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", folder=ROOT)
    for name in filter(None, listed.split("\0")):
        if not name.startswith("tests/") and (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, copy / name)
    pip("wheel", "--no-deps", "--wheel-dir", str(place), str(copy))
    return place / f"dealers_choice-{VERSION}-py3-none-any.whl"


@pytest.fixture(scope="module")
def installed(wheel: Path) -> Path:
    """Install only the wheel, next to the locked packages. Return the path of its command."""
    packages = install(wheel.parent / "environment", "--no-deps", str(wheel))
    (packages / "locked.pth").write_text(sysconfig.get_path("purelib"))
    return wheel.parent / "environment" / "bin" / "dealers-choice"


@pytest.fixture(scope="module")
def extended(wheel: Path) -> Path:
    """Install the wheel with its extras and requirements. Return the path of its command."""
    install(wheel.parent / "extended", f"{wheel}[data,mcp]")
    return wheel.parent / "extended" / "bin" / "dealers-choice"


def install(environment: Path, *words: str) -> Path:
    """Install into a new environment. Return the folder with its packages.

    The environment has no pip, and modules are compiled on import, which halves the processor time.
    """
    run(sys.executable, "-m", "venv", "--without-pip", str(environment))
    pip("--python", str(environment), "install", "--no-compile", *words)
    [packages] = environment.glob("lib/python*/site-packages")
    return packages


def pip(*words: str) -> None:
    """Run pip, which unlike all other commands may access its registry."""
    options = ("--quiet", "--disable-pip-version-check")
    run(sys.executable, "-m", "pip", *options, *words, PYTHONPATH="")


def run(*words: str, folder: Path = Path("/"), **variables: str) -> str:
    done = subprocess.run(
        words, cwd=folder, env=os.environ | variables, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    """Return an empty home folder, as if a user had just installed the wheel."""
    unset = dict.fromkeys(("DATABASE_URL", "REDIS_URL", "XDG_DATA_HOME", "SECRET_KEY"), "")
    return unset | {"HOME": str(tmp_path), "DJANGO_SETTINGS_MODULE": "config.settings"}


@contextlib.contextmanager
def served(command: Path, home: dict[str, str], tmp_path: Path) -> Iterator[str]:
    """Start the service as documented. Yield its address."""
    words = [str(command), "serve", "--port", "0"]
    with subprocess.Popen(
        words, cwd=tmp_path, env=os.environ | home, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout
            yield process.stdout.readline().split()[-1]
        finally:
            process.terminate()


def test_wheel_contains_all_files_of_its_packages_and_its_command(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        packed = set(archive.namelist())
        [commands] = [name for name in packed if name.endswith("/entry_points.txt")]
        assert "dealers-choice = config.console:main" in archive.read(commands).decode()
    tracked = run("git", "ls-files", "-z", folder=ROOT).split("\0")
    ours = {name for name in tracked if name.startswith(PACKAGES) and not name.endswith(".gitkeep")}
    assert len(ours) > 1_000
    assert ours - packed == set()


@pytest.mark.scheduled
def test_installed_wheel_serves_and_stores_its_data_in_the_home_folder(
    installed: Path, home: dict[str, str], tmp_path: Path
) -> None:
    """The database is already migrated. The wheel's commands check that it has all migrations."""
    data = tmp_path / ".local" / "share" / "dealers-choice"
    data.mkdir(parents=True)
    copy_migrated(data / "league.sqlite3")
    assert run(str(installed), "--version", **home) == f"dealers-choice {VERSION}\n"
    with served(installed, home, tmp_path) as service:
        page = get(f"{service}/sign-in")
        styles = re.findall(r'href="(/static/[^"]+\.css)"', page)
        assert styles
        assert all(get(service + each) for each in styles)
        assert "demo" in run(str(installed), "demo", "--hands", "2", **home)
    assert run(str(installed), "audit", **home) == "Everything holds.\n"
    assert (data / "secret-key").exists()
    with contextlib.closing(sqlite3.connect(data / "league.sqlite3")) as database:
        assert database.execute("SELECT count(*) FROM league_hand").fetchone() == (2,)
    python = str(installed.with_name("python"))
    assert len(run(python, "-m", "rules", "games", **home).splitlines()) > 300


@pytest.mark.scheduled
def test_wheel_exposes_the_engines_types(extended: Path, tmp_path: Path) -> None:
    """PEP 561: without `py.typed`, mypy treats everything in the package as `Any`."""
    program, python = tmp_path / "program.py", str(extended.with_name("python"))
    program.write_text(SETTLE_TYPED)
    options = ("--strict", "--cache-dir", os.devnull, "--python-executable", python)
    output = run(sys.executable, "-m", "mypy", *options, str(program), folder=tmp_path)
    assert 'Revealed type is "dict[str, Any]"' in output


@pytest.mark.scheduled
def test_wheel_with_extras_supports_parquet_duckdb_and_the_mcp_server(
    extended: Path, home: dict[str, str], tmp_path: Path
) -> None:
    """The wheel with the extras `[data,mcp]` needs no checkout."""
    command = str(extended)
    with served(extended, home, tmp_path) as service:
        assert "demo" in run(command, "demo", "--hands", "2", **home)
        league, key = run(command, "shell", "--no-imports", "--command", MAKE_A_KEY, **home).split()
        at = f"{service}/api/v1/leagues/{league}/feeds/transfers.parquet?key={key}"
        with urllib.request.urlopen(at, timeout=20) as answer:  # noqa: S310 (our own)
            assert answer.read(4) == b"PAR1"
    file = tmp_path / "league.duckdb"
    assert " transfers" in run(command, "export", "--duckdb", str(file), **home)
    assert file.stat().st_size > 100_000
    response = ask(command, league, home)
    assert json.loads(response[-1])["result"]["structuredContent"]["id"] == league


def ask(command: str, league: str, home: dict[str, str]) -> list[str]:
    """Return the `mcp` command's responses over its pipes, one line each."""
    words = [command, "mcp", "--league", league]
    with subprocess.Popen(
        words, env=os.environ | home, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin
        assert process.stdout
        answers = []
        for message in ASKED_BY_AN_ASSISTANT:
            process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
            process.stdin.flush()
            if "id" in message:
                answers.append(process.stdout.readline())
        process.stdin.close()
    return answers


def get(url: str) -> str:
    with urllib.request.urlopen(url, timeout=20) as answer:  # noqa: S310 (our own)
        return answer.read().decode()
