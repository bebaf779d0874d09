"""The base class of senders, which lease a due row, send its message, and record the result.

A queue (`league.jobs.queues`) runs a sender in a loop, and `league.tasks` contains a queue for each
sender. A message is a row that is written in the transaction that causes it. The message is sent
under a lease, without an open transaction. If the worker dies before it records the result, the
lease expires and another worker sends the message again.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Generic, TypeVar
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from league.jobs import leases, queues
from league.models import OutgoingMessage
from league.sending import retries
from league.sending.http_request import Response

SWEEP: timedelta = settings.CELERY_BEAT_SCHEDULE["sweep"]["schedule"]
KEEP = timedelta(days=90)

Message = TypeVar("Message", bound=OutgoingMessage)
Outcome = OutgoingMessage.Outcome


@dataclass(frozen=True, slots=True)
class Result:
    """The result of an attempt. If it has no outcome, the message is sent again later.

    `response` is the HTTP response, if any. `columns` are additional values to store in the row.
    """

    outcome: Outcome | None = None
    response: Response | None = None
    columns: Mapping[str, object] = field(default_factory=dict)


class Sender(ABC, Generic[Message]):
    """Sends one kind of message. Leagues take turns.

    `queue` is the queue's name. `league_path` is the lookup path from a row to its league.
    """

    queue: str
    model: type[Message]
    league_path: str
    related: tuple[str, ...] = ()
    most_tries = retries.MOST_TRIES

    def rows(self) -> QuerySet[Message]:
        return self.model._default_manager.all()  # noqa: SLF001 (public)

    @abstractmethod
    def send(self, message: Message) -> Result:
        """Send the message under its lease. Receiver errors must not raise exceptions."""

    def leagues_due(self) -> list[UUID | str]:
        """Return the leagues with due messages, longest wait first.

        Messages without a league have the key "".
        """
        leagues = leases.keys_of(leases.due(self.rows()), self.league_path, since="due_at")
        return [league or "" for league in leagues]

    def send_next(self, league: UUID | str) -> bool:
        """Send the league's next message. Return whether there was one."""
        message = self.lease_next(league)
        if message is not None:
            self.deliver(message)
        return message is not None

    def lease_next(self, league: UUID | str) -> Message | None:
        messages = self.rows().filter(**{self.league_path: league or None})
        return next(iter(leases.lease_due(messages, most=1)), None)

    def deliver(self, leased: Message) -> None:
        """Send the message and record the result, unless another worker has leased it meanwhile.

        The lease is renewed first, because this thread may have stalled until it expired.
        """
        row = self.rows().filter(pk=leased.pk)
        lease = leases.renew_lease(row, str(leased.lease))
        if lease is None:
            return
        message = row.select_related(*self.related).get()
        message.lease = lease
        result = self.send(message)
        with transaction.atomic():
            self.record(message, result)

    def record(self, message: Message, result: Result) -> bool:
        """Finish the message or postpone it. Return whether the lease was still valid."""
        mine = self.rows().filter(pk=message.pk, lease=message.lease)
        if result.outcome is not None:
            return bool(leases.finish(mine, outcome=result.outcome, **result.columns))
        if message.tries >= self.most_tries:
            return bool(leases.finish(mine, outcome=Outcome.GIVEN_UP, **result.columns))
        retry_after = timedelta(seconds=result.response.retry_after if result.response else 0.0)
        wait = max(self.wait_after(message.tries), retry_after)
        wake_on_commit(self.queue, after=wait)
        return bool(leases.postpone(mine, timezone.now() + wait, **result.columns))

    def wait_after(self, tries: int) -> timedelta:
        """Return how long a message waits after `tries` attempts."""
        return retries.wait_after(tries)

    def delete_old(self) -> None:
        """Delete messages that were finished long ago."""
        self.rows().filter(done_at__lt=timezone.now() - KEEP).delete()


def wake_on_commit(queue: str, after: timedelta = timedelta(0)) -> None:
    """Make the queue send due messages `after` the transaction is committed.

    If `after` is longer than the sweep interval, the next sweep sends the messages.
    """
    if after < SWEEP:
        # The task is sent by name, because league.tasks imports the senders.
        queues.send_task_on_commit(
            "league.tasks.wake_sender", queue, countdown=after.total_seconds()
        )
