"""A local push service: phones subscribe, the service checks senders, and phones decrypt messages.

Decryption is implemented here again from RFC 8291, so that the encryption is not tested against
itself.
"""

import base64
import hashlib
import hmac
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.contrib.sessions.backends.db import SessionStore
from django.utils import timezone

from league.models import PushMessage, PushSubscription, User
from league.notices import subscriptions
from league.notices.subscriptions import Address
from tests.helpers.league.receiver import Receiver, deliver_all, receiver


def text_of(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def bytes_of(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def _mac(key: bytes, text: bytes) -> bytes:
    return hmac.new(key, text, hashlib.sha256).digest()


@dataclass
class PushPhone:
    """A browser with a push subscription: its keys and the messages it received."""

    service: Receiver
    name: str
    key: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )
    auth: bytes = field(default_factory=lambda: os.urandom(16))

    @property
    def path(self) -> str:
        return f"/push/{self.name}"

    @property
    def address(self) -> Address:
        endpoint = f"http://127.0.0.1:{self.service.port}{self.path}"
        return Address(endpoint, text_of(point(self.key.public_key())), text_of(self.auth))

    @property
    def form(self) -> dict[str, str]:
        """The fields that the page submits to subscribe."""
        address = self.address
        return {"endpoint": address.endpoint, "p256dh": address.p256dh, "auth": address.auth}

    def came(self) -> list[dict[str, Any]]:
        """Return the received messages, decrypted, each with its sender."""
        messages = []
        for path, headers, body in self.service.came:
            if path == self.path:
                signed_by(headers["authorization"], self.service.port)
                messages.append(json.loads(self.read(body)))
        return messages

    def titles(self) -> list[str]:
        return [each["title"] for each in self.came()]

    def read(self, body: bytes) -> bytes:
        """Decrypt as a browser does (RFC 8291, 3.4; RFC 8188, 2)."""
        salt, size, length = body[:16], int.from_bytes(body[16:20], "big"), body[20]
        sender, sealed = body[21 : 21 + length], body[21 + length :]
        assert (size, length) == (4096, 65)
        assert len(body) <= 4096
        theirs = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender)
        shared = self.key.exchange(ec.ECDH(), theirs)
        info = b"WebPush: info\0" + point(self.key.public_key()) + sender + b"\1"
        both = _mac(salt, _mac(_mac(self.auth, shared), info))
        content = _mac(both, b"Content-Encoding: aes128gcm\0\1")[:16]
        nonce = _mac(both, b"Content-Encoding: nonce\0\1")[:12]
        text = AESGCM(content).decrypt(nonce, sealed, None)
        assert text.endswith(b"\2")
        return text[:-1]


def signed_by(header: str, port: int) -> dict[str, Any]:
    """Return a header's claims if its signature is valid (RFC 8292, 3 and 4.2)."""
    scheme, _, told = header.partition(" ")
    parts = dict(each.strip().split("=", 1) for each in told.split(","))
    assert scheme == "vapid"
    assert parts["k"] == subscriptions.public_text()
    claims = claims_of(parts["t"], bytes_of(parts["k"]))
    assert claims["aud"] == f"http://127.0.0.1:{port}"
    now = timezone.now().timestamp()
    assert now < claims["exp"] <= now + 24 * 60 * 60
    assert claims["sub"].startswith(("mailto:", "https://"))
    return claims


def claims_of(token: str, public: bytes) -> dict[str, Any]:
    """Return an ES256 token's claims. Raises InvalidSignature."""
    text, _, signature = token.rpartition(".")
    raw = bytes_of(signature)
    if len(raw) != 64:
        raise InvalidSignature
    numbers = (int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), public)
    key.verify(encode_dss_signature(*numbers), text.encode(), ec.ECDSA(SHA256()))
    claims: dict[str, Any] = json.loads(bytes_of(text.split(".")[1]))
    return claims


@contextmanager
def push_service() -> Iterator[Receiver]:
    with receiver() as service:
        service.status = 201
        yield service


def switched_on(user: User, service: Receiver, name: str = "") -> PushPhone:
    """Create a phone on which the user has turned on notifications."""
    phone = PushPhone(service, name or user.username)
    session = SessionStore()
    session["_auth_user_id"] = str(user.pk)
    session.create()
    key = str(session.session_key)
    subscriptions.subscribe(user, phone.address, session_key=key, kind="Safari, iPhone")
    return phone


def send_all() -> None:
    """Process due messages as the workers do, until none are left."""
    deliver_all(subscriptions.SENDER)


def make_due() -> None:
    """Make all waiting pushes due now."""
    PushMessage.objects.filter(done_at=None).update(due_at=timezone.now(), leased_until=None)


def live(user: User) -> int:
    return PushSubscription.objects.filter(user=user, gone_at=None).count()
