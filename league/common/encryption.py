"""Texts that only this service reads back: by keys made of its secret, one for each purpose."""

import base64

from cryptography.fernet import Fernet, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings


def cipher(purpose: str) -> MultiFernet:
    """Return what encrypts for a purpose; texts of secrets before this one are still read."""
    secrets = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    return MultiFernet([Fernet(_derived(str(secret), purpose)) for secret in secrets])


def _derived(secret: str, purpose: str) -> bytes:
    info = f"dealers-choice {purpose}".encode()
    hkdf = HKDF(algorithm=SHA256(), length=32, salt=None, info=info)
    return base64.urlsafe_b64encode(hkdf.derive(secret.encode()))
