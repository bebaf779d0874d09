"""Cancel a night that was started by mistake, before anything happened in it.

Its buy-ins from the start are undone, and the night is closed with nothing in it. Such a night does
not count (`UNPLAYED` in `league.nights.nights`).
"""

from collections.abc import Iterator
from typing import Any
from uuid import UUID, uuid5

from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from league.change_version import bump_league
from league.closing.chip_count import tally
from league.closing.close import close_night, current_closing
from league.common.errors import NightClosedError, Problem, problem, refuse
from league.models import BuyIn, CashOut, Closing, Deal, Night, PlannedNight, User
from league.nights.buy_ins import undo
from league.nights.nights import lock_and_bump, was_played
from league.planned_nights.planning import LAPSES_AFTER, new_seed

State = PlannedNight.State


@transaction.atomic
def cancel_night(night: Night, closing_id: UUID, *, by: User | None) -> Closing:
    """Cancel the night. Cancelling it twice changes nothing.

    If it was planned, it can be started again. Raises NightClosedError, or RefusedError with
    everything that happened in the night.
    """
    if lock_and_bump(night) == Night.State.CLOSED:
        if was_played(night):
            raise NightClosedError
        return current_closing(night)
    refuse(_happened(night))
    for bought in night.buy_ins.filter(posting__reversal=None):
        undo(bought, by=by)
    closing = close_night(night, closing_id, by=by, reason=_("started by mistake"))
    text = "the night has chips from earlier nights: close it"
    refuse([problem("night", "not-empty", text)] if was_played(night) else ())
    plans = PlannedNight.objects.filter(night=night, starts_at__gt=timezone.now() - LAPSES_AFTER)
    plans.update(state=State.PLANNED, night=None, seed=new_seed(), sequence=F("sequence") + 1)
    bump_league(night.season.league_id)
    return closing


def is_from_start(done: BuyIn | CashOut) -> bool:
    """Return whether starting the night made this buy-in."""
    of_start = uuid5(done.night_id, str(done.player_id))
    return isinstance(done, BuyIn) and done.pk == of_start and done.banker_id is None


def _happened(night: Night) -> Iterator[Problem]:
    """Yield a problem for each kind of event that a mistaken night doesn't have."""
    later = [row.pk for row in night.buy_ins.all() if not is_from_start(row)]
    events: dict[str, QuerySet[Any]] = {
        "hands were recorded": night.hands.filter(voided=False),
        "a hand is being dealt": Deal.objects.filter(night=night),
        "chips were bought after the start": night.buy_ins.filter(
            posting__reversal=None, pk__in=later
        ),
        "chips were cashed out": night.cash_outs.filter(posting__reversal=None),
        "costs were charged": night.charges.filter(posting__reversal=None),
        "a tournament was created": night.tournaments.filter(called_off_at=None),
    }
    for text, rows in events.items():
        if rows.exists():
            yield problem("night", "not-empty", text)
    if any(line.counted is not None and not line.gone for line in tally(night).lines):
        yield problem("night", "not-empty", "chips were counted")
