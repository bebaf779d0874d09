"""Every night one night of each league is counted again; what differs is reported and corrected."""

import logging
from dataclasses import dataclass
from datetime import timedelta
from random import Random
from uuid import UUID

from django.db.models import Exists, F, OuterRef
from django.utils import timezone

from league.models import Hand, League, Night, StaleMark, StatsState
from league.stats.sums import read_sums
from league.stats.update.count import count, count_marked, counting
from ledger.sql import plain

EVERY = timedelta(hours=20)  # less than from one night to the next
logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Something about a night that was not counted as it is recorded."""

    night: str
    text: str
    hand: str = ""


def leagues_due() -> list[UUID]:
    """Return the leagues with hands that were not checked lately, the longest ago first."""
    lately = StatsState.objects.filter(league=OuterRef("pk"), checked_at__gt=timezone.now() - EVERY)
    hands = Night.objects.filter(season__league=OuterRef("pk"), hands__isnull=False)
    rows = League.objects.filter(~Exists(lately), Exists(hands))
    return list(rows.order_by("stats_state__checked_at", "pk").values_list("pk", flat=True))


def check_league(league_id: UUID, *, chance: Random | None = None) -> list[Difference]:
    """Count a random night of the league again; report and correct what differs."""
    nights = Night.objects.filter(season__league=league_id, hands__isnull=False)
    found = sorted(set(nights.values_list("pk", flat=True)))
    if not found:
        return []
    # which night is checked is no secret
    night = (chance or Random()).choice(found)  # noqa: S311
    return check_night(league_id, night)


def check_night(league_id: UUID, night: UUID) -> list[Difference]:
    """Count the night again; report and correct hands and tables of sums that differ."""
    while count_marked(league_id):
        pass
    with counting(league_id):
        # hands that were recorded since then wait for their marks
        waiting = StaleMark.objects.filter(hand=OuterRef("pk"))
        hands = Hand.objects.filter(~Exists(waiting), night=night).order_by("number")
        before = read_sums([plain(night)])
        wrong = count([plain(hand) for hand in hands.values_list("pk", flat=True)])
        found = [
            Difference(night=str(night), hand=hand, text=f"hand {hand} was not counted as recorded")
            for hand in wrong
        ]
        after = read_sums([plain(night)])
        if not wrong:
            found = [
                Difference(night=str(night), text=f"{table} is not the sum of the facts")
                for table in after
                if before[table] != after[table]
            ]
        state = StatsState.objects.filter(pk=league_id)
        now = timezone.now()
        state.update(checked_at=now, differences=F("differences") + len(found))
        if found:
            state.update(rebuilt_at=now)
    for each in found:
        logger.warning("stats of league %s, night %s: %s", league_id, each.night, each.text)
    return found
