"""What waits for a worker, and for how long: the tables that are queues, looked at from outside."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Manager, Min
from django.utils import timezone

from league.models import ClosingJob, Delivery, Letter, StaleMark

DUE: dict[str, Manager[Any]] = {
    "closings": ClosingJob.objects,
    "letters": Letter.objects,
    "deliveries": Delivery.objects,
}


@dataclass(frozen=True, slots=True)
class Queue:
    """How many rows are due, and for how many seconds the oldest of them has been."""

    name: str
    waiting: int
    seconds: float


def queues() -> Iterator[Queue]:
    """Yield every queue; one query each, along an index of what is not done."""
    now = timezone.now()
    yield _queue("stats", StaleMark.objects.aggregate(n=Count("pk"), since=Min("made_at")), now)
    for name, rows in DUE.items():
        due = rows.filter(done_at=None, due_at__lte=now)
        yield _queue(name, due.aggregate(n=Count("pk"), since=Min("due_at")), now)


def _queue(name: str, found: dict[str, object], now: datetime) -> Queue:
    since = found["since"]
    seconds = (now - since).total_seconds() if isinstance(since, datetime) else 0.0
    return Queue(name, int(str(found["n"])), max(0.0, seconds))
