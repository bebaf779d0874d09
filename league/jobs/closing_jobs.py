"""Scheduled closings: each night has a job that is due at its league's closing hour."""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.utils import timezone

from league.jobs import leases
from league.models import ClosingJob, League, Night


def next_closing(league: League, after: datetime) -> datetime:
    """Return the first closing hour after this time.

    If a clock change skips the hour, return the time of the change. If the hour occurs twice,
    return the first occurrence.
    """
    zone = ZoneInfo(league.time_zone)
    today = after.astimezone(zone).date()
    at = time(league.closing_hour)
    # Compare in UTC, because Python compares datetimes in the same time zone by wall-clock time.
    moments = (
        datetime.combine(today + timedelta(days), at, zone).astimezone(UTC) for days in range(-1, 3)
    )
    return next(moment for moment in moments if moment > after)


IN_DOUBT = "in-doubt"


def schedule_closing(night: Night, *, after: datetime) -> ClosingJob:
    """Schedule the night to close at the first closing hour after `after`."""
    due = next_closing(night.league, after)
    job, _ = ClosingJob.objects.update_or_create(
        night=night, defaults={"due_at": due, "done_at": None, "lease": None, "leased_until": None}
    )
    return job


def schedule_missing() -> None:
    """Schedule open nights that have no job because an older version opened them.

    The prepared night of a demo league does not get a job.
    """
    nights = Night.objects.filter(state=Night.State.OPEN, closing_job=None)
    nights = nights.filter(season__league__book__disposable=False)
    for night in nights.select_related("season__league"):
        schedule_closing(night, after=timezone.now())


def reschedule(league: League) -> None:
    """Reschedule waiting closings after the league's hour or time zone has changed."""
    jobs = ClosingJob.objects.filter(night__season__league=league, done_at=None)
    for job in jobs.select_related("night"):
        after = max(job.night.started_at, timezone.now())
        ClosingJob.objects.filter(pk=job.pk).update(due_at=next_closing(league, after))


def leave_to_host(night: Night, why: str) -> None:
    """Leave the closing to a host, regardless of the league's setting for uncounted nights."""
    leases.finish(ClosingJob.objects.filter(night=night), asks=why, asked=0)


def finish_closing(night: Night) -> None:
    """Mark the closing of the night as done."""
    leases.finish(ClosingJob.objects.filter(night=night), asks="", asked=0)
