"""Housekeeping of the API."""

from datetime import timedelta

from celery import shared_task
from django.utils import timezone

from api.models import KeptAnswer

KEPT = timedelta(hours=24)


@shared_task
def forget_answers() -> None:
    """Delete the answers that nobody asks for again; doing it twice changes nothing."""
    KeptAnswer.objects.filter(made_at__lt=timezone.now() - KEPT).delete()
