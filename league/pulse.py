"""Whether a night has moved on: a number that every writer to it raises in its transaction.

Phones ask for it every two seconds, so asking costs one indexed query for everything: the number,
whether the visitor is in the league, and whether the session is still theirs.
"""

from dataclasses import dataclass
from uuid import UUID

from django.db.models import F

from league.models import League, Night, User
from ledger.rows import select


@dataclass(frozen=True, slots=True)
class Pulse:
    """The version of a night, for a member of its league."""

    version: int
    password: str  # the hash that the session was opened under


def move_on(night_id: UUID) -> str | None:
    """Raise the night's number, and make its other writers wait; return its state, if it is one."""
    raised = "UPDATE league_night SET version = version + 1 WHERE id = %s RETURNING state"
    rows = select(raised, night_id)
    return rows[0][0] if rows else None


def move_all_on(league: League) -> None:
    """Raise the numbers of the league's open nights, whose pages say what the league chose."""
    rows = Night.objects.filter(season__league=league, state=Night.State.OPEN)
    rows.update(version=F("version") + 1)


def pulse(user_id: int, night_id: UUID) -> Pulse | None:
    """Return the night's pulse; None for whoever is not in its league. One query."""
    rows = User.objects.filter(
        pk=user_id, is_active=True, memberships__league__seasons__nights=night_id
    )
    found = rows.values_list("memberships__league__seasons__nights__version", "password").first()
    return Pulse(*found) if found else None
