"""Time the counting and display of hands in small and large leagues, in turns.

    python bench/stats.py [--hands 100000] [--few 1000] [--turns 5]
    DATABASE_URL=postgres://postgres@127.0.0.1/postgres python bench/stats.py

Two processes alternate. Each has a database, one with few hands and one with many. Each process
first rebuilds its statistics and prints the time. In each turn it then counts a voided, a new and a
corrected hand, requests an empty view, and requests an empty API view with a token. It also
requests the season's page twice, the first time after a recorded hand. The first --real hands are
dealt like those of `manage.py demo`. The others are copies in separate nights, with all rows that
are read for counting. The run fails if the nightly check finds differences. At the end it prints
the ratios of processor time, as the median of the turns with the spread, and the cost of the page.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random
from typing import Any
from uuid import uuid4

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from bench import hand_requests as requests  # noqa: E402
from bench.in_process import Times, asking, processor_time, timed  # noqa: E402
from bench.service import own_database  # noqa: E402

STEPS = 20  # number of hands of each kind to count per turn
ASKED = 10  # page requests per turn
FLOORS = 100  # empty responses per turn; more than page requests, because they are fast
KINDS = ("voided", "new", "corrected")
EMPTY, EMPTY_WITH_TOKEN = "an empty view", "an empty address with a token"
AFTER, KEPT = "the season page after a hand", "the season page again"
Report = dict[str, list[float]]  # seconds and processor time, keyed by step


def main() -> None:
    parser = argparse.ArgumentParser(prog="python bench/stats.py", description="Stats, timed")
    parser.add_argument("--hands", type=int, default=100_000)
    parser.add_argument("--few", type=int, default=1_000)
    parser.add_argument("--players", type=int, default=40)
    parser.add_argument("--real", type=int, default=1_000)
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        with own_database():
            Side(options).serve()
        return
    with _side(options, options.few) as few, _side(options, options.hands) as many:
        started = [_request(few, "start"), _request(many, "start")]
        print(*(each["said"] for each in started), sep="\n")
        times: list[dict[str, Times]] = [{}, {}]
        for _ in range(options.turns):
            for side, mine in zip((few, many), times, strict=True):
                for name, (seconds, worked) in _request(side, "turn").items():
                    mine.setdefault(name, Times()).add(seconds, worked)
        queries = max(_request(side, "check") for side in (few, many))
    _print(options, *times, queries)


def _print(
    options: argparse.Namespace, few: dict[str, Times], many: dict[str, Times], queries: int
) -> None:
    for hands, times in ((options.few, few), (options.hands, many)):
        print(f"among {hands:,} hands")
        for name, each in times.items():
            print(f"    {name:32}{each}")
    steps = ", ".join(f"{kind} {many[kind].over(few[kind])}" for kind in KINDS)
    page = many[AFTER]
    kind = "PostgreSQL" if os.environ.get("DATABASE_URL", "").startswith("postgres") else "SQLite"
    print(
        f"{kind}, {options.hands:,} hands compared with {options.few:,}: {steps},"
        f" season page {page.over(few[AFTER])}; the season page with {options.hands:,} hands:"
        f" {str(page).strip()}, {queries} queries, {page.over(many[EMPTY])} times an empty view and"
        f" {page.over(many[EMPTY_WITH_TOKEN])} times one with a token;"
        f" load average {os.getloadavg()[0]:.1f}"
    )


# --- the two processes --------------------------------------------------------------------------


@contextmanager
def _side(options: argparse.Namespace, hands: int) -> Iterator[Any]:
    """Start a process whose database has `hands` hands."""
    command = [sys.executable, __file__, "--serve", "--hands", str(hands)]
    command += ["--players", str(options.players), "--real", str(min(hands, options.real))]
    process = subprocess.Popen(  # noqa: S603 (our own)
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
    )
    with process:
        yield process


def _request(side: Any, what: str) -> Any:
    side.stdin.write(f"{what}\n")
    side.stdin.flush()
    report = side.stdout.readline()
    if not report:
        sys.exit("one of the two has failed")
    return json.loads(report)


class Side:
    """A league with `hands` hands, and the actions to measure."""

    def __init__(self, options: argparse.Namespace) -> None:
        from league.demo.full_season import (  # noqa: PLC0415
            demo_league,
            demo_user,
            play_season,
        )
        from league.nights.buy_ins import buy_in  # noqa: PLC0415
        from league.nights.opening import open_night  # noqa: PLC0415

        self.user, _ = demo_user()
        self.league = demo_league(self.user, players=options.players)
        list(play_season(self.league, options.real, by=self.user))
        self.chance = Random(1)
        self.sitting = list(self.league.players.order_by("name")[: len(requests.NAMES)])
        # before the copies, which may fill the season up to its limit of nights
        self.night = open_night(self.league, players=self.sitting)
        for player in self.sitting:
            buy_in(self.night, player, 1_000_000, buy_in_id=uuid4(), by=self.user)
        _multiply(self.league, options.hands)
        self.hands = list(_current(self.league)[: STEPS + 1])

    def serve(self) -> None:
        """Respond to each input line with one line."""
        for line in sys.stdin:
            report = getattr(self, line.strip())()
            print(json.dumps(report), flush=True)

    def start(self) -> dict[str, str]:
        """Rebuild the statistics from scratch, then again from existing rows, and warm up."""
        from config.server.preload import preload  # noqa: PLC0415

        first, again = (_rebuilt(self.league) for _ in range(2))
        preload()
        _tidy()
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        report = f"rebuild: {first}; over what is there: {again}; {memory:,.0f} MB at most"
        return {"said": report}

    def turn(self) -> Report:
        """Count hands of each kind, then request pages."""
        steps = self.hands[: STEPS + 1]
        report: Report = {}
        for kind in KINDS:
            self._make(kind, steps)
            # not timed: its queries are planned again, because the triggers were removed
            self._count(steps[0])
            report[kind] = timed([partial(self._count, each) for each in steps[1:]])
        return report | self._pages()

    def _make(self, kind: str, hands: list[Any]) -> None:
        """Change the hands and mark them for counting, so that each counts as this kind."""
        from league.models import HandFact, StaleMark  # noqa: PLC0415

        if kind != "corrected":
            _void(hands, voids=kind == "voided")
        if kind == "new":  # a hand without facts counts as new
            HandFact.objects.filter(hand__in=[each.hand_id for each in hands]).delete()
        StaleMark.objects.filter(league=self.league).delete()

    def _count(self, revision: Any) -> None:
        from league.models import StaleMark  # noqa: PLC0415
        from league.stats.count import count_marked  # noqa: PLC0415

        StaleMark.objects.create(
            league=self.league, hand_id=revision.hand_id, revision_id=revision.pk
        )
        count_marked(self.league.pk)

    def _pages(self) -> Report:
        from django.test import Client  # noqa: PLC0415
        from django.urls import reverse  # noqa: PLC0415

        client = Client(SERVER_NAME="localhost")
        client.force_login(self.user)
        address = reverse("season", args=[self.league.seasons.get().pk])
        ask = asking(requests.token(self))
        page = partial(_page, client, address)
        page()
        after: Report = {AFTER: [0.0, 0.0]}
        for _ in range(ASKED):
            self._record()
            took = timed([page])
            after[AFTER] = [a + b / ASKED for a, b in zip(after[AFTER], took, strict=True)]
        self._record()
        self.queries = _queries(page)
        return {
            EMPTY: timed([partial(ask, requests.EMPTY)] * FLOORS),
            EMPTY_WITH_TOKEN: timed([partial(ask, requests.EMPTY_WITH_TOKEN)] * FLOORS),
            **after,
            KEPT: timed([page] * ASKED),
        }

    def _record(self) -> None:
        """Record and count a unique hand of Texas Hold'em."""
        from league.recording.record import record_hand  # noqa: PLC0415
        from league.stats.count import count_marked  # noqa: PLC0415

        record = requests.record(self.chance)
        for each, player in zip(record["players"], self.sitting, strict=True):
            each["name"] = player.name
        record_hand(self.night, uuid4(), record, by=self.user)
        count_marked(self.league.pk)

    def check(self) -> int:
        """Return how many queries the page after a hand runs. Exits if a check fails."""
        from league.stats.count import check_night  # noqa: PLC0415

        if wrong := check_night(self.league.pk, self.night.pk):
            sys.exit(f"the night is not counted as it is recorded: {wrong}")
        return self.queries


