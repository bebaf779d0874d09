"""Start, pause and set the clock of a tournament.

The clock is two numbers in the database, so it survives restarts. All phones show the time that the
server reports, so their own clocks do not matter.
"""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from league.common.errors import RefusedError, problem
from league.models import Tournament
from league.tournaments.clock import levels_of_json, start_of
from league.tournaments.making import lock_running
from league.tournaments.reading import clock_passed

FIELDS: Sequence[str] = ("clock_passed", "clock_started_at")


@transaction.atomic
def start_clock(tournament: Tournament) -> Tournament:
    """Start the clock. A running clock continues. Raises RefusedError."""
    tournament = lock_running(tournament)
    if tournament.clock_started_at is None:
        tournament.clock_started_at = timezone.now()
        tournament.save(update_fields=FIELDS)
    return tournament


@transaction.atomic
def pause_clock(tournament: Tournament) -> Tournament:
    """Pause the clock. Raises RefusedError."""
    tournament = lock_running(tournament)
    if tournament.clock_started_at is not None:
        _set(tournament, clock_passed(tournament, timezone.now()), None)
    return tournament


@transaction.atomic
def go_to_level(tournament: Tournament, number: int) -> Tournament:
    """Set the clock to the start of a level, counted from 0. Raises RefusedError."""
    tournament = lock_running(tournament)
    levels = levels_of_json(tournament.levels)
    if not 0 <= number < len(levels):
        raise RefusedError([problem("level", "unknown-level", "the tournament has no such level")])
    runs = tournament.clock_started_at is not None
    _set(tournament, start_of(levels, number), timezone.now() if runs else None)
    return tournament


def _set(tournament: Tournament, passed: int, started_at: datetime | None) -> None:
    tournament.clock_passed, tournament.clock_started_at = passed, started_at
    tournament.save(update_fields=FIELDS)
