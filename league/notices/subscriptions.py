"""Phones that receive Web Push messages: subscriptions, encryption and sending.

If a worker dies after sending, the notification is sent again with the same topic and tag, so the
push service or the phone replaces the first notification. No endpoint, key or response is stored
unencrypted or logged.
"""

import json
import os
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from email.utils import parseaddr
from hashlib import sha256
from urllib.parse import urlsplit

import jwt
from cryptography.fernet import InvalidToken
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from league.audit_log import Kind, log_action
from league.common import row_limits
from league.common.crypto import cipher, decoded, encoded
from league.common.errors import Problem, problem, refuse
from league.models import (
    LONGEST_ADDRESS,
    LONGEST_NAME,
    Membership,
    Notice,
    Player,
    PushKey,
    PushMessage,
    PushSubscription,
    User,
)
from league.notices.queueing import KINDS, QUEUE, SOON, NoticeKind
from league.sending.addresses import networks, wrong_address
from league.sending.http_request import Resolve, look_up, post
from league.sending.sender import Outcome, Result, Sender

CURVE = ec.SECP256R1()
# Each message is a single record, because push services accept at most 4096 bytes.
RECORD = 4096
SALT, POINT, TAG = 16, 65, 16
LAST = b"\x02"  # the delimiter of the last record
# RFC 8291, 4: a record of 4096 bytes minus header, delimiter and tag.
MOST_BYTES = RECORD - SALT - 5 - POINT - TAG - 1
KEY_PURPOSE = "push key"
# RFC 8292, 2: "no more than 24 hours".
GOOD_FOR = 12 * 60 * 60


