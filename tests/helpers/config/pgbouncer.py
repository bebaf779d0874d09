"""A PgBouncer in front of the tests' PostgreSQL server."""

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.db import connection

PROGRAM = shutil.which("pgbouncer", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
CONFIGURATION = """
[databases]
* = {server}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {listens}
unix_socket_dir =
auth_type = any
pool_mode = {mode}
default_pool_size = {servers}
"""


@contextmanager
def through_pgbouncer(
    folder: Path, *, mode: str = "transaction", servers: int = 1
) -> Iterator[None]:
    """Route connections opened inside the block through PgBouncer.

    `servers` is the number of connections that it opens to the server.
    """
    if connection.vendor != "postgresql":
        pytest.skip("PgBouncer is for PostgreSQL (DATABASE_URL)")
    if not PROGRAM and "CI" not in os.environ:
        pytest.skip("PgBouncer is not installed (apt-get install pgbouncer)")
    assert PROGRAM, "PgBouncer is not installed"
    database, listens = connection.settings_dict, _free_port()
    file = folder / "pgbouncer.ini"
    given = {"host": database["HOST"], "port": database["PORT"] or 5432, "user": database["USER"]}
    if database["PASSWORD"]:
        given["password"] = database["PASSWORD"]
    server = " ".join(f"{name}={value}" for name, value in given.items())
    file.write_text(
        CONFIGURATION.format(server=server, listens=listens, mode=mode, servers=servers)
    )
    for each in (file, *file.parents[:3]):  # PgBouncer can't be run as root
        each.chmod(0o755)
    as_nobody = ("--user", "nobody") if os.getuid() == 0 else ()
    with subprocess.Popen([PROGRAM, *as_nobody, "--quiet", str(file)]) as process:
        connection.close()
        was = database["HOST"], database["PORT"]
        database["HOST"], database["PORT"] = "127.0.0.1", listens
        try:
            _wait_for(listens)
            yield
        finally:
            connection.close()
            database["HOST"], database["PORT"] = was
            process.terminate()


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])


def _wait_for(port: int) -> None:
    for _ in range(100):
        with socket.socket() as asking:
            if asking.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise TimeoutError("PgBouncer does not listen.")
