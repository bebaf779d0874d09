"""Send one message to a chat: from a process that is ended when its time is over.

The library makes its own requests, so the guard of addresses is in that process, where nothing else
runs that it could hold up.
"""

import base64
import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from league.chat import services

# A worker that is told to end waits for twenty.
SECONDS = 18.0
_PROCESS = Path(__file__).with_name("send_process.py")


@dataclass(frozen=True, slots=True)
class Message:
    """A title, a text, and a picture as PNG, or none."""

    title: str
    body: str
    picture: bytes = b""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of it: whether all arrived, or some; the last status, and what was not called."""

    arrived: bool
    partly: bool = False
    status: int | None = None
    blocked: str = ""


def send(service: str, url: str, message: Message, *, seconds: float = SECONDS) -> Answer:
    """Send the message, and say what came of it; never raises for the far end."""
    takes = services.BY_CODE[service].takes_pictures
    told = {
        "url": url,
        "app": "Dealer's Choice",
        "title": disarmed(message.title),
        "body": disarmed(message.body),
        "picture": base64.b64encode(message.picture).decode() if takes else "",
        "networks": [str(each) for each in settings.WEBHOOK_NETWORKS],
        "ports": services.ports(service),
    }
    try:
        done = subprocess.run(  # noqa: S603 (our own file, with this Python)
            [sys.executable, "-I", str(_PROCESS)],
            input=json.dumps(told),
            env={},
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=seconds,
            check=True,
        )
    except (subprocess.TimeoutExpired, subprocess.CalledProcessError):
        # Whether something had gone out nobody knows; what it printed may name the address.
        return Answer(arrived=False, partly=True)
    return _answer(**json.loads(done.stdout))


def disarmed(text: str) -> str:
    """Return the text so that no name in it calls everybody, or makes a link, in any chat."""
    plain = text.replace("@", "@\u200b").replace("<", "‹").replace(">", "›")
    return plain.replace("](", "]\u200b(")  # Discord shows [words](address) as a link


def _answer(*, arrived: bool, statuses: Sequence[int], blocked: Sequence[str]) -> Answer:
    some = any(200 <= each < 300 for each in statuses)
    last = statuses[-1] if statuses else None
    return Answer(arrived, some and not arrived, last, blocked[0] if blocked else "")
