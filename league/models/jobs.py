"""Work that waits, marked in the transaction that makes it necessary; see `league.jobs`."""

from typing import ClassVar

from django.db import models
from django.utils import timezone

from league.models.nights import Night
from league.models.people import League


class Waiting(models.Model):
    """A row of a queue: taken by whoever holds the lease, until it runs out or the row is done."""

    due_at = models.DateTimeField()
    leased_until = models.DateTimeField(null=True)
    lease = models.UUIDField(null=True)
    tries = models.PositiveIntegerField(default=0)
    done_at = models.DateTimeField(null=True)

    class Meta:
        abstract = True
        indexes: ClassVar[tuple[models.Index, ...]] = (
            models.Index(
                fields=["due_at"],
                condition=models.Q(done_at=None),
                name="%(app_label)s_%(class)s_waiting",
            ),
        )


class Outgoing(Waiting):
    """A message on its way: sent until it arrives, is refused or is given up; see `sending`."""

    class Outcome(models.TextChoices):
        DELIVERED = "delivered"
        REFUSED = "refused"
        UNSURE = "unsure"
        GIVEN_UP = "given-up"

    outcome = models.CharField(
        max_length=20, choices=Outcome, blank=True, default="", db_default=""
    )

    class Meta(Waiting.Meta):
        abstract = True

    @property
    def state(self) -> str:
        return self.outcome or "waiting"


class LastRun(models.Model):
    """When a job of the calendar ran last, or a process reported that it runs."""

    name = models.CharField(max_length=60, primary_key=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name}, {self.at:%Y-%m-%d %H:%M}"


class ClosingJob(Waiting):
    """A night to be closed. `asks` says why it could not be done without a host."""

    night = models.OneToOneField(Night, models.CASCADE, related_name="closing_job")
    asks = models.CharField(max_length=40, blank=True)
    asked = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return f"close {self.night}"


class OutgoingMail(Outgoing):
    """An e-mail to be sent, once for each key; leagues take turns, as does what is of none."""

    league = models.ForeignKey(League, models.CASCADE, null=True, blank=True, related_name="+")
    key = models.CharField(max_length=200, unique=True)
    to = models.CharField(max_length=254)
    subject = models.CharField(max_length=200)
    body = models.TextField()
    made_at = models.DateTimeField(default=timezone.now, editable=False)

    def __str__(self) -> str:
        return f"{self.subject}, to {self.to}"
