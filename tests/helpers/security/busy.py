"""The service with additional views that are slow, return a lot, or echo the request.

`python -m tests.helpers.security.busy PORT` serves it.
"""

import json
import sys
import time
from collections.abc import Callable, Iterable
from typing import Any

from config.wsgi import application as service

BUSY = "/busy"
BUSY_SECONDS = 8.0
ECHO = "/echo"
EXPORT = "/export"
EXPORT_PARTS = 400
PART = b"x" * 100_000
THREADS = 4


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    if environ["PATH_INFO"] == BUSY:
        time.sleep(BUSY_SECONDS)
        start_response("204 No Content", [])
        return []
    if environ["PATH_INFO"] == ECHO:
        body = environ["wsgi.input"].read()
        headers = {name: value for name, value in environ.items() if isinstance(value, str)}
        start_response("200 OK", [("Content-Type", "application/json")])
        return [json.dumps({"size": len(body), "tail": body[-9:].decode(), **headers}).encode()]
    if environ["PATH_INFO"] == EXPORT:
        start_response("200 OK", [("Content-Type", "application/octet-stream")])
        return (PART for _ in range(EXPORT_PARTS))
    return service(environ, start_response)


def main(port: int) -> None:
    from config.server.web_server import WebServer, listen  # noqa: PLC0415

    WebServer(listen("127.0.0.1", port), application, threads=THREADS).run()


if __name__ == "__main__":
    main(int(sys.argv[1]))