def _rebuilt(league: Any) -> str:
    from league.stats.count import rebuild  # noqa: PLC0415

    worked = processor_time()
    hands = rebuild(league.pk)
    return f"{hands:,} hands, {hands / (processor_time() - worked):,.0f} a second of processor time"


def _tidy() -> None:
    """Do the work of autovacuum, which in production would have run earlier."""
    from django.db import connection  # noqa: PLC0415

    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE" if connection.vendor == "postgresql" else "ANALYZE")


def _current(league: Any) -> Any:
    from league.models import Revision  # noqa: PLC0415

    rows = Revision.objects.filter(hand__night__season__league=league, current=True, voids=False)
    return rows.order_by("pk")


def _void(revisions: list[Any], *, voids: bool) -> None:
    """Mark revisions as voided or not voided, bypassing the guards."""
    from django.db import connection  # noqa: PLC0415

    from league.integrity import triggers  # noqa: PLC0415
    from league.models import Revision  # noqa: PLC0415
    from ledger import guards  # noqa: PLC0415

    guards.remove(connection, triggers.league())
    Revision.objects.filter(pk__in=[each.pk for each in revisions]).update(voids=voids)
    guards.install(connection, triggers.league())


def _page(client: Any, address: str) -> None:
    if client.get(address).status_code != 200:
        sys.exit(f"{address} was refused")


def _queries(page: Any) -> int:
    from django.db import connection  # noqa: PLC0415
    from django.test.utils import CaptureQueriesContext  # noqa: PLC0415

    with CaptureQueriesContext(connection) as seen:
        page()
    return len(seen)


def _multiply(league: Any, hands: int) -> None:
    """Copy the closed nights and their hands until there are `hands` hands."""
    from django.db import transaction  # noqa: PLC0415

    from league.models import Hand, Night  # noqa: PLC0415

    played = Night.objects.filter(season__league=league, state=Night.State.CLOSED)
    nights = list(played.order_by("number"))
    number = league.seasons.get().nights.count()
    dealt = Hand.objects.filter(night__in=nights).count()
    while dealt < hands:
        for night in nights:
            number += 1
            with transaction.atomic():
                dealt += _copy(night, number)
            if dealt >= hands:
                break


def _copy(night: Any, number: int) -> int:
    """Copy a night. The postings of copied hands do not move chips."""
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


if __name__ == "__main__":
    main()
