"""What waits for a worker, and for how long: the tables that are queues, looked at from outside."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, F, Manager, Min, QuerySet
from django.db.models.functions import Coalesce, Greatest
from django.utils import timezone

from league.models import ClosingJob, Delivery, OutgoingMail, Push, StaleMark

DUE: dict[str, Manager[Any]] = {
    "closings": ClosingJob.objects,
    "letters": OutgoingMail.objects,
    "pushes": Push.objects,
}


@dataclass(frozen=True, slots=True)
class QueueDepth:
    """How many rows are due, and for how many seconds the oldest of them has been."""

    name: str
    waiting: int
    seconds: float


def queue_depths() -> Iterator[QueueDepth]:
    """Yield every queue; one query each, along an index of what is not done."""
    now = timezone.now()
    yield _depth("stats", StaleMark.objects.aggregate(n=Count("pk"), since=Min("made_at")), now)
    for name, rows in DUE.items():
        due = rows.filter(done_at=None, due_at__lte=now)
        yield _depth(name, due.aggregate(n=Count("pk"), since=Min("due_at")), now)
    yield _depth(
        "deliveries", _deliveries(now).aggregate(n=Count("pk"), since=Min("free_since")), now
    )


def _deliveries(now: datetime) -> QuerySet[Delivery]:
    """Return those that wait for a worker, and since when.

    Not for a receiver: how long one takes for each call, or is left alone, is its league's affair.
    """
    rows = Delivery.objects.filter(done_at=None, due_at__lte=now)
    since = [Coalesce(F(f"webhook__{name}"), F("due_at")) for name in ("called_at", "resumes_at")]
    return rows.annotate(free_since=Greatest(F("due_at"), *since)).filter(free_since__lte=now)


def _depth(name: str, found: dict[str, object], now: datetime) -> QueueDepth:
    since = found["since"]
    seconds = (now - since).total_seconds() if isinstance(since, datetime) else 0.0
    return QueueDepth(name, int(str(found["n"])), max(0.0, seconds))
