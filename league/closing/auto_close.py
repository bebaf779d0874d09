"""Close nights without anybody there: what is clear is closed, the rest is left to the hosts."""

from datetime import datetime, timedelta
from uuid import UUID, uuid5

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from league.closing.close import Decisions, ask, close_night
from league.common.errors import Refused
from league.jobs import closing_jobs, leases
from league.models import ClosingJob, Night, Uncounted

# A table that has dealt within this time is still playing, whatever the hour.
QUIET = timedelta(hours=1)
LEAGUE = "night__season__league"


def leagues_due() -> list[UUID]:
    """Return the leagues that have nights to be closed."""
    return leases.keys_of(leases.due(ClosingJob.objects.all()), LEAGUE, since="due_at")


def close_next(league_id: UUID) -> bool:
    """Close the next night of the league whose hour has come; say whether there was one."""
    jobs = leases.take_due(ClosingJob.objects.filter(**{LEAGUE: league_id}), most=1)
    for job in jobs:
        close_due(job.pk, str(job.lease))
    return bool(jobs)


@transaction.atomic
def close_due(job_id: int, lease: str) -> None:
    """Close the night of the job under this lease, put it off, or leave it to the hosts.

    All in one transaction with the job itself: killed anywhere, nothing has happened.
    """
    night = Night.objects.filter(closing_job=job_id).first()
    if night is None or not _still_due(night, job_id, lease):
        return
    job = ClosingJob.objects.select_related("night__season__league__book").get(pk=job_id)
    night, by_hands = job.night, job.night.league.uncounted == Uncounted.HANDS
    if night.state == Night.State.CLOSED:
        closing_jobs.finish_closing(night)
    elif (quiet := _last_played(night) + QUIET) > timezone.now():
        leases.put_off(ClosingJob.objects.filter(pk=job_id), quiet)
    else:
        _close_or_ask(job, by_hands=by_hands)


def _close_or_ask(job: ClosingJob, *, by_hands: bool) -> None:
    closing_id = uuid5(job.night_id, f"nightly {job.due_at.isoformat()}")
    try:
        with transaction.atomic():
            close_night(job.night, closing_id, by=None, decisions=Decisions(by_hands=by_hands))
    except Refused as refused:
        ask(job.night, refused)


def _still_due(night: Night, job_id: int, lease: str) -> bool:
    """Tell whether the lease still stands, once nobody else is writing to the night."""
    Night.objects.select_for_update(no_key=True).get(pk=night.pk)
    return ClosingJob.objects.filter(pk=job_id, lease=lease, done_at=None).exists()


def _last_played(night: Night) -> datetime:
    """Return when the last hand was dealt or chips were bought."""
    dealt: datetime | None = night.hands.aggregate(last=Max("made_at"))["last"]
    bought: datetime | None = night.buy_ins.aggregate(last=Max("made_at"))["last"]
    return max(filter(None, (night.started_at, dealt, bought)))
