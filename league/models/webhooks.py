"""Webhooks, their events and deliveries. See `league.webhooks`."""

from uuid import uuid4

from django.db import models
from django.db.models import Q
from django.utils import timezone

from league.models.jobs import OutgoingMessage
from league.models.people import League, User
from league.models.shared import LONGEST_ADDRESS, LONGEST_NAME


class EventKind(models.TextChoices):
    HAND_SETTLED = "hand.settled"
    HAND_REVISED = "hand.revised"
    HAND_VOIDED = "hand.voided"
    NIGHT_CLOSED = "night.closed"
    PAYMENT_CONFIRMED = "payment.confirmed"
    PING = "ping"


# A ping is sent only to the webhook that a user is testing.
CHOSEN = tuple(kind.value for kind in EventKind if kind != EventKind.PING)


def all_events() -> list[str]:
    return list(CHOSEN)


class Webhook(models.Model):
    """A URL that receives a league's events. Its secret is derived from `salt` and our key.

    After a rotation, the earlier secrets also sign for some time. `old_salts` contains pairs of an
    old salt and its expiry in seconds since 1970, newest first.

    `failing_since` is the time of the first failure after the last success. A webhook that fails
    for too long is disabled at `disabled_at`. `failures` is how many requests in a row got no
    response, or a response that the receiver is overloaded (`retries.THROTTLED`). After such
    failures, the webhook is paused until `resumes_at`. A retired webhook is kept with its
    deliveries.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    league = models.ForeignKey(League, models.PROTECT, related_name="webhooks")
    url = models.CharField(max_length=LONGEST_ADDRESS)
    note = models.CharField(max_length=LONGEST_NAME, blank=True)
    events = models.JSONField(default=all_events)
    salt = models.CharField(max_length=64)
    old_salts = models.JSONField(default=list, blank=True)
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    called_at = models.DateTimeField(null=True, blank=True)
    failures = models.PositiveIntegerField(default=0)
    resumes_at = models.DateTimeField(null=True, blank=True)
    failing_since = models.DateTimeField(null=True, blank=True)
    disabled_at = models.DateTimeField(null=True, blank=True)
    retired_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return self.url

    @property
    def state(self) -> str:
        if self.retired_at:
            return "retired"
        return "disabled" if self.disabled_at else "active"

    @property
    def is_paused(self) -> bool:
        return self.resumes_at is not None and self.resumes_at > timezone.now()


class Event(models.Model):
    """An event, written in the same transaction as the change that caused it.

    The database generates `sequence`, which orders a league's events and is the key in
    `Delivery.event_id`. `id` is random. Receivers get it as `id` and in the header `webhook-id`,
    and recognize repeated deliveries by it.

    Writers of hands, closings and payments lock the league's book, so these events are numbered in
    commit order. Pings are not ordered relative to these events.
    """

    sequence = models.BigAutoField(primary_key=True)
    id = models.UUIDField(default=uuid4, unique=True, editable=False)
    league = models.ForeignKey(League, models.PROTECT, related_name="events")
    kind = models.CharField(max_length=40, choices=EventKind)
    data = models.JSONField()
    made_at = models.DateTimeField(default=timezone.now, editable=False)

    def __str__(self) -> str:
        return f"{self.kind} {self.sequence}"


class Delivery(OutgoingMessage):
    """An event queued for a webhook."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="deliveries", db_index=False)
    event = models.ForeignKey(Event, models.CASCADE, related_name="deliveries")

    class Meta(OutgoingMessage.Meta):
        verbose_name_plural = "deliveries"
        constraints = (
            models.UniqueConstraint(fields=["webhook", "event"], name="league_delivery_once"),
        )
        indexes = (
            *OutgoingMessage.Meta.indexes,
            # Used to find webhooks with due deliveries. This query runs on every turn.
            models.Index(
                fields=["webhook", "due_at"],
                condition=Q(done_at=None),
                name="league_deliveries_of_webhook",
            ),
        )

    def __str__(self) -> str:
        return f"{self.event} to {self.webhook}"


class DeliveryTry(models.Model):
    """A request to a webhook.

    `said` is the start of the response, or the reason why there was no response.
    """

    delivery = models.ForeignKey(Delivery, models.CASCADE, related_name="log", db_index=False)
    number = models.PositiveIntegerField()
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    status = models.PositiveSmallIntegerField(null=True)
    milliseconds = models.PositiveIntegerField()
    said = models.TextField(blank=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["delivery", "number"], name="league_try_once"),
        )

    def __str__(self) -> str:
        return f"{self.delivery}: {self.status or self.said}"
