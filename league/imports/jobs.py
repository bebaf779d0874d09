"""Background imports of large files. A file is stored, previewed, and recorded on request.

If a worker dies, nothing is lost: the recorded hands stay, the lease expires, and the next worker
reads the file again and records the missing hands.
"""

import logging
import zlib
from collections.abc import Sequence
from dataclasses import asdict
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from league.common import row_limits
from league.common.errors import refuse
from league.common.locks import lock_league
from league.imports.contents import ImportDifference, ImportOptions, ImportProblem, Source
from league.imports.execution import Report, preview, record_plan
from league.imports.planning import plan
from league.jobs import leases, queues
from league.models import ImportJob, League, User

RUN_TASK = "league.tasks.run_imports"
MOST_TRIES = 3
MOST_SHOWN = 200  # maximum number of refusals, differences and findings shown
KEPT = timedelta(days=1)
MOST_PREVIEWS = 5  # maximum per league; a new file replaces the oldest preview
logger = logging.getLogger(__name__)


class LeaseLostError(Exception):
    """Another worker has taken the job, or the host has changed it."""


def start_import(
    league: League, name: str, text: str, options: ImportOptions, *, by: User
) -> ImportJob:
    """Store a file for a worker to preview.

    Raises RefusedError if the league has too many files.
    """
    with transaction.atomic():
        lock_league(league.pk)
        refuse(row_limits.IMPORTS.exceeded(ImportJob.objects.filter(league=league, done_at=None)))
        previews = ImportJob.objects.filter(league=league, records=False, done_at__isnull=False)
        oldest = previews.order_by("-made_at").values_list("pk", flat=True)[MOST_PREVIEWS - 1 :]
        ImportJob.objects.filter(pk__in=list(oldest)).delete()
        job = ImportJob.objects.create(
            league=league,
            by=by,
            name=name,
            content=zlib.compress(text.encode("utf-8", "surrogatepass"), level=1),
            options=asdict(options),
            due_at=timezone.now(),
        )
        queues.send_task_on_commit(RUN_TASK)
    return job


def restart(job: ImportJob, options: ImportOptions, *, records: bool) -> None:
    """Preview or record the file with these options, unless recording it has begun."""
    idle = Q(records=False) | Q(done_at__isnull=False, summary__isnull=True)
    changed = ImportJob.objects.filter(idle, pk=job.pk).update(
        records=records,
        options=asdict(options),
        due_at=timezone.now(),
        done_at=None,
        lease=None,
        leased_until=None,
        tries=0,
        hands=None,
        hands_done=0,
        summary=None,
    )
    if changed:
        queues.send_task_on_commit(RUN_TASK)


def leagues_due() -> list[UUID]:
    return leases.keys_of(leases.due(ImportJob.objects.all()), "league", since="due_at")


def run_next(league_id: UUID) -> bool:
    """Run the league's oldest job. Return whether there was one."""
    taken = leases.lease_due(ImportJob.objects.filter(league=league_id), most=1)
    for job in taken:
        if job.tries > MOST_TRIES:
            leases.finish(_leased(job))
            continue
        try:
            _run(job)
        except LeaseLostError:
            logger.info("Another worker continues the import %s.", job.pk)
    return bool(taken)


def delete_old() -> None:
    """Delete jobs one day after they were created."""
    leases.free(ImportJob.objects.filter(made_at__lt=timezone.now() - KEPT)).delete()


def summary_of(report: Report, *, recorded: bool) -> dict[str, Any]:
    """Return the part of a report that pages show, as JSON. `recorded` is false for a preview."""
    refused: list[ImportProblem] = []
    strangers: dict[str, None] = {}  # a set in order
    for row in (row for row in report.refused if not row.keeps_open):  # others are in `reasons`
        if row.player and row.code == "unknown-player":
            strangers[row.player] = None
        else:
            refused.append(row)
    remarks: dict[str, Sequence[ImportProblem | ImportDifference]] = {
        "refused": refused,
        "differences": report.differences,
        "findings": report.findings,
    }
    return {
        "is_recorded": recorded,
        "recorded": report.recorded,
        "known": report.known,
        "new_players": report.new_players,
        "strangers": {
            "some": [*strangers][:MOST_SHOWN],
            "more": max(0, len(strangers) - MOST_SHOWN),
            "count": len(strangers),
        }
        if strangers
        else None,
        "chip": None if report.chip is None else str(report.chip.amount(1)),
        "is_whole": report.is_whole,
        "nights": [
            {
                "id": str(night.id),
                "name": night.name,
                "hands": hands,
                "is_new": night.is_new,
                "won": night.nets(),
                "shares": night.shares(),
                "warning": night.warning,
                "missing": night.missing,
                "reasons": night.open_reasons(),
            }
            for night, hands in report.nights
        ],
        "remarks": {
            name: {
                "some": [remark.as_dict() for remark in listed[:MOST_SHOWN]],
                "count": len(listed),
            }
            for name, listed in remarks.items()
        },
    }


def _run(job: ImportJob) -> None:
    league = League.objects.select_related("book").get(pk=job.league_id)
    options = ImportOptions(**job.options)
    text = zlib.decompress(job.content).decode("utf-8", "surrogatepass")
    job.content = b""
    planned = plan(league, [Source(job.name, "", text)], options)
    del text
    # if this job's worker died, hands that the job had recorded do not count as already known
    known_hands = planned.known if job.known is None or not job.records else job.known
    before = planned.known - known_hands
    planned.known = known_hands
    _save(job, hands=planned.steps + before, hands_done=before, known=known_hands)
    report = Report()
    if job.records:
        steps = record_plan(league, planned, report, options=options, by=job.by)
    else:
        steps = preview(league, planned, report)
    for done in steps:
        _save(job, hands_done=before + done)
    report.recorded += before
    _save(
        job,
        summary=summary_of(report, recorded=job.records),
        **({"content": b""} if job.records else {}),
    )
    leases.finish(_leased(job))


def _save(job: ImportJob, **values: object) -> None:
    """Store values and extend the lease. Raises LeaseLostError."""
    if not _leased(job).update(leased_until=leases.lease_end(), **values):
        raise LeaseLostError


def _leased(job: ImportJob) -> QuerySet[ImportJob]:
    return ImportJob.objects.filter(pk=job.pk, lease=job.lease)
