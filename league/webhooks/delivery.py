"""Bring events to the endpoints: taken by lease, sent with no transaction open, every try kept.

A worker that dies between sending and saying so leaves the delivery to the next one, which sends
it again under the same id. What fails is tried again after longer and longer times for some days
and then given up, for all to see; an endpoint that has failed for days is switched off.

An endpoint is called by one worker at a time, with what happened first. One that is silent is left
alone for a while, whatever waits for it.
"""

import json
import time
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from league.audit_log import Kind, log_action
from league.jobs import leases, mail
from league.models import Delivery, DeliveryTry, Membership, Role, Webhook
from league.webhooks import outbox
from league.webhooks.addresses import networks
from league.webhooks.endpoints import secrets_of
from league.webhooks.retry_schedule import MOST_TRIES, THROTTLED, rest_after, wait_after
from league.webhooks.sender import Answer, Resolve, look_up, send
from league.webhooks.signatures import signed

SWITCH_OFF_AFTER = timedelta(days=4)
KEEP = timedelta(days=90)
GONE = 410
# Of the bodies. Fields are added without another one; whatever else changes in them wants it.
VERSION = 1
USER_AGENT = "dealers-choice"

Leased = tuple[str, str]


def leagues_due() -> list[UUID]:
    """Return the leagues with an endpoint that is to be called; the longest wait first."""
    first = leases.due(_of_endpoint()).order_by("due_at").values("due_at")[:1]
    found = _callable().annotate(since=Subquery(first)).order_by("since")
    return list(dict.fromkeys(found.values_list("league", flat=True)))


def deliver_next(league_id: UUID, *, resolve: Resolve = look_up) -> bool:
    """Call one endpoint of the league with one event; tell whether there was one."""
    leased = take(league_id)
    if leased:
        deliver(*leased, resolve=resolve)
    return leased is not None


@transaction.atomic
def take(league_id: UUID) -> Leased | None:
    """Take what an endpoint of the league is to be sent next: the delivery and its lease."""
    skip = connection.features.has_select_for_update_skip_locked
    waiting = _callable().filter(league=league_id).order_by(F("called_at").asc(nulls_first=True))
    endpoint = waiting.select_for_update(of=("self",), skip_locked=skip).first()
    if endpoint is None or _held(endpoint.deliveries.all()).exists():
        return None
    Webhook.objects.filter(pk=endpoint.pk).update(called_at=timezone.now())
    rows = leases.take_due(Delivery.objects.filter(webhook=endpoint), most=1, order=("event_id",))
    return (str(rows[0].pk), str(rows[0].lease)) if rows else None


def forget() -> None:
    """Clear the log of what has long been done."""
    Delivery.objects.filter(done_at__lt=timezone.now() - KEEP).delete()


def body_of(delivery: Delivery) -> bytes:
    """Return what is sent: the same bytes at each try."""
    event = delivery.event
    said = {
        "id": str(event.id),
        "type": event.kind,
        "version": VERSION,
        "timestamp": event.made_at.isoformat().replace("+00:00", "Z"),
        "sequence": event.sequence,
        "league": str(event.league_id),
        "data": event.data,
    }
    return json.dumps(said, separators=(",", ":")).encode()


def deliver(delivery_id: str, lease: str, *, resolve: Resolve = look_up) -> None:
    """Send this delivery, as far as its lease still stands."""
    rows = Delivery.objects.filter(pk=delivery_id)
    mine = leases.use_up(rows, lease)
    if not mine:
        return
    delivery = Delivery.objects.select_related("webhook__league", "event").get(pk=delivery_id)
    if delivery.webhook.state != "active":
        leases.finish(rows, outcome=Delivery.Outcome.GIVEN_UP)
        return
    answer = _send(delivery, resolve)
    with transaction.atomic():
        # The endpoint before what is sent to it, as who retires it does.
        endpoint = Webhook.objects.select_for_update(no_key=True).get(pk=delivery.webhook_id)
        _keep(delivery, answer)
        if _give_back(rows.filter(lease=mine), delivery, answer):
            _note(endpoint, answer)


def _of_endpoint() -> QuerySet[Delivery]:
    return Delivery.objects.filter(webhook=OuterRef("pk"))


def _held(rows: QuerySet[Delivery]) -> QuerySet[Delivery]:
    """Return those that somebody is sending."""
    return leases.held(rows.filter(done_at=None))


