"""Send events to the webhooks and record every attempt.

Only one worker at a time calls a webhook, and it sends the oldest event first. A webhook that does
not respond is paused, even if events are waiting for it. A webhook that has failed for days is
disabled. Events are signed as in Standard Webhooks.
"""

import hmac
import json
import time
from base64 import b64decode, b64encode
from collections.abc import Iterable
from datetime import timedelta
from hashlib import sha256
from uuid import UUID

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from league.audit_log import Kind, log_action
from league.jobs import leases
from league.models import Delivery, DeliveryTry, Membership, Role, Webhook
from league.sending import mail
from league.sending.addresses import networks
from league.sending.http_request import Resolve, Response, look_up, post
from league.sending.retries import THROTTLED, pause_after
from league.sending.sender import Outcome, Result, Sender
from league.webhooks.events import QUEUE
from league.webhooks.management import PREFIX, secrets_of

DISABLE_AFTER = timedelta(days=4)
GONE = 410
# The version of the request bodies. It increases with every change except new fields.
VERSION = 1
SIGNATURE_VERSION = "v1"
USER_AGENT = "dealers-choice"


class WebhookSender(Sender[Delivery]):
    queue = QUEUE
    model = Delivery
    league_path = "webhook__league"
    related = ("webhook__league", "event")

    def __init__(self, resolve: Resolve = look_up) -> None:
        self.resolve = resolve

    def leagues_due(self) -> list[UUID | str]:
        first = leases.due(_unfinished()).order_by("due_at").values("due_at")[:1]
        webhooks = _ready_webhooks().annotate(since=Subquery(first)).order_by("since")
        return list(dict.fromkeys(webhooks.values_list("league", flat=True)))

    @transaction.atomic
    def lease_next(self, league: UUID | str) -> Delivery | None:
        """Lease the oldest delivery for the least recently called webhook."""
        skip = connection.features.has_select_for_update_skip_locked
        waiting = (
            _ready_webhooks()
            .filter(league_id=league)
            .order_by(F("called_at").asc(nulls_first=True))
        )
        webhook = waiting.select_for_update(of=("self",), skip_locked=skip).first()
        # Another worker may have leased a delivery just before this thread locked the webhook.
        if webhook is None or leases.leased(webhook.deliveries.filter(done_at=None)).exists():
            return None
        Webhook.objects.filter(pk=webhook.pk).update(called_at=timezone.now())
        rows = webhook.deliveries.all()
        return next(iter(leases.lease_due(rows, most=1, order=("event__sequence",))), None)

    def send(self, delivery: Delivery) -> Result:
        # The event may have been published while the webhook was being disabled or retired.
        if delivery.webhook.state != "active":
            return Result(Outcome.GIVEN_UP)
        body, now, message_id = body_of(delivery), int(time.time()), str(delivery.event.id)
        headers = {
            "content-type": "application/json",
            "user-agent": USER_AGENT,
            "webhook-id": message_id,
            "webhook-timestamp": str(now),
            "webhook-signature": signature_header(
                secrets_of(delivery.webhook), message_id, now, body
            ),
        }
        allowed = networks(settings.WEBHOOK_NETWORKS)
        response = post(delivery.webhook.url, body, headers, allowed=allowed, resolve=self.resolve)
        if response.accepted:
            return Result(Outcome.DELIVERED, response)
        return Result(Outcome.GIVEN_UP if response.status == GONE else None, response)

    def record(self, message: Delivery, result: Result) -> bool:
        # Lock the webhook before its deliveries, in the same order as `management.retire`.
        webhook = Webhook.objects.select_for_update(no_key=True).get(pk=message.webhook_id)
        if response := result.response:
            DeliveryTry.objects.create(
                delivery=message,
                number=message.log.count() + 1,
                status=response.status,
                milliseconds=response.milliseconds,
                said=response.text,
            )
        lease_was_valid = super().record(message, result)
        if not lease_was_valid or not response:
            return lease_was_valid
        now = timezone.now()
        # Other failures, such as a 500, don't pause the webhook.
        unavailable = response.status is None or response.status in THROTTLED
        webhook.failing_since = None if response.accepted else webhook.failing_since or now
        webhook.failures = webhook.failures + 1 if unavailable else 0
        webhook.resumes_at = None
        if unavailable:
            pause = max(pause_after(webhook.failures), timedelta(seconds=response.retry_after))
            webhook.resumes_at = now + pause
        webhook.save(update_fields=["failing_since", "failures", "resumes_at"])
        since = webhook.failing_since
        failed_too_long = since is not None and now - since >= DISABLE_AFTER
        if (failed_too_long or response.status == GONE) and webhook.state == "active":
            _disable(webhook, response)
        return lease_was_valid


