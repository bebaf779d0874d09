"""Signatures by the Standard Webhooks 1.0: a receiver knows that a request is ours and of now.

The secret of an endpoint is made of its salt and the service's own key, so a copy of the database
alone signs nothing.
"""

import hmac
from base64 import b64decode, b64encode
from collections.abc import Iterable
from hashlib import sha256

PREFIX = "whsec_"
VERSION = "v1"


def secret_of(salt: str, key: str) -> str:
    """Return the secret that the receiver is given: 32 bytes in base64, behind the prefix."""
    made = hmac.new(key.encode(), f"webhook secret {salt}".encode(), sha256).digest()
    return PREFIX + b64encode(made).decode()


def signature(secret: str, event_id: str, timestamp: int, body: bytes) -> str:
    """Return the signature of a body sent under an id at a time, in seconds since 1970."""
    key = b64decode(secret.removeprefix(PREFIX), validate=True)
    content = f"{event_id}.{timestamp}.".encode() + body
    return f"{VERSION},{b64encode(hmac.new(key, content, sha256).digest()).decode()}"


def signed(secrets: Iterable[str], event_id: str, timestamp: int, body: bytes) -> str:
    """Return what the header says: a signature for each secret that is good at the moment."""
    return " ".join(signature(secret, event_id, timestamp, body) for secret in secrets)
