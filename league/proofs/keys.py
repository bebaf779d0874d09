"""The key by which closings are signed: made when it is first asked for, encrypted with the
service's secret.
"""

from cryptography.fernet import InvalidToken
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from league.common.base64url import encoded
from league.common.encryption import cipher
from league.models import SigningKey

PURPOSE = "signing key"


def public_key() -> str:
    """Return the public half of the key that signs; "" where nothing was signed by one yet."""
    found = _readable()
    return found[0].public if found else ""


def current() -> tuple[SigningKey, Ed25519PrivateKey]:
    """Return the key that signs; makes a pair where there is none that can be read."""
    if found := _readable():
        return found
    private = Ed25519PrivateKey.generate()
    secret = cipher(PURPOSE).encrypt(private.private_bytes_raw().hex().encode()).decode()
    return SigningKey.objects.create(public=_public(private), private=secret), private


def _readable() -> tuple[SigningKey, Ed25519PrivateKey] | None:
    """Return the oldest key that can be read: after a backup was read, that is the known one."""
    for row in SigningKey.objects.order_by("made_at", "public"):
        if private := _opened(row):
            return row, private
    return None


def _opened(row: SigningKey) -> Ed25519PrivateKey | None:
    """Return the private half; None where it was encrypted with another secret, or is of another
    key."""
    try:
        raw = cipher(PURPOSE).decrypt(row.private.encode())
        private = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(raw.decode()))
    except (InvalidToken, ValueError):
        return None
    return private if _public(private) == row.public else None


def _public(private: Ed25519PrivateKey) -> str:
    return encoded(private.public_key().public_bytes_raw())
