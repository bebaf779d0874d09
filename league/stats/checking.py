"""Every night one night is counted again; what differs is reported and put right."""

import logging
from dataclasses import dataclass
from random import Random
from uuid import UUID

from django.db.models import F
from django.utils import timezone

from league.models import Night, StaleMark, StatsState
from league.stats.counting import count, count_marked, counted, counting
from league.stats.facts import Facts
from league.stats.rebuilding import rebuild
from league.stats.rows import plain, query, read_facts
from league.stats.tallies import CALLS, NIGHTS, PLAYERS, SEATS, Tallies
from league.stats.telling import told_of_nights

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Something about a night that was not counted as it is told."""

    night: str
    text: str
    hand: str = ""


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
    """Count the night again; report and mend what differs.

    A hand that differs is counted anew; where the sums are not those of the hands, all are.
    """
    while count_marked(league_id):
        pass
    with counting(league_id) as free:
        if not free:
            return []
        # what was recorded since then waits for its mark
        waiting = {plain(hand) for hand in _marked(league_id)}
        fresh = _fresh(night)
        differing = [hand for hand in _differing(night, fresh) if hand not in waiting]
        found = [_hand_differs(night, hand) for hand in differing]
        count(differing)
        wrong_sums = not waiting and (_other_sums(night, fresh) or _at_odds(league_id))
        state = StatsState.objects.filter(pk=league_id)
        state.update(checked_at=timezone.now(), differences=F("differences") + len(found))
    if wrong_sums:
        found.append(Difference(night=str(night), text="the sums are not those of the hands"))
        StatsState.objects.filter(pk=league_id).update(differences=F("differences") + 1)
        rebuild(league_id)
    for each in found:
        logger.warning("stats of league %s, night %s: %s", league_id, each.night, each.text)
    return found


def _marked(league_id: UUID) -> list[UUID]:
    return list(StaleMark.objects.filter(league=league_id).values_list("hand", flat=True))


def _fresh(night: UUID) -> dict[str, Facts]:
    told = told_of_nights([plain(night)])
    return {found.hand.hand: found for found, _ in (counted(*each) for each in told)}


def _differing(night: UUID, fresh: dict[str, Facts]) -> list[str]:
    """Return the hands that are not stored as they are told."""
    stored = {
        each.hand.hand: each for each in read_facts("f.night_id = %s", [plain(night)]).values()
    }
    return [hand for hand in {**stored, **fresh} if stored.get(hand) != fresh.get(hand)]


def _hand_differs(night: UUID, hand: str) -> Difference:
    return Difference(night=str(night), hand=hand, text=f"hand {hand} was not counted as told")


def _other_sums(night: UUID, fresh: dict[str, Facts]) -> bool:
    """Tell whether the night's sums are not those of its hands."""
    sums = Tallies()
    for each in fresh.values():
        sums.add(each)
    names = ", ".join(NIGHTS.all_columns)
    sql = f"SELECT {names} FROM {NIGHTS.table} WHERE night_id = %s"
    stored = {
        (str(season), bool(verified), str(each), str(player)): numbers
        for season, verified, each, player, *numbers in query(sql, [plain(night)])
    }
    return stored != sums.changed(NIGHTS)


def _at_odds(league_id: UUID) -> bool:
    """Tell whether two tables disagree about how often somebody played, and for what."""
    found = [
        query(
            f"SELECT t.player_id, t.season_id, t.verified, sum(t.hands), sum(t.net)"
            f" FROM {each.table} t JOIN league_season s ON s.id = t.season_id"
            " WHERE s.league_id = %s GROUP BY 1, 2, 3 ORDER BY 1, 2, 3",
            [plain(league_id)],
        )
        for each in (PLAYERS, CALLS, SEATS, NIGHTS)
    ]
    return any(each != found[0] for each in found)
