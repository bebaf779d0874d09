"""Build the stats of a league from nothing, in place of what was there.

Nobody waits long for it. Hands are read anew some hundred at a time, each time in a transaction of
its own, and tallied in memory; then the tables of sums are replaced one after the other. Meanwhile
nobody else counts: hands that are recorded leave their marks, and these are counted after it.
Whoever is killed in the middle of it leaves a lease behind that runs out; then it is done again.
"""

import gc
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from uuid import UUID, uuid4

from django.db import connection
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from league.jobs import leases
from league.models import Season, StaleMark, StatsState
from league.stats.facts import Facts
from league.stats.store.fact_rows import FACT, RESULT, delete_facts_where, load_facts
from league.stats.store.recorded_hands import HandReader, read_nights
from league.stats.store.sum_rows import replace_sums
from league.stats.sums import SUMS
from league.stats.tallies import Tallies
from league.stats.update.count import counted, counting
from ledger.sql import execute, native, places, plain, query

BATCH = 1_000  # hands that are held in memory at once
ROOM = 64 * 1024  # kilobytes
GONE = leases.run_out("rebuilding_until")
Progress = Callable[[int, int], object]  # hands done, hands in all


class RebuildRunningError(Exception):
    """Somebody else is building the league's stats anew."""


def rebuild(league_id: UUID, progress: Progress = lambda done, whole: None) -> int:
    """Count every hand of the league anew and put that in place of what was there; how many.

    Raises RebuildRunningError.
    """
    whole = hands_of(league_id)
    lease = _take(league_id)
    try:
        with _collector_paused(), _room_for_pages():
            done = _build(league_id, lease, lambda done: progress(done, whole))
    except BaseException:
        # it is to be done again, and whoever does it need not wait
        _mine(league_id, lease).update(rebuilding_until=Now())
        raise
    _analyze()
    return done


def unfinished() -> list[UUID]:
    """Return the leagues of which somebody began to build the stats anew and has gone."""
    rows = StatsState.objects.filter(GONE, rebuilder__isnull=False)
    return list(rows.values_list("pk", flat=True))


def finish(league_id: UUID) -> bool:
    """Build the stats anew where somebody has begun it and gone; tell whether that was so."""
    if league_id not in unfinished():
        return False
    rebuild(league_id)
    return True


def _take(league_id: UUID) -> UUID:
    """Take the lease. The marks there are go: what they speak of is read after this."""
    lease = uuid4()
    with counting(league_id) as free:
        if not free and not StatsState.objects.filter(GONE, pk=league_id):
            raise RebuildRunningError
        StatsState.objects.filter(pk=league_id).update(
            rebuilder=lease, rebuilding_until=leases.until()
        )
        StaleMark.objects.filter(league=league_id).delete()
    return lease


def _build(league_id: UUID, lease: UUID, progress: Callable[[int], object]) -> int:
    last = query(f"SELECT max(id) FROM {FACT} WHERE league_id = %s", [plain(league_id)])[0][0]
    sums, done = Tallies(), 0
    for nights in _nights(league_id):
        hands = read_nights(nights)
        found: Iterable[Facts] = map(partial(_tallied, sums), hands)
        if not native():  # it lets one write at a time, so all is read before
            found = list(found)
        with _holding(league_id, lease):
            delete_facts_where(f"night_id IN {places(nights)}", nights)
            done += load_facts(found, len(hands))
        progress(done)
    with _holding(league_id, lease):  # what has no hand any more
        delete_facts_where("league_id = %s AND id <= %s", [plain(league_id), last or 0])
    seasons = _seasons(league_id)
    for table in SUMS:
        with _holding(league_id, lease):
            replace_sums(table, sums, seasons)
    _mine(league_id, lease).update(rebuilder=None, rebuilding_until=None, rebuilt_at=timezone.now())
    return done


def _tallied(sums: Tallies, read: HandReader) -> Facts:
    """Return the facts of a hand, which are tallied."""
    facts, luck = counted(*read())
    sums.add(facts, luck)
    return facts


@contextmanager
def _holding(league_id: UUID, lease: UUID) -> Iterator[None]:
    """Hold the league's row for one step, and the lease on.

    Raises RebuildRunningError: it was lost.
    """
    with counting(league_id):
        if not _mine(league_id, lease).update(rebuilding_until=leases.until()):
            raise RebuildRunningError
        yield


def _mine(league_id: UUID, lease: UUID) -> QuerySet[StatsState]:
    return StatsState.objects.filter(pk=league_id, rebuilder=lease)


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


@contextmanager
def _room_for_pages() -> Iterator[None]:
    """Let SQLite hold more of the file: in its usual 2 MB no index has room that rows fall into."""
    if native():
        yield
        return
    [(usual,)] = query("PRAGMA cache_size")
    execute(f"PRAGMA cache_size = -{ROOM}")
    try:
        yield
    finally:
        execute(f"PRAGMA cache_size = {usual}")


def hands_of(league_id: UUID) -> int:
    """Return how many hands the league has recorded."""
    sql = """
        SELECT count(*) FROM league_hand h JOIN league_night n ON n.id = h.night_id
            JOIN league_season s ON s.id = n.season_id WHERE s.league_id = %s"""
    return int(query(sql, [plain(league_id)])[0][0])


def _nights(league_id: UUID) -> Iterator[list[str]]:
    """Yield the nights in order, together as many as have some hundred hands."""
    sql = """
        SELECT CAST(n.id AS text), count(h.id) FROM league_night n
            JOIN league_season s ON s.id = n.season_id JOIN league_hand h ON h.night_id = n.id
        WHERE s.league_id = %s
        GROUP BY n.id, n.started_at ORDER BY n.started_at, n.id"""
    some: list[str] = []
    hands = 0
    for night, number in query(sql, [plain(league_id)]):
        some.append(night)
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
    """Tell the database what it now holds, that it finds its way through it.

    PostgreSQL tidies up too: all that was there before is still in the way of whoever looks.
    """
    tidies = native() and not connection.in_atomic_block  # it can't where there is a way back
    for table in (FACT, RESULT, *(each.table for each in SUMS)):
        execute(f"{'VACUUM ANALYZE' if tidies else 'ANALYZE'} {table}")
