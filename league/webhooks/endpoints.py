"""The endpoints of a league: create, change, rotate the secret, switch on and retire.

A secret is shown once, when it is created. It can't be read afterwards, not even from a copy of the
database. A retired endpoint is kept with its deliveries.
"""

import secrets
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from league import audit_log
from league.audit_log import Kind
from league.common import row_limits
from league.common.errors import IdReusedError, Problem, problem, refuse
from league.common.text import wrong_text
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
from league.sending.sender import wake
from league.webhooks.outbox import QUEUE, publish_ping
from league.webhooks.signatures import secret_of

# The most deliveries that one request may resend, since only one worker at a time calls a receiver.
MOST_AT_ONCE = 1_000
# How long the old secret keeps signing after a rotation.
OVERLAP = timedelta(hours=24)
# More rotations than anyone needs in a day. The header can only hold a few signatures.
MOST_OLD = 5


class TooManyDeliveriesError(Exception):
    """A time range has more deliveries than one request may resend."""


@transaction.atomic
def make(
    league: League,
    webhook_id: UUID,
    url: object,
    *,
    by: User | None,
    events: object = CHOSEN,
    note: object = "",
) -> tuple[Webhook, str]:
    """Create an endpoint, once per id. Return it with its secret, or with "" if it already existed.

    Raises RefusedError, or IdReusedError if the id belongs to another endpoint.
    """
    League.objects.select_for_update(no_key=True).get(pk=league.pk)
    if webhook := Webhook.objects.filter(pk=webhook_id).first():
        if (webhook.league_id, webhook.url) != (league.pk, url):
            raise IdReusedError
        return webhook, ""
    refuse(
        [
            *wrong_endpoint(url, events, note),
            *row_limits.WEBHOOKS.exceeded(Webhook.objects.filter(league=league, retired_at=None)),
        ]
    )
    endpoint = Webhook(id=webhook_id, league=league, url=str(url), note=str(note), made_by=by)
    endpoint.events, endpoint.salt = _chosen(events), _new_salt()
    endpoint.save(force_insert=True)
    _log(Kind.WEBHOOK_MADE, endpoint, by)
    return endpoint, secrets_of(endpoint)[0]


@transaction.atomic
def change(
    endpoint: Webhook,
    *,
    by: User | None = None,
    url: object = None,
    events: object = None,
    note: object = None,
) -> Webhook:
    """Change the address, events or note of the endpoint. Raises RefusedError."""
    endpoint = _lock(endpoint)
    url, note = endpoint.url if url is None else url, endpoint.note if note is None else note
    events = endpoint.events if events is None else events
    refuse([*wrong_endpoint(url, events, note), *_retired(endpoint)])
    new = {"url": str(url), "note": str(note), "events": _chosen(events)}
    changed = [name for name, value in new.items() if getattr(endpoint, name) != value]
    for name in changed:
        setattr(endpoint, name, new[name])
    if "url" in changed:  # the receiver has changed
        endpoint.failures, endpoint.resumes_at = 0, None
    endpoint.save(update_fields=[*changed, "failures", "resumes_at"])
    if changed:
        _log(Kind.WEBHOOK_CHANGED, endpoint, by, changed=", ".join(changed))
    return endpoint


@transaction.atomic
def rotate(endpoint: Webhook, *, by: User | None = None) -> tuple[Webhook, str]:
    """Rotate the secret. The old one also signs for another day. Raises RefusedError."""
    endpoint = _lock(endpoint)
    refuse(_retired(endpoint))
    until = (timezone.now() + OVERLAP).timestamp()
    endpoint.old_salts = [[endpoint.salt, until], *_still_good(endpoint)][:MOST_OLD]
    endpoint.salt = _new_salt()
    endpoint.save(update_fields=["salt", "old_salts"])
    _log(Kind.WEBHOOK_RENEWED, endpoint, by)
    return endpoint, secrets_of(endpoint)[0]


@transaction.atomic
def switch_on(endpoint: Webhook, *, by: User | None = None) -> Webhook:
    """Switch the endpoint on after it was switched off automatically, or end its pause.

    Its earlier failures no longer count. Raises RefusedError.
    """
    endpoint = _lock(endpoint)
    refuse(_retired(endpoint))
    was_off = endpoint.disabled_at is not None
    endpoint.disabled_at = endpoint.failing_since = endpoint.resumes_at = None
    endpoint.failures = 0
    endpoint.save(update_fields=["disabled_at", "failing_since", "resumes_at", "failures"])
    wake(QUEUE)
    if was_off:
        _log(Kind.WEBHOOK_STARTED, endpoint, by)
    return endpoint


