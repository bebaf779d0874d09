"""How fast hands are counted, beside the plain SQL aggregate over the same rows.

    python bench/stats.py [--hands 100000] [--players 40] [--real 2000]
    DATABASE_URL=postgres://postgres@127.0.0.1/postgres python bench/stats.py

Makes a database of its own (a file, or one on that server) and drops it afterwards. The first
hands (--real) are dealt as `manage.py demo` deals them; the others are copies of theirs in nights
of their own, with all that counting reads. Prints the rebuild in hands a second, first with nothing
there and then over what is there, and what memory it took; the incremental step for a hand that is
new, taken back or told again, among few hands and among many; the pages of stats with many hands;
and the floor: what the database takes to group the same facts anew for one page. Processor time
counts this process and, where PostgreSQL is on the same machine, the one that serves it.
"""

import argparse
import os
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Any
from uuid import uuid4

import psutil
import psycopg

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

SERVER = os.environ.get("DATABASE_URL", "")
NAME = f"dealers_choice_bench_{os.getpid()}"
FEW = 1_000
STEPS = 100
ASKED = 20
MOVED = 10


def main() -> None:
    parser = argparse.ArgumentParser(prog="python bench/stats.py", description="Stats, timed")
    parser.add_argument("--hands", type=int, default=100_000)
    parser.add_argument("--players", type=int, default=40)
    parser.add_argument("--real", type=int, default=2_000)
    options = parser.parse_args()
    with ExitStack() as stack:
        stack.enter_context(own_database())
        _set_up_django()
        from league.demo.full_season import play_season  # noqa: PLC0415
        from league.demo.night import demo_league, demo_user  # noqa: PLC0415

        user, _ = demo_user()
        league = demo_league(user, players=options.players)
        list(play_season(league, FEW, by=user))
        _rebuilt(league)
        _steps(league, FEW)
        list(play_season(league, options.real - FEW, seed=2, by=user))
        _multiply(league, options.hands)
        _rebuilt(league)
        _rebuilt(league, " again")
        _steps(league, options.hands)
        _pages(league, user)
        _floor(league)
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


@contextmanager
def own_database() -> Iterator[None]:
    """A database that is there inside the block alone."""
    if not SERVER.startswith("postgres"):
        with tempfile.TemporaryDirectory() as folder:
            os.environ["DATABASE_URL"] = f"sqlite:///{folder}/bench.sqlite3"
            yield
        return
    with psycopg.connect(SERVER, autocommit=True) as server:
        server.execute(f'CREATE DATABASE "{NAME}"')
        os.environ["DATABASE_URL"] = f"{SERVER.rpartition('/')[0]}/{NAME}"
        try:
            yield
        finally:
            server.execute(f'DROP DATABASE "{NAME}" WITH (FORCE)')


def _set_up_django() -> None:
    os.environ |= {"SECRET_KEY": NAME, "DJANGO_SETTINGS_MODULE": "config.settings"}
    import django  # noqa: PLC0415
    from django.core.management import call_command  # noqa: PLC0415

    django.setup()
    call_command("migrate", verbosity=0)


def _multiply(league: Any, hands: int) -> None:
    """Copy the nights with their hands until there are so many."""
    from django.db import connection, transaction  # noqa: PLC0415

    from league.models import Hand, Night  # noqa: PLC0415

    nights = list(Night.objects.filter(season__league=league).order_by("number"))
    number, dealt = len(nights), Hand.objects.filter(night__in=nights).count()
    while dealt < hands:
        for night in nights:
            number += 1
            with transaction.atomic():
                dealt += _copy(night, number)
            if dealt >= hands:
                break
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")  # as autovacuum would have


def _copy(night: Any, number: int) -> int:
    """Copy one night; its hands get postings that move nothing."""
    from league.models import Hand, Night, Revision  # noqa: PLC0415
    from ledger.models import Posting  # noqa: PLC0415

    rows = list(Revision.objects.filter(hand__night=night, current=True).select_related("hand"))
    copied = Night.objects.get(pk=night.pk)
    copied.pk, copied.number = uuid4(), number
    copied.save(force_insert=True)
    book = night.season.league.book_id
    hands, revisions, postings = [], [], []
    for row in rows:
        key = uuid4()
        postings.append(Posting(book_id=book, key=f"hand:{key}", digest=""))
        hands.append(Hand(id=key, night=copied, number=row.hand.number, made_at=row.hand.made_at))
        row.id, row.hand_id = key, key
        revisions.append(row)
    for row, posting in zip(revisions, Posting.objects.bulk_create(postings), strict=True):
        row.posting = posting
    Hand.objects.bulk_create(hands)
    Revision.objects.bulk_create(revisions)
    return len(rows)


@dataclass(frozen=True, slots=True)
class Took:
    """What some work took, in seconds; `worked` is processor time, the server's included."""

    seconds: float
    worked: float


def _took(work: Callable[[], object], *, times: int = 1) -> Took:
    worked = _worked()
    started = time.perf_counter()
    for _ in range(times):
        work()
    seconds = time.perf_counter() - started
    return Took(seconds / times, (_worked() - worked) / times)


def _worked() -> float:
    """Return the processor time so far of this process and of who serves it on this machine."""
    from django.db import connection  # noqa: PLC0415

    if connection.vendor != "postgresql":
        return time.process_time()
    connection.ensure_connection()
    served = psutil.Process(connection.connection.info.backend_pid).cpu_times()
    return time.process_time() + served.user + served.system


