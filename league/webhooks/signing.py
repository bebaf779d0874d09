"""Signatures, by which a receiver knows that a request is ours and of now.

The secret of a hook is made of its salt and the service's own key, so a copy of the database
alone signs nothing.
"""

import hmac
from base64 import urlsafe_b64encode
from hashlib import sha256

PREFIX = "whsec_"
VERSION = "v1"


def secret_of(salt: str, key: str) -> str:
    """Return the secret that the receiver is given."""
    made = hmac.new(key.encode(), f"webhook secret {salt}".encode(), sha256).digest()
    return PREFIX + urlsafe_b64encode(made).decode().rstrip("=")


def signature(secret: str, timestamp: int, body: bytes) -> str:
    """Return the signature of a body sent at a time, in seconds since 1970: 64 hex digits."""
    return hmac.new(secret.encode(), f"{timestamp}.".encode() + body, sha256).hexdigest()


def signed(secrets: list[str], timestamp: int, body: bytes) -> str:
    """Return what the header says: a signature for each secret that is good at the moment."""
    return ",".join(f"{VERSION}={signature(secret, timestamp, body)}" for secret in secrets)
