"""What workers do for leagues; each task can be killed at any line, or run twice, all the same."""

from celery import shared_task

from league import house_odds, letters, telling, unattended, work
from league.models import ClosingJob, Letter

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


@shared_task
def close_night(job_id: int, lease: str) -> None:
    """Close a night whose hour has come, or ask its hosts."""
    unattended.close_due(job_id, lease)


@shared_task
def send_letter(letter_id: int, lease: str) -> None:
    """Send an e-mail that waits."""
    letters.send(letter_id, lease)


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
