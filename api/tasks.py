"""Housekeeping of the API."""

from datetime import timedelta

from django.utils import timezone

from api.models import IdempotencyRecord

KEPT = timedelta(hours=24)


def delete_idempotency_records() -> None:
    """Delete the answers that nobody asks for again; doing it twice changes nothing."""
    IdempotencyRecord.objects.filter(made_at__lt=timezone.now() - KEPT).delete()
