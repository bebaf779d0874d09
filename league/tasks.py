"""What workers do for leagues; each task can be killed at any line and run again."""

from celery import shared_task

from league import house_odds


@shared_task
def find_odds(deal: str) -> None:
    """Deal a game at random and keep what came of it, once."""
    house_odds.find(deal)


@shared_task
def sweep_odds() -> None:
    """Find the odds whose message was lost or whose worker died."""
    house_odds.sweep()
    for deal in house_odds.due():
        house_odds.find(deal)
