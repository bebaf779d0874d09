"""The workers' tasks and calendar jobs. Each kind of work has a queue in which leagues take turns.

A task only wakes queues, so it may arrive late, twice or not at all. Due work is stored in tables.
A sweep finds work that was left by a lost message or a dead worker.
"""

from typing import Any
from uuid import UUID

from celery import shared_task
from django.utils import timezone

from league import recap
from league.charts import rendering
from league.closing import close, notifications
from league.demo import sandbox
from league.games import odds
from league.imports import jobs
from league.jobs import closing_jobs, queues
from league.jobs.queues import Queue
from league.notices import queueing, subscriptions
from league.planned_nights import planning, series
from league.sending import mail
from league.sending.sender import Sender
from league.stats import count, luck
from league.webhooks import delivery

# Computing luck takes seconds of CPU time and is not urgent, so each league gets one turn per
# minute.
LUCK_PAUSE = 55.0


def _count(league: UUID) -> bool:
    return count.count_marked(league) > 0


def _find_luck(league: UUID) -> bool:
    return luck.find_luck(league) > 0


def _check(league: UUID) -> bool:
    count.check_league(league)
    return True


def _sender_queue(sender: Sender[Any], **limits: int) -> Queue[UUID | str]:
    return Queue(sender.queue, sender.leagues_due, sender.send_next, **limits)


CLOSINGS = Queue("closings", close.leagues_due, close.close_next)
COUNTING = Queue("counting", count.leagues_behind, _count)
# Senders spend most of their time waiting for receivers. The limit keeps threads free when one
# league's receivers are slow.
WEBHOOKS = _sender_queue(delivery.SENDER, threads=6, most_at_once=2)
PUSHES = _sender_queue(subscriptions.SENDER, threads=4, most_at_once=2)
CHAT = _sender_queue(recap.SENDER, threads=2)
MAIL = _sender_queue(mail.SENDER, threads=2)
SENDER_QUEUES = {queue.name: queue for queue in (MAIL, PUSHES, CHAT, WEBHOOKS)}
CHARTS = Queue("charts", rendering.leagues_due, rendering.render_requested)
IMPORTS = Queue("imports", jobs.leagues_due, jobs.run_next)
ODDS = Queue("odds", odds.due_askers, odds.find_next)
LUCK = Queue("luck", luck.leagues_waiting, _find_luck, pause=LUCK_PAUSE)
# The daily check runs once a day, even if it fails.
CHECKS = Queue("checks", count.leagues_due, _check, pause=count.EVERY.total_seconds())
QUEUES = (
    CLOSINGS,
    COUNTING,
    WEBHOOKS,
    PUSHES,
    CHAT,
    MAIL,
    CHARTS,
    IMPORTS,
    ODDS,
    LUCK,
    CHECKS,
)


@shared_task
def sweep() -> None:
    """Wake the queues for closings, mail, notifications, chats, webhooks and imports."""
    closing_jobs.schedule_missing()
    queues.wake(CLOSINGS)
    queues.wake(IMPORTS)
    for queue in SENDER_QUEUES.values():
        queues.wake(queue)


@shared_task(expires=600)
def send_secret_mail(subject: str, body: str, to: str) -> None:
    """Send an e-mail with a secret link.

    Sending is not retried, because the user can request another e-mail.
    """
    mail.send_secret(subject, body, to)


@shared_task
def wake_sender(queue: str) -> None:
    """Wake the queue, which sends its due messages."""
    queues.wake(SENDER_QUEUES[queue])


@shared_task
def run_imports() -> None:
    """Preview large uploaded files, and record the files that a host has confirmed."""
    queues.wake(IMPORTS)


@shared_task
def maintain_demos() -> None:
    """Delete demo leagues that have expired, and prepare new ones."""
    sandbox.maintain_demos()


@shared_task
def find_odds() -> None:
    """Compute requested odds."""
    queues.wake(ODDS)


@shared_task
def sweep_odds() -> None:
    """Compute requested odds whose message was lost or whose worker died."""
    odds.sweep()
    queues.wake(ODDS)


@shared_task
def sweep_stats() -> None:
    """Update the stats of changed hands."""
    queues.wake(COUNTING)


@shared_task
def sweep_luck() -> None:
    """Compute the luck of some waiting hands in every league."""
    queues.wake(LUCK)


@shared_task
def draw_charts() -> None:
    """Render requested charts."""
    queues.wake(CHARTS)


@shared_task
def sweep_charts() -> None:
    """Render requested charts whose message was lost or whose worker died."""
    rendering.sweep()
    queues.wake(CHARTS)


# --- jobs that config/tasks.py runs by the calendar -----------------------------------------------


def delete_old_messages() -> None:
    """Delete old imports and old finished messages to webhooks, phones and chats.

    E-mails are kept, because they are part of the export of a user's data.
    """
    delivery.SENDER.delete_old()
    queueing.delete_old()
    recap.SENDER.delete_old()
    jobs.delete_old()


def remind_payers() -> None:
    """Remind players of unpaid payments."""
    notifications.remind_payers()


def plan_nights() -> None:
    """Plan the next nights in series, send reminders, and cancel nights that were not started."""
    planning.lapse(timezone.now())
    series.plan_all_ahead()
    planning.remind_all()


def check_stats() -> None:
    """Recompute the stats of one night in every league. Report and correct differences."""
    queues.wake(CHECKS)