SENDER = WebhookSender()


def body_of(delivery: Delivery) -> bytes:
    """Return the request body. The body is identical for each attempt."""
    event = delivery.event
    event_data = {
        "id": str(event.id),
        "type": event.kind,
        "version": VERSION,
        "timestamp": event.made_at.isoformat().replace("+00:00", "Z"),
        "sequence": event.sequence,
        "league": str(event.league_id),
        "data": event.data,
    }
    return json.dumps(event_data, separators=(",", ":")).encode()


def signature(secret: str, message_id: str, timestamp: int, body: bytes) -> str:
    """Return the signature of a body. `timestamp` is the time of sending, in seconds since 1970."""
    key = b64decode(secret.removeprefix(PREFIX), validate=True)
    content = f"{message_id}.{timestamp}.".encode() + body
    return f"{SIGNATURE_VERSION},{b64encode(hmac.new(key, content, sha256).digest()).decode()}"


def signature_header(secrets: Iterable[str], message_id: str, timestamp: int, body: bytes) -> str:
    """Return the signature header, with a signature for each valid secret."""
    return " ".join(signature(secret, message_id, timestamp, body) for secret in secrets)


def _unfinished() -> QuerySet[Delivery]:
    """Return the unfinished deliveries of the outer query's webhook."""
    return Delivery.objects.filter(webhook=OuterRef("pk"), done_at=None)


def _ready_webhooks() -> QuerySet[Webhook]:
    """Return the webhooks with due deliveries that are not paused or being called.

    Deliveries to disabled and retired webhooks have already been marked as failed. `send` does so
    for the few deliveries that were published at the same moment.
    """
    unpaused = Q(resumes_at=None) | Q(resumes_at__lte=timezone.now())
    due, called = Exists(leases.due(_unfinished())), Exists(leases.leased(_unfinished()))
    return Webhook.objects.filter(unpaused, due, ~called)


def _disable(webhook: Webhook, response: Response) -> None:
    """Disable the webhook, mark its deliveries as failed and notify the hosts."""
    webhook.disabled_at = timezone.now()
    webhook.save(update_fields=["disabled_at"])
    leases.finish(webhook.deliveries.filter(done_at=None), outcome=Outcome.GIVEN_UP)
    log_action(Kind.WEBHOOK_STOPPED, by=None, league=webhook.league, webhook=str(webhook.pk))
    since = f"{webhook.failing_since:%Y-%m-%d}"
    lines = [
        f"Deliveries of {webhook.league} to {webhook.url} have failed since {since}.",
        f"The last response was {response.status or response.text}.",
        "The webhook is off. A host can turn it on again:",
    ]
    if settings.SITE_URL:
        lines.append(f"{settings.SITE_URL}/leagues/{webhook.league_id}/webhooks")
    hosts = Membership.objects.filter(league=webhook.league_id, role=Role.HOST)
    for host in hosts.select_related("user"):
        key = f"webhook:{webhook.pk}:{webhook.disabled_at.isoformat()}:{host.user_id}"
        subject = f"{webhook.league}: a webhook was turned off"
        mail.write(key, host.user.email, subject, lines, league=webhook.league)
