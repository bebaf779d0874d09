"""How push services know that it is this service that sends: RFC 8292.

The key pair is made when it is first asked for, and encrypted with the service's secret.
"""

import json
import time
from email.utils import parseaddr
from urllib.parse import urlsplit

from cryptography.fernet import InvalidToken
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from django.conf import settings
from django.db import transaction

from league.common.base64url import encoded
from league.common.encryption import cipher
from league.models import PushKey
from league.notices.payload_encryption import CURVE, point_of

PURPOSE = "push key"
# RFC 8292, 2: "no more than 24 hours".
GOOD_FOR = 12 * 60 * 60
HEADER = {"typ": "JWT", "alg": "ES256"}


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
    return f"vapid t={signed(claims, private)}, k={row.public}"


def signed(claims: dict[str, object], key: ec.EllipticCurvePrivateKey) -> str:
    """Return the claims as a JSON Web Token, signed by ES256 (RFC 7515, RFC 7518)."""
    parts = [json.dumps(each, separators=(",", ":")).encode() for each in (HEADER, claims)]
    text = ".".join(encoded(each) for each in parts)
    r, s = decode_dss_signature(key.sign(text.encode(), ec.ECDSA(SHA256())))
    return f"{text}.{encoded(r.to_bytes(32, 'big') + s.to_bytes(32, 'big'))}"


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
