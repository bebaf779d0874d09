"""The keys by which closings are signed: one for each league, encrypted with the service's secret.

A league's key is made for its first closing. Leagues that signed closings before there was a key
for each of them keep the one they used, so that their receipts stay of one key
(docs/decisions/0063-a-key-per-league.md).
"""

import secrets

from cryptography.fernet import InvalidToken
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.db.models import F, Max, Q

from league.common.base64url import encoded
from league.common.encryption import cipher
from league.models import League, SigningKey

PURPOSE = "signing key"


def public_key(league: League) -> str:
    """Return the public half of the key that signs for the league; "" before its first closing."""
    found = _readable(league)
    return found[0].public if found else ""


def signing_key(league: League) -> tuple[SigningKey, Ed25519PrivateKey]:
    """Return the league's key; makes one if the league has none that can be read."""
    if found := _readable(league):
        return found
    private = Ed25519PrivateKey.from_private_bytes(secrets.token_bytes(32))
    secret = cipher(PURPOSE).encrypt(private.private_bytes_raw().hex().encode()).decode()
    row = SigningKey.objects.create(public=_public(private), private=secret, league=league)
    return row, private


def _readable(league: League) -> tuple[SigningKey, Ed25519PrivateKey] | None:
    """Return the key of the league's latest closing, or else its oldest, if it can be read."""
    signed = Q(signatures__closing__league=league)
    rows = SigningKey.objects.filter(Q(league=league) | signed)
    last = Max("signatures__closing__sequence", filter=signed)
    ordered = rows.annotate(last=last).order_by(F("last").desc(nulls_last=True), "made_at")
    for row in ordered:
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
