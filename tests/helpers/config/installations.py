"""Separate installations for tests, on the kind of database that the environment selects."""

import contextlib
import os
import uuid
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
from psycopg import sql

from tests.conftest import forget
from tests.helpers.config.migrated import copy_migrated

Variables = dict[str, str]


@contextlib.contextmanager
def an_installation(data: Path, *, is_new: bool = False, **variables: str) -> Iterator[Variables]:
    """Create a separate installation on the kind of database that the environment selects.

    Its first start migrates the database.
    """
    name = f"served_{uuid.uuid4().hex}"
    if not is_new:
        copy_migrated(data / "league.sqlite3")
    with scratch_database(name) as database_url:
        yield (
            os.environ
            | {
                "DJANGO_SETTINGS_MODULE": "tests.helpers.config.served_settings",
                "DATABASE_URL": database_url,
                "DATA_DIR": str(data),
                "STATIC_ROOT": "",
                "SERVED_QUEUE": name,
                "PYTHONIOENCODING": "utf-8",
            }
            | variables
        )
    if url := os.environ.get("REDIS_URL"):
        forget(url, name)


@contextlib.contextmanager
def scratch_database(name: str) -> Iterator[str]:
    """Create a database if the environment selects PostgreSQL; SQLite needs none."""
    url = os.environ.get("DATABASE_URL", "")
    if not url.startswith("postgres"):
        yield ""
        return
    with psycopg.connect(url, autocommit=True) as server:
        server.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        yield urlsplit(url)._replace(path=f"/{name}").geturl()
        server.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))
