"""Webhook actions for hosts: create, change, rotate the secret, enable, retire, ping, resend.

A secret is shown once, when it is created. It is derived from a salt in the database and from
SECRET_KEY, so it can't be read afterwards, not even from a copy of the database. A retired webhook
is kept with its deliveries.
"""

import hmac
import secrets
from base64 import b64encode
from collections.abc import Iterator
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from league import audit_log
from league.audit_log import Kind
from league.common import row_limits
from league.common.errors import IdReusedError, Problem, problem, refuse
from league.common.locks import lock_league
from league.common.text import wrong_text
from league.jobs import leases
from league.models import (
    CHOSEN,
    LONGEST_ADDRESS,
    LONGEST_NAME,
    Delivery,
    League,
    User,
    Webhook,
)
from league.sending.addresses import wrong_address
from league.sending.sender import wake_on_commit
from league.webhooks.events import QUEUE, publish_ping

# The maximum number of deliveries that a request can resend. It is limited because only one worker
# at a time calls a receiver.
MOST_RESENT = 1_000
# How long the old secret is still used for signing after a rotation.
OVERLAP = timedelta(hours=24)
# Maximum number of old secrets. The header only has room for a few signatures.
MOST_OLD = 5
PREFIX = "whsec_"  # of secrets, as in Standard Webhooks


class TooManyDeliveriesError(Exception):
    """The time range has more deliveries than one request may resend."""


@transaction.atomic
def create(
    league: League,
    webhook_id: UUID,
    url: object,
    *,
    by: User | None,
    events: object = CHOSEN,
    note: object = "",
) -> tuple[Webhook, str]:
    """Create a webhook, once per id.

    Return the webhook with its secret, or with "" if it already existed. Raises RefusedError, or
    IdReusedError if the id belongs to a different webhook.
    """
    lock_league(league.pk)
    if webhook := Webhook.objects.filter(pk=webhook_id).first():
        if (webhook.league_id, webhook.url) != (league.pk, url):
            raise IdReusedError
        return webhook, ""
    refuse(
        [
            *wrong_webhook(url, events, note),
            *row_limits.WEBHOOKS.exceeded(Webhook.objects.filter(league=league, retired_at=None)),
        ]
    )
    webhook = Webhook(id=webhook_id, league=league, url=str(url), note=str(note), made_by=by)
    webhook.events, webhook.salt = _chosen(events), _new_salt()
    webhook.save(force_insert=True)
    _log(Kind.WEBHOOK_MADE, webhook, by)
    return webhook, secrets_of(webhook)[0]


@transaction.atomic
def change(
    webhook: Webhook,
    *,
    by: User | None = None,
    url: object = None,
    events: object = None,
    note: object = None,
) -> Webhook:
    """Change the webhook's address, events or note. Raises RefusedError."""
    webhook = _lock(webhook)
    url, note = webhook.url if url is None else url, webhook.note if note is None else note
    events = webhook.events if events is None else events
    refuse([*wrong_webhook(url, events, note), *_retired(webhook)])
    new = {"url": str(url), "note": str(note), "events": _chosen(events)}
    changed = [name for name, value in new.items() if getattr(webhook, name) != value]
    for name in changed:
        setattr(webhook, name, new[name])
    if "url" in changed:  # the new URL may have a different receiver
        webhook.failures, webhook.resumes_at = 0, None
    webhook.save(update_fields=[*changed, "failures", "resumes_at"])
    if changed:
        _log(Kind.WEBHOOK_CHANGED, webhook, by, changed=", ".join(changed))
    return webhook


@transaction.atomic
def rotate(webhook: Webhook, *, by: User | None = None) -> tuple[Webhook, str]:
    """Rotate the secret. The old secret keeps signing for another day. Raises RefusedError."""
    webhook = _lock(webhook)
    refuse(_retired(webhook))
    until = (timezone.now() + OVERLAP).timestamp()
    webhook.old_salts = [[webhook.salt, until], *_valid_old_salts(webhook)][:MOST_OLD]
    webhook.salt = _new_salt()
    webhook.save(update_fields=["salt", "old_salts"])
    _log(Kind.WEBHOOK_RENEWED, webhook, by)
    return webhook, secrets_of(webhook)[0]


@transaction.atomic
def enable(webhook: Webhook, *, by: User | None = None) -> Webhook:
    """Enable the webhook after it was disabled automatically, or end its pause.

    Earlier failures no longer count. Raises RefusedError.
    """
    webhook = _lock(webhook)
    refuse(_retired(webhook))
    was_off = webhook.disabled_at is not None
    webhook.disabled_at = webhook.failing_since = webhook.resumes_at = None
    webhook.failures = 0
    webhook.save(update_fields=["disabled_at", "failing_since", "resumes_at", "failures"])
    wake_on_commit(QUEUE)
    if was_off:
        _log(Kind.WEBHOOK_STARTED, webhook, by)
    return webhook


