"""PostgreSQL, Redis and service processes that the tests start and kill."""

import contextlib
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import psycopg
import redis

ROOT = Path(__file__).parents[2]
# Maximum number of seconds to wait for anything, chosen for a busy machine. A worker takes up to 30
# s to reconnect to its broker, and a sweep runs every 20 s.
PATIENCE = 180.0
# initdb and postgres can't be run as root.
SERVANT = "postgres"


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def wait_until(holds: Callable[[], object], what: str, *, within: float = PATIENCE) -> None:
    deadline = time.monotonic() + within
    while not holds():
        assert time.monotonic() < deadline, f"waited in vain for {what}"
        time.sleep(0.05)


def listens(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False


def _as_servant() -> Sequence[str]:
    return ["setpriv", f"--reuid={SERVANT}", "--clear-groups"] if os.geteuid() == 0 else []


@dataclass
class Cluster:
    """A separate PostgreSQL server."""

    folder: Path
    port: int = field(default_factory=free_port)

    @property
    def url(self) -> str:
        return f"postgres://postgres@127.0.0.1:{self.port}/postgres"

    def make(self) -> None:
        if _as_servant():
            shutil.chown(self.folder, SERVANT)
        self._run("initdb", "-D", "data", "-U", "postgres", "-A", "trust", "-E", "UTF8")
        self.start()

    def start(self) -> None:
        options = f"-p {self.port} -k {self.folder} -c listen_addresses=127.0.0.1"
        options += " -c max_connections=60 -c shared_buffers=32MB"
        self._run("pg_ctl", "-D", "data", "-l", "log", "-w", "-o", options, "start")

    def crash(self) -> None:
        """Stop the server as a power failure would. The next start replays its log."""
        self._run("pg_ctl", "-D", "data", "-m", "immediate", "-w", "stop")

    def _run(self, program: str, *words: str) -> None:
        programs = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{program}"))
        path = str(programs[-1]) if programs else shutil.which(program)
        assert path, f"{program} of PostgreSQL is not on this machine"
        done = subprocess.run(
            [*_as_servant(), path, *words],
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.STDOUT,
            check=False,
        )
        assert done.returncode == 0, f"{program} failed: see {self.folder}"


@dataclass
class Store:
    """A separate Redis server, which loses all data when it stops."""

    folder: Path
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        program = shutil.which("redis-server")
        assert program, "redis-server is not on this machine"
        words = [program, "--port", str(self.port), "--bind", "127.0.0.1", "--save", ""]
        words += ["--appendonly", "no", "--dir", str(self.folder)]
        self.process = subprocess.Popen(words, stdout=subprocess.DEVNULL)
        wait_until(lambda: listens(self.port), "Redis")

    def crash(self) -> None:
        assert self.process
        self.process.kill()
        self.process.wait()

    def flush(self) -> None:
        with redis.from_url(self.url) as client:
            client.flushall()


@dataclass
class Machine:
    """The environment variables and logs shared by the processes of one installation."""

    variables: dict[str, str]
    folder: Path
    operator: subprocess.Popen[str] | None = None

    def rows(self, sql: str) -> list[tuple[object, ...]]:
        with psycopg.connect(self.variables["DATABASE_URL"]) as connection:
            return connection.execute(sql).fetchall()  # type: ignore[call-overload,no-any-return]

    def run(self, *words: str) -> str:
        """Run a management command. Return its output."""
        if self.operator is None or self.operator.poll() is not None:
            self.operator = self._at_the_desk()
        assert self.operator.stdin
        assert self.operator.stdout
        self.operator.stdin.write(json.dumps(words) + "\n")
        self.operator.stdin.flush()
        readable, _, _ = select.select([self.operator.stdout], [], [], PATIENCE)
        assert readable, f"waited in vain for {words}"
        done = json.loads(self.operator.stdout.readline())
        assert not done["failed"], f"{words}: {done['said'][-2000:]}{done['failed'][-2000:]}"
        return str(done["said"])

    def _at_the_desk(self) -> subprocess.Popen[str]:
        """Start a process that runs many commands, which loads the service only once."""
        return subprocess.Popen(
            [sys.executable, "-m", "tests.faults.operator"],
            cwd=ROOT,
            env=self.variables,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def leave(self) -> None:
        """Stop the process that runs commands."""
        if self.operator:
            with self.operator:  # closes its connections after each command
                self.operator.kill()

    def start(self, *words: str, **variables: str) -> psutil.Popen:
        with (self.folder / "said").open("ab") as log:
            return psutil.Popen(
                [sys.executable, *words],
                cwd=ROOT,
                env=self.variables | variables,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def web(self, **variables: str) -> "Web":
        port = free_port()
        words = ["manage.py", "serve", "--only-web", "--processes", "2", "--threads", "4"]
        words += ["--port", str(port)]
        return Web(self.start(*words, **variables), port)

    def worker(self, **variables: str) -> psutil.Popen:
        words = ["-m", "celery", "-A", "config", "worker", "--concurrency", "2"]
        return self.start(*words, "--without-gossip", "--without-mingle", **variables)

    def beat(self, **variables: str) -> psutil.Popen:
        return self.start("-m", "celery", "-A", "config", "beat", **variables)


@dataclass
class Web:
    process: psutil.Popen
    port: int

    def wait(self) -> None:
        wait_until(lambda: len(self.workers) == 2 and listens(self.port), "web processes")

    @property
    def workers(self) -> list[psutil.Process]:
        return children(self.process)


def children(process: psutil.Process) -> list[psutil.Process]:
    with contextlib.suppress(psutil.NoSuchProcess):
        return [each for each in process.children() if each.is_running()]
    return []


def kill_all(process: psutil.Popen) -> None:
    """Kill the process and all its children with one signal."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@contextlib.contextmanager
def until_the_end(*processes: psutil.Popen) -> Iterator[None]:
    """Kill the processes at the end of the block."""
    try:
        yield
    finally:
        for each in processes:
            kill_all(each)
