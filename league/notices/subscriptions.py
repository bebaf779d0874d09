"""The phones that take pushes: switch one on, end it, read where to send.

An endpoint and its keys are encrypted: whoever has them could write to the phone, and they tell
whom it belongs to.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from urllib.parse import urlsplit

from cryptography.fernet import InvalidToken
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from league.audit_log import Kind, log_action
from league.common import bounds
from league.common.base64url import decoded
from league.common.encryption import cipher
from league.common.errors import Problem, problem, refuse
from league.models import LONGEST_ADDRESS, LONGEST_NAME, Push, PushSubscription, User
from league.notices.web_push import public_key
from league.sending.validation import wrong_address

PURPOSE = "push subscriptions"
AUTH_BYTES = 16
LONGEST_KEY = 200


@dataclass(frozen=True, slots=True)
class Address:
    """Where a phone is sent to, the keys for it, and at which address it found the service."""

    endpoint: str
    p256dh: str
    auth: str
    site: str = ""


@transaction.atomic
def subscribe(user: User, address: Address, *, session_key: str, kind: str) -> PushSubscription:
    """Let the phone of this session take pushes; one that was there is that of the user now.

    Raises RefusedError.
    """
    refuse(_wrong(address))
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    named = _hash(address.endpoint)
    told = json.dumps([address.endpoint, address.p256dh, address.auth, address.site])
    rows = PushSubscription.objects.select_for_update(no_key=True)
    known = rows.filter(address_hash=named).first()
    row = known or PushSubscription(address_hash=named)
    is_new = known is None or known.gone_at is not None or known.user_id != user.pk
    if known and known.user_id != user.pk:
        known.pushes.all().delete()  # they were for whoever had the phone before
    row.user, row.session_key, row.kind = user, session_key, kind[:LONGEST_NAME]
    row.address, row.gone_at = cipher(PURPOSE).encrypt(told.encode()).decode(), None
    if is_new:
        row.made_at = timezone.now()
    row.save()
    if is_new:
        _end_oldest(user)
        log_action(Kind.PUSH_ADDED, by=user)
    return row


@transaction.atomic
def renew(user: User, address: Address, *, session_key: str, kind: str) -> bool:
    """Put the phone's new address in the place of the old one; False where there was none.

    What was on its way to the old one goes to the new one. Raises RefusedError.
    """
    rows = PushSubscription.objects.filter(user=user, session_key=session_key)
    old = rows.order_by("-made_at").first()
    if old is None or not session_key:
        return False
    new = subscribe(user, address, session_key=session_key, kind=kind)
    if new.pk != old.pk and old.gone_at is None:
        told = new.pushes.values("notice")
        old.pushes.filter(done_at=None).exclude(notice__in=told).update(subscription=new)
        end(old, by=user)
    return True


@transaction.atomic
def end(subscription: PushSubscription, *, by: User | None = None) -> None:
    """Send nothing there any more; doing it twice changes nothing.

    One that has gone by itself may come back under another address, by its session.
    """
    rows = PushSubscription.objects.filter(pk=subscription.pk, gone_at=None)
    forgotten = {"session_key": ""} if by else {}
    if rows.update(gone_at=timezone.now(), address="", **forgotten):
        waiting = Push.objects.filter(subscription=subscription, done_at=None)
        waiting.update(done_at=timezone.now(), outcome=Push.Outcome.GIVEN_UP)
        if by:
            log_action(Kind.PUSH_ENDED, by=by)


def of_user(user: User) -> QuerySet[PushSubscription]:
    """Return the user's phones that take pushes, the newest first."""
    return PushSubscription.objects.filter(user=user, gone_at=None).order_by("-made_at", "-pk")


def address_of(subscription: PushSubscription) -> Address | None:
    """Return where the phone is sent to; None where the service's secret has changed."""
    try:
        told = cipher(PURPOSE).decrypt(subscription.address.encode())
    except InvalidToken:
        return None
    return Address(*json.loads(told))


def _hash(endpoint: str) -> str:
    return sha256(f"{PURPOSE} {endpoint}".encode()).hexdigest()


def _end_oldest(user: User) -> None:
    for each in of_user(user)[bounds.PUSH_PHONES.most :]:
        end(each)


def _wrong(address: Address) -> Iterator[Problem]:
    """Yield what is wrong with an address as a browser gives it: all of it, with its place."""
    wrong = list(_wrong_endpoint(address.endpoint))
    yield from wrong
    if not _is_point(address.p256dh):
        yield problem("p256dh", "bad-key", "this is no public key of a browser")
    if not _is_secret(address.auth):
        yield problem("auth", "bad-key", "this is no secret of a browser")


def _wrong_endpoint(endpoint: str) -> Iterator[Problem]:
    if len(endpoint) > LONGEST_ADDRESS:
        text = f"this is longer than {LONGEST_ADDRESS} characters"
        yield problem("endpoint", "too-long", text)
        return
    wrong = list(wrong_address("endpoint", endpoint))
    yield from wrong
    if not wrong and not _is_secure(endpoint):
        yield problem("endpoint", "bad-url", "a push service is called by https://")


def _is_secure(endpoint: str) -> bool:
    """Tell whether it is called by HTTPS; on this machine, where its owner allows that, without."""
    url = urlsplit(endpoint)
    return url.scheme == "https" or url.hostname == "127.0.0.1"


def _is_point(text: str) -> bool:
    try:
        return len(text) <= LONGEST_KEY and bool(public_key(decoded(text)))
    except ValueError:
        return False


def _is_secret(text: str) -> bool:
    try:
        return len(text) <= LONGEST_KEY and len(decoded(text)) == AUTH_BYTES
    except ValueError:
        return False
