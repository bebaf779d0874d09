"""Every night one night is counted again; what differs is reported and put right."""

import logging
from dataclasses import dataclass
from datetime import timedelta
from random import Random
from uuid import UUID

from django.db.models import Exists, F, OuterRef
from django.utils import timezone

from league.models import League, Night, Season, StaleMark, StatsState
from league.stats.store.fact_rows import read_facts
from league.stats.store.recorded_hands import hands_of_nights
from league.stats.store.sum_rows import read_sums
from league.stats.sums import SUMS
from league.stats.update.count import count, count_marked, counted, counting
from league.stats.update.rebuild import rebuild
from league.stats.update.recount import regrouped
from ledger.sql import plain

TRIES = 3
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
    """Count one night of the league again, by chance; report and mend what differs."""
    nights = Night.objects.filter(season__league=league_id, hands__isnull=False)
    found = sorted(set(nights.values_list("pk", flat=True)))
    if not found:
        return []
    # which night is looked at is no secret
    night = (chance or Random()).choice(found)  # noqa: S311
    return check_night(league_id, night)


def check_night(league_id: UUID, night: UUID) -> list[Difference]:
    """Count the night again, and group all facts anew; report and mend what differs.

    A hand that differs is counted anew; where sums are not those of the facts, all hands are.
    """
    while count_marked(league_id):
        pass
    with counting(league_id) as free:
        if not free:
            return []
        # what was recorded since then waits for its mark
        waiting = {plain(hand) for hand in _marked(league_id)}
        differing = [hand for hand in _differing(night) if hand not in waiting]
        count(differing)
    found = [_hand_differs(night, hand) for hand in differing]
    wrong = _wrong_sums(league_id)
    found += [
        Difference(night=str(night), text=f"{table} is not the facts' sum") for table in wrong
    ]
    state = StatsState.objects.filter(pk=league_id)
    state.update(checked_at=timezone.now(), differences=F("differences") + len(found))
    if wrong:
        rebuild(league_id)
    for each in found:
        logger.warning("stats of league %s, night %s: %s", league_id, each.night, each.text)
    return found


def _marked(league_id: UUID) -> list[UUID]:
    return list(StaleMark.objects.filter(league=league_id).values_list("hand", flat=True))


def _differing(night: UUID) -> list[str]:
    """Return the hands that are not stored as they are recorded."""
    recorded = hands_of_nights([plain(night)])
    fresh = {found.hand.hand: found for found, _ in (counted(*each) for each in recorded)}
    stored = {
        each.hand.hand: each for each in read_facts("f.night_id = %s", [plain(night)]).values()
    }
    return [hand for hand in {**stored, **fresh} if stored.get(hand) != fresh.get(hand)]


def _hand_differs(night: UUID, hand: str) -> Difference:
    return Difference(night=str(night), hand=hand, text=f"hand {hand} was not counted as told")


def _wrong_sums(league_id: UUID) -> list[str]:
    """Return the tables that do not hold the sums of the stored facts.

    Nobody waits for this. Where somebody counts meanwhile it is done again, some times.
    """
    seasons = [plain(key) for key in _seasons(league_id)]
    for _ in range(TRIES):
        before = _version(league_id)
        wrong = [
            each.table for each in SUMS if read_sums(each, seasons) != regrouped(each, seasons)
        ]
        if _version(league_id) == before:
            return wrong
    return []


def _seasons(league_id: UUID) -> list[UUID]:
    return list(Season.objects.filter(league=league_id).values_list("pk", flat=True))


def _version(league_id: UUID) -> int | None:
    return StatsState.objects.filter(pk=league_id).values_list("version", flat=True).first()
