"""Housekeeping that belongs to no app."""

from celery import shared_task
from django.core.management import call_command

from league.sign_in import sessions


@shared_task
def clear_sessions() -> None:
    """Delete the sessions that have expired; doing it twice changes nothing."""
    call_command("clearsessions")
    sessions.forget_ended()
