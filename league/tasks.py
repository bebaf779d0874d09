"""What workers do for leagues; each task can be killed at any line, or run twice, all the same."""

from uuid import UUID

from celery import shared_task

from league import drawing, house_odds, letters, telling, unattended, work
from league.models import ClosingJob, League, Letter
from league.stats import checking, counting, luck, rebuilding
from league.webhooks import delivering

# Odds take seconds, and other tasks wait behind them where there is one worker.
ODDS_AT_ONCE = 3


@shared_task
def sweep() -> None:
    """Send word of whatever is due; word that is lost is sent again when its lease has run out."""
    work.mark_missing()
    for job in work.take(ClosingJob.objects.all()):
        close_night.delay(job.pk, str(job.lease))
    for letter in work.take(Letter.objects.all()):
        send_letter.delay(letter.pk, str(letter.lease))
    sweep_webhooks()


@shared_task
def close_night(job_id: int, lease: str) -> None:
    """Close a night whose hour has come, or ask its hosts."""
    unattended.close_due(job_id, lease)


@shared_task
def send_letter(letter_id: int, lease: str) -> None:
    """Send an e-mail that waits."""
    letters.send(letter_id, lease)


@shared_task
def sweep_webhooks() -> None:
    """Send word of what hooks are to be told; also as soon as it has happened."""
    for leased in delivering.due().values():
        call_webhook.delay(leased)


@shared_task
def call_webhook(leased: list[tuple[str, str]]) -> None:
    """Tell one hook what waits for it, in order."""
    delivering.deliver(leased)


@shared_task
def forget_deliveries() -> None:
    """Clear the log of webhooks of what has long been done."""
    delivering.forget()


@shared_task
def remind_payers() -> None:
    """Write to those who still owe something."""
    telling.remind_payers()


@shared_task
def find_odds(deal: str) -> None:
    """Deal a game at random and keep what came of it, once."""
    house_odds.find(deal)


@shared_task
def sweep_odds() -> None:
    """Find the odds whose message was lost or whose worker died."""
    house_odds.sweep()
    for deal in house_odds.due()[:ODDS_AT_ONCE]:
        house_odds.find(deal)


@shared_task
def sweep_stats() -> None:
    """Send word of leagues in which hands wait to be counted."""
    for league in counting.leagues_behind():
        count_hands.delay(str(league))
    for league in rebuilding.unfinished():
        rebuild_stats.delay(str(league))


@shared_task
def count_hands(league: str) -> None:
    """Count the hands of a league that have changed, some at a time."""
    if counting.count_marked(UUID(league)) >= counting.MOST_MARKS:
        count_hands.delay(league)


@shared_task
def rebuild_stats(league: str) -> None:
    """Build the stats of a league anew where somebody has begun it and died."""
    if UUID(league) in rebuilding.unfinished():
        rebuilding.rebuild(UUID(league))


@shared_task
def check_stats() -> None:
    """Count one night of every league again; what differs is reported and put right."""
    for league in League.objects.values_list("pk", flat=True):
        checking.check_league(league)


@shared_task
def sweep_luck() -> None:
    """Find the luck of some hands of every league that has any waiting."""
    for league in luck.leagues_waiting():
        find_luck.delay(str(league))


@shared_task
def find_luck(league: str) -> None:
    """Deal some hands of a league again, to tell luck from skill."""
    luck.find_luck(UUID(league))


@shared_task
def draw_charts(league: str) -> None:
    """Draw charts that somebody looks at, some at a time."""
    if drawing.draw(UUID(league)):
        draw_charts.delay(league)


@shared_task
def sweep_charts() -> None:
    """Draw the charts whose message was lost or whose worker died."""
    drawing.sweep()
    for league in drawing.due():
        draw_charts.delay(str(league))