@transaction.atomic
def retire(endpoint: Webhook, *, by: User | None = None) -> Webhook:
    """Retire the endpoint: nothing more is sent to it. Idempotent."""
    endpoint = _lock(endpoint)
    if endpoint.retired_at is None:
        endpoint.retired_at = timezone.now()
        endpoint.save(update_fields=["retired_at"])
        waiting = endpoint.deliveries.filter(done_at=None)
        waiting.update(done_at=endpoint.retired_at, outcome=Delivery.Outcome.GIVEN_UP)
        _log(Kind.WEBHOOK_RETIRED, endpoint, by)
    return endpoint


@transaction.atomic
def ping(endpoint: Webhook) -> Delivery:
    """Send an event without content to test the endpoint.

    Raises RefusedError if the endpoint is switched off or retired.
    """
    endpoint = _lock(endpoint)
    refuse(_off(endpoint))
    _end_pause(endpoint)
    return publish_ping(endpoint)


@transaction.atomic
def redeliver(delivery: Delivery) -> Delivery:
    """Send a finished delivery again, with the same id. Raises RefusedError."""
    endpoint = _lock(delivery.webhook)
    refuse(_off(endpoint))
    delivery = Delivery.objects.select_for_update(no_key=True).get(pk=delivery.pk)
    if delivery.done_at is not None:
        for name, value in _due_again().items():
            setattr(delivery, name, value)
        delivery.save()
        _end_pause(endpoint)
        wake(QUEUE)
    return delivery


@transaction.atomic
def redeliver_between(
    endpoint: Webhook, after: datetime, before: datetime, *, by: User | None
) -> int:
    """Resend the events from `after` (inclusive) to `before` (exclusive). Return their number.

    They keep their ids and order. Deliveries that are still waiting are unchanged. Raises
    RefusedError,
    TooManyDeliveriesError.
    """
    endpoint = _lock(endpoint)
    refuse([*_off(endpoint), *_no_period(after, before)])
    rows = endpoint.deliveries.filter(event__made_at__gte=after, event__made_at__lt=before)
    deliveries = list(rows.values_list("pk", flat=True)[: MOST_AT_ONCE + 1])
    if len(deliveries) > MOST_AT_ONCE:
        raise TooManyDeliveriesError
    done = Delivery.objects.filter(pk__in=deliveries).exclude(done_at=None)
    sent = done.update(**_due_again())
    _end_pause(endpoint)
    wake(QUEUE)
    period = {"since": after.isoformat(), "until": before.isoformat()}
    _log(Kind.WEBHOOK_RESENT, endpoint, by, deliveries=sent, **period)
    return sent


def secrets_of(endpoint: Webhook) -> list[str]:
    """Return the secrets that are valid now, newest first."""
    salts = [endpoint.salt, *(salt for salt, _ in _still_good(endpoint))]
    return [secret_of(salt, settings.SECRET_KEY) for salt in salts]


def wrong_endpoint(url: object, events: object, note: object) -> Iterator[Problem]:
    """Yield the problems of an endpoint's URL, events and note."""
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


def _no_period(after: datetime, before: datetime) -> Iterator[Problem]:
    if before <= after:
        yield problem("before", "bad-period", "this must be later than `after`")


def _retired(endpoint: Webhook) -> Iterator[Problem]:
    if endpoint.retired_at:
        yield problem("", "retired", "this webhook was removed")


def _off(endpoint: Webhook) -> Iterator[Problem]:
    yield from _retired(endpoint)
    if endpoint.disabled_at and not endpoint.retired_at:
        yield problem("", "disabled", "this webhook is off: turn it on first")


def _end_pause(endpoint: Webhook) -> None:
    """End the receiver's pause."""
    endpoint.resumes_at = None
    endpoint.save(update_fields=["resumes_at"])


def _log(kind: Kind, endpoint: Webhook, by: User | None, **about: Any) -> None:
    """Log the endpoint's id, not its address, which may grant access to the receiver."""
    audit_log.log_action(kind, by=by, league=endpoint.league, webhook=str(endpoint.pk), **about)


def _lock(endpoint: Webhook) -> Webhook:
    rows = Webhook.objects.select_for_update(of=("self",), no_key=True)
    return rows.select_related("league").get(pk=endpoint.pk)


def _still_good(endpoint: Webhook) -> list[tuple[str, float]]:
    """Return the earlier salts that are still valid, each with its expiry."""
    now = timezone.now().timestamp()
    return [(salt, until) for salt, until in endpoint.old_salts if until > now]


def _new_salt() -> str:
    return secrets.token_hex(16)
