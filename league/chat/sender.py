"""Send one message to a chat: from a process that is ended when its time is over.

The library makes its own requests, so the guard of addresses is in that process, where nothing else
runs that it could hold up.
"""

import base64
import subprocess
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from league.chat import services
from league.jobs import child_process

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
    question = {
        "url": url,
        "app": "Dealer's Choice",
        "title": disarmed(message.title),
        "body": disarmed(message.body),
        "picture": base64.b64encode(message.picture).decode() if takes else "",
        "networks": [str(each) for each in settings.WEBHOOK_NETWORKS],
        "ports": services.ports(service),
    }
    try:
        sent = child_process.ask(_PROCESS, question, seconds=seconds, env={})
    except (subprocess.TimeoutExpired, subprocess.CalledProcessError):
        # The message may have arrived. Do not log what was printed: it may name the address.
        return Answer(arrived=False, partly=True)
    statuses, blocked = sent["statuses"], sent["blocked"]
    return Answer(
        sent["arrived"],
        partly=not sent["arrived"] and any(200 <= status < 300 for status in statuses),
        status=statuses[-1] if statuses else None,
        blocked=blocked[0] if blocked else "",
    )


def disarmed(text: str) -> str:
    """Return the text so that no name in it calls everybody, or makes a link, in any chat."""
    plain = text.replace("@", "@\u200b").replace("<", "‹").replace(">", "›")
    return plain.replace("](", "]\u200b(")  # Discord shows [words](address) as a link
