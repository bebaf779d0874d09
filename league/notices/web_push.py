"""The formats of Web Push: encrypted messages (RFC 8291, aes128gcm of RFC 8188) and the token by
which push services recognise this service (RFC 8292).

The key pair of the service is generated at first use, and encrypted with the service's secret.
"""

import os
import time
from email.utils import parseaddr
from urllib.parse import urlsplit

import jwt
from cryptography.fernet import InvalidToken
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.db import transaction

from league.common.base64url import encoded
from league.common.encryption import cipher
from league.models import PushKey

CURVE = ec.SECP256R1()
# A message is one record, since a push service takes no more than 4096 bytes.
RECORD = 4096
SALT, POINT, TAG = 16, 65, 16
LAST = b"\x02"  # the delimiter of the last record
# RFC 8291, 4: a record of 4096 with its header, delimiter and tag.
MOST_BYTES = RECORD - SALT - 5 - POINT - TAG - 1
PURPOSE = "push key"
# RFC 8292, 2: "no more than 24 hours".
GOOD_FOR = 12 * 60 * 60


def point_of(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def public_key(point: bytes) -> ec.EllipticCurvePublicKey:
    """Return the key of an uncompressed point. Raises ValueError where it is not on the curve."""
    if len(point) != POINT:
        raise ValueError(point)
    return ec.EllipticCurvePublicKey.from_encoded_point(CURVE, point)


def encrypt(
    text: bytes,
    to: bytes,
    auth: bytes,
    *,
    key: ec.EllipticCurvePrivateKey | None = None,
    salt: bytes = b"",
) -> bytes:
    """Return the body for the phone of this public key and secret; key and salt are new each time.

    Raises ValueError for more than fits.
    """
    if len(text) > MOST_BYTES:
        raise ValueError(len(text))
    key, salt = key or ec.generate_private_key(CURVE), salt or os.urandom(SALT)
    mine = point_of(key.public_key())
    shared = key.exchange(ec.ECDH(), public_key(to))
    secret = _derived(shared, auth, b"WebPush: info\0" + to + mine, 32)
    content = _derived(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(secret, salt, b"Content-Encoding: nonce\0", 12)
    sealed = AESGCM(content).encrypt(nonce, text + LAST, None)
    return salt + RECORD.to_bytes(4, "big") + bytes([POINT]) + mine + sealed


def _derived(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(algorithm=SHA256(), length=length, salt=salt, info=info).derive(secret)


def public_text() -> str:
    """Return the public half as a phone wants it to subscribe; makes the pair at first."""
    return _row().public


def authorization(endpoint: str, site: str) -> str:
    """Return the header that a push service asks for with a message to this endpoint.

    `site`: where the phone has found the service, unless it says itself where it is reached.
    """
    row = _row()
    private = ec.derive_private_key(int(_decrypted(row.private), 16), CURVE)
    url = urlsplit(endpoint)
    claims = {
        "aud": f"{url.scheme}://{url.netloc}",
        "exp": int(time.time()) + GOOD_FOR,
        "sub": _contact(site),
    }
    token = jwt.encode(claims, private, algorithm="ES256")
    return f"vapid t={token}, k={row.public}"


def _contact(site: str) -> str:
    """Return whom a push service asks about us: an https or a mailto address.

    Apple's refuses `mailto:` of a name like localhost (docs/decisions/0041-notices.md).
    """
    for url in (settings.SITE_URL, site):
        if url.startswith("https://"):
            return str(url)
    return f"mailto:{parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}"


@transaction.atomic
def _row() -> PushKey:
    """Return the key pair; a new one where there is none, or none that can be read any more.

    What was encrypted with a secret that is gone opens no subscription either: phones begin anew.
    """
    if (row := PushKey.objects.filter(pk=1).first()) and _is_readable(row):
        return row
    made = ec.generate_private_key(CURVE)
    number = made.private_numbers().private_value
    new = {
        "public": encoded(point_of(made.public_key())),
        "private": cipher(PURPOSE).encrypt(f"{number:064x}".encode()).decode(),
    }
    if row:
        PushKey.objects.filter(pk=1, private=row.private).update(**new)
    else:
        PushKey.objects.get_or_create(pk=1, defaults=new)
    return PushKey.objects.get(pk=1)


def _is_readable(row: PushKey) -> bool:
    try:
        return bool(_decrypted(row.private))
    except InvalidToken:
        return False


def _decrypted(text: str) -> str:
    return cipher(PURPOSE).decrypt(text.encode()).decode()
