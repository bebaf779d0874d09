"""Base64url, encryption with the service's key, and tokens with their hashes."""

import base64
import secrets
from hashlib import sha256

from cryptography.fernet import Fernet, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings


def encoded(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    """Decode base64url text. Raises ValueError for invalid text."""
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


def cipher(purpose: str) -> MultiFernet:
    """Return the cipher for a purpose.

    It can also decrypt values that earlier secret keys encrypted.
    """
    info = f"dealers-choice {purpose}".encode()
    ciphers = []
    for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS):
        hkdf = HKDF(algorithm=SHA256(), length=32, salt=None, info=info)
        key = hkdf.derive(str(secret).encode())
        ciphers.append(Fernet(base64.urlsafe_b64encode(key)))
    return MultiFernet(ciphers)


TOKEN_BYTES = 24


def new_token() -> str:
    """Return an unguessable token."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def hashed(token: str) -> str:
    """Return the hash of a token. The database stores only the hash.

    The timing of a lookup by hash reveals nothing about the token.
    """
    return sha256(token.encode(errors="surrogatepass")).hexdigest()
