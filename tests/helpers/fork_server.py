"""Runs programs in forks of a process that has already loaded their imports.

Loading the service takes seconds of processor time, and a fork takes milliseconds. A program runs
unchanged, with its own arguments, folder, streams and exit code. Only the start of Python itself is
skipped. Other tests do start new processes.
"""

import gc
import json
import os
import runpy
import select
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PATIENCE = 180.0
Done = subprocess.CompletedProcess[bytes]


class ForkServer:
    """A process that has loaded a module, or all of Django, and forks once per program."""

    def __init__(self, loaded: str, *options: str, **environment: str) -> None:
        self.folder = tempfile.TemporaryDirectory()
        words = [sys.executable, *options, "-m", "tests.helpers.fork_server", loaded]
        self.process = subprocess.Popen(
            words,
            cwd=ROOT,
            # NumPy's threads don't survive a fork.
            env=os.environ | {"OPENBLAS_NUM_THREADS": "1"} | environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def run(
        self, program: str, *arguments: str, sent: bytes = b"", folder: Path = ROOT, **asked: Any
    ) -> Done:
        """Run a module, or a file whose name ends in .py, until it ends."""
        stdin, stdout, stderr = (Path(self.folder.name, name) for name in ("in", "out", "err"))
        stdin.write_bytes(sent)
        streams = [str(path) for path in (stdin, stdout, stderr)]
        words = [program, *arguments]
        request = asked | {"words": words, "folder": str(folder), "streams": streams}
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        self.process.stdin.flush()
        ended, _, _ = select.select([self.process.stdout], [], [], PATIENCE)
        assert ended, f"{words} did not end"
        code = int(self.process.stdout.readline())
        return Done(words, code, stdout.read_bytes(), stderr.read_bytes())

    def end(self) -> None:
        with self.process:
            self.process.kill()
        self.folder.cleanup()


# --- in the process ----------------------------------------------------------------------------


def main(loaded: str) -> None:
    if loaded == "django":
        _load_django()
    else:
        import_module(loaded)
    gc.freeze()  # otherwise, each fork would copy the memory that the garbage collector touches
    for line in sys.stdin.buffer:
        request = json.loads(line)
        forked = os.fork()
        if not forked:
            _become(**request)
            return
        code = os.waitstatus_to_exitcode(os.waitpid(forked, 0)[1])
        sys.stdout.write(f"{code}\n")
        sys.stdout.flush()


def _load_django() -> None:
    import django  # noqa: PLC0415 (only on request)
    from django.db.migrations.loader import MigrationLoader  # noqa: PLC0415

    django.setup()
    import_module("config.urls")
    MigrationLoader(None)


def _become(
    words: Sequence[str], folder: str, streams: Sequence[str], database_url: str = ""
) -> None:
    """Run the program in this process, as if Python had just started it."""
    flags = (os.O_RDONLY, *[os.O_WRONLY | os.O_CREAT | os.O_TRUNC] * 2)
    for number, (path, flag) in enumerate(zip(streams, flags, strict=True)):
        os.dup2(os.open(path, flag, 0o600), number)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115 (the old stream has read ahead)
    os.chdir(folder)
    if database_url:
        _use(database_url)
    sys.argv = [*words]
    sys.modules.pop(f"{words[0]}.__main__", None)
    if words[0].endswith(".py"):
        runpy.run_path(words[0], run_name="__main__")
    else:
        runpy.run_module(words[0], run_name="__main__", alter_sys=True)


def _use(database_url: str) -> None:
    """Use this database, which must be of the kind that the service was loaded with."""
    import environ  # noqa: PLC0415
    from django.conf import settings  # noqa: PLC0415
    from django.db import connections  # noqa: PLC0415

    database = environ.Env.db_url_config(database_url)
    for name in ("NAME", "USER", "PASSWORD", "HOST", "PORT"):
        connections.databases["default"][name] = database[name]
    assert connections["default"].connection is None
    if database["ENGINE"].endswith("sqlite3"):  # set up like a separate installation
        settings.BACKUP_DIR = Path(database["NAME"]).parent / "backups"


if __name__ == "__main__":
    main(sys.argv[1])
