"""Expired leases, as if their owners had died two minutes ago by the database clock."""

from datetime import timedelta

from django.db.models.functions import Now

from league.models import (
    ClosingJob,
    Delivery,
    ImportJob,
    Odds,
    OutgoingMail,
    PushMessage,
    RenderedChart,
)


def let_leases_run_out() -> None:
    for model in (ClosingJob, OutgoingMail, Delivery, PushMessage, RenderedChart, Odds, ImportJob):
        rows = model.objects.filter(leased_until__isnull=False)
        rows.update(leased_until=Now() - timedelta(seconds=1))
