"""Webhook event signatures as in Standard Webhooks, and the secrets that create them.

A secret is derived from a salt in the database and from SECRET_KEY, so a copy of the database is
not enough to sign.
"""

import hmac
from base64 import b64decode, b64encode
from collections.abc import Iterable
from hashlib import sha256

PREFIX = "whsec_"
VERSION = "v1"


def secret_of(salt: str, key: str) -> str:
    """Return the receiver's secret: 32 bytes in base64, after the prefix."""
    made = hmac.new(key.encode(), f"webhook secret {salt}".encode(), sha256).digest()
    return PREFIX + b64encode(made).decode()


def signature(secret: str, event_id: str, timestamp: int, body: bytes) -> str:
    """Return the signature of a body. `timestamp` is the time of sending, in seconds since 1970."""
    key = b64decode(secret.removeprefix(PREFIX), validate=True)
    content = f"{event_id}.{timestamp}.".encode() + body
    return f"{VERSION},{b64encode(hmac.new(key, content, sha256).digest()).decode()}"


def signature_header(secrets: Iterable[str], event_id: str, timestamp: int, body: bytes) -> str:
    """Return the signature header, with a signature for each valid secret."""
    return " ".join(signature(secret, event_id, timestamp, body) for secret in secrets)
