"""`manage.py serve` runs the service in one process until a signal stops it."""

import os
import signal
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from io import StringIO
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

import segno
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection

from config.environment.variables import BASE_DIR
from config.observability.monitoring import reach_database
from config.server.local_addresses import local_address
from config.web.static_files import HashedFiles, is_collected, store_source_hash
from league.management.base_command import ServiceCommand, refusal, unmigrated

if TYPE_CHECKING:
    from config.server.web_server import Address

EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104


class Command(ServiceCommand):
    help = "Run the web server, the streams, a worker and the scheduler in one process."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="0.0.0.0 lets phones connect")
        parser.add_argument("--port", type=int, default=8000, help="0 means any free port")
        parser.add_argument(
            "--prepare",
            action="store_true",
            help="migrate first (always done for SQLite)",
        )
        alone = parser.add_mutually_exclusive_group()
        alone.add_argument("--only-web", action="store_true", help="no worker and no scheduler")
        alone.add_argument("--only-streams", action="store_true", help="only the streams")
        parser.add_argument(
            "--processes",
            type=int,
            default=1,
            help="web processes, with --only-web; they serve no streams",
        )
        parser.add_argument("--threads", type=int, default=8, help="of each process, for requests")

    def handle(self, *_args: Any, host: str, port: int, **options: Any) -> None:
        for name in (signal.SIGTERM, signal.SIGINT):
            signal.signal(name, _leave)
        try:
            reach_database()
        finally:
            connection.close()
        if options["prepare"] or connection.vendor == "sqlite":
            prepare()
        elif reason := refusal(connection) or unmigrated():
            raise CommandError(reason)
        if options["processes"] > 1 and not options["only_web"]:
            raise CommandError("Several processes require --only-web: run the rest separately.")
        with _termination_signal() as end, ExitStack() as parts:
            try:
                wait = self._start(parts, host, port, options)
            except (OSError, OverflowError) as error:
                raise CommandError(f"Cannot serve on {host}:{port}: {error}") from error
            wait(end)

    def _start(
        self, parts: ExitStack, host: str, port: int, options: dict[str, Any]
    ) -> Callable[[int], object]:
        """Start the parts selected by `options`. Return a function that waits until they end."""
        # Imported late, because loading the server takes time, and `migrate` does not need it.
        from config.server import (  # noqa: PLC0415
            embedded_service,
            preload,
            web_processes,
            web_server,
        )

        threads, only_streams = options["threads"], options["only_streams"]
        if options["processes"] > 1:
            address, processes = parts.enter_context(
                web_processes.web_processes(host, port, count=options["processes"], threads=threads)
            )
            self._say_ready(host, address)
            return processes.watch
        address = parts.enter_context(
            web_server.web_server(host, port, threads=threads, web=not only_streams)
        )
        if not (options["only_web"] or only_streams):
            parts.enter_context(embedded_service.worker())
            parts.enter_context(embedded_service.scheduler())
        self._say_ready(host, address, invite=not only_streams)
        preload.preload()
        return lambda end: os.read(end, 1)

    def _say_ready(self, host: str, address: "Address", *, invite: bool = True) -> None:
        url = url_of(address.host, address.port)
        self.stdout.write(f"Ready on {url}")
        if host in EVERYWHERE and invite:
            settings.SERVED_AT = url
            self._invite(url)
        self.stdout.flush()

    def _invite(self, url: str) -> None:
        """Print the address as a QR code for phones on the same network."""
        drawn = StringIO()
        segno.make(url, error="m", micro=False).terminal(drawn, compact=True)
        # A terminal that can't display block characters shows only the address.
        if "utf" in (getattr(sys.stdout, "encoding", "") or "").lower():
            self.stdout.write(drawn.getvalue())
        self.stdout.write("Phones on the same network: scan this, or type the address above.")


def prepare() -> None:
    """Migrate the database, and collect static files again if they are outdated."""
    if unmigrated():
        # Runs in a separate process, because migrations load 260 MB of objects that would stay in
        # memory.
        connection.close()
        program = "from config.console import main; main()"
        words = [sys.executable, "-c", program, "migrate", "--no-input", "--verbosity", "0"]
        path = os.pathsep.join(filter(None, [str(BASE_DIR), os.environ.get("PYTHONPATH")]))
        done = subprocess.run(words, env=os.environ | {"PYTHONPATH": path}, check=False)  # noqa: S603
        if done.returncode:
            raise SystemExit(done.returncode)
    else:
        call_command("migrate", interactive=False, verbosity=0)
    static = Path(settings.STATIC_ROOT) if settings.STATIC_ROOT else None
    if static and not are_sealed(static) and not is_collected(static):
        call_command("collectstatic", interactive=False, verbosity=0)
        store_source_hash(static)


def are_sealed(static: Path) -> bool:
    """Return whether static files are collected and read-only, as in a container image."""
    return (static / HashedFiles.manifest_name).exists() and not os.access(static, os.W_OK)


def url_of(host: str, port: int) -> str:
    """Return the address to enter on a phone."""
    if host in EVERYWHERE:
        host = local_address() or "localhost"
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _leave(_signal: int, _frame: FrameType | None) -> None:
    """Exit immediately. Handles signals until the service has started."""
    sys.exit(0)


@contextmanager
def _termination_signal() -> Iterator[int]:
    """Yield a file descriptor from which a byte can be read after SIGTERM or SIGINT.

    Python's C signal handler writes the byte in whichever thread receives the signal. A Python
    handler would run only when the main thread wakes up, and a signal to a different thread does
    not interrupt a read in the main thread. If a handler raised an exception while a finalizer is
    running, the exception would be lost.
    """
    end, signalled = os.pipe()
    os.set_blocking(signalled, False)
    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, lambda *_: None)
    signal.set_wakeup_fd(signalled, warn_on_full_buffer=False)
    yield end