def _rebuilt(league: Any, again: str = "") -> None:
    from league.stats.update.rebuild import hands_of, rebuild  # noqa: PLC0415

    took, hands = _took(lambda: rebuild(league.pk)), hands_of(league.pk)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"rebuild of {hands:8,} hands{again} {hands / took.seconds:8,.0f} a second"
        f" ({hands / took.worked:,.0f} a second of processor time), {memory:,.0f} MB at most"
    )


def _steps(league: Any, hands: int) -> None:
    """Count hands one at a time: taken back, told for the first time, and told once more."""
    from league.models import StaleMark  # noqa: PLC0415
    from league.stats.store.fact_rows import delete_facts_where  # noqa: PLC0415
    from ledger.sql import plain, query  # noqa: PLC0415

    StaleMark.objects.filter(league=league).delete()
    taken_back, new, told_again = [], [], []
    for revision in _current(league)[:STEPS]:
        taken_back.append(_counted(league, revision, voids=True))
        # a hand that was taken back counts for nothing: without its facts it was never there
        delete_facts_where("hand_id = %s", [plain(revision.hand_id)])
        new.append(_counted(league, revision, voids=False))
        told_again.append(_counted(league, revision, voids=False))
    trips = [_took(lambda: query("SELECT 1")) for _ in range(STEPS)]
    print(f"a hand is counted, among {hands:,} (asking the database for nothing takes", end=" ")
    print(f"{1000 * statistics.median(each.seconds for each in trips):.2f} ms):")
    for name, took in {"new": new, "taken back": taken_back, "told again": told_again}.items():
        found = took[STEPS // 10 :]
        print(f"    {name:10}: {_told(found)}")


def _current(league: Any) -> Any:
    from league.models import Revision  # noqa: PLC0415

    rows = Revision.objects.filter(hand__night__season__league=league, current=True, voids=False)
    return rows.order_by("pk")


def _counted(league: Any, revision: Any, *, voids: bool) -> Took:
    from django.db import connection  # noqa: PLC0415

    from league.integrity import triggers  # noqa: PLC0415
    from league.models import Revision, StaleMark  # noqa: PLC0415
    from league.stats.update.count import count_marked  # noqa: PLC0415
    from ledger import guards  # noqa: PLC0415

    guards.remove(connection, triggers.league())
    Revision.objects.filter(pk=revision.pk).update(voids=voids)
    guards.install(connection, triggers.league())
    StaleMark.objects.create(league=league, hand_id=revision.hand_id, revision=revision)
    return _took(lambda: count_marked(league.pk))


def _pages(league: Any, user: Any) -> None:
    """The pages of stats: for the first time of all, the first since a hand was counted, again.

    The process has loaded what a server loads before its workers.
    """
    from django.db import connection  # noqa: PLC0415
    from django.test import Client  # noqa: PLC0415
    from django.urls import reverse  # noqa: PLC0415

    from config.server.preload import preload  # noqa: PLC0415
    from league.models import PlayerTally  # noqa: PLC0415

    preload()
    client = Client(SERVER_NAME="localhost")
    client.force_login(user)
    season = league.seasons.get()
    most = PlayerTally.objects.filter(season=season).order_by("-hands").first()
    pages = {
        "season": reverse("season", args=[season.pk]),
        "player": reverse("player", args=[most.player_id]),
        "game": f"{reverse('game-stats', args=[league.pk])}?game={most.game}",
    }
    for name, address in pages.items():
        ask = partial(_ask, client, address)
        first = _took(ask)
        seen: list[str] = []
        moved = []
        for revision in _current(league)[:MOVED]:
            _counted(league, revision, voids=True)
            seen.clear()
            with connection.execute_wrapper(partial(_noted, seen)):
                moved.append(_took(ask))
        again = [_took(ask) for _ in range(ASKED)]
        print(f"{name} page: first of all {1000 * first.seconds:.0f} ms")
        print(f"    after a hand: {_told(moved)}, {len(seen)} queries")
        print(f"    again:        {_told(again)}")


def _told(took: Sequence[Took]) -> str:
    return (
        f"median {1000 * statistics.median(each.seconds for each in took):.1f} ms,"
        f" best {1000 * min(each.seconds for each in took):.1f} ms,"
        f" {1000 * statistics.mean(each.worked for each in took):.1f} ms of processor time"
    )


def _noted(seen: list[str], execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
    seen.append(sql)
    return execute(sql, *rest)


def _ask(client: Any, address: str) -> None:
    answer = client.get(address)
    if answer.status_code != HTTPStatus.OK:
        sys.exit(f"{address} was answered with {answer.status_code}")


def _floor(league: Any) -> None:
    """The sums of a season read as they are kept, and grouped anew from the same facts."""
    from league.stats.figures.players import players  # noqa: PLC0415
    from league.stats.scopes import of_season  # noqa: PLC0415
    from league.stats.tallies import PLAYERS  # noqa: PLC0415
    from league.stats.update.recount import grouping  # noqa: PLC0415
    from ledger.sql import query  # noqa: PLC0415

    season = league.seasons.get()
    scope = of_season(season)
    kept = _took(lambda: players(scope), times=5)
    sql = grouping(PLAYERS, scope.values)
    grouped = _took(lambda: query(sql, scope.values), times=2)
    print(
        f"players of a season: kept sums {1000 * kept.seconds:.1f} ms,"
        f" plain SQL over the facts {1000 * grouped.seconds:.1f} ms"
    )


if __name__ == "__main__":
    main()
