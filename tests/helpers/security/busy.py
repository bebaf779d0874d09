"""The service with an address whose work takes long, so that all threads of a server are busy.

`python -m tests.helpers.security.busy PORT` serves it by waitress.
"""

import socket
import sys
import time
from collections.abc import Callable, Iterable
from typing import Any

from config.wsgi import application as service

BUSY = "/busy"
BUSY_SECONDS = 8.0
THREADS = 4


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    if environ["PATH_INFO"] != BUSY:
        return service(environ, start_response)
    time.sleep(BUSY_SECONDS)
    start_response("204 No Content", [])
    return []


def main(port: int) -> None:
    from config.server.waitress_server import create_server  # noqa: PLC0415

    listening = socket.create_server(("127.0.0.1", port))
    create_server(application, listening, threads=THREADS).run()


if __name__ == "__main__":
    main(int(sys.argv[1]))