def point_of(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def public_key(point: bytes) -> ec.EllipticCurvePublicKey:
    """Return the public key of an uncompressed point.

    Raises ValueError if the point is not on the curve.
    """
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
    """Encrypt for the phone with public key `to` and secret `auth`.

    Each call uses a new key and a new salt. Raises ValueError if the message is too long.
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
    """Return the public key with which phones subscribe. The key pair is created on first use."""
    return _row().public


def authorization(endpoint: str, site: str) -> str:
    """Return the authorization header that a push service requires for this endpoint.

    `site` is the URL at which the phone used the service. It is the contact if SITE_URL is not set.
    """
    row = _row()
    private = ec.derive_private_key(int(_decrypted(row.private), 16), CURVE)
    url = urlsplit(endpoint)
    # Apple rejects `mailto:` with a domain like localhost (docs/decisions/0041-notices.md).
    contacts = (each for each in (settings.SITE_URL, site) if each.startswith("https://"))
    claims = {
        "aud": f"{url.scheme}://{url.netloc}",
        "exp": int(time.time()) + GOOD_FOR,
        "sub": next(contacts, f"mailto:{parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}"),
    }
    token = jwt.encode(claims, private, algorithm="ES256")
    return f"vapid t={token}, k={row.public}"


@transaction.atomic
def _row() -> PushKey:
    """Return the key pair. Create a new pair if it is missing or can't be decrypted.

    If SECRET_KEY was lost, the subscriptions can't be decrypted either, so phones subscribe again.
    """
    row = PushKey.objects.filter(pk=1).first()
    with suppress(InvalidToken):
        if row and _decrypted(row.private):
            return row
    pair = ec.generate_private_key(CURVE)
    number = pair.private_numbers().private_value
    new = {
        "public": encoded(point_of(pair.public_key())),
        "private": cipher(KEY_PURPOSE).encrypt(f"{number:064x}".encode()).decode(),
    }
    if row:
        PushKey.objects.filter(pk=1, private=row.private).update(**new)
    else:
        PushKey.objects.get_or_create(pk=1, defaults=new)
    return PushKey.objects.get(pk=1)


def _decrypted(text: str) -> str:
    return cipher(KEY_PURPOSE).decrypt(text.encode()).decode()


PURPOSE = "push subscriptions"
AUTH_BYTES = 16
LONGEST_KEY = 200


@dataclass(frozen=True, slots=True)
class Address:
    """A phone's push endpoint and keys, and the URL at which it used the service."""

    endpoint: str
    p256dh: str
    auth: str
    site: str = ""

    def problems(self) -> Iterator[Problem]:
        """Yield the problems with an address from a browser."""
        endpoint = self.endpoint
        if len(endpoint) > LONGEST_ADDRESS:
            text = f"this is longer than {LONGEST_ADDRESS} characters"
            yield problem("endpoint", "too-long", text)
        elif wrong := list(wrong_address("endpoint", endpoint)):
            yield from wrong
        else:
            url = urlsplit(endpoint)
            if url.scheme != "https" and url.hostname != "127.0.0.1":
                text = "the push service's address must start with https://"
                yield problem("endpoint", "bad-url", text)
        is_point = is_secret = False
        with suppress(ValueError):
            is_point = len(self.p256dh) <= LONGEST_KEY and bool(public_key(decoded(self.p256dh)))
        if not is_point:
            yield problem("p256dh", "bad-key", "this is not a public key of a browser")
        with suppress(ValueError):
            is_secret = len(self.auth) <= LONGEST_KEY and len(decoded(self.auth)) == AUTH_BYTES
        if not is_secret:
            yield problem("auth", "bad-key", "this is not a secret of a browser")


@transaction.atomic
def subscribe(user: User, address: Address, *, session_key: str, kind: str) -> PushSubscription:
    """Subscribe the phone of this session. A known phone is assigned to this user.

    Raises RefusedError.
    """
    refuse(address.problems())
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    named = sha256(f"{PURPOSE} {address.endpoint}".encode()).hexdigest()
    content = json.dumps([address.endpoint, address.p256dh, address.auth, address.site])
    rows = PushSubscription.objects.select_for_update(no_key=True)
    existing = rows.filter(address_hash=named).first()
    row = existing or PushSubscription(address_hash=named)
    is_new = existing is None or existing.gone_at is not None or existing.user_id != user.pk
    if existing and existing.user_id != user.pk:
        # these notifications were meant for the phone's previous user
        existing.pushes.all().delete()
    row.user, row.session_key, row.kind = user, session_key, kind[:LONGEST_NAME]
    row.address, row.gone_at = cipher(PURPOSE).encrypt(content.encode()).decode(), None
    if is_new:
        row.made_at = timezone.now()
    row.save()
    if is_new:
        for each in of_user(user)[row_limits.PUSH_PHONES.most :]:
            end(each)
        log_action(Kind.PUSH_ADDED, by=user)
    return row


@transaction.atomic
def renew(user: User, address: Address, *, session_key: str, kind: str) -> bool:
    """Replace the phone's old address with the new one. Return False if the old address is unknown.

    Pending pushes to the old address go to the new one. Raises RefusedError.
    """
    rows = PushSubscription.objects.filter(user=user, session_key=session_key)
    old = rows.order_by("-made_at").first()
    if old is None or not session_key:
        return False
    new = subscribe(user, address, session_key=session_key, kind=kind)
    if new.pk != old.pk and old.gone_at is None:
        sent = new.pushes.values("notice")
        old.pushes.filter(done_at=None).exclude(notice__in=sent).update(subscription=new)
        end(old, by=user)
    return True


@transaction.atomic
def end(subscription: PushSubscription, *, by: User | None = None) -> None:
    """Stop sending to this phone.

    Does nothing if the subscription has already ended. `by` is the user who ended it. If the push
    service ended the subscription, the session is kept, so the phone can subscribe again with a
    different address.
    """
    rows = PushSubscription.objects.filter(pk=subscription.pk, gone_at=None)
    forgotten = {"session_key": ""} if by else {}
    if rows.update(gone_at=timezone.now(), address="", **forgotten):
        waiting = PushMessage.objects.filter(subscription=subscription, done_at=None)
        waiting.update(done_at=timezone.now(), outcome=PushMessage.Outcome.GIVEN_UP)
        if by:
            log_action(Kind.PUSH_ENDED, by=by)


def of_user(user: User) -> QuerySet[PushSubscription]:
    """Return the user's phones that receive pushes, newest first."""
    return PushSubscription.objects.filter(user=user, gone_at=None).order_by("-made_at", "-pk")


def address_of(subscription: PushSubscription) -> Address | None:
    """Return the phone's address, or None if SECRET_KEY has changed."""
    try:
        fields = cipher(PURPOSE).decrypt(subscription.address.encode())
    except InvalidToken:
        return None
    return Address(*json.loads(fields))


# Status codes for an expired subscription, according to RFC 8030, 7.3 and the practice of push
# services.
GONE = frozenset({404, 410})
# Status codes for which retrying would have the same result.
REFUSED = frozenset({400, 401, 403, 413})


class PushSender(Sender[PushMessage]):
    queue = QUEUE
    model = PushMessage
    league_path = "notice__league"
    related = ("notice", "subscription")

    def __init__(self, resolve: Resolve = look_up) -> None:
        self.resolve = resolve

    def send(self, push: PushMessage) -> Result:
        notice, phone = push.notice, push.subscription
        live = Session.objects.filter(session_key=phone.session_key, expire_date__gt=timezone.now())
        address = None if phone.gone_at or not live.exists() else address_of(phone)
        if address is None:
            end(phone)
        lasts = KINDS[NoticeKind(notice.kind)].lasts
        if address is None or timezone.now() - notice.made_at > lasts:
            return Result(Outcome.GIVEN_UP)
        who = {"league": notice.league_id, "user": notice.user_id}
        if not (Membership.objects.filter(**who).exists() or Player.objects.filter(**who).exists()):
            return Result(Outcome.GIVEN_UP)  # the user has left the league
        headers = {
            "content-type": "application/octet-stream",
            "content-encoding": "aes128gcm",
            "authorization": authorization(address.endpoint, address.site),
            "ttl": str(int(lasts.total_seconds())),
            "topic": topic(notice),
            "urgency": "high" if lasts <= SOON else "normal",
        }
        body = encrypt(body_of(notice), decoded(address.p256dh), decoded(address.auth))
        allowed = networks(settings.WEBHOOK_NETWORKS)
        response = post(address.endpoint, body, headers, allowed=allowed, resolve=self.resolve)
        if response.accepted:
            return Result(Outcome.DELIVERED, response)
        return Result(Outcome.GIVEN_UP if response.status in GONE | REFUSED else None, response)

    def record(self, message: PushMessage, result: Result) -> bool:
        held = super().record(message, result)
        if result.response and result.response.status in GONE:
            end(message.subscription)
        return held


SENDER = PushSender()


def body_of(notice: Notice) -> bytes:
    """Return the payload for the phone, which is the same for each attempt."""
    content = {
        "title": notice.title,
        "body": notice.body,
        "link": notice.link,
        "tag": topic(notice),
    }
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()


def topic(notice: Notice) -> str:
    """Return the topic. A retry replaces a message with the same topic.

    Limited to 32 characters (RFC 8030, 5.4).
    """
    return sha256(f"notice {notice.pk} {notice.key}".encode()).hexdigest()[:32]
