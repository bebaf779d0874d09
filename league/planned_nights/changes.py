"""Change a planned night: its time, place and number of seats."""

from collections.abc import Iterator
from datetime import datetime

from django.db import transaction

from league.change_version import bump_league
from league.common.errors import Problem, RefusedError, problem, refuse
from league.models import PlannedNight, User
from league.planned_nights.answers import attendance_of
from league.planned_nights.attendance import Attendance
from league.planned_nights.messages import tell_changed, tell_moved_up
from league.planned_nights.planning import (
    Details,
    lock,
    not_planned,
    wrong_details,
    wrong_moment,
)

# The fields that players who want to come have to know.
MATTERS = frozenset({"starts_at", "place"})


@transaction.atomic
def change_planned(
    planned: PlannedNight, starts_at: datetime, details: Details, *, by: User | None
) -> PlannedNight:
    """Change the planned night. Equal values change nothing.

    Answers stay. With more seats the waiting list moves up; no player loses a seat. Raises
    RefusedError.
    """
    planned = lock(planned)
    if planned.state != PlannedNight.State.PLANNED:
        raise RefusedError([not_planned(planned)])
    moved, before = starts_at != planned.starts_at, attendance_of(planned)
    refuse(
        [
            *(wrong_moment(starts_at) if moved else ()),
            *wrong_details(details),
            *_taken(details, before),
        ]
    )
    wanted = {"starts_at": starts_at, **details.tidied()}
    changed = {name for name, value in wanted.items() if getattr(planned, name) != value}
    if not changed:
        return planned
    for name in changed:
        setattr(planned, name, wanted[name])
    planned.moved, planned.sequence = planned.moved or moved, planned.sequence + 1
    planned.save(update_fields=[*changed, "moved", "sequence"])
    bump_league(planned.league_id)
    if changed & MATTERS:
        tell_changed(planned, by=by)
    tell_moved_up(planned, before, attendance_of(planned))
    return planned


def _taken(details: Details, now: Attendance) -> Iterator[Problem]:
    if details.seats is not None and details.seats < len(now.seated):
        text = f"{len(now.seated)} seats are taken already"
        yield problem("seats", "seats-taken", text)
