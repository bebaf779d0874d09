"""What is sent to a phone, so that no push service can read it: RFC 8291, in aes128gcm (RFC 8188).

One record, since a push service takes no more than 4096 bytes.
"""

import os

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CURVE = ec.SECP256R1()
RECORD = 4096
SALT, POINT, TAG = 16, 65, 16
LAST = b"\x02"  # the delimiter of the last record
# RFC 8291, 4: a record of 4096 with its header, delimiter and tag.
MOST_BYTES = RECORD - SALT - 5 - POINT - TAG - 1


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
    content, nonce = _keys(shared, auth, to, mine, salt)
    sealed = AESGCM(content).encrypt(nonce, text + LAST, None)
    return salt + RECORD.to_bytes(4, "big") + bytes([POINT]) + mine + sealed


def _keys(shared: bytes, auth: bytes, to: bytes, mine: bytes, salt: bytes) -> tuple[bytes, bytes]:
    both = _derived(shared, auth, b"WebPush: info\0" + to + mine, 32)
    content = _derived(both, salt, b"Content-Encoding: aes128gcm\0", 16)
    return content, _derived(both, salt, b"Content-Encoding: nonce\0", 12)


def _derived(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(algorithm=SHA256(), length=length, salt=salt, info=info).derive(secret)