def _callable() -> QuerySet[Webhook]:
    """Return the endpoints that have something due, and that nobody is calling."""
    rested = Q(resumes_at=None) | Q(resumes_at__lte=timezone.now())
    due, held = Exists(leases.due(_of_endpoint())), Exists(_held(_of_endpoint()))
    return Webhook.objects.filter(rested, due, ~held)


def _send(delivery: Delivery, resolve: Resolve) -> Answer:
    body, now, event_id = body_of(delivery), int(time.time()), str(delivery.event.id)
    headers = {
        "content-type": "application/json",
        "user-agent": USER_AGENT,
        "webhook-id": event_id,
        "webhook-timestamp": str(now),
        "webhook-signature": signed(secrets_of(delivery.webhook), event_id, now, body),
    }
    allowed = networks(settings.WEBHOOK_NETWORKS)
    return send(delivery.webhook.url, body, headers, allowed=allowed, resolve=resolve)


def _keep(delivery: Delivery, answer: Answer) -> None:
    DeliveryTry.objects.create(
        delivery=delivery,
        number=delivery.log.count() + 1,
        status=answer.status,
        milliseconds=answer.milliseconds,
        said=answer.said,
    )


def _give_back(mine: QuerySet[Delivery], delivery: Delivery, answer: Answer) -> int:
    """Finish the delivery or put it off; tell whether it was still ours."""
    if answer.arrived:
        return leases.finish(mine, outcome=Delivery.Outcome.DELIVERED)
    if delivery.tries >= MOST_TRIES or answer.status == GONE:
        return leases.finish(mine, outcome=Delivery.Outcome.GIVEN_UP)
    wait = max(wait_after(delivery.tries), timedelta(seconds=answer.retry_after))
    outbox.wake_again(wait)
    return leases.put_off(mine, timezone.now() + wait)


def _note(endpoint: Webhook, answer: Answer) -> None:
    """Keep since when the endpoint fails, and switch it off after too long."""
    endpoint.failing_since = None if answer.arrived else endpoint.failing_since or timezone.now()
    endpoint.failures = endpoint.failures + 1 if _overtaxed(answer) else 0
    endpoint.resumes_at = _resumes_at(endpoint, answer)
    endpoint.save(update_fields=["failing_since", "failures", "resumes_at"])
    if _hopeless(endpoint, answer) and endpoint.state == "active":
        _switch_off(endpoint, answer)


def _overtaxed(answer: Answer) -> bool:
    """Tell whether the receiver is to be left alone: it was silent, or says that it is too much."""
    return answer.status is None or answer.status in THROTTLED


def _resumes_at(endpoint: Webhook, answer: Answer) -> datetime | None:
    if not endpoint.failures:
        return None
    return timezone.now() + max(
        rest_after(endpoint.failures), timedelta(seconds=answer.retry_after)
    )


def _hopeless(endpoint: Webhook, answer: Answer) -> bool:
    since = endpoint.failing_since
    long = since is not None and timezone.now() - since >= SWITCH_OFF_AFTER
    return long or answer.status == GONE


def _switch_off(endpoint: Webhook, answer: Answer) -> None:
    """Send no more, and write to the hosts."""
    endpoint.disabled_at = timezone.now()
    endpoint.save(update_fields=["disabled_at"])
    leases.finish(endpoint.deliveries.filter(done_at=None), outcome=Delivery.Outcome.GIVEN_UP)
    log_action(Kind.WEBHOOK_STOPPED, by=None, league=endpoint.league, webhook=str(endpoint.pk))
    since = f"{endpoint.failing_since:%Y-%m-%d}"
    said = [
        f"{endpoint.url} has not taken what {endpoint.league} sends since {since}.",
        f"The last answer was {answer.status or answer.said}.",
        "Nothing is sent there any more until a host switches it on again.",
    ]
    if settings.SITE_URL:
        said.append(f"{settings.SITE_URL}/leagues/{endpoint.league_id}/webhooks")
    hosts = Membership.objects.filter(league=endpoint.league_id, role=Role.HOST)
    for host in hosts.select_related("user"):
        key = f"webhook:{endpoint.pk}:{endpoint.disabled_at.isoformat()}:{host.user_id}"
        subject = f"{endpoint.league}: a webhook was switched off"
        mail.write(key, host.user.email, subject, said, league=endpoint.league)
