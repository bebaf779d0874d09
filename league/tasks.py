"""What workers do for leagues: each kind of work in a queue, leagues taking turns in each.

A task only wakes queues, so it can come late, twice or not at all. What is due stands in tables,
and a sweep finds whatever a lost message or a dead worker has left.
"""

from uuid import UUID

from celery import shared_task
from django.utils import timezone

from league.charts import rendering
from league.closing import auto_close, notifications
from league.games import odds
from league.jobs import closing_jobs, mail, queues
from league.jobs.queues import Queue
from league.notices import pushes, tell
from league.planned_nights import planning, reminders, series
from league.recap import chat_posts
from league.stats.update import check, count, luck, rebuild
from league.webhooks import delivery

# Luck takes seconds of the processor, and nobody waits for it: a turn of each league a minute.
LUCK_PAUSE = 55.0


def _count(league: UUID) -> bool:
    return count.count_marked(league) > 0


def _find_luck(league: UUID) -> bool:
    return luck.find_luck(league) > 0


def _check(league: UUID) -> bool:
    check.check_league(league)
    return True


CLOSINGS = Queue("closings", auto_close.leagues_due, auto_close.close_next)
COUNTING = Queue("counting", count.leagues_behind, _count)
# Their threads wait for others most of the time. One league's slow receivers leave some for all.
WEBHOOKS = Queue("webhooks", delivery.leagues_due, delivery.deliver_next, threads=6, most_at_once=2)
PUSHES = Queue("pushes", pushes.leagues_due, pushes.send_next, threads=4, most_at_once=2)
CHAT = Queue("chat", chat_posts.leagues_due, chat_posts.send_next, threads=2)
MAIL = Queue("letters", mail.leagues_due, mail.send_next, threads=2)
CHARTS = Queue("charts", rendering.leagues_due, rendering.render_wanted)
ODDS = Queue("odds", odds.askers_due, odds.find_next)
LUCK = Queue("luck", luck.leagues_waiting, _find_luck, pause=LUCK_PAUSE)
REBUILDS = Queue("rebuilds", rebuild.unfinished, rebuild.finish)
# A day's check is taken once, whatever comes of it.
CHECKS = Queue("checks", check.leagues_due, _check, pause=check.EVERY.total_seconds())
QUEUES = (
    CLOSINGS,
    COUNTING,
    WEBHOOKS,
    PUSHES,
    CHAT,
    MAIL,
    CHARTS,
    ODDS,
    LUCK,
    REBUILDS,
    CHECKS,
)


@shared_task
def sweep() -> None:
    """Do whatever is due of closings, mail, notices, chats and webhooks."""
    closing_jobs.schedule_missing()
    for queue in (CLOSINGS, MAIL, PUSHES, CHAT, WEBHOOKS):
        queues.wake(queue)


@shared_task(expires=600)
def send_secret_mail(subject: str, body: str, to: str) -> None:
    """Send a mail that opens an account; whoever gets none asks for another."""
    mail.send_secret(subject, body, to)


@shared_task
def sweep_webhooks() -> None:
    """Call the endpoints that have something due; sent as soon as it has happened."""
    queues.wake(WEBHOOKS)


@shared_task
def sweep_pushes() -> None:
    """Send the notices that are due; sent as soon as what they tell of has happened."""
    queues.wake(PUSHES)


@shared_task
def sweep_chat() -> None:
    """Tell the chats what is due; sent as soon as a night is closed."""
    queues.wake(CHAT)


def forget_deliveries() -> None:
    """Clear the log of webhooks, notices and chats of what has long been done."""
    delivery.forget()
    tell.forget()
    chat_posts.forget()


def remind_payers() -> None:
    """Write to those who still owe something."""
    notifications.remind_payers()


def plan_nights() -> None:
    """Plan the next nights of series, remind who has not answered, strike what was not played."""
    planning.lapse(timezone.now())
    series.plan_all_ahead()
    reminders.remind_all()


@shared_task
def find_odds() -> None:
    """Deal games at random and keep what came of it, once; sent when somebody has asked."""
    queues.wake(ODDS)


@shared_task
def sweep_odds() -> None:
    """Find the odds whose message was lost or whose worker died."""
    odds.sweep()
    queues.wake(ODDS)


@shared_task
def sweep_stats() -> None:
    """Count the hands that have changed, and rebuild what somebody began to and died."""
    queues.wake(COUNTING)
    queues.wake(REBUILDS)


def check_stats() -> None:
    """Count one night of every league again; what differs is reported and put right."""
    queues.wake(CHECKS)


@shared_task
def sweep_luck() -> None:
    """Find the luck of some hands of every league that has any waiting."""
    queues.wake(LUCK)


@shared_task
def draw_charts() -> None:
    """Draw charts; sent when somebody looks at them."""
    queues.wake(CHARTS)


@shared_task
def sweep_charts() -> None:
    """Draw the charts whose message was lost or whose worker died."""
    rendering.sweep()
    queues.wake(CHARTS)
