"""Build the stats of a league from nothing, in place of what was there."""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from uuid import UUID

from django.utils import timezone

from league.models import Season, StaleMark, StatsState
from league.stats.counting import counted, counting
from league.stats.facts import Facts
from league.stats.rows import (
    FACT,
    RESULT,
    batched,
    delete_all,
    execute,
    insert_sums,
    plain,
    query,
    write_facts,
)
from league.stats.tallies import SUMS, Tallies
from league.stats.telling import told_of_nights

BATCH = 500  # hands that are held in memory at once
Progress = Callable[[int, int], object]  # hands done, hands in all


def rebuild(league_id: UUID, progress: Progress = lambda done, whole: None) -> int:
    """Count every hand of the league anew and put that in place of what was there; how many.

    All of it is one transaction, so readers see the old stats until the new ones stand.
    """
    whole = hands_of(league_id)
    with counting(league_id):
        # a hand that is recorded meanwhile leaves a mark of its own
        StaleMark.objects.filter(league=league_id).delete()
        delete_all(plain(league_id), _seasons(league_id))
        sums, done = Tallies(without_sql=True), 0
        with _collector_paused():
            for some in batched(_facts_of(league_id, sums), BATCH):
                write_facts(some)
                done += len(some)
                progress(done, whole)
        insert_sums(sums, _seasons(league_id))
        StatsState.objects.filter(pk=league_id).update(rebuilt_at=timezone.now())
        _analyze()
    return done


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Without the collector of cycles: facts make none, and looking for any doubles the time."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()


def hands_of(league_id: UUID) -> int:
    """Return how many hands the league has told."""
    sql = """
        SELECT count(*) FROM league_hand h JOIN league_night n ON n.id = h.night_id
            JOIN league_season s ON s.id = n.season_id WHERE s.league_id = %s"""
    return int(query(sql, [plain(league_id)])[0][0])


def _facts_of(league_id: UUID, sums: Tallies) -> Iterator[Facts]:
    """Yield the facts of every hand, night after night, and tally them."""
    for nights in _nights(league_id):
        for told, shares in told_of_nights(nights):
            found, luck = counted(told, shares)
            sums.add(found, luck)
            yield found


def _nights(league_id: UUID) -> Iterator[list[str]]:
    """Yield the nights in order, together as many as have some hundred hands."""
    sql = """
        SELECT n.id, count(h.id) FROM league_night n JOIN league_season s ON s.id = n.season_id
            JOIN league_hand h ON h.night_id = n.id
        WHERE s.league_id = %s
        GROUP BY n.id, n.started_at ORDER BY n.started_at, n.id"""
    some: list[str] = []
    hands = 0
    for night, number in query(sql, [plain(league_id)]):
        some.append(str(night))
        hands += number
        if hands >= BATCH:
            yield some
            some, hands = [], 0
    if some:
        yield some


def _seasons(league_id: UUID) -> list[str]:
    return [
        plain(pk) for pk in Season.objects.filter(league=league_id).values_list("pk", flat=True)
    ]


def _analyze() -> None:
    """Tell the database what it now holds, that it finds its way through it."""
    for table in (FACT, RESULT, *(each.table for each in SUMS)):
        execute(f"ANALYZE {table}")
