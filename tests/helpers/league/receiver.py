"""A local HTTP receiver with configurable responses, which stores the requests it gets."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from typing import Any
from uuid import uuid4

from django.utils import timezone

from league.models import CHOSEN, Delivery, League, Webhook
from league.sending.addresses import Address
from league.sending.sender import Sender
from league.webhooks import delivery, management

HERE = "127.0.0.0/8"


@dataclass
class Receiver:
    """Stores requests, and sends the response in `answers`: `status`, `headers`, `said`."""

    port: int = 0
    status: int = 204
    said: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    came: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)
    answers: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self.answers.set()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hooks?league=1"

    @property
    def ids(self) -> list[str]:
        return [headers["webhook-id"] for _, headers, _ in self.came]


@contextmanager
def receiver() -> Iterator[Receiver]:
    target = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            target.came.append((self.path, {k.lower(): v for k, v in self.headers.items()}, body))
            target.answers.wait()
            with suppress(OSError):  # the client disconnected after the first bytes, or was killed
                self.send_response(target.status)
                for name, value in target.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(target.said)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    target.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield target
    finally:
        target.answers.set()
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def raw_server(answer: Callable[[socket.socket], None]) -> Iterator[int]:
    """Run a server that handles one connection with a function. Yield its port."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            wire, _ = listening.accept()
            with wire:
                answer(wire)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield listening.getsockname()[1]
        thread.join(5)


def resolved_to(*texts: str) -> Callable[[str, int, float], list[Address]]:
    """Return a resolver that returns these addresses for every name."""
    return lambda *_asked: [ip_address(text) for text in texts]


def a_hook(league: League, url: str, **changes: object) -> Webhook:
    hook, _ = management.create(league, uuid4(), url, by=None, **{"events": CHOSEN, **changes})  # type: ignore[arg-type]
    return hook


def deliver_all(sender: Sender[Any] = delivery.SENDER) -> None:
    """Process due messages as the workers do, until none are left."""
    while leagues := sender.leagues_due():
        for league in leagues:
            sender.send_next(league)


def make_due() -> None:
    """Make all waiting deliveries due now, even deliveries to paused receivers."""
    waiting = Delivery.objects.filter(done_at=None)
    waiting.update(due_at=timezone.now(), leased_until=None)
    Webhook.objects.update(resumes_at=None)
