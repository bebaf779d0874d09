"""Bring events to the hooks: taken by lease, sent with no transaction open, every try kept.

A worker that dies between sending and saying so leaves the delivery to the next one, which sends
it again under the same id. What fails is tried again after longer and longer times for about a
day and then given up, for all to see; a hook that has failed for days is switched off.
"""

import json
import random
import time
from collections.abc import Iterable
from datetime import timedelta
from uuid import UUID, uuid4

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from league import letters, work
from league.logbook import Kind, note
from league.models import Delivery, DeliveryTry, Membership, Role, Webhook
from league.webhooks.addresses import networks
from league.webhooks.hooks import secrets_of
from league.webhooks.sending import Answer, Resolve, look_up, send
from league.webhooks.signing import signed

FIRST_WAIT = timedelta(seconds=15)
LONGEST_WAIT = timedelta(hours=6)
# The waits between them add up to about a day.
MOST_TRIES = 11
SPREAD = 0.2
SWITCH_OFF_AFTER = timedelta(days=3)
KEEP = timedelta(days=90)
GONE = 410
USER_AGENT = "dealers-choice"

Leased = tuple[str, str]


def due() -> dict[UUID, list[Leased]]:
    """Take what is due: for each hook its deliveries and their leases, oldest event first."""
    taken: dict[UUID, list[Leased]] = {}
    rows = work.take(Delivery.objects.all())
    for row in sorted(rows, key=lambda row: row.event_id):
        taken.setdefault(row.hook_id, []).append((str(row.pk), str(row.lease)))
    return taken


def deliver(leased: Iterable[Leased], *, resolve: Resolve = look_up) -> None:
    """Send these deliveries, one after another, as far as their leases still stand."""
    for delivery_id, lease in leased:
        _deliver(delivery_id, lease, resolve)


def wait_after(tries: int) -> timedelta:
    """Return how long to wait after so many tries: thrice as long each time, and not all at once.

    Receivers that went down together must not be called together when they come up.
    """
    usual: timedelta = min(FIRST_WAIT * 3 ** (tries - 1), LONGEST_WAIT)
    return usual * random.uniform(1 - SPREAD, 1 + SPREAD)  # noqa: S311 (no secret)


def forget() -> None:
    """Clear the log of what has long been done."""
    Delivery.objects.filter(done_at__lt=timezone.now() - KEEP).delete()


def body_of(delivery: Delivery) -> bytes:
    """Return what is sent: the same bytes at each try."""
    event = delivery.event
    said = {
        "id": str(event.id),
        "type": event.kind,
        "sequence": event.sequence,
        "made_at": event.made_at.isoformat().replace("+00:00", "Z"),
        "league": str(event.league_id),
        "data": event.data,
    }
    return json.dumps(said, separators=(",", ":")).encode()


def _deliver(delivery_id: str, lease: str, resolve: Resolve) -> None:
    mine = uuid4()
    held = Delivery.objects.filter(pk=delivery_id, lease=lease, done_at=None)
    if not held.update(lease=mine):
        return
    delivery = Delivery.objects.select_related("hook__league", "event").get(pk=delivery_id)
    if delivery.hook.state != "active":
        Delivery.objects.filter(pk=delivery_id).update(**_done(Delivery.Outcome.GIVEN_UP))
        return
    answer = _send(delivery, resolve)
    with transaction.atomic():
        _keep(delivery, answer)
        if Delivery.objects.filter(pk=delivery_id, lease=mine).update(**_after(delivery, answer)):
            _note(delivery, answer)


def _send(delivery: Delivery, resolve: Resolve) -> Answer:
    body, now = body_of(delivery), int(time.time())
    headers = {
        "Content-Type": "application/json",
        "User-Agent": USER_AGENT,
        "Webhook-Id": str(delivery.event.id),
        "Webhook-Timestamp": str(now),
        "Webhook-Signature": signed(secrets_of(delivery.hook), now, body),
    }
    allowed = networks(settings.WEBHOOK_NETWORKS)
    return send(delivery.hook.url, body, headers, allowed=allowed, resolve=resolve)


def _keep(delivery: Delivery, answer: Answer) -> None:
    DeliveryTry.objects.create(
        delivery=delivery,
        number=delivery.log.count() + 1,
        status=answer.status,
        milliseconds=answer.milliseconds,
        said=answer.said,
    )


def _after(delivery: Delivery, answer: Answer) -> dict[str, object]:
    """Return what becomes of the delivery."""
    if answer.arrived:
        return _done(Delivery.Outcome.DELIVERED)
    if delivery.tries >= MOST_TRIES or answer.status == GONE:
        return _done(Delivery.Outcome.GIVEN_UP)
    return {"due_at": timezone.now() + wait_after(delivery.tries), "leased_until": None}


def _done(outcome: Delivery.Outcome) -> dict[str, object]:
    return {"outcome": outcome, "done_at": timezone.now(), "leased_until": None}


def _note(delivery: Delivery, answer: Answer) -> None:
    """Keep since when the hook fails, and switch it off after too long."""
    hook = Webhook.objects.select_for_update(no_key=True).get(pk=delivery.hook_id)
    if answer.arrived:
        hook.failing_since = None
    else:
        hook.failing_since = hook.failing_since or timezone.now()
    hook.save(update_fields=["failing_since"])
    if _hopeless(hook, answer) and hook.state == "active":
        _switch_off(hook, answer)


def _hopeless(hook: Webhook, answer: Answer) -> bool:
    since = hook.failing_since
    long = since is not None and timezone.now() - since >= SWITCH_OFF_AFTER
    return long or answer.status == GONE


def _switch_off(hook: Webhook, answer: Answer) -> None:
    """Send no more, and write to the hosts."""
    hook.disabled_at = timezone.now()
    hook.save(update_fields=["disabled_at"])
    note(Kind.WEBHOOK_STOPPED, by=None, league=hook.league, webhook=str(hook.pk))
    hook.deliveries.filter(done_at=None).update(**_done(Delivery.Outcome.GIVEN_UP))
    said = [
        f"{hook.url} has not taken what {hook.league} sends since {hook.failing_since:%Y-%m-%d}.",
        f"The last answer was {answer.status or answer.said}.",
        "Nothing is sent there any more until a host switches it on again.",
    ]
    if settings.SITE_URL:
        said.append(f"{settings.SITE_URL}/leagues/{hook.league_id}/webhooks")
    hosts = Membership.objects.filter(league=hook.league_id, role=Role.HOST)
    for host in hosts.select_related("user"):
        key = f"webhook:{hook.pk}:{hook.disabled_at.isoformat()}:{host.user_id}"
        subject = f"{hook.league}: a webhook was switched off"
        letters.write(key, host.user.email, subject, said)
