"""Simulated recipients: webhook receivers, push services, chats and mail servers.

Nothing is sent beyond this machine. Recipients receive what the service sends. They may not
respond, may reject it, or may disconnect before they confirm.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from random import Random
from typing import Any, ClassVar
from unittest.mock import patch

from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend

from league import recap
from league.chat.message import Message, SendResult
from league.notices import subscriptions
from league.sending.http_request import Response
from league.webhooks import delivery


class Outside:
    """Counts messages that recipients received or confirmed.

    `confirmed` counts confirmed messages by their identity. `received` also counts messages whose
    confirmation the service may not have received.
    """

    def __init__(self) -> None:
        self.chance = Random(0)
        self.calm = False
        self.bodies: dict[str, set[bytes]] = {}
        self.received: Counter[str] = Counter()
        self.confirmed: Counter[str] = Counter()

    def receive(self, key: str, body: bytes) -> int | None:
        """Return the response's status, or None if there is no response."""
        luck = 1.0 if self.calm else self.chance.random()
        if luck < 0.15:
            return None
        if luck < 0.3:
            return 500
        self.bodies.setdefault(key, set()).add(body)
        self.received[key] += 1
        if luck < 0.4:
            return None
        self.confirmed[key] += 1
        return 204

    @contextmanager
    def listening(self) -> Iterator[None]:
        MailServer.outside = self
        with (
            patch.object(delivery, "post", self._webhook),
            patch.object(subscriptions, "post", self._push),
            patch.object(recap, "send", self._chat),
            # Rendering images would take longer than everything else. Other tests cover it.
            patch.object(recap, "png_of", str.encode),
        ):
            yield

    def _webhook(self, _: str, body: bytes, headers: Any, **__: Any) -> Response:
        return self._answer(self.receive(f"webhook {headers['webhook-id']}", body))

    def _push(self, url: str, _: bytes, headers: Any, **__: Any) -> Response:
        # The ciphertext differs each time, but the topic identifies the message on the phone.
        return self._answer(self.receive(f"push {url} {headers['topic']}", b""))

    def _answer(self, status: int | None) -> Response:
        return Response(status, 1, "" if status else "no answer in time")

    def _chat(self, _: str, url: str, message: Message) -> SendResult:
        status = self.receive(f"chat {message.body}", b"")
        return SendResult(status == 204, partly=status is None, status=status)


class MailServer(BaseEmailBackend):
    """A mail server that receives all of the evening's e-mails."""

    outside: ClassVar[Outside]

    def send_messages(self, messages: Sequence[EmailMessage]) -> int:
        for message in messages:
            key = f"mail {message.extra_headers['Message-ID']} to {message.to[0]}"
            if self.outside.receive(key, message.body.encode()) != 204:
                raise ConnectionError("the mail server is away")
        return len(messages)
