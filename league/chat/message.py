"""Send one message to a chat, in a separate process with a time limit.

The library makes its own requests, so the address filter is installed in that process, where it
does not affect other code.
"""

import base64
import subprocess
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from league.chat import services
from league.jobs import child_process

# A worker waits for twenty seconds before it shuts down.
SECONDS = 18.0
_PROCESS = Path(__file__).with_name("send_process.py")


@dataclass(frozen=True, slots=True)
class Message:
    """A title, a body and optionally a PNG picture."""

    title: str
    body: str
    picture: bytes = b""


@dataclass(frozen=True, slots=True)
class SendResult:
    """The outcome of sending.

    `partly` is true if some parts have arrived or may have arrived. `status` is the last HTTP
    status, and `blocked` is the address blocked by the filter.
    """

    arrived: bool
    partly: bool = False
    status: int | None = None
    blocked: str = ""


def send(service: str, url: str, message: Message, *, seconds: float = SECONDS) -> SendResult:
    """Send the message and return the outcome.

    Errors of the receiving service do not raise exceptions.
    """
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
        sent = child_process.call_script(_PROCESS, question, seconds=seconds, env={})
    except (subprocess.TimeoutExpired, subprocess.CalledProcessError):
        # The message may have been delivered. Don't log the output, which may contain the address.
        return SendResult(arrived=False, partly=True)
    statuses, blocked = sent["statuses"], sent["blocked"]
    return SendResult(
        sent["arrived"],
        partly=not sent["arrived"] and any(200 <= status < 300 for status in statuses),
        status=statuses[-1] if statuses else None,
        blocked=blocked[0] if blocked else "",
    )


def disarmed(text: str) -> str:
    """Return the text escaped so that names in it can't mention users or create links."""
    plain = text.replace("@", "@\u200b").replace("<", "‹").replace(">", "›")
    return plain.replace("](", "]\u200b(")  # Discord shows [words](address) as a link
