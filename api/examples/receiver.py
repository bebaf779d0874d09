"""A webhook receiver (standardwebhooks.com) that needs only Python's standard library.

    WEBHOOK_SECRET=... python receiver.py [--port 9000]

Accepts events with a recent and valid signature, ignores repeated events, responds immediately and
prints each event.
"""

import argparse
import base64
import hmac
import json
import os
import sys
import time
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOLERANCE = 300  # seconds; an older request may be a replay of a recorded one
MOST_BYTES = 1_000_000
MOST_KEPT = 10_000  # maximum number of event ids to remember


def is_ours(secret: str, headers: Mapping[str, str], body: bytes) -> bool:
    """Return whether the request has a recent timestamp and is signed with the secret."""
    sent = headers.get("webhook-timestamp", "")
    if not (sent.isascii() and sent.isdecimal()) or abs(time.time() - int(sent)) > TOLERANCE:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    content = f"{headers.get('webhook-id', '')}.{sent}.".encode() + body
    made = base64.b64encode(hmac.digest(key, content, "sha256"))
    # while the secret is being rotated, there are several signatures
    signatures = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(b"v1," + made, each.encode()) for each in signatures)


class Receiver(BaseHTTPRequestHandler):
    secret = os.environ.get("WEBHOOK_SECRET", "")
    seen: dict[str, None] = {}  # noqa: RUF012 (shared by all requests)

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > MOST_BYTES:
            return self._answer(413)
        body = self.rfile.read(int(length))
        headers = {name.lower(): value for name, value in self.headers.items()}
        if not self.secret or not is_ours(self.secret, headers, body):
            return self._answer(401)
        event = json.loads(body)
        if event["id"] not in self.seen:
            self.seen[event["id"]] = None
            if len(self.seen) > MOST_KEPT:
                self.seen.pop(next(iter(self.seen)))
            sys.stdout.write(f"{event['sequence']} {event['type']} {json.dumps(event['data'])}\n")
            sys.stdout.flush()
        return self._answer(204)

    def _answer(self, status: int) -> None:
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()


def main() -> None:
    parser = argparse.ArgumentParser(description="Receive webhooks")
    parser.add_argument("--port", type=int, default=9000)
    ThreadingHTTPServer(("127.0.0.1", parser.parse_args().port), Receiver).serve_forever()


if __name__ == "__main__":
    main()
