"""`manage.py` commands, each run as a process on the given database."""

import atexit
import functools
import os
from pathlib import Path

from tests.helpers.fork_server import ROOT, Done, ForkServer


def run_command(*words: str, database_url: str, folder: Path = ROOT) -> Done:
    """Run a command in this folder. Return its exit code and output."""
    loaded = _loaded(database_url.partition(":")[0])
    return loaded.run(str(ROOT / "manage.py"), *words, folder=folder, database_url=database_url)


def sqlite_in(folder: Path) -> str:
    """Return the URL of the database that the service stores in this folder."""
    return f"sqlite:///{folder}/league.sqlite3"


@functools.cache
def _loaded(kind: str) -> ForkServer:
    """Return a fork server with production settings for this kind of database, without Redis."""
    environment = {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "REDIS_URL": "",
        "SECRET_KEY": "k" * 50,
    }
    named = "" if kind == "sqlite" else os.environ["DATABASE_URL"]
    server = ForkServer("django", **environment, DATABASE_URL=named)
    atexit.register(server.end)
    return server