@transaction.atomic
def retire(webhook: Webhook, *, by: User | None = None) -> Webhook:
    """Retire the webhook, which stops all sending to it. Retiring it twice changes nothing."""
    webhook = _lock(webhook)
    if webhook.retired_at is None:
        webhook.retired_at = timezone.now()
        webhook.save(update_fields=["retired_at"])
        leases.finish(webhook.deliveries.filter(done_at=None), outcome=Delivery.Outcome.GIVEN_UP)
        _log(Kind.WEBHOOK_RETIRED, webhook, by)
    return webhook


@transaction.atomic
def ping(webhook: Webhook) -> Delivery:
    """Send an empty event to test the webhook.

    Raises RefusedError if the webhook is disabled or retired.
    """
    webhook = _lock(webhook)
    refuse(_off(webhook))
    _end_pause(webhook)
    return publish_ping(webhook)


@transaction.atomic
def resend(delivery: Delivery) -> Delivery:
    """Send a finished delivery again, with the same id. Raises RefusedError."""
    webhook = _lock(delivery.webhook)
    refuse(_off(webhook))
    delivery = Delivery.objects.select_for_update(no_key=True).get(pk=delivery.pk)
    if delivery.done_at is not None:
        for name, value in _due_again().items():
            setattr(delivery, name, value)
        delivery.save()
        _end_pause(webhook)
        wake_on_commit(QUEUE)
    return delivery


@transaction.atomic
def resend_between(webhook: Webhook, after: datetime, before: datetime, *, by: User | None) -> int:
    """Resend the events from `after` (inclusive) to `before` (exclusive). Return their number.

    The events keep their ids and order. Deliveries that are still waiting are unchanged. Raises
    RefusedError or TooManyDeliveriesError.
    """
    webhook = _lock(webhook)
    wrong = list(_off(webhook))
    if before <= after:
        wrong.append(problem("before", "bad-period", "this must be later than `after`"))
    refuse(wrong)
    rows = webhook.deliveries.filter(event__made_at__gte=after, event__made_at__lt=before)
    deliveries = list(rows.values_list("pk", flat=True)[: MOST_RESENT + 1])
    if len(deliveries) > MOST_RESENT:
        raise TooManyDeliveriesError
    done = Delivery.objects.filter(pk__in=deliveries).exclude(done_at=None)
    sent = done.update(**_due_again())
    _end_pause(webhook)
    wake_on_commit(QUEUE)
    period = {"since": after.isoformat(), "until": before.isoformat()}
    _log(Kind.WEBHOOK_RESENT, webhook, by, deliveries=sent, **period)
    return sent


def secrets_of(webhook: Webhook) -> list[str]:
    """Return the secrets that are currently valid, newest first."""
    salts = [webhook.salt, *(salt for salt, _ in _valid_old_salts(webhook))]
    return [secret_of(salt, settings.SECRET_KEY) for salt in salts]


def secret_of(salt: str, key: str) -> str:
    """Return the receiver's secret: 32 bytes in base64, after the prefix."""
    made = hmac.new(key.encode(), f"webhook secret {salt}".encode(), sha256).digest()
    return PREFIX + b64encode(made).decode()


def wrong_webhook(url: object, events: object, note: object) -> Iterator[Problem]:
    wrong = list(wrong_text("url", url, longest=LONGEST_ADDRESS))
    yield from wrong or wrong_address("url", str(url))
    yield from wrong_text("note", note, longest=LONGEST_NAME, needed=False)
    known = isinstance(events, list | tuple) and all(each in CHOSEN for each in events)
    if not known or not events:
        text = f"this must list at least one of {', '.join(CHOSEN)}"
        yield problem("events", "unknown-event", text)


def _chosen(events: object) -> list[str]:
    return [kind for kind in CHOSEN if isinstance(events, list | tuple) and kind in events]


def _due_again() -> dict[str, Any]:
    """Return column values that make a delivery due again, without attempts."""
    untried = dict.fromkeys(("done_at", "lease", "leased_until"))
    return {**untried, "due_at": timezone.now(), "tries": 0, "outcome": ""}


def _retired(webhook: Webhook) -> Iterator[Problem]:
    if webhook.retired_at:
        yield problem("", "retired", "this webhook was removed")


def _off(webhook: Webhook) -> Iterator[Problem]:
    yield from _retired(webhook)
    if webhook.disabled_at and not webhook.retired_at:
        yield problem("", "disabled", "this webhook is off: turn it on first")


def _end_pause(webhook: Webhook) -> None:
    webhook.resumes_at = None
    webhook.save(update_fields=["resumes_at"])


def _log(kind: Kind, webhook: Webhook, by: User | None, **about: Any) -> None:
    """Log an action with the webhook's id, not its URL, which may grant access to the receiver."""
    audit_log.log_action(kind, by=by, league=webhook.league, webhook=str(webhook.pk), **about)


def _lock(webhook: Webhook) -> Webhook:
    rows = Webhook.objects.select_for_update(of=("self",), no_key=True)
    return rows.select_related("league").get(pk=webhook.pk)


def _valid_old_salts(webhook: Webhook) -> list[tuple[str, float]]:
    """Return the earlier salts that are still valid, each with its expiry."""
    now = timezone.now().timestamp()
    return [(salt, until) for salt, until in webhook.old_salts if until > now]


def _new_salt() -> str:
    return secrets.token_hex(16)
