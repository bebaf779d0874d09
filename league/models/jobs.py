"""Background jobs, created in the transaction that requires them. See `league.jobs`."""

from typing import ClassVar
from uuid import uuid4

from django.db import models
from django.utils import timezone

from league.models.nights import Night
from league.models.people import League, User


class QueuedJob(models.Model):
    """A job in a queue. A worker leases the job until it is done or the lease expires."""

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


class OutgoingMessage(QueuedJob):
    """A queued message.

    Sending is retried until the message arrives, is rejected or has failed too often. See
    `league.sending`.
    """

    class Outcome(models.TextChoices):
        DELIVERED = "delivered"
        REFUSED = "refused"
        UNSURE = "unsure"
        GIVEN_UP = "given-up"

    outcome = models.CharField(
        max_length=20, choices=Outcome, blank=True, default="", db_default=""
    )

    class Meta(QueuedJob.Meta):
        abstract = True

    @property
    def state(self) -> str:
        return self.outcome or "waiting"


class LastRun(models.Model):
    """The last run of a calendar job, or the last heartbeat of a process."""

    name = models.CharField(max_length=60, primary_key=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name}, {self.at:%Y-%m-%d %H:%M}"


class ClosingJob(QueuedJob):
    """A night to close. If only a host can close it, `asks` is the reason."""

    night = models.OneToOneField(Night, models.CASCADE, related_name="closing_job")
    asks = models.CharField(max_length=40, blank=True)
    asked = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return f"close {self.night}"


class OutgoingMail(OutgoingMessage):
    """An e-mail to send, once for each key.

    Leagues take turns. E-mails without a league share a turn.
    """

    league = models.ForeignKey(League, models.CASCADE, null=True, blank=True, related_name="+")
    key = models.CharField(max_length=200, unique=True)
    to = models.CharField(max_length=254)
    subject = models.CharField(max_length=200)
    body = models.TextField()
    made_at = models.DateTimeField(default=timezone.now, editable=False)

    def __str__(self) -> str:
        return f"{self.subject}, to {self.to}"


class ImportJob(QueuedJob):
    """A large file that a worker previews and, after the host confirms, records.

    `content` is the compressed text of the file. The field is emptied after the hands are recorded.
    `hands` is the number of hands, or None until the file is read. `known` is how many of the hands
    had been recorded in the league before the import began. `summary` is the result, or None until
    there is one.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    league = models.ForeignKey(League, models.CASCADE, related_name="+")
    by = models.ForeignKey(User, models.CASCADE, related_name="+")
    name = models.CharField(max_length=200)
    content = models.BinaryField()
    options = models.JSONField()
    records = models.BooleanField(default=False)
    hands = models.PositiveIntegerField(null=True)
    hands_done = models.PositiveIntegerField(default=0)
    known = models.PositiveIntegerField(null=True)
    summary = models.JSONField(null=True)
    made_at = models.DateTimeField(default=timezone.now, editable=False)

    def __str__(self) -> str:
        return f"import {self.name}"
